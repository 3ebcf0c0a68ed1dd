@agent-session-shell
Feature: Gemini Free-Form Chat

  @gemini-free-form-chat.1 @surface.provider-adapter
  Rule: Without tool schemas, or with an empty list, the Gemini adapter MUST send messages to the Gemini generateContent API

    @derived @reading.12
    Scenario: Without tool schemas all messages are sent, and no declarations
      Given LLM_PROVIDER is "gemini"
      And the messages
        """
        [
          {"role": "user", "content": "$first"},
          {"role": "assistant", "content": "$second"},
          {"role": "user", "content": "$third"}
        ]
        """
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then the provider was called 1 time
      And call 1 is a generateContent
      And call 1 carries the model "$model"
      And call 1 holds the conversation
        | from      | text    |
        | user      | $first  |
        | assistant | $second |
        | user      | $third  |
      And call 1 offers no tools

    @derived @reading.12
    Scenario: With an empty list of tool schemas all messages are sent, and no declarations
      Given LLM_PROVIDER is "gemini"
      And the messages
        """
        [
          {"role": "user", "content": "$first"},
          {"role": "assistant", "content": "$second"},
          {"role": "user", "content": "$third"}
        ]
        """
      And the adapter receives an empty list of tool schemas
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then the provider was called 1 time
      And call 1 is a generateContent
      And call 1 carries the model "$model"
      And call 1 holds the conversation
        | from      | text    |
        | user      | $first  |
        | assistant | $second |
        | user      | $third  |
      And call 1 offers no tools

    # With schemas a real adapter does offer them: the neighbour of the two above.
    @derived @reading.12
    Scenario: With tool schemas the same messages are sent, and the declarations
      Given LLM_PROVIDER is "gemini"
      And the adapter receives the tool schemas
        | name  | parameters |
        | $tool | []         |
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then call 1 holds the conversation
        | from | text      |
        | user | $question |
      And call 1 offers exactly
        | name  |
        | $tool |

  @gemini-free-form-chat.2
  Rule: The adapter MUST return a ProviderResponse with content set to the assistant text

    @derived @surface.chat-route
    Scenario Outline: The text is whole
      Given LLM_PROVIDER is "gemini"
      And the provider plays gemini/<exchange>
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is <content>

      Examples:
        | case      | exchange       | content  |
        | one-part  | text           | "Hello!" |
        | two-parts | two-text-parts | "Hello!" |

    @derived @surface.chat-route
    Scenario: The text is the provider's own
      Given LLM_PROVIDER is "gemini"
      And the provider answers {"content": "$first\nand \"more\" <b> Grüße, 世界"}
      And the provider answers {"content": "$second"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is "$first\nand \"more\" <b> Grüße, 世界"
      When POST /api/agent/chat is called
      Then the answer's content is "$second"

  @gemini-free-form-chat.3
  Rule: The adapter MUST return a ProviderResponse with toolCalls undefined

    @transcribed @reading.3 @surface.provider-adapter
    Scenario: Plain chat through Gemini
      Given LLM_PROVIDER is "gemini"
      And the messages
        """
        [{"role": "user", "content": "Hello"}]
        """
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then the answer's content is "$answer"
      And the answer's toolCalls is absent or null

    @derived @reading.3 @surface.provider-adapter
    Scenario: With an empty list of tool schemas too
      Given LLM_PROVIDER is "gemini"
      And the adapter receives an empty list of tool schemas
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then the answer's content is "$answer"
      And the answer's toolCalls is absent or null

    @derived @reading.3 @surface.chat-route
    Scenario: The route answers without calls
      Given LLM_PROVIDER is "gemini"
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is "$answer"
      And the answer's toolCalls is absent, null or []

  @gemini-free-form-chat.4
  Rule: The system prompt is mapped to Gemini's system instruction field, not as a user message

    @transcribed @reading.12 @surface.provider-adapter
    Scenario: System prompt mapping
      Given LLM_PROVIDER is "gemini"
      And the adapter receives systemPrompt: "You are a video editor"
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then the system text of call 1 is "You are a video editor"
      And the conversation of call 1 does not contain "You are a video editor"
      And call 1 holds the conversation
        | from | text      |
        | user | $question |

    @derived @reading.12 @surface.chat-route
    Scenario: What the route tells of the context is in the system instruction alone
      Given LLM_PROVIDER is "gemini"
      And the context
        """
        {
          "projectId": null,
          "activeSceneId": null,
          "mediaAssets": [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "playbackTimeMs": 0
        }
        """
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the system text of call 1 contains "$clip.mp4"
      And the conversation of call 1 does not contain "$clip.mp4"

  @robustness @surface.chat-route
  Rule: Where the specification is silent

    @robustness @reading.3
    Scenario Outline: Text is read, whatever stands around it
      Given LLM_PROVIDER is "gemini"
      And the provider plays gemini/<exchange>
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is <content>
      And the answer's toolCalls is absent, null or []

      Examples:
        | case                    | exchange                | content             |
        | empty-text              | empty-text              | ""                  |
        | finish-integer          | finish-integer          | "Hello!"            |
        | finish-max-tokens-text  | finish-max-tokens-text  | "Hello, I am an as" |
        | finish-safety-with-text | finish-safety-with-text | "No"                |
        | finish-unknown          | finish-unknown          | "Hello!"            |
        | role-missing            | role-missing            | "Hello!"            |
        | signature-on-text       | signature-on-text       | "Hello!"            |
        | thought-part            | thought-part            | "Hello!"            |
        | unknown-part            | unknown-part            | "Hello!"            |
        | usage-missing           | usage-missing           | "Hello!"            |

    @robustness @reading.14
    Scenario Outline: An answer that holds nothing is an error of the provider
      Given LLM_PROVIDER is "gemini"
      And the provider always plays gemini/<exchange>
      When POST /api/agent/chat is called
      Then the route answers 502
      And the provider was called
      And the answer's error is "LLM provider error"

      Examples:
        | case                            | exchange                        |
        | candidates-empty                | candidates-empty                |
        | candidates-missing              | candidates-missing              |
        | error-with-200                  | error-with-200                  |
        | finish-absent                   | finish-absent                   |
        | finish-max-tokens-without-parts | finish-max-tokens-without-parts |
        | finish-model-armor              | finish-model-armor              |
        | finish-other                    | finish-other                    |
        | finish-prohibited-content       | finish-prohibited-content       |
        | finish-recitation               | finish-recitation               |
        | finish-safety-empty-content     | finish-safety-empty-content     |
        | prompt-blocked                  | prompt-blocked                  |
        | prompt-blocked-unknown          | prompt-blocked-unknown          |
