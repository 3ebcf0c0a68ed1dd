@agent-session-shell @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
Feature: Orchestrator Shell

  @orchestrator-shell.1
  Rule: The system SHALL provide a client-side orchestrator.run(messages, context) function

    @derived
    Scenario: A run is about the messages that it is given, not those of the store
      Given addMessage({"role": "user", "content": "$stored"}) was called
      And the messages
        """
        [{"role": "user", "content": "$question"}]
        """
      And iteration 1 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then POST 1 carries exactly the messages of the run
      And the chat route was called 1 time

  @orchestrator-shell.2
  Rule: It sets agentStore.status to "sending"

    @derived @reading.18
    Scenario Outline: The status is "sending" before the first call
      Given setStatus("<before>") was called
      And agentStore is read while calls are open
      And iteration 1 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then while POST 1 was held, agentStore.status was "sending"

      Examples:
        | case       | before |
        | from-idle  | idle   |
        | from-error | error  |

  @orchestrator-shell.3
  Rule: It POSTs { messages, context } to /api/agent/chat

    @derived
    Scenario: The body holds the messages and the context of the run
      Given the messages
        """
        [
          {"role": "user", "content": "$first"},
          {
            "role": "assistant",
            "content": "$thought",
            "toolCalls": [{"id": "$call", "name": "probe", "args": {"deep": {"list": [1.5, null, "Grüße"]}}}]
          },
          {"role": "tool", "toolCallId": "$call", "content": "$result"},
          {"role": "assistant", "content": "$reply"},
          {"role": "user", "content": "$question"}
        ]
        """
      And the context
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "playbackTimeMs": 1500
        }
        """
      And iteration 1 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 1 time
      And nothing else came to the chat origin
      And POST 1 carries exactly the messages of the run
      And every POST carries the context of the run

    @derived
    Scenario: The context is in every POST
      Given these tools are registered
        | name  |
        | probe |
      And the context
        """
        {"projectId": "$project", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 7}
        """
      And iterations 1 to 2 return the tool calls
        | id     | tool  | args |
        | $call# | probe | {}   |
      And iteration 3 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 3 times
      And every POST carries the context of the run

  @orchestrator-shell.4 @restates.tool-argument-validation.1
  Rule: If the response contains toolCalls, it validates args

  @orchestrator-shell.5
  Rule: It resolves each tool call via the tool registry

    @derived @reading.5
    Scenario: Every call of a response runs, with its own arguments and the context of the run
      Given these tools are registered
        | name    | parameters                                         | outcome       |
        | probe_a | [{"key": "x", "type": "number", "required": true}] | returns "$ra" |
        | probe_b | [{"key": "y", "type": "object", "required": true}] | returns "$rb" |
      And the context
        """
        {"projectId": "$project", "activeSceneId": "$scene", "mediaAssets": [], "playbackTimeMs": 7}
        """
      And iteration 1 returns the tool calls
        | id     | tool    | args                           |
        | $call1 | probe_a | {"x": 1}                       |
        | $call2 | probe_b | {"y": {"deep": ["$w", false]}} |
        | $call3 | probe_a | {"x": 2}                       |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool    | args                           |
        | probe_a | {"x": 1}                       |
        | probe_b | {"y": {"deep": ["$w", false]}} |
        | probe_a | {"x": 2}                       |
      And every tool was given the context of the run

    @derived
    Scenario: A tool that is registered between two runs is found by the second
      Given iteration 1 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 1 time
      Given these tools are registered
        | name  | outcome          |
        | probe | returns "$found" |
      And iteration 2 returns the tool calls
        | id    | tool  | args |
        | $call | probe | {}   |
      And iteration 3 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args |
        | probe | {}   |
      And POST 3 answers the calls
        | id    | with   |
        | $call | $found |

    @derived @reading.4
    Scenario: A tool that the registry does not know costs only its own call
      Given these tools are registered
        | name  | outcome          |
        | probe | returns "$found" |
      And iteration 1 returns the tool calls
        | id     | tool     | args |
        | $call1 | $nowhere | {}   |
        | $call2 | probe    | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then POST 2 answers the calls
        | id     | with     |
        | $call1 | an error |
        | $call2 | $found   |
      And the last message of chatStore is an assistant message with "$answer"
      And agentStore.status is "idle"

  @orchestrator-shell.6
  Rule: If a single tool throws, the error MUST be captured in a ToolResult

    @transcribed @reading.6
    Scenario: Error during tool execution — per-tool recovery
      Given the shipped tool transcribe_video throws "$error"
      And iteration 1 returns the tool calls
        | id    | tool             | args |
        | $call | transcribe_video | {}   |
      And iteration 2 returns {"content": "$answer", "toolCalls": []}
      When orchestrator.run() is invoked
      Then POST 2 answers the calls
        | id    | with   |
        | $call | $error |
      And the chat route was called 2 times
      And the last message of chatStore is an assistant message with "$answer"

    @derived @reading.5 @reading.6
    Scenario Outline: The error stands in the result of the call that threw, and in no other
      Given these tools are registered
        | name    | outcome          |
        | thrower | throws "$error"  |
        | probe   | returns "$found" |
      And iteration 1 returns the tool calls
        | id     | tool     | args |
        | $call1 | <first>  | {}   |
        | $call2 | <second> | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then POST 2 answers the calls
        | id        | with   | without |
        | <thrown>  | $error | $found  |
        | <returns> | $found | $error  |

      Examples:
        | case         | first   | second  | thrown | returns |
        | first-throws | thrower | probe   | $call1 | $call2  |
        | last-throws  | probe   | thrower | $call2 | $call1  |

  @orchestrator-shell.7
  Rule: If a single tool throws, the loop MUST continue so the LLM can recover

    @derived
    Scenario: The model is asked again, and may call another tool
      Given these tools are registered
        | name    | outcome          |
        | thrower | throws "$error"  |
        | probe   | returns "$found" |
      And iteration 1 returns the tool calls
        | id     | tool    | args |
        | $call1 | thrower | {}   |
      And iteration 2 returns the tool calls
        | id     | tool  | args |
        | $call2 | probe | {}   |
      And iteration 3 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 3 times
      And the tools ran exactly so
        | tool    | args |
        | thrower | {}   |
        | probe   | {}   |
      And the last message of chatStore is an assistant message with "$answer"
      And agentStore.status is "idle"

  @orchestrator-shell.8
  Rule: It appends tool results to the message history

    @derived @reading.6
    Scenario Outline: What the tool returns is in the next POST, under the id of its call
      Given these tools are registered
        | name  | outcome            |
        | probe | returns <returned> |
      And iteration 1 returns the tool calls
        | id    | tool  | args |
        | $call | probe | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then POST 2 answers the calls
        | id    | with   |
        | $call | $found |

      Examples:
        | case   | returned                                |
        | text   | "$found"                                |
        | object | {"deep": {"list": [1, null, "$found"]}} |
        | list   | ["$other", "$found"]                    |

  @orchestrator-shell.9
  Rule: It loops back with the updated history

    @derived @reading.5 @reading.6
    Scenario: The history grows round by round, each result right after its call
      Given these tools are registered
        | name    | parameters                                          | outcome         |
        | probe_a | [{"key": "x", "type": "number", "required": false}] | returns "$ra"   |
        | probe_b | []                                                  | returns "$rb"   |
        | thrower | []                                                  | throws "$error" |
      And the messages
        """
        [
          {"role": "user", "content": "$first"},
          {"role": "assistant", "content": "$reply"},
          {"role": "user", "content": "$question"}
        ]
        """
      And iteration 1 returns the tool calls
        | id     | tool    | args     |
        | $call1 | probe_a | {"x": 1} |
      And iteration 2 returns the tool calls
        | id     | tool    | args     |
        | $call2 | probe_b | {}       |
        | $call3 | probe_a | {"x": 2} |
      And iteration 3 returns the tool calls
        | id     | tool    | args |
        | $call4 | thrower | {}   |
      And iteration 4 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 4 times
      And POST 1 carries exactly the messages of the run
      And the messages of each POST begin with those of the POST before
      And the last POST answers every call once, right after the assistant message that made it

  @orchestrator-shell.10
  Rule: When the response has no toolCalls, it appends the final assistant message to chatStore

    @transcribed @reading.3
    Scenario: Happy path with no tool calls
      Given addMessage({"role": "user", "content": "$question"}) was called
      And iteration 1 returns {"content": "Hello!", "toolCalls": []}
      When orchestrator.run() is invoked with the messages of chatStore
      Then chatStore.messages holds exactly
        """
        [{"role": "user", "content": "$question"}, {"role": "assistant", "content": "Hello!"}]
        """
      And agentStore.status is "idle"

    @derived @reading.3
    Scenario Outline: An answer without tool calls is the end, and is appended once
      Given iteration 1 returns <answer>
      And iteration 2 returns {"content": "$more"}
      When orchestrator.run() is invoked
      Then the chat route was called 1 time
      And chatStore.messages holds exactly
        """
        [{"role": "assistant", "content": "$answer"}]
        """

      Examples:
        | case   | answer                                    |
        | absent | {"content": "$answer"}                    |
        | null   | {"content": "$answer", "toolCalls": null} |
        | empty  | {"content": "$answer", "toolCalls": []}   |

  @orchestrator-shell.11
  Rule: When the response has no toolCalls, it sets status to "idle"

    @derived
    Scenario: A run without a tool ends in idle
      Given setStatus("responding") was called
      And iteration 1 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 1 time
      And agentStore.status is "idle"

    @derived
    Scenario Outline: A run with a tool ends in idle
      Given these tools are registered
        | name  | outcome   |
        | probe | <outcome> |
      And iterations 1 to 2 return the tool calls
        | id     | tool  | args |
        | $call# | probe | {}   |
      And iteration 3 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 3 times
      And agentStore.status is "idle"

      Examples:
        | case         | outcome          |
        | tool-returns | returns "$found" |
        | tool-throws  | throws "$error"  |

  @orchestrator-shell.12 @restates.max-iteration-guard.1
  Rule: The loop MUST NOT exceed the max iteration guard

  @orchestrator-shell.13
  Rule: On API errors the orchestrator MUST set chatStore.error

    @derived @reading.19
    Scenario Outline: An error of the chat route is an error in the store, and no answer
      Given chatStore.error is null
      And every further iteration fails with <failure>
      When orchestrator.run() is invoked
      Then the chat route was called
      And chatStore.error is a non-empty string
      And chatStore.messages holds no assistant message

      Examples:
        | case       | failure    |
        | status-400 | status 400 |
        | status-404 | status 404 |
        | status-500 | status 500 |
        | status-502 | status 502 |

    @derived @reading.19
    Scenario: An API error in a later iteration is an error in the store
      Given chatStore.error is null
      And these tools are registered
        | name  |
        | probe |
      And iteration 1 returns the tool calls
        | id    | tool  | args |
        | $call | probe | {}   |
      And every further iteration fails with status 502
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args |
        | probe | {}   |
      And chatStore.error is a non-empty string

  @orchestrator-shell.14
  Rule: On network errors the orchestrator MUST set chatStore.error

    @derived @reading.19 @chat-route.refused
    Scenario: A refused connection is an error in the store
      Given chatStore.error is null
      When orchestrator.run() is invoked
      Then chatStore.error is a non-empty string
      And chatStore.messages holds no assistant message

    @derived @reading.19
    Scenario: A reset connection is an error in the store
      Given chatStore.error is null
      And every further iteration fails with a reset connection
      When orchestrator.run() is invoked
      Then the chat route was called
      And chatStore.error is a non-empty string
      And chatStore.messages holds no assistant message

  @orchestrator-shell.15
  Rule: On API or network errors the orchestrator MUST set agentStore.status to "error"

    @derived @reading.18 @reading.19
    Scenario Outline: A failure of the first call ends in error
      Given agentStore.status is "idle"
      And every further iteration fails with <failure>
      When orchestrator.run() is invoked
      Then the chat route was called
      And agentStore.status is "error"

      Examples:
        | case       | failure            |
        | status-400 | status 400         |
        | status-502 | status 502         |
        | reset      | a reset connection |

    @derived @reading.18 @reading.19
    Scenario Outline: A failure after a tool round ends in error
      Given agentStore.status is "idle"
      And these tools are registered
        | name  |
        | probe |
      And iteration 1 returns the tool calls
        | id    | tool  | args |
        | $call | probe | {}   |
      And every further iteration fails with <failure>
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args |
        | probe | {}   |
      And agentStore.status is "error"

      Examples:
        | case       | failure            |
        | status-502 | status 502         |
        | reset      | a reset connection |

    @derived @reading.18 @reading.19 @chat-route.refused
    Scenario: A refused connection ends in error
      Given agentStore.status is "idle"
      When orchestrator.run() is invoked
      Then agentStore.status is "error"

  @orchestrator-shell.16
  Rule: Per-tool errors set neither chatStore.error nor agentStore.status "error"

    @derived @reading.18
    Scenario Outline: The error of a tool shows in neither store, not even for a moment
      Given these tools are registered
        | name    | outcome         |
        | thrower | throws "$error" |
      And iteration 1 returns the tool calls
        | id    | tool   | args |
        | $call | <tool> | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 2 times
      And chatStore.error was always null
      And agentStore.status was never "error"
      And agentStore.status is "idle"

      Examples:
        | case         | tool    |
        | tool-throws  | thrower |
        | tool-unknown | nowhere |

  @orchestrator-shell.17
  Rule: chatStore.messages contains the tool result and the final assistant message

    @transcribed @reading.6
    Scenario: Tool call then final answer
      Given the shipped tool transcribe_video returns "$found"
      And iteration 1 returns the tool calls
        | id    | tool             | args |
        | $call | transcribe_video | {}   |
      And iteration 2 returns {"content": "Here is the transcription...", "toolCalls": []}
      When orchestrator.run() is invoked
      Then chatStore answers the calls
        | id    | with   |
        | $call | $found |
      And the last message of chatStore is an assistant message with "Here is the transcription..."
      And agentStore.status is "idle"

    @derived @reading.5 @reading.6
    Scenario: The store holds the result of every call of every round
      Given these tools are registered
        | name    | outcome         |
        | probe_a | returns "$ra"   |
        | probe_b | returns "$rb"   |
        | thrower | throws "$error" |
      And iteration 1 returns the tool calls
        | id     | tool    | args |
        | $call1 | probe_a | {}   |
        | $call2 | thrower | {}   |
      And iteration 2 returns the tool calls
        | id     | tool    | args |
        | $call3 | probe_b | {}   |
      And iteration 3 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then chatStore answers the calls
        | id     | with   |
        | $call1 | $ra    |
        | $call2 | $error |
        | $call3 | $rb    |
      And the last message of chatStore is an assistant message with "$answer"
      And 1 message of chatStore contains "$answer"

  @robustness
  Rule: Where the specification is silent

    @robustness @reading.5
    Scenario: Results stand in the order of their calls
      Given these tools are registered
        | name    | outcome         |
        | probe   | returns "$done" |
        | thrower | throws "$error" |
      And iteration 1 returns the tool calls
        | id     | tool    | args |
        | $call1 | probe   | {}   |
        | $call2 | thrower | {}   |
        | $call3 | nowhere | {}   |
        | $call4 | probe   | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then POST 2 answers the calls in the order ["$call1", "$call2", "$call3", "$call4"]

    @robustness @reading.4
    Scenario: The error of an unknown tool names the tools that there are
      Given these tools are registered
        | name    |
        | probe_a |
      And iteration 1 returns the tool calls
        | id    | tool    | args |
        | $call | nowhere | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then POST 2 answers the calls
        | id    | with             |
        | $call | transcribe_video |
        | $call | probe_a          |

    @robustness
    Scenario Outline: A tool that returns nothing much is answered too
      Given these tools are registered
        | name  | outcome            |
        | probe | returns <returned> |
      And iteration 1 returns the tool calls
        | id    | tool  | args |
        | $call | probe | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then POST 2 answers the calls
        | id    |
        | $call |
      And the last message of chatStore is an assistant message with "$answer"

      Examples:
        | case       | returned |
        | null       | null     |
        | empty-text | ""       |
        | false      | false    |
        | zero       | 0        |
        | empty-list | []       |

    @robustness
    Scenario: What the model says beside its calls stays in the history
      Given these tools are registered
        | name  |
        | probe |
      And iteration 1 returns {"content": "$thought", "toolCalls": [{"id": "$call", "name": "probe", "args": {}}]}
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then POST 2 contains "$thought"

    @robustness @reading.17
    Scenario Outline: Calls without an id of their own run all the same
      Given these tools are registered
        | name  | parameters                                         |
        | probe | [{"key": "x", "type": "number", "required": true}] |
      And iteration 1 returns <answer>
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args     |
        | probe | {"x": 1} |
        | probe | {"x": 2} |
      And the chat route was called 2 times
      And the last message of chatStore is an assistant message with "$answer"

      Examples:
        | case   | answer                                                                                                                                 |
        | double | {"content": "", "toolCalls": [{"id": "$call", "name": "probe", "args": {"x": 1}}, {"id": "$call", "name": "probe", "args": {"x": 2}}]} |
        | empty  | {"content": "", "toolCalls": [{"id": "", "name": "probe", "args": {"x": 1}}, {"id": "", "name": "probe", "args": {"x": 2}}]}           |
        | absent | {"content": "", "toolCalls": [{"name": "probe", "args": {"x": 1}}, {"name": "probe", "args": {"x": 2}}]}                               |

    @robustness
    Scenario Outline: An answer that is none is an API error
      Given chatStore.error is null
      And every further iteration fails with <failure>
      When orchestrator.run() is invoked
      Then the chat route was called
      And chatStore.error is a non-empty string
      And agentStore.status is "error"
      And chatStore.messages holds no assistant message

      Examples:
        | case       | failure                  |
        | html       | HTML                     |
        | empty-body | an empty body            |
        | cut-short  | a body that is cut short |

    @robustness
    Scenario Outline: Nothing is loading after a run
      Given these tools are registered
        | name    | outcome         |
        | probe   | returns "$done" |
        | thrower | throws "$error" |
      And iteration 1 returns the tool calls
        | id    | tool   | args |
        | $call | <tool> | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 2 times
      And chatStore.loading is false

      Examples:
        | case         | tool    |
        | tool-returns | probe   |
        | tool-throws  | thrower |
        | tool-unknown | nowhere |

    @robustness
    Scenario: Nothing is loading after an API error
      Given every further iteration fails with status 502
      When orchestrator.run() is invoked
      Then the chat route was called
      And chatStore.error is a non-empty string
      And chatStore.loading is false

    @robustness @operation.orchestrator.abort
    Scenario: A run that is aborted while a tool runs leaves no call open
      Given these tools are registered
        | name  | outcome         |
        | probe | returns "$done" |
      And orchestrator.abort() is called while a tool runs
      And iteration 1 returns the tool calls
        | id     | tool  | args |
        | $call1 | probe | {}   |
        | $call2 | probe | {}   |
        | $call3 | probe | {}   |
      And iterations 2 to 4 return {"content": "$answer"}
      And addMessage({"role": "user", "content": "$question"}) was called
      When orchestrator.run() is invoked with the messages of chatStore
      And addMessage({"role": "user", "content": "$next"}) is called
      And orchestrator.run() is invoked with the messages of chatStore
      Then no POST holds a call without its result
      And POST 2 contains "$next"
      And the last message of chatStore is an assistant message with "$answer"

    @robustness
    Scenario: A second run does not go on beside the first
      Given these tools are registered
        | name  | outcome        |
        | probe | returns "done" |
      And iteration 1 returns the tool calls
        | id    | tool  | args |
        | $call | probe | {}   |
      And iterations 2 to 6 return {"content": "$answer"}
      And orchestrator.run() is invoked again while a tool runs
      When orchestrator.run() is invoked
      Then while probe ran, nothing was posted
      And the last message of chatStore is an assistant message with "$answer"
