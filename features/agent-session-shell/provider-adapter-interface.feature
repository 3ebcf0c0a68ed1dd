@agent-session-shell
Feature: Provider Adapter Interface

  @provider-adapter-interface.1 @surface.provider-adapter
  Rule: The system SHALL define a server-side provider adapter interface with a single method chat(params: ProviderChatParams): Promise<ProviderChatResponse>

    @derived
    Scenario Outline: chat is the only method
      Given LLM_PROVIDER is "<provider>"
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then the answer's content is "$answer"
      And the methods of the adapter are ["chat"]

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

  @provider-adapter-interface.2 @surface.chat-route
  Rule: ProviderChatParams MUST include messages

    @derived @reading.6 @reading.24
    Scenario Outline: Every message arrives, each result under the call that it answers
      Given LLM_PROVIDER is "<provider>"
      And the messages
        """
        [
          {"role": "user", "content": "$question"},
          {
            "role": "assistant",
            "content": "$thought",
            "toolCalls": [
              {"id": "$call1", "name": "probe_a", "args": {"deep": [1.5, null, "$word"]}},
              {"id": "$call2", "name": "probe_b", "args": {}}
            ]
          },
          {"role": "tool", "toolCallId": "$call1", "content": "$result1"},
          {"role": "tool", "toolCallId": "$call2", "content": "$result2"},
          {"role": "user", "content": "$next"}
        ]
        """
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 holds the conversation
        | from      | text      | tool    | args                           |
        | user      | $question |         |                                |
        | assistant | $thought  |         |                                |
        | assistant |           | probe_a | {"deep": [1.5, null, "$word"]} |
        | assistant |           | probe_b | {}                             |
        | tool      | $result1  | probe_a | {"deep": [1.5, null, "$word"]} |
        | tool      | $result2  | probe_b | {}                             |
        | user      | $next     |         |                                |

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

    @derived @reading.6 @reading.24
    Scenario Outline: Results that stand in another order answer their own calls
      Given LLM_PROVIDER is "<provider>"
      And the messages
        """
        [
          {"role": "user", "content": "$question"},
          {
            "role": "assistant",
            "content": "",
            "toolCalls": [
              {"id": "$call1", "name": "probe_a", "args": {"x": 1}},
              {"id": "$call2", "name": "probe_b", "args": {"x": 2}}
            ]
          },
          {"role": "tool", "toolCallId": "$call2", "content": "$result2"},
          {"role": "tool", "toolCallId": "$call1", "content": "$result1"}
        ]
        """
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 holds the conversation
        | from      | text      | tool    | args     |
        | user      | $question |         |          |
        | assistant |           | probe_a | {"x": 1} |
        | assistant |           | probe_b | {"x": 2} |
        | tool      | $result1  | probe_a | {"x": 1} |
        | tool      | $result2  | probe_b | {"x": 2} |

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

  @provider-adapter-interface.3
  Rule: ProviderChatParams MUST include systemPrompt

    @derived @surface.provider-adapter
    Scenario Outline: The system prompt is sent as it is, and not among what was said
      Given LLM_PROVIDER is "<provider>"
      And the adapter receives systemPrompt: "You are $prompt. Answer in text."
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then the answer's content is "$answer"
      And the system text of call 1 is "You are $prompt. Answer in text."
      And call 1 holds the conversation
        | from | text      |
        | user | $question |

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

    @derived @surface.chat-route
    Scenario Outline: The route's system prompt stands first, and not among what was said
      Given LLM_PROVIDER is "<provider>"
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
      And call 1 holds the conversation
        | from | text      |
        | user | $question |

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

  @provider-adapter-interface.4 @surface.provider-adapter
  Rule: ProviderChatParams MUST include toolSchemas in a provider-agnostic internal format

    @derived
    Scenario: Both adapters take the same schemas
      Given the adapter receives the tool schemas
        | name  | description | parameters                                            |
        | $tool | $about      | [{"key": "$key", "type": "number", "required": true}] |
      And the provider always answers {"content": "$answer"}
      And LLM_PROVIDER is "openai-compatible"
      When the adapter is called
      Then call 1 is a chat completion
      And call 1 offers exactly
        | name  | description | parameters                                            |
        | $tool | "$about"    | [{"key": "$key", "type": "number", "required": true}] |
      When LLM_PROVIDER is "gemini"
      And the adapter is called
      Then call 2 is a generateContent
      And call 2 offers exactly
        | name  | description | parameters                                            |
        | $tool | "$about"    | [{"key": "$key", "type": "number", "required": true}] |

  @provider-adapter-interface.5
  Rule: ProviderChatResponse MUST include content: string

    @derived @surface.chat-route
    Scenario Outline: Content is "" where the provider gives calls alone
      Given LLM_PROVIDER is "<provider>"
      And the provider plays <exchange>
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is ""
      And the answer's toolCalls are exactly
        | name        | args             |
        | get_weather | {"city": "Oslo"} |
      When POST /api/agent/chat is called
      Then the answer's content is "$answer"

      Examples:
        | case                  | provider          | exchange                            |
        | openai-content-null   | openai-compatible | openai/one-call                     |
        | openai-content-absent | openai-compatible | openai/content-missing-beside-calls |
        | gemini-calls-only     | gemini            | gemini/one-call                     |

    @derived @surface.provider-adapter
    Scenario Outline: The adapter itself gives a string
      Given LLM_PROVIDER is "<provider>"
      And the provider plays <exchange>
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then the answer's content is ""
      When the adapter is called
      Then the answer's content is "$answer"

      Examples:
        | case                  | provider          | exchange                            |
        | openai-content-null   | openai-compatible | openai/one-call                     |
        | openai-content-absent | openai-compatible | openai/content-missing-beside-calls |
        | gemini-calls-only     | gemini            | gemini/one-call                     |

  @provider-adapter-interface.6
  Rule: ProviderChatResponse MUST include toolCalls?: ProviderToolCall[] where ProviderToolCall { id, name, args }

    @derived @surface.chat-route
    Scenario Outline: Every call comes with its args as an object
      Given LLM_PROVIDER is "<provider>"
      And the provider answers {"content": "$thought", "calls": [{"name": "probe_a", "args": {"a": {"b": [1, null, "$word"]}}}, {"name": "probe_b", "args": {}}, {"name": "probe_a", "args": {"a": false}}]}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is "$thought"
      And the answer's toolCalls are exactly
        | name    | args                             |
        | probe_a | {"a": {"b": [1, null, "$word"]}} |
        | probe_b | {}                               |
        | probe_a | {"a": false}                     |
      And every call of every answer has an id of its own

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

    @derived @surface.provider-adapter @reading.3
    Scenario Outline: The adapter itself gives them so
      Given LLM_PROVIDER is "<provider>"
      And the provider answers {"content": "$answer"}
      And the provider answers {"content": null, "calls": [{"name": "probe_a", "args": {"a": {"b": [1, "$word"]}}}, {"name": "probe_b", "args": {}}]}
      When the adapter is called
      Then the answer's content is "$answer"
      And the answer's toolCalls is absent or null
      When the adapter is called
      Then the answer's toolCalls are exactly
        | name    | args                       |
        | probe_a | {"a": {"b": [1, "$word"]}} |
        | probe_b | {}                         |

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

  @provider-adapter-interface.7 @surface.chat-route
  Rule: Each concrete adapter converts internal tool schemas to its own wire format

    @transcribed @reading.12
    Scenario Outline: Adapter translates tool schemas to wire format
      Given LLM_PROVIDER is "<provider>"
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then call 1 is a <operation>
      And call 1 offers exactly
        | name             | description        | parameters                                                          |
        | transcribe_video | a non-empty string | a list with {"key": "assetId", "type": "string", "required": false} |

      Examples:
        | case   | provider          | operation       |
        | openai | openai-compatible | chat completion |
        | gemini | gemini            | generateContent |

    @derived @reading.12 @chat-route.tools
    Scenario Outline: Each of the five types is converted, and whether it is required
      Given LLM_PROVIDER is "<provider>"
      And the route's registry also holds the tools
        | name  | description | parameters                                                                                                                                                                                                                                                    |
        | $tool | $about      | [{"key": "a", "type": "string", "required": true}, {"key": "b", "type": "number", "required": false}, {"key": "c", "type": "boolean", "required": true}, {"key": "d", "type": "object", "required": false}, {"key": "e", "type": "array", "required": false}] |
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 offers exactly
        | name             | description        | parameters                                                                                                                                                                                                                                                    |
        | transcribe_video | a non-empty string | a list                                                                                                                                                                                                                                                        |
        | $tool            | "$about"           | [{"key": "a", "type": "string", "required": true}, {"key": "b", "type": "number", "required": false}, {"key": "c", "type": "boolean", "required": true}, {"key": "d", "type": "object", "required": false}, {"key": "e", "type": "array", "required": false}] |

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

  @provider-adapter-interface.8
  Rule: The factory MUST support openai-compatible

    @transcribed @surface.chat-route
    Scenario: Adapter selected by config — OpenAI-compatible
      Given LLM_PROVIDER is set to "openai-compatible"
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the provider was called 1 time
      And call 1 is a chat completion
      And the answer's content is "$answer"

    @derived @surface.provider-adapter
    Scenario: The OpenAI-compatible adapter calls chat completions
      Given LLM_PROVIDER is set to "openai-compatible"
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then the provider was called 1 time
      And call 1 came to "/v1/chat/completions"
      And call 1 carries the model "$model"
      And call 1 carries the key "$key"
      And the answer's content is "$answer"

  @provider-adapter-interface.9
  Rule: The factory MUST support gemini

    @transcribed @surface.chat-route
    Scenario: Adapter selected by config — Gemini
      Given LLM_PROVIDER is set to "gemini"
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the provider was called 1 time
      And call 1 is a generateContent
      And the answer's content is "$answer"

    @derived @surface.provider-adapter
    Scenario: The Gemini adapter calls generateContent
      Given LLM_PROVIDER is set to "gemini"
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then the provider was called 1 time
      And call 1 is a generateContent
      And call 1 was meant for the host "generativelanguage.googleapis.com"
      And call 1 carries the model "$model"
      And call 1 carries the key "$key"
      And the answer's content is "$answer"

  @provider-adapter-interface.10 @surface.chat-route
  Rule: Adapters whose native API does not assign IDs to tool calls MUST synthesize unique IDs

    @derived @reading.17
    Scenario: Calls of one tool have different ids, also across responses
      Given LLM_PROVIDER is "gemini"
      And the provider always plays gemini/parallel-calls-same-tool
      When POST /api/agent/chat is called
      Then the answer's toolCalls are exactly
        | name        | args             |
        | get_weather | {"city": "Oslo"} |
        | get_weather | {"city": "Rome"} |
      When POST /api/agent/chat is called
      Then the answer's toolCalls are exactly
        | name        | args             |
        | get_weather | {"city": "Oslo"} |
        | get_weather | {"city": "Rome"} |
      And every call of every answer has an id of its own

  @provider-adapter-interface.11
  Rule: Every returned ToolCall.id is a non-empty string

    @transcribed @reading.17 @surface.chat-route
    Scenario: Gemini adapter synthesizes tool-call IDs
      Given LLM_PROVIDER is "gemini"
      And the provider answers {"content": null, "calls": [{"name": "probe_a"}, {"name": "probe_b"}, {"name": "probe_c"}]}
      When POST /api/agent/chat is called
      Then the answer's toolCalls are exactly
        | name    | args | id                 |
        | probe_a | {}   | a non-empty string |
        | probe_b | {}   | a non-empty string |
        | probe_c | {}   | a non-empty string |

    @derived @reading.17 @surface.provider-adapter
    Scenario: The Gemini adapter itself gives the ids
      Given LLM_PROVIDER is "gemini"
      And the provider answers {"content": null, "calls": [{"name": "probe_a"}, {"name": "probe_a"}]}
      When the adapter is called
      Then the answer's toolCalls are exactly
        | name    | args | id                 |
        | probe_a | {}   | a non-empty string |
        | probe_a | {}   | a non-empty string |
      And every call of every answer has an id of its own

  @robustness
  Rule: Where the specification is silent

    @robustness @reading.17 @surface.chat-route
    Scenario: An id that the API gives is kept
      Given the provider answers {"content": null, "calls": [{"id": "$call1", "name": "probe"}, {"id": "$call2", "name": "probe"}]}
      When POST /api/agent/chat is called
      Then the answer's toolCalls are exactly
        | id       | name  | args |
        | "$call1" | probe | {}   |
        | "$call2" | probe | {}   |

    @robustness @reading.3 @surface.chat-route
    Scenario Outline: Text is read, whatever stands around it
      Given the provider plays openai/<exchange>
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is <content>
      And the answer's toolCalls is absent, null or []

      Examples:
        | case                  | exchange              | content             |
        | citations             | citations             | "Hello!"            |
        | content-list          | content-list          | "Hello!"            |
        | finish-absent         | finish-absent         | "Hello!"            |
        | finish-length-text    | finish-length-text    | "Hello, I am an as" |
        | further-keys          | further-keys          | "Hello!"            |
        | prompt-filter-results | prompt-filter-results | "Hello!"            |
        | reasoning-details     | reasoning-details     | "Hello!"            |
        | tool-calls-empty      | tool-calls-empty      | "Hello!"            |
        | tool-calls-null       | tool-calls-null       | "Hello!"            |
        | usage-missing         | usage-missing         | "Hello!"            |

    # Some clients trim the blank.
    @robustness @reading.3 @surface.chat-route
    Scenario: A finish reason of another server's own is no failure
      Given the provider plays openai/finish-eos
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content contains "Hello!"
      And the answer's toolCalls is absent, null or []

    @robustness @reading.3 @surface.chat-route
    Scenario Outline: An answer without text and without a call that was declared is an empty one
      Given the provider plays openai/<exchange>
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is a string
      And the answer's toolCalls is absent, null or []

      Examples:
        | case                       | exchange                   |
        | content-null-without-calls | content-null-without-calls |
        | finish-content-filter      | finish-content-filter      |
        | finish-length-empty        | finish-length-empty        |
        | refusal                    | refusal                    |
        | type-custom                | type-custom                |

    @robustness @reading.17 @surface.chat-route
    Scenario Outline: A call is read, whatever stands around it
      Given the provider plays openai/<exchange>
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is <content>
      And the answer's toolCalls are exactly
        | name        | args             |
        | get_weather | {"city": "Oslo"} |

      Examples:
        | case                        | exchange                    | content        |
        | content-empty-beside-calls  | content-empty-beside-calls  | ""             |
        | finish-empty-with-call      | finish-empty-with-call      | ""             |
        | finish-null-with-call       | finish-null-with-call       | ""             |
        | finish-stop-with-call       | finish-stop-with-call       | ""             |
        | id-digits                   | id-digits                   | ""             |
        | id-empty                    | id-empty                    | ""             |
        | id-missing                  | id-missing                  | ""             |
        | id-nine-characters          | id-nine-characters          | ""             |
        | id-null                     | id-null                     | ""             |
        | id-with-other-prefix        | id-with-other-prefix        | ""             |
        | keys-null                   | keys-null                   | ""             |
        | native-shape                | call-in-ollama-native-shape | ""             |
        | reasoning-beside-calls      | reasoning-beside-calls      | ""             |
        | text-beside-calls           | text-beside-calls           | "Let me look." |
        | time-info                   | time-info                   | ""             |
        | type-custom-beside-function | type-custom-beside-function | ""             |
        | type-missing                | type-missing                | ""             |
        | type-null                   | type-null                   | ""             |

    @robustness @reading.17 @surface.chat-route
    Scenario Outline: Parallel calls are read, each for itself
      Given the provider plays openai/<exchange>
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's toolCalls are exactly
        | name        | args             |
        | get_weather | {"city": "Oslo"} |
        | get_weather | {"city": "Rome"} |
      And every call of every answer has an id of its own

      Examples:
        | case                       | exchange                   |
        | id-duplicate               | id-duplicate               |
        | parallel-calls-same-tool   | parallel-calls-same-tool   |
        | text-beside-parallel-calls | text-beside-parallel-calls |

    @robustness @surface.chat-route
    Scenario: Text and arguments beyond ASCII come through
      Given the provider plays openai/unicode
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is "Grüße, 世界 🌍"
      And the answer's toolCalls are exactly
        | name        | args                     |
        | get_weather | {"city": "Ålesund\\n東京"} |

    @robustness @reading.16 @surface.chat-route
    Scenario Outline: Arguments that say nothing are {}
      Given the provider plays openai/<exchange>
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's toolCalls are exactly
        | name        | args |
        | get_weather | {}   |

      Examples:
        | case                 | exchange             |
        | arguments-blank      | arguments-blank      |
        | arguments-empty-text | arguments-empty-text |
        | arguments-missing    | arguments-missing    |
        | arguments-null       | arguments-null       |

    @robustness @reading.16 @surface.chat-route
    Scenario: Arguments that are an object already are used
      Given the provider plays openai/arguments-object
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's toolCalls are exactly
        | name        | args             |
        | get_weather | {"city": "Oslo"} |

    @robustness @reading.14 @surface.chat-route
    Scenario Outline: A success without a message is an error of the provider
      Given the provider always plays openai/<exchange>
      When POST /api/agent/chat is called
      Then the route answers 502
      And the provider was called
      And the answer's error is "LLM provider error"

      Examples:
        | case                  | exchange              |
        | choices-empty         | choices-empty         |
        | choices-missing       | choices-missing       |
        | choices-null          | choices-null          |
        | error-with-200        | error-with-200        |
        | error-with-200-filter | error-with-200-filter |
        | message-missing       | message-missing       |
        | message-null          | message-null          |

    @robustness @surface.chat-route
    Scenario Outline: What is sent, the real provider would take
      Given LLM_PROVIDER is "<provider>"
      And the provider refuses what the real one refuses
      And the messages
        """
        [
          {"role": "user", "content": "$question"},
          {
            "role": "assistant",
            "content": "",
            "toolCalls": [
              {"id": "$call1", "name": "probe", "args": {"x": 1}},
              {"id": "$call2", "name": "probe", "args": {"x": 2}}
            ]
          },
          {"role": "tool", "toolCallId": "$call1", "content": "$result1"},
          {"role": "tool", "toolCallId": "$call2", "content": "$result2"},
          {"role": "assistant", "content": "$said", "toolCalls": []},
          {"role": "user", "content": "$next"},
          {"role": "assistant", "content": "", "toolCalls": [{"id": "$call3", "name": "probe", "args": {}}]},
          {"role": "tool", "toolCallId": "$call3", "content": "$result3"}
        ]
        """
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the provider accepted every call
      And the route answers 200
      And the answer's content is "$answer"

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

    @robustness @chat-route.tools @surface.chat-route
    Scenario Outline: What is declared, the real provider would take
      Given LLM_PROVIDER is "<provider>"
      And the provider refuses what the real one refuses
      And the route's registry also holds the tools
        | name    | parameters                                                                                                                                             |
        | nothing | []                                                                                                                                                     |
        | much    | [{"key": "a", "type": "array", "required": true}, {"key": "o", "type": "object", "required": true}, {"key": "n", "type": "number", "required": false}] |
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the provider accepted every call
      And the route answers 200
      And the answer's content is "$answer"

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

    @robustness @surface.chat-route @reading.21
    Scenario Outline: An id that comes again in a later turn is answered in each
      Given LLM_PROVIDER is "<provider>"
      And the messages
        """
        [
          {"role": "user", "content": "$question"},
          {"role": "assistant", "content": "", "toolCalls": [{"id": "$call", "name": "probe_a", "args": {"x": 1}}]},
          {"role": "tool", "toolCallId": "$call", "content": "$result1"},
          {"role": "assistant", "content": "", "toolCalls": [{"id": "$call", "name": "probe_b", "args": {"x": 2}}]},
          {"role": "tool", "toolCallId": "$call", "content": "$result2"}
        ]
        """
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 holds the conversation
        | from      | text      | tool    | args     |
        | user      | $question |         |          |
        | assistant |           | probe_a | {"x": 1} |
        | tool      | $result1  | probe_a | {"x": 1} |
        | assistant |           | probe_b | {"x": 2} |
        | tool      | $result2  | probe_b | {"x": 2} |

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

    @robustness @reading.16 @surface.chat-route @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
    Scenario Outline: Arguments that are no object are an error of that call, from end to end
      Given these tools are registered
        | name        | parameters                                             |
        | get_weather | [{"key": "city", "type": "string", "required": false}] |
      And the provider plays openai/<exchange>
      And the provider answers {"content": "$answer"}
      And the provider refuses what the real one refuses
      And the orchestrator speaks to the implementation's own route
      When orchestrator.run() is invoked
      Then no tool ran
      And the provider accepted every call
      And POST 2 answers the calls
        | id     | with     |
        | call_1 | an error |
      And the last message of chatStore is an assistant message with "$answer"

      Examples:
        | case                    | exchange                |
        | arguments-cut-off       | arguments-cut-off       |
        | arguments-json-list     | arguments-json-list     |
        | arguments-json-null     | arguments-json-null     |
        | arguments-json-number   | arguments-json-number   |
        | arguments-json-text     | arguments-json-text     |
        | arguments-no-json       | arguments-no-json       |
        | finish-length-with-call | finish-length-with-call |

    @robustness @reading.16 @surface.chat-route @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
    Scenario Outline: A tool is run with what its arguments mean, from end to end
      Given these tools are registered
        | name        | parameters                                             |
        | get_weather | [{"key": "city", "type": "string", "required": false}] |
      And the provider plays openai/<exchange>
      And the provider answers {"content": "$answer"}
      And the provider refuses what the real one refuses
      And the orchestrator speaks to the implementation's own route
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool        | args   |
        | get_weather | <args> |
      And the provider accepted every call
      And the last message of chatStore is an assistant message with "$answer"

      Examples:
        | case                  | exchange              | args             |
        | one-call              | one-call              | {"city": "Oslo"} |
        | arguments-blank       | arguments-blank       | {}               |
        | arguments-empty-text  | arguments-empty-text  | {}               |
        | arguments-missing     | arguments-missing     | {}               |
        | arguments-null        | arguments-null        | {}               |
        | arguments-object      | arguments-object      | {"city": "Oslo"} |
        | finish-stop-with-call | finish-stop-with-call | {"city": "Oslo"} |
        | type-missing          | type-missing          | {"city": "Oslo"} |

    @robustness @reading.17 @surface.chat-route @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
    Scenario Outline: A call without an id of its own is run and answered, from end to end
      Given these tools are registered
        | name        | outcome          |
        | get_weather | returns "$sunny" |
      And the provider plays openai/<exchange>
      And the provider answers {"content": "$answer"}
      And the provider refuses what the real one refuses
      And the orchestrator speaks to the implementation's own route
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool        | args             |
        | get_weather | {"city": "Oslo"} |
      And the provider accepted every call
      And call 2 holds the conversation
        | from      | text      | tool        | args             |
        | user      | $question |             |                  |
        | assistant |           | get_weather | {"city": "Oslo"} |
        | tool      | $sunny    | get_weather | {"city": "Oslo"} |
      And the last message of chatStore is an assistant message with "$answer"

      Examples:
        | case         | exchange                    |
        | empty        | id-empty                    |
        | missing      | id-missing                  |
        | null         | id-null                     |
        | native-shape | call-in-ollama-native-shape |

    @robustness @reading.17 @surface.chat-route @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
    Scenario: Calls that share an id are both run and answered, from end to end
      Given these tools are registered
        | name        | outcome          |
        | get_weather | returns "$sunny" |
      And the provider plays openai/id-duplicate
      And the provider answers {"content": "$answer"}
      And the provider refuses what the real one refuses
      And the orchestrator speaks to the implementation's own route
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool        | args             |
        | get_weather | {"city": "Oslo"} |
        | get_weather | {"city": "Rome"} |
      And the provider accepted every call
      And the last message of chatStore is an assistant message with "$answer"

    @robustness @reading.4 @surface.chat-route @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
    Scenario Outline: A call of a tool that was not offered is an error of that call, from end to end
      Given LLM_PROVIDER is "<provider>"
      And the provider plays <exchange>
      And the provider answers {"content": "$answer"}
      And the orchestrator speaks to the implementation's own route
      When orchestrator.run() is invoked
      Then no tool ran
      And the provider was called 2 times
      And no POST holds a call without its result
      And the last message of chatStore is an assistant message with "$answer"

      Examples:
        | case   | provider          | exchange                     |
        | openai | openai-compatible | openai/function-name-unknown |
        | gemini | gemini            | gemini/function-name-unknown |

    @robustness @surface.chat-route @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
    Scenario: A signature beside a call goes back with it, from end to end
      Given these tools are registered
        | name        | outcome          |
        | get_weather | returns "$sunny" |
      And the provider plays openai/id-empty
      And the provider answers {"content": "$answer"}
      And the orchestrator speaks to the implementation's own route
      When orchestrator.run() is invoked
      Then call 2 holds the conversation
        | from      | text      | tool        | args             | signature    |
        | user      | $question |             |                  |              |
        | assistant |           | get_weather | {"city": "Oslo"} | c2lnbmF0dXJl |
        | tool      | $sunny    | get_weather | {"city": "Oslo"} |              |
