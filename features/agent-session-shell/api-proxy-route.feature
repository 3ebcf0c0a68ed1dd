@agent-session-shell @surface.chat-route
Feature: API Proxy Route

  @api-proxy-route.1
  Rule: The system SHALL expose POST /api/agent/chat

    @derived
    Scenario: The route is served at its own path, and not at every other
      Given the provider always answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is "$answer"
      When POST /api/agent/chatx is called
      Then the route answers anything but 200
      And the provider was called 1 time

  @api-proxy-route.2
  Rule: The route accepts messages: ChatMessage[]

    @derived @reading.6 @reading.24
    Scenario: Every kind of message is accepted, and reaches the provider
      Given the messages
        """
        [
          {"role": "user", "content": "$question"},
          {
            "role": "assistant",
            "content": "",
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
        | assistant |           | probe_a | {"deep": [1.5, null, "$word"]} |
        | assistant |           | probe_b | {}                             |
        | tool      | $result1  | probe_a | {"deep": [1.5, null, "$word"]} |
        | tool      | $result2  | probe_b | {}                             |
        | user      | $next     |         |                                |

    @derived @reading.24
    Scenario: The texts of a conversation arrive as they were posted
      Given the messages
        """
        [
          {"role": "user", "content": "  two lines\nand \"spaces\"  "},
          {"role": "assistant", "content": "Grüße, 世界 \ud83c\udfac $word"},
          {"role": "user", "content": "<b>{{braces}}</b> & \\ $next"}
        ]
        """
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 holds the conversation
        | from      | text                               |
        | user      | "  two lines\\nand \\"spaces\\"  " |
        | assistant | "Grüße, 世界 \\ud83c\\udfac $word"   |
        | user      | "<b>{{braces}}</b> & \\\\ $next"   |

  @api-proxy-route.3
  Rule: The route accepts context?: AgentContext

    @derived @reading.1
    Scenario: A context is used, and may be absent
      Given the context
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "playbackTimeMs": 1500
        }
        """
      And the provider always answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the system text of call 1 contains "$clip.mp4"
      When POST /api/agent/chat is called without a context
      Then the route answers 200
      And the answer's content is "$answer"
      And the system text of call 2 does not contain "$clip.mp4"

    @derived @reading.1
    Scenario: No context is the empty one
      Given the provider always answers {"content": "$answer"}
      When POST /api/agent/chat is called without a context
      Then the route answers 200
      And the system text of call 1 contains "No media assets loaded"

  @api-proxy-route.4
  Rule: The route returns content: string

    @derived
    Scenario: Content is a string, also where the provider gives none
      Given the provider answers {"content": null, "calls": [{"name": "transcribe_video"}]}
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is ""
      When POST /api/agent/chat is called
      Then the answer's content is "$answer"

    @derived
    Scenario Outline: Content is the text as the provider gave it
      Given the provider answers {"content": <content>}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is <content>

      Examples:
        | case         | content                            |
        | spaces       | "two lines\\n\\nand  spaces"       |
        | other-script | "Grüße, 世界 \\ud83c\\udfac $word"   |
        | markup       | "<b>\\"quoted\\"</b> & {{braces}}" |
        | json         | "{\\"toolCalls\\": [1]}"           |

  @api-proxy-route.5
  Rule: The route returns toolCalls?: ToolCall[]

    @derived
    Scenario: Each call has id, name and args, and args are an object
      Given the provider answers {"content": "", "calls": [{"id": "$call1", "name": "probe_a", "args": {"a": {"b": [1, 2.5, null, "$word"]}, "c": true}}, {"id": "$call2", "name": "probe_b", "args": {}}]}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's toolCalls are exactly
        | id                 | name    | args                                             |
        | a non-empty string | probe_a | {"a": {"b": [1, 2.5, null, "$word"]}, "c": true} |
        | a non-empty string | probe_b | {}                                               |

    @derived @reading.3
    Scenario: An answer without calls has no toolCalls
      Given the provider answers {"content": "$answer"}
      And the provider answers {"content": "", "calls": [{"name": "probe"}]}
      When POST /api/agent/chat is called
      Then the answer's content is "$answer"
      And the answer's toolCalls is absent, null or []
      When POST /api/agent/chat is called
      Then the answer's toolCalls are exactly
        | name  | args |
        | probe | {}   |

  @api-proxy-route.6
  Rule: The route MUST resolve the provider adapter from configuration

    @derived
    Scenario: Another configuration is another provider
      Given the provider always answers {"content": "$answer"}
      And LLM_PROVIDER is "openai-compatible"
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 is a chat completion
      When LLM_PROVIDER is "gemini"
      And POST /api/agent/chat is called
      Then the route answers 200
      And call 2 is a generateContent
      When LLM_PROVIDER is "openai-compatible"
      And POST /api/agent/chat is called
      Then the route answers 200
      And call 3 is a chat completion

  @api-proxy-route.7 @surface.context-bridge
  Rule: The route MUST assemble a system prompt via buildSystemPrompt(context)

    @derived
    Scenario Outline: The provider is given what buildSystemPrompt returns
      Given LLM_PROVIDER is "<provider>"
      And the context
        """
        {
          "projectId": "$project",
          "activeSceneId": null,
          "mediaAssets": [
            {"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$song.wav", "type": "audio", "duration": 3}
          ],
          "playbackTimeMs": 1500
        }
        """
      And the provider answers {"content": "$answer"}
      When buildSystemPrompt(context) is called
      And POST /api/agent/chat is called
      Then the route answers 200
      And the system text of call 1 contains the returned string

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

    @derived @reading.1
    Scenario: Without a context it is the prompt of the empty one
      Given the provider answers {"content": "$answer"}
      When buildSystemPrompt(context) is called
      And POST /api/agent/chat is called without a context
      Then the route answers 200
      And the system text of call 1 contains the returned string

  @api-proxy-route.8
  Rule: The route MUST pass internal tool schemas from the registry to the adapter

    @derived @chat-route.tools
    Scenario: A tool that the registry holds is offered, parameter for parameter
      Given the route's registry also holds the tools
        | name  | description | parameters                                                                                                      |
        | $tool | $about      | [{"key": "$key_a", "type": "number", "required": true}, {"key": "$key_b", "type": "string", "required": false}] |
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 offers exactly
        | name             | description        | parameters                                                                                                      |
        | transcribe_video | a non-empty string | a list with {"key": "assetId", "type": "string", "required": false}                                             |
        | $tool            | "$about"           | [{"key": "$key_a", "type": "number", "required": true}, {"key": "$key_b", "type": "string", "required": false}] |

    @derived @surface.tool-registry
    Scenario: What is offered is what the registry exports
      Given the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 offers what toToolSchemas() returns

    @derived @reading.24
    Scenario: The tools are offered at every call
      Given the messages
        """
        [
          {"role": "user", "content": "$question"},
          {"role": "assistant", "content": "", "toolCalls": [{"id": "$call", "name": "transcribe_video", "args": {}}]},
          {"role": "tool", "toolCallId": "$call", "content": "$result"}
        ]
        """
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 offers exactly
        | name             | description        |
        | transcribe_video | a non-empty string |

  @api-proxy-route.9
  Rule: The adapter handles all provider-specific wire-format conversion

    @derived @reading.3 @reading.17
    Scenario Outline: The answer is the same, whichever provider gave it
      Given the provider answers <reply>
      And the provider answers <reply>
      And LLM_PROVIDER is "openai-compatible"
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 is a chat completion
      When LLM_PROVIDER is "gemini"
      And POST /api/agent/chat is called
      Then the route answers 200
      And call 2 is a generateContent
      And no answer holds anything but content and toolCalls
      And the answers are equal but for the ids of the calls

      Examples:
        | case  | reply                                                                                                                      |
        | text  | {"content": "$answer"}                                                                                                     |
        | calls | {"content": "$thought", "calls": [{"name": "probe", "args": {"a": {"b": [1, "$word"]}}}, {"name": "probe_b", "args": {}}]} |

  @api-proxy-route.10
  Rule: The request body MUST be validated

    @derived @reading.15
    Scenario Outline: A field of a wrong type is refused, and nothing is sent
      Given the provider always answers {"content": "$answer"}
      When POST /api/agent/chat is called with the body '<body>'
      Then the route answers 400
      And nothing was sent to a provider
      When POST /api/agent/chat is called
      Then the route answers 200
      And the provider was called 1 time

      Examples:
        | case                | body                                                                                                                                                                                         |
        | messages-null       | {"messages": null}                                                                                                                                                                           |
        | messages-text       | {"messages": "hi"}                                                                                                                                                                           |
        | messages-object     | {"messages": {"role": "user", "content": "hi"}}                                                                                                                                              |
        | messages-of-numbers | {"messages": [1]}                                                                                                                                                                            |
        | messages-of-null    | {"messages": [null]}                                                                                                                                                                         |
        | messages-of-text    | {"messages": ["hi"]}                                                                                                                                                                         |
        | a-later-message     | {"messages": [{"id": "$m1", "role": "user", "content": "hi", "timestamp": 1764500000000}, 1]}                                                                                                |
        | content-number      | {"messages": [{"id": "$m1", "role": "user", "content": 5, "timestamp": 1764500000000}]}                                                                                                      |
        | content-object      | {"messages": [{"id": "$m1", "role": "user", "content": {"text": "hi"}, "timestamp": 1764500000000}]}                                                                                         |
        | context-text        | {"messages": [{"id": "$m1", "role": "user", "content": "hi", "timestamp": 1764500000000}], "context": "x"}                                                                                   |
        | context-list        | {"messages": [{"id": "$m1", "role": "user", "content": "hi", "timestamp": 1764500000000}], "context": []}                                                                                    |
        | project-number      | {"messages": [{"id": "$m1", "role": "user", "content": "hi", "timestamp": 1764500000000}], "context": {"projectId": 5, "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 0}}       |
        | scene-object        | {"messages": [{"id": "$m1", "role": "user", "content": "hi", "timestamp": 1764500000000}], "context": {"projectId": null, "activeSceneId": {}, "mediaAssets": [], "playbackTimeMs": 0}}      |
        | assets-text         | {"messages": [{"id": "$m1", "role": "user", "content": "hi", "timestamp": 1764500000000}], "context": {"projectId": null, "activeSceneId": null, "mediaAssets": "x", "playbackTimeMs": 0}}   |
        | assets-of-text      | {"messages": [{"id": "$m1", "role": "user", "content": "hi", "timestamp": 1764500000000}], "context": {"projectId": null, "activeSceneId": null, "mediaAssets": ["x"], "playbackTimeMs": 0}} |
        | playback-time-text  | {"messages": [{"id": "$m1", "role": "user", "content": "hi", "timestamp": 1764500000000}], "context": {"projectId": null, "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": "0"}}  |

  @api-proxy-route.11
  Rule: Invalid input returns 400

    @transcribed @reading.15
    Scenario: Invalid request returns 400
      When POST /api/agent/chat is called with the body '{}'
      Then the route answers 400
      And the answer's error is a non-empty string

    @derived @reading.15
    Scenario Outline: A body that is none is refused, and nothing is sent
      Given the provider always answers {"content": "$answer"}
      When POST /api/agent/chat is called with the body '<body>'
      Then the route answers 400
      And nothing was sent to a provider
      When POST /api/agent/chat is called
      Then the route answers 200
      And the provider was called 1 time

      Examples:
        | case       | body             |
        | broken     | {                |
        | empty      |                  |
        | text       | hi               |
        | list       | []               |
        | null       | null             |
        | number     | 5                |
        | no-fields  | {}               |
        | other-keys | {"message": "x"} |

  @api-proxy-route.12
  Rule: It returns 400 with an error description

    @derived @reading.15
    Scenario Outline: The refusal says in JSON what is wrong
      When POST /api/agent/chat is called with the body '<body>'
      Then the route answers 400
      And the answer's error is a non-empty string

      Examples:
        | case           | body                                                                                    |
        | broken         | {                                                                                       |
        | empty          |                                                                                         |
        | list           | []                                                                                      |
        | messages-text  | {"messages": "hi"}                                                                      |
        | content-number | {"messages": [{"id": "$m1", "role": "user", "content": 5, "timestamp": 1764500000000}]} |

  @api-proxy-route.13
  Rule: Provider errors return 502

    @derived @reading.14
    Scenario Outline: Every error of the provider is a 502
      Given LLM_PROVIDER is "<provider>"
      And the provider always plays <exchange>
      When POST /api/agent/chat is called
      Then the route answers 502
      And the provider was called

      Examples:
        | case                   | provider          | exchange                     |
        | openai-bad-key         | openai-compatible | openai/error-bad-key         |
        | openai-permission      | openai-compatible | openai/error-permission      |
        | openai-model-not-found | openai-compatible | openai/error-model-not-found |
        | openai-bad-request     | openai-compatible | openai/error-context-length  |
        | openai-rate-limit      | openai-compatible | openai/error-rate-limit      |
        | openai-server          | openai-compatible | openai/error-server          |
        | openai-overloaded      | openai-compatible | openai/error-overloaded      |
        | openai-reset           | openai-compatible | openai/connection-reset      |
        | gemini-bad-key         | gemini            | gemini/error-bad-key         |
        | gemini-permission      | gemini            | gemini/error-permission      |
        | gemini-model-not-found | gemini            | gemini/error-model-not-found |
        | gemini-bad-request     | gemini            | gemini/error-context-length  |
        | gemini-rate-limit      | gemini            | gemini/error-rate-limit      |
        | gemini-server          | gemini            | gemini/error-server          |
        | gemini-overloaded      | gemini            | gemini/error-overloaded      |
        | gemini-reset           | gemini            | gemini/connection-reset      |

    @derived @reading.14
    Scenario: A connection that is refused is a 502
      Given LLM_BASE_URL is the closed port
      When POST /api/agent/chat is called
      Then the route answers 502
      And the answer's error is "LLM provider error"

  @api-proxy-route.14
  Rule: It returns 502 with { error: "LLM provider error" }

    @transcribed @reading.14
    Scenario: Provider error returns 502
      Given the provider always fails with status 401 and "$reason"
      When POST /api/agent/chat is called
      Then the route answers 502
      And the answer's error is "LLM provider error"

    @derived @reading.14
    Scenario Outline: Neither the key nor the provider's words get out
      Given LLM_PROVIDER is "<provider>"
      And LLM_API_KEY is "$key"
      And the provider always fails with status <status> and "$reason: the key $key is refused"
      When POST /api/agent/chat is called
      Then the route answers 502
      And the provider was called
      And the answer's error is "LLM provider error"
      And no answer of the route shows "$key"
      And no answer of the route shows "$reason"

      Examples:
        | case       | provider          | status |
        | openai-400 | openai-compatible | 400    |
        | openai-401 | openai-compatible | 401    |
        | openai-500 | openai-compatible | 500    |
        | gemini-400 | gemini            | 400    |
        | gemini-403 | gemini            | 403    |
        | gemini-500 | gemini            | 500    |

  @api-proxy-route.15
  Rule: It returns 200 with { content: "...", toolCalls?: [...] }

    @transcribed @reading.24
    Scenario: Valid request returns provider response
      Given the messages
        """
        [{"role": "user", "content": "$question"}]
        """
      And the context
        """
        {"projectId": "$project", "activeSceneId": "$scene", "mediaAssets": [], "playbackTimeMs": 1500}
        """
      And the provider answers {"content": "$answer", "calls": [{"name": "transcribe_video", "args": {"assetId": "$asset"}}]}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is "$answer"
      And the answer's toolCalls are exactly
        | name             | args                  |
        | transcribe_video | {"assetId": "$asset"} |

    @derived
    Scenario: Each request has an answer of its own
      Given the provider answers {"content": "$first"}
      And the provider answers {"content": "$second"}
      When POST /api/agent/chat is called
      Then the answer's content is "$first"
      When POST /api/agent/chat is called
      Then the answer's content is "$second"
      And the provider was called 2 times

  @robustness
  Rule: Where the specification is silent

    @robustness @reading.15
    Scenario: What was wrong with the text of the body is not read back
      When POST /api/agent/chat is called with the body '{"messages": [{"content": "$secret"'
      Then the route answers 400
      And the answer's error is a non-empty string
      And no answer of the route shows "$secret"

    @robustness @reading.14
    Scenario Outline: Every way to fail is an error of the provider
      Given LLM_PROVIDER is "<provider>"
      And the provider always plays <exchange>
      When POST /api/agent/chat is called
      Then the route answers 502
      And the provider was called
      And the answer's error is "LLM provider error"

      Examples:
        | case                                 | provider          | exchange                             |
        | openai-body-cut-short                | openai-compatible | openai/body-cut-short                |
        | openai-body-list                     | openai-compatible | openai/body-list                     |
        | openai-body-null                     | openai-compatible | openai/body-null                     |
        | openai-empty-body                    | openai-compatible | openai/empty-body                    |
        | openai-error-bad-gateway-html        | openai-compatible | openai/error-bad-gateway-html        |
        | openai-error-bad-key-mistral         | openai-compatible | openai/error-bad-key-mistral         |
        | openai-error-conflict                | openai-compatible | openai/error-conflict                |
        | openai-error-content-filter          | openai-compatible | openai/error-content-filter          |
        | openai-error-flat-object             | openai-compatible | openai/error-flat-object             |
        | openai-error-gateway-timeout-empty   | openai-compatible | openai/error-gateway-timeout-empty   |
        | openai-error-model-not-found-groq    | openai-compatible | openai/error-model-not-found-groq    |
        | openai-error-overloaded-text         | openai-compatible | openai/error-overloaded-text         |
        | openai-error-quota                   | openai-compatible | openai/error-quota                   |
        | openai-error-rate-limit-azure        | openai-compatible | openai/error-rate-limit-azure        |
        | openai-error-rate-limit-integer-code | openai-compatible | openai/error-rate-limit-integer-code |
        | openai-error-timeout                 | openai-compatible | openai/error-timeout                 |
        | openai-error-tool-use-failed         | openai-compatible | openai/error-tool-use-failed         |
        | openai-error-unprocessable           | openai-compatible | openai/error-unprocessable           |
        | openai-html-with-200                 | openai-compatible | openai/html-with-200                 |
        | openai-invalid-json                  | openai-compatible | openai/invalid-json                  |
        | gemini-body-cut-short                | gemini            | gemini/body-cut-short                |
        | gemini-body-list                     | gemini            | gemini/body-list                     |
        | gemini-body-null                     | gemini            | gemini/body-null                     |
        | gemini-empty-body                    | gemini            | gemini/empty-body                    |
        | gemini-error-bare                    | gemini            | gemini/error-bare                    |
        | gemini-error-cancelled               | gemini            | gemini/error-cancelled               |
        | gemini-error-failed-precondition     | gemini            | gemini/error-failed-precondition     |
        | gemini-error-server-html             | gemini            | gemini/error-server-html             |
        | gemini-error-timeout                 | gemini            | gemini/error-timeout                 |
        | gemini-error-unauthenticated         | gemini            | gemini/error-unauthenticated         |
        | gemini-html-with-200                 | gemini            | gemini/html-with-200                 |
        | gemini-invalid-json                  | gemini            | gemini/invalid-json                  |
