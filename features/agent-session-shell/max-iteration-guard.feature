@agent-session-shell @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
Feature: Max Iteration Guard

  Background:
    Given these tools are registered
      | name     | parameters                                         | outcome         |
      | probe    | []                                                 | returns "$done" |
      | thrower  | []                                                 | throws "$error" |
      | demander | [{"key": "q", "type": "string", "required": true}] | returns "$done" |

  @max-iteration-guard.1
  Rule: The orchestrator loop MUST enforce a hard iteration cap of 8

    @derived @reading.2
    Scenario Outline: A ninth provider call is never made, whatever the rounds hold
      Given iterations 1 to 12 return the tool calls
        | id     | tool   | args |
        | $call# | <tool> | {}   |
      When orchestrator.run() is invoked
      Then the chat route was called 8 times

      Examples:
        | case            | tool     |
        | tool-returns    | probe    |
        | tool-throws     | thrower  |
        | tool-unknown    | nowhere  |
        | argument-absent | demander |

    @derived @reading.2
    Scenario: Every run has eight iterations of its own
      Given iterations 1 to 20 return the tool calls
        | id     | tool  | args |
        | $call# | probe | {}   |
      When orchestrator.run() is invoked
      Then the chat route was called 8 times
      When orchestrator.run() is invoked
      Then the chat route was called 16 times

  @max-iteration-guard.2
  Rule: An iteration is one round of "call provider → resolve tool calls → feed results back"

    @derived
    Scenario: A round counts once, however many calls it holds
      Given iterations 1 to 4 return the tool calls
        | id       | tool    | args |
        | $call_a# | probe   | {}   |
        | $call_b# | thrower | {}   |
        | $call_c# | probe   | {}   |
      And iteration 5 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 5 times
      And the last message of chatStore is an assistant message with "$answer"
      And 0 messages of chatStore contain "Reached maximum iteration limit"

  @max-iteration-guard.3
  Rule: If the cap is reached, the orchestrator MUST stop

    @derived @reading.2
    Scenario: A ninth call is not made to sum up either
      Given iterations 1 to 8 return the tool calls
        | id     | tool  | args |
        | $call# | probe | {}   |
      And iteration 9 returns {"content": "$summary"}
      When orchestrator.run() is invoked
      Then the chat route was called 8 times
      And 0 messages of chatStore contain "$summary"

  @max-iteration-guard.4
  Rule: If the cap is reached, the orchestrator MUST append a final assistant message indicating the limit was reached

    @derived @reading.2
    Scenario: One message speaks of the limit, and it is the last
      Given iterations 1 to 12 return the tool calls
        | id     | tool  | args |
        | $call# | probe | {}   |
      When orchestrator.run() is invoked
      Then the chat route was called 8 times
      And the last message of chatStore is an assistant message with "limit"
      And 1 message of chatStore contains "limit"

  @max-iteration-guard.5
  Rule: If the cap is reached, the orchestrator MUST set agentStore.status to "idle"

    @derived @reading.2
    Scenario Outline: The cap ends in idle
      Given setStatus("responding") was called
      And iterations 1 to 12 return the tool calls
        | id     | tool   | args |
        | $call# | <tool> | {}   |
      When orchestrator.run() is invoked
      Then the chat route was called 8 times
      And agentStore.status is "idle"

      Examples:
        | case         | tool    |
        | tool-returns | probe   |
        | tool-throws  | thrower |

  @max-iteration-guard.6
  Rule: The final message at the cap says "Reached maximum iteration limit"

    @transcribed @reading.2
    Scenario: Cap reached mid-loop
      Given iterations 1 to 7 return the tool calls
        | id     | tool  | args |
        | $call# | probe | {}   |
      And iteration 8 returns the tool calls
        | id     | tool  | args |
        | $call8 | probe | {}   |
      When orchestrator.run() is invoked
      Then the last message of chatStore is an assistant message with "Reached maximum iteration limit"
      And agentStore.status is "idle"
      And the chat route was called 8 times

  @max-iteration-guard.7
  Rule: Within the cap no such message is appended

    @transcribed
    Scenario: Loop completes within cap
      Given iterations 1 to 2 return the tool calls
        | id     | tool  | args |
        | $call# | probe | {}   |
      And iteration 3 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the last message of chatStore is an assistant message with "$answer"
      And 0 messages of chatStore contain "Reached maximum iteration limit"
      And agentStore.status is "idle"

    @derived @reading.2
    Scenario: Text in the eighth answer is a normal end
      Given iterations 1 to 7 return the tool calls
        | id     | tool  | args |
        | $call# | probe | {}   |
      And iteration 8 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 8 times
      And the last message of chatStore is an assistant message with "$answer"
      And 0 messages of chatStore contain "limit"
      And agentStore.status is "idle"

  @robustness
  Rule: Where the specification is silent

    @robustness @reading.2
    Scenario: A conversation goes on after the cap without open calls
      Given iterations 1 to 8 return the tool calls
        | id     | tool  | args |
        | $call# | probe | {}   |
      And iteration 9 returns {"content": "$answer"}
      And addMessage({"role": "user", "content": "$question"}) was called
      When orchestrator.run() is invoked with the messages of chatStore
      And addMessage({"role": "user", "content": "$next"}) is called
      And orchestrator.run() is invoked with the messages of chatStore
      Then the chat route was called 9 times
      And no POST holds a call without its result
      And the last message of chatStore is an assistant message with "$answer"
