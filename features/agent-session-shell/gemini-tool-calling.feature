@agent-session-shell
Feature: Gemini Tool Calling

  @gemini-tool-calling.1 @surface.chat-route
  Rule: The Gemini adapter MUST convert internal ToolSchema[] to Gemini function declarations

    @derived @reading.12
    Scenario: The shipped tool is declared with its description and its parameter
      Given LLM_PROVIDER is "gemini"
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 is a generateContent
      And call 1 offers exactly
        | name             | description        | parameters                                                          |
        | transcribe_video | a non-empty string | a list with {"key": "assetId", "type": "string", "required": false} |

    @derived @reading.12 @chat-route.tools
    Scenario: Every tool is declared whole
      Given LLM_PROVIDER is "gemini"
      And the route's registry also holds the tools
        | name    | description | parameters                                                                                                                                                            |
        | $tool_a | $about_a    | [{"key": "$key_a", "type": "number", "required": true}, {"key": "$key_b", "type": "string", "required": false}, {"key": "$key_c", "type": "array", "required": true}] |
        | $tool_b | $about_b    | []                                                                                                                                                                    |
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 offers exactly
        | name             | description        | parameters                                                                                                                                                            |
        | transcribe_video | a non-empty string | a list                                                                                                                                                                |
        | $tool_a          | "$about_a"         | [{"key": "$key_a", "type": "number", "required": true}, {"key": "$key_b", "type": "string", "required": false}, {"key": "$key_c", "type": "array", "required": true}] |
        | $tool_b          | "$about_b"         | []                                                                                                                                                                    |

  @gemini-tool-calling.2 @surface.chat-route
  Rule: It MUST call generateContent with declarations attached

    @derived @reading.12 @reading.24
    Scenario: The declarations are attached to the first call, and to the one after a result
      Given LLM_PROVIDER is "gemini"
      And the provider answers {"content": null, "calls": [{"name": "transcribe_video", "args": {"assetId": "$asset"}}]}
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 offers exactly
        | name             |
        | transcribe_video |
      Given the messages
        """
        [
          {"role": "user", "content": "$question"},
          {"role": "assistant", "content": "", "toolCalls": [{"id": "$call", "name": "transcribe_video", "args": {"assetId": "$asset"}}]},
          {"role": "tool", "toolCallId": "$call", "content": "$result"}
        ]
        """
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is "$answer"
      And call 2 is a generateContent
      And call 2 offers exactly
        | name             | parameters                                                          |
        | transcribe_video | a list with {"key": "assetId", "type": "string", "required": false} |
      And call 2 holds the conversation
        | from      | text      | tool             | args                  |
        | user      | $question |                  |                       |
        | assistant |           | transcribe_video | {"assetId": "$asset"} |
        | tool      | $result   | transcribe_video | {"assetId": "$asset"} |

  @gemini-tool-calling.3
  Rule: If Gemini returns function call parts, the adapter MUST map each to a ToolCall { id, name, args }

    @transcribed @reading.17 @surface.chat-route
    Scenario: Gemini returns function calls
      Given LLM_PROVIDER is "gemini"
      And the provider answers {"content": null, "calls": [{"name": "transcribe_video", "args": {}}]}
      When POST /api/agent/chat is called
      Then the answer's toolCalls are exactly
        | name             | args | id                 |
        | transcribe_video | {}   | a non-empty string |

    @derived @reading.17 @surface.chat-route
    Scenario: Text and calls in one content are both returned, in order
      Given LLM_PROVIDER is "gemini"
      And the provider answers {"content": "$thought", "calls": [{"name": "probe_b", "args": {"a": {"b": [1, null, "$word"]}}}, {"name": "probe_a", "args": {}}, {"name": "probe_b", "args": {"c": false}}]}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is "$thought"
      And the answer's toolCalls are exactly
        | name    | args                             |
        | probe_b | {"a": {"b": [1, null, "$word"]}} |
        | probe_a | {}                               |
        | probe_b | {"c": false}                     |

    @derived @surface.chat-route
    Scenario: Args that are absent are {}
      Given LLM_PROVIDER is "gemini"
      And the provider plays gemini/args-missing
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's toolCalls are exactly
        | name     | args |
        | get_time | {}   |

    @derived @reading.17 @surface.provider-adapter
    Scenario: The adapter itself maps them so
      Given LLM_PROVIDER is "gemini"
      And the adapter receives the tool schemas
        | name    | parameters |
        | probe_a | []         |
        | probe_b | []         |
      And the provider answers {"content": "$thought", "calls": [{"name": "probe_b", "args": {"a": {"b": [1, null, "$word"]}}}, {"name": "probe_a", "args": {}}]}
      When the adapter is called
      Then the answer's content is "$thought"
      And the answer's toolCalls are exactly
        | name    | args                             | id                 |
        | probe_b | {"a": {"b": [1, null, "$word"]}} | a non-empty string |
        | probe_a | {}                               | a non-empty string |

  @gemini-tool-calling.4 @restates.provider-adapter-interface.10 @restates.provider-adapter-interface.11
  Rule: Each ToolCall has a synthesized non-empty id

  @gemini-tool-calling.5
  Rule: If Gemini responds with only text, toolCalls is undefined and content holds the text

    @transcribed @reading.3 @surface.provider-adapter
    Scenario: Gemini returns text despite tools
      Given LLM_PROVIDER is "gemini"
      And the adapter receives the tool schemas
        | name             | parameters                                                |
        | transcribe_video | [{"key": "assetId", "type": "string", "required": false}] |
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then call 1 offers exactly
        | name             |
        | transcribe_video |
      And the answer's toolCalls is absent or null
      And the answer's content is "$answer"

    @derived @reading.3 @surface.chat-route
    Scenario: The route answers with the text, and without calls
      Given LLM_PROVIDER is "gemini"
      And the provider answers {"content": "$answer"}
      And the provider answers {"content": null, "calls": [{"name": "probe"}]}
      When POST /api/agent/chat is called
      Then the answer's content is "$answer"
      And the answer's toolCalls is absent, null or []
      When POST /api/agent/chat is called
      Then the answer's toolCalls are exactly
        | name  | args |
        | probe | {}   |

  @gemini-tool-calling.6
  Rule: The parameter appears in FunctionDeclaration.parameters.properties with type "string"

    @transcribed @reading.12 @surface.provider-adapter
    Scenario: Tool schema type mapping
      Given LLM_PROVIDER is "gemini"
      And the adapter receives the tool schemas
        | name             | parameters                                               |
        | transcribe_video | [{"key": "assetId", "type": "string", "required": true}] |
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then call 1 offers exactly
        | name             | parameters                                               |
        | transcribe_video | [{"key": "assetId", "type": "string", "required": true}] |

    @derived @reading.12 @surface.provider-adapter
    Scenario Outline: Each type keeps its name
      Given LLM_PROVIDER is "gemini"
      And the adapter receives the tool schemas
        | name  | parameters                                                  |
        | $tool | [{"key": "$key", "type": "<type>", "required": <required>}] |
      And the provider answers {"content": "$answer"}
      When the adapter is called
      Then call 1 offers exactly
        | name  | parameters                                                  |
        | $tool | [{"key": "$key", "type": "<type>", "required": <required>}] |

      Examples:
        | case    | type    | required |
        | string  | string  | false    |
        | number  | number  | true     |
        | boolean | boolean | false    |
        | object  | object  | true     |
        | array   | array   | true     |

    @derived @reading.12 @surface.chat-route @chat-route.tools
    Scenario: Each type keeps its name on the way through the route
      Given LLM_PROVIDER is "gemini"
      And the route's registry also holds the tools
        | name  | parameters                                                                                                                                                                                                                                                  |
        | $tool | [{"key": "a", "type": "string", "required": true}, {"key": "b", "type": "number", "required": true}, {"key": "c", "type": "boolean", "required": false}, {"key": "d", "type": "object", "required": true}, {"key": "e", "type": "array", "required": true}] |
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 offers exactly
        | name             | parameters                                                                                                                                                                                                                                                  |
        | transcribe_video | a list                                                                                                                                                                                                                                                      |
        | $tool            | [{"key": "a", "type": "string", "required": true}, {"key": "b", "type": "number", "required": true}, {"key": "c", "type": "boolean", "required": false}, {"key": "d", "type": "object", "required": true}, {"key": "e", "type": "array", "required": true}] |

  @robustness @surface.chat-route
  Rule: Where the specification is silent

    @robustness @reading.17
    Scenario Outline: A call is read, whatever stands around it
      Given LLM_PROVIDER is "gemini"
      And the provider plays gemini/<exchange>
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is <content>
      And the answer's toolCalls are exactly
        | name        | args             |
        | get_weather | {"city": "Oslo"} |

      Examples:
        | case                     | exchange                 | content        |
        | call-with-signature      | call-with-signature      | ""             |
        | finish-message           | one-call                 | ""             |
        | one-call-with-id         | one-call-with-id         | ""             |
        | text-beside-calls        | text-beside-calls        | "Let me look." |
        | thought-part-beside-call | thought-part-beside-call | ""             |

    @robustness @reading.17
    Scenario: Parallel calls of which one carries a signature are all read
      Given LLM_PROVIDER is "gemini"
      And the provider plays gemini/parallel-calls-one-signature
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's toolCalls are exactly
        | name        | args             |
        | get_weather | {"city": "Oslo"} |
        | get_weather | {"city": "Rome"} |
        | get_time    | {"zone": "UTC"}  |
      And every call of every answer has an id of its own

    @robustness
    Scenario: Text and args beyond ASCII come through
      Given LLM_PROVIDER is "gemini"
      And the provider plays gemini/unicode
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is "Grüße, 世界 🌍"
      And the answer's toolCalls are exactly
        | name        | args                     |
        | get_weather | {"city": "Ålesund\\n東京"} |

    @robustness @reading.14
    Scenario Outline: A call that failed is an error of the provider, and is not handed on
      Given LLM_PROVIDER is "gemini"
      And the provider always plays gemini/<exchange>
      When POST /api/agent/chat is called
      Then the route answers 502
      And the provider was called
      And the answer's error is "LLM provider error"

      Examples:
        | case                                  | exchange                              |
        | finish-malformed-call                 | finish-malformed-call                 |
        | finish-malformed-call-without-content | finish-malformed-call-without-content |
        | finish-too-many-calls                 | finish-too-many-calls                 |
        | finish-unexpected-call                | finish-unexpected-call                |

    @robustness @chat-route.tools @reading.12
    Scenario: A tool without parameters is declared without any
      Given LLM_PROVIDER is "gemini"
      And the route's registry also holds the tools
        | name    |
        | nothing |
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 declares "nothing" without parameters

    @robustness @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
    Scenario: A thought signature goes back on the part that it came with, from end to end
      Given LLM_PROVIDER is "gemini"
      And LLM_MODEL is "gemini-3-$model"
      And these tools are registered
        | name        | outcome          |
        | get_weather | returns "$sunny" |
      And the provider plays gemini/call-with-signature
      And the provider answers {"content": "$answer"}
      And the provider refuses what the real one refuses
      And the orchestrator speaks to the implementation's own route
      When orchestrator.run() is invoked
      Then the provider accepted every call
      And call 2 holds the conversation
        | from      | text      | tool        | args             | signature        |
        | user      | $question |             |                  |                  |
        | assistant |           | get_weather | {"city": "Oslo"} | c2lnbmF0dXJlLTE= |
        | tool      | $sunny    | get_weather | {"city": "Oslo"} |                  |
      And the last message of chatStore is an assistant message with "$answer"

    @robustness @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
    Scenario: Of parallel calls each keeps its own signature, and their results stand together, from end to end
      Given LLM_PROVIDER is "gemini"
      And LLM_MODEL is "gemini-3-$model"
      And these tools are registered
        | name        | outcome          |
        | get_weather | returns "$sunny" |
        | get_time    | returns "$noon"  |
      And the provider plays gemini/parallel-calls-one-signature
      And the provider answers {"content": "$answer"}
      And the provider refuses what the real one refuses
      And the orchestrator speaks to the implementation's own route
      When orchestrator.run() is invoked
      Then the provider accepted every call
      And call 2 holds the conversation
        | from      | text      | tool        | args             | signature        |
        | user      | $question |             |                  |                  |
        | assistant |           | get_weather | {"city": "Oslo"} | c2lnbmF0dXJlLTE= |
        | assistant |           | get_weather | {"city": "Rome"} | none             |
        | assistant |           | get_time    | {"zone": "UTC"}  | none             |
        | tool      | $sunny    | get_weather | {"city": "Oslo"} |                  |
        | tool      | $sunny    | get_weather | {"city": "Rome"} |                  |
        | tool      | $noon     | get_time    | {"zone": "UTC"}  |                  |
      And the last message of chatStore is an assistant message with "$answer"

    @robustness @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
    Scenario: A call that failed runs no tool, from end to end
      Given LLM_PROVIDER is "gemini"
      And these tools are registered
        | name        | outcome          |
        | get_weather | returns "$sunny" |
      And the provider always plays gemini/finish-unexpected-call
      And the orchestrator speaks to the implementation's own route
      When orchestrator.run() is invoked
      Then the provider was called
      And no tool ran
      And agentStore.status is "error"

    @robustness @reading.17 @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
    Scenario: Two rounds of calls without ids are each answered, from end to end
      Given LLM_PROVIDER is "gemini"
      And these tools are registered
        | name  | outcome         |
        | probe | returns "$done" |
      And the provider answers {"content": null, "calls": [{"name": "probe", "args": {"x": 1}}, {"name": "probe", "args": {"x": 2}}]}
      And the provider answers {"content": null, "calls": [{"name": "probe", "args": {"x": 3}}]}
      And the provider answers {"content": "$answer"}
      And the provider refuses what the real one refuses
      And the orchestrator speaks to the implementation's own route
      When orchestrator.run() is invoked
      Then the provider accepted every call
      And call 3 holds the conversation
        | from      | text      | tool  | args     |
        | user      | $question |       |          |
        | assistant |           | probe | {"x": 1} |
        | assistant |           | probe | {"x": 2} |
        | tool      | $done     | probe | {"x": 1} |
        | tool      | $done     | probe | {"x": 2} |
        | assistant |           | probe | {"x": 3} |
        | tool      | $done     | probe | {"x": 3} |
      And the last message of chatStore is an assistant message with "$answer"
