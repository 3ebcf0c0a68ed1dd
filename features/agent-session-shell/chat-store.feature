@agent-session-shell @surface.chat-store
Feature: Chat Store

  @chat-store.1
  Rule: The system SHALL maintain a chatStore with state messages: ChatMessage[]

    @derived @reading.24
    Scenario: Every kind of message keeps every field that it was given
      When addMessage({"role": "user", "content": "$question"}) is called
      And addMessage({"role": "assistant", "content": "", "toolCalls": [{"id": "$call1", "name": "probe", "args": {"deep": [1.5, null, "$word"]}}, {"id": "$call2", "name": "probe", "args": {}}]}) is called
      And addMessage({"role": "tool", "toolCallId": "$call1", "content": "$result"}) is called
      Then chatStore.messages holds exactly
        """
        [
          {"role": "user", "content": "$question"},
          {
            "role": "assistant",
            "content": "",
            "toolCalls": [
              {"id": "$call1", "name": "probe", "args": {"deep": [1.5, null, "$word"]}},
              {"id": "$call2", "name": "probe", "args": {}}
            ]
          },
          {"role": "tool", "toolCallId": "$call1", "content": "$result"}
        ]
        """

    @derived
    Scenario Outline: The content of a message comes back as it was given
      When addMessage({"role": "user", "content": <content>}) is called
      And addMessage({"role": "assistant", "content": "$answer"}) is called
      Then chatStore.messages holds exactly
        """
        [{"role": "user", "content": <content>}, {"role": "assistant", "content": "$answer"}]
        """

      Examples:
        | case         | content                            |
        | empty        | ""                                 |
        | spaces       | "  two lines\\nand spaces  "       |
        | other-script | "Grüße, 世界 \\ud83c\\udfac"         |
        | markup       | "<b>\\"quoted\\"</b> & {{braces}}" |

  @chat-store.2
  Rule: The chatStore SHALL have state loading: boolean

    @derived
    Scenario: A fresh store is not loading
      Given chatStore.loading is false
      When setLoading(true) is called
      Then chatStore.loading is true

  @chat-store.3
  Rule: The chatStore SHALL have state error: string | null

    @derived
    Scenario: A fresh store has no error
      Given chatStore.error is null
      When setError("$error") is called
      Then chatStore.error is "$error"

  @chat-store.4
  Rule: The store MUST provide addMessage(msg)

    @transcribed @reading.24
    Scenario: Message lifecycle
      Given chatStore.messages is []
      When addMessage({"role": "user", "content": "Hello"}) is called
      Then chatStore.messages holds exactly
        """
        [{"role": "user", "content": "Hello"}]
        """

    @derived
    Scenario: Messages stand in the order in which they were added, and an equal one is kept
      When addMessage({"role": "user", "content": "$first"}) is called
      And addMessage({"role": "assistant", "content": "$second"}) is called
      And addMessage({"role": "user", "content": "$first"}) is called
      And addMessage({"role": "user", "content": "$first"}) is called
      Then chatStore.messages holds exactly
        """
        [
          {"role": "user", "content": "$first"},
          {"role": "assistant", "content": "$second"},
          {"role": "user", "content": "$first"},
          {"role": "user", "content": "$first"}
        ]
        """

  @chat-store.5
  Rule: The store MUST provide setLoading(v)

    @derived
    Scenario: Loading is what it was set to last
      When setLoading(true) is called
      Then chatStore.loading is true
      When setLoading(true) is called
      Then chatStore.loading is true
      When setLoading(false) is called
      Then chatStore.loading is false
      When setLoading(false) is called
      Then chatStore.loading is false
      And chatStore.error is null

  @chat-store.6
  Rule: The store MUST provide setError(e)

    @derived
    Scenario: The error is what it was set to last
      When setError("$first") is called
      Then chatStore.error is "$first"
      When setError("$second") is called
      Then chatStore.error is "$second"
      When setError(null) is called
      Then chatStore.error is null
      And chatStore.loading is false

  @chat-store.7
  Rule: The store MUST provide clearMessages()

    @derived @reading.8
    Scenario: Cleared messages are gone, also after a reload
      Given addMessage({"role": "user", "content": "$question"}) was called
      And addMessage({"role": "assistant", "content": "$answer"}) was called
      When clearMessages() is called
      Then chatStore.messages is []
      When the client is reloaded
      Then chatStore.messages is []
      When addMessage({"role": "user", "content": "$next"}) is called
      Then chatStore.messages holds exactly
        """
        [{"role": "user", "content": "$next"}]
        """

  @chat-store.8
  Rule: The store MUST follow the existing persist pattern used by other stores in the project

    @derived @reading.8
    Scenario: Messages with calls, ids and results survive a reload unchanged
      Given addMessage({"role": "user", "content": "$question"}) was called
      And addMessage({"role": "assistant", "content": "", "toolCalls": [{"id": "$call", "name": "probe", "args": {"deep": {"list": [1, "$word"]}}}]}) was called
      And addMessage({"role": "tool", "toolCallId": "$call", "content": "$result"}) was called
      When the client is reloaded
      Then chatStore.messages has survived the reload unchanged
      And chatStore.messages holds exactly
        """
        [
          {"role": "user", "content": "$question"},
          {
            "role": "assistant",
            "content": "",
            "toolCalls": [{"id": "$call", "name": "probe", "args": {"deep": {"list": [1, "$word"]}}}]
          },
          {"role": "tool", "toolCallId": "$call", "content": "$result"}
        ]
        """

    @derived @reading.8
    Scenario: A message that is added after a reload joins those before it
      Given chatStore.messages is []
      And addMessage({"role": "user", "content": "$first"}) was called
      When the client is reloaded
      And addMessage({"role": "assistant", "content": "$second"}) is called
      And the client is reloaded
      Then chatStore.messages has survived the reload unchanged
      And chatStore.messages holds exactly
        """
        [{"role": "user", "content": "$first"}, {"role": "assistant", "content": "$second"}]
        """

  @chat-store.9 @by-inspection
  Rule: The store is a Zustand create<State>()(persist(...))
    It names a library and a form of code: nothing outside can tell them, and in another language they mean nothing.

  @chat-store.10
  Rule: The error state persists until it is cleared

    @transcribed
    Scenario: Error state persists until cleared
      Given chatStore.error is null
      And setError("API failed") was called
      Then chatStore.error is "API failed"
      And chatStore.loading is false

    @derived
    Scenario: No other action clears the error
      Given setError("$error") was called
      When addMessage({"role": "user", "content": "$question"}) is called
      Then chatStore.error is "$error"
      When setLoading(true) is called
      And setLoading(false) is called
      Then chatStore.error is "$error"
      When setError(null) is called
      Then chatStore.error is null

  @chat-store.11
  Rule: After setError(e) chatStore.loading is false

    @derived @reading.25
    Scenario: An error leaves a store that is not loading as it is
      Given setLoading(true) was called
      Then chatStore.loading is true
      When setLoading(false) is called
      And setError("$error") is called
      Then chatStore.error is "$error"
      And chatStore.loading is false

  @robustness
  Rule: Where the specification is silent

    @robustness @reading.25
    Scenario: An error ends the loading
      Given setLoading(true) was called
      Then chatStore.loading is true
      When setError("$error") is called
      Then chatStore.error is "$error"
      And chatStore.loading is false

    @robustness @reading.8
    Scenario: A reload ends the loading
      Given addMessage({"role": "user", "content": "$question"}) was called
      And setLoading(true) was called
      Then chatStore.loading is true
      When the client is reloaded
      Then chatStore.loading is false
      And chatStore.messages holds exactly
        """
        [{"role": "user", "content": "$question"}]
        """

    @robustness @surface.orchestrator @surface.agent-store @surface.tool-registry
    Scenario: A conversation with a tool is replayed whole after a reload
      Given these tools are registered
        | name  | outcome           |
        | probe | returns "$result" |
      And iteration 1 returns the tool calls
        | id    | tool  | args |
        | $call | probe | {}   |
      And iteration 2 returns {"content": "$answer"}
      And iteration 3 returns {"content": "$farewell"}
      And addMessage({"role": "user", "content": "$question"}) was called
      When orchestrator.run() is invoked with the messages of chatStore
      And the client is reloaded
      And addMessage({"role": "user", "content": "$thanks"}) is called
      And orchestrator.run() is invoked with the messages of chatStore
      Then the chat route was called 3 times
      And the last POST answers every call once, right after the assistant message that made it
      And POST 3 answers the calls
        | id    | with    |
        | $call | $result |

    @robustness @surface.orchestrator @surface.agent-store @surface.tool-registry
    Scenario: A call that was left open by a reload is not sent on without a result
      Given iterations 1 to 4 return {"content": "$answer"}
      And addMessage({"role": "user", "content": "$question"}) was called
      And addMessage({"role": "assistant", "content": "", "toolCalls": [{"id": "$call", "name": "probe", "args": {}}]}) was called
      When the client is reloaded
      And addMessage({"role": "user", "content": "$next"}) is called
      And orchestrator.run() is invoked with the messages of chatStore
      And clearMessages() is called
      And addMessage({"role": "user", "content": "$anew"}) is called
      And orchestrator.run() is invoked with the messages of chatStore
      Then no POST holds a call without its result
      And the last message of chatStore is an assistant message with "$answer"
