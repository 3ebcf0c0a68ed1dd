@agent-session-shell @surface.tool-registry
Feature: Tool Registry Shell

  @tool-registry-shell.1 @by-inspection
  Rule: The system SHALL provide a ToolRegistry extending DefinitionRegistry<string, ToolDefinition>
    It is a relation of two classes: nothing outside can tell it, and a registry that works alike keeps every other demand.

  @tool-registry-shell.2
  Rule: A ToolDefinition contains { name, description, parameters, execute }

    @derived @surface.orchestrator @surface.chat-store @surface.agent-store
    Scenario: A registered tool comes back whole, and executes
      Given these tools are registered
        | name  | description  | parameters                                                                                              | outcome          |
        | probe | $description | [{"key": "$key", "type": "string", "required": true}, {"key": "n", "type": "array", "required": false}] | returns "$found" |
      Then get("probe") returns
        | name  | description    | parameters                                                                                              | executable |
        | probe | "$description" | [{"key": "$key", "type": "string", "required": true}, {"key": "n", "type": "array", "required": false}] | true       |
      Given iteration 1 returns the tool calls
        | id    | tool  | args              |
        | $call | probe | {"$key": "$word"} |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args              |
        | probe | {"$key": "$word"} |
      And POST 2 answers the calls
        | id    | with   |
        | $call | $found |

  @tool-registry-shell.3
  Rule: The registry MUST support register

    @derived
    Scenario: Each registration adds a tool
      When these tools are registered
        | name    |
        | $tool_a |
        | $tool_b |
      Then getAll() returns exactly
        | name             |
        | transcribe_video |
        | $tool_a          |
        | $tool_b          |

  @tool-registry-shell.4
  Rule: The registry MUST support get

    @derived
    Scenario: Each name gets its own tool
      Given these tools are registered
        | name    | description | parameters                                              |
        | $tool_a | $about_a    | [{"key": "$key_a", "type": "number", "required": true}] |
        | $tool_b | $about_b    | [{"key": "$key_b", "type": "object", "required": true}] |
      Then get("$tool_a") returns
        | name    | description | parameters                                              |
        | $tool_a | "$about_a"  | [{"key": "$key_a", "type": "number", "required": true}] |
      And get("$tool_b") returns
        | name    | description | parameters                                              |
        | $tool_b | "$about_b"  | [{"key": "$key_b", "type": "object", "required": true}] |
      And get("transcribe_video") returns
        | name             | description        | executable |
        | transcribe_video | a non-empty string | true       |

  @tool-registry-shell.5
  Rule: The registry MUST support has

    @derived
    Scenario: A name is there once it is registered
      Then has("transcribe_video") returns true
      And has("$tool") returns false
      When these tools are registered
        | name  |
        | $tool |
      Then has("$tool") returns true
      And has("$other") returns false

  @tool-registry-shell.6
  Rule: The registry MUST support getAll

    @derived
    Scenario: All tools are the shipped one and the registered ones
      Given these tools are registered
        | name    | description | parameters                                               |
        | $tool_a | $about_a    | [{"key": "$key_a", "type": "boolean", "required": true}] |
        | $tool_b | $about_b    | []                                                       |
      Then getAll() returns exactly
        | name             | description        | parameters                                               | executable |
        | transcribe_video | a non-empty string | a list                                                   | true       |
        | $tool_a          | "$about_a"         | [{"key": "$key_a", "type": "boolean", "required": true}] | true       |
        | $tool_b          | "$about_b"         | []                                                       | true       |

  @tool-registry-shell.7
  Rule: toToolSchemas() exports every registered tool's parameters

    @derived
    Scenario: A tool that is registered after an export is in the next one
      Then toToolSchemas() returns exactly
        | name             |
        | transcribe_video |
      When these tools are registered
        | name    | parameters                                              |
        | $tool_a | [{"key": "$key_a", "type": "string", "required": true}] |
      Then toToolSchemas() returns exactly
        | name             | parameters                                              |
        | transcribe_video | a list                                                  |
        | $tool_a          | [{"key": "$key_a", "type": "string", "required": true}] |
      When these tools are registered
        | name    | parameters |
        | $tool_b | []         |
      Then toToolSchemas() returns exactly
        | name             | parameters                                              |
        | transcribe_video | a list                                                  |
        | $tool_a          | [{"key": "$key_a", "type": "string", "required": true}] |
        | $tool_b          | []                                                      |

  @tool-registry-shell.8
  Rule: The export is in a provider-agnostic internal schema format

    @transcribed
    Scenario: Schema export produces internal format
      Then toToolSchemas() returns exactly
        | name             | description        | parameters                                                          |
        | transcribe_video | a non-empty string | a list with {"key": "assetId", "type": "string", "required": false} |
      When these tools are registered
        | name  |
        | $tool |
      Then toToolSchemas() returns exactly
        | name             | description        | parameters                                                          |
        | transcribe_video | a non-empty string | a list with {"key": "assetId", "type": "string", "required": false} |
        | $tool            | a non-empty string | []                                                                  |

    @derived @reading.9
    Scenario: Each parameter keeps its key, its type and whether it is required
      Given these tools are registered
        | name          | description    | parameters                                                     |
        | $with_string  | $about_string  | [{"key": "$key_string", "type": "string", "required": true}]   |
        | $with_number  | $about_number  | [{"key": "$key_number", "type": "number", "required": false}]  |
        | $with_boolean | $about_boolean | [{"key": "$key_boolean", "type": "boolean", "required": true}] |
        | $with_object  | $about_object  | [{"key": "$key_object", "type": "object", "required": false}]  |
        | $with_array   | $about_array   | [{"key": "$key_array", "type": "array", "required": true}]     |
      Then toToolSchemas() returns exactly
        | name             | description        | parameters                                                     |
        | transcribe_video | a non-empty string | a list                                                         |
        | $with_string     | "$about_string"    | [{"key": "$key_string", "type": "string", "required": true}]   |
        | $with_number     | "$about_number"    | [{"key": "$key_number", "type": "number", "required": false}]  |
        | $with_boolean    | "$about_boolean"   | [{"key": "$key_boolean", "type": "boolean", "required": true}] |
        | $with_object     | "$about_object"    | [{"key": "$key_object", "type": "object", "required": false}]  |
        | $with_array      | "$about_array"     | [{"key": "$key_array", "type": "array", "required": true}]     |
      And toToolSchemas() returns nothing of a provider's format

  @tool-registry-shell.9 @restates.tool-registry-shell.8 @restates.provider-adapter-interface.7
  Rule: The provider adapter is responsible for converting these internal schemas to its specific wire format

  @tool-registry-shell.10
  Rule: In this phase echo_context MUST NOT be registered

    @derived
    Scenario: The registry ships without echo_context
      Then has("echo_context") returns false
      And has("transcribe_video") returns true
      And getAll() returns exactly
        | name             |
        | transcribe_video |
      And toToolSchemas() returns exactly
        | name             |
        | transcribe_video |
      When these tools are registered
        | name         |
        | echo_context |
      Then has("echo_context") returns true
      And getAll() returns exactly
        | name             |
        | transcribe_video |
        | echo_context     |

    @derived @reading.4 @surface.orchestrator @surface.chat-store @surface.agent-store
    Scenario: A call of echo_context is a call of an unknown tool
      Given the context
        """
        {"projectId": "$project", "activeSceneId": "$scene", "mediaAssets": [], "playbackTimeMs": 7}
        """
      And iteration 1 returns the tool calls
        | id     | tool         | args |
        | $call1 | echo_context | {}   |
        | $call2 | $nowhere     | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then POST 2 answers the calls
        | id     | with     | without  |
        | $call1 | an error | $project |
        | $call2 | an error | $project |

  @tool-registry-shell.11
  Rule: Exactly one tool — transcribe_video — MUST be registered

    @derived
    Scenario: The registry ships with exactly one tool
      Then getAll() returns exactly
        | name             | description        | parameters | executable |
        | transcribe_video | a non-empty string | a list     | true       |
      And toToolSchemas() returns exactly
        | name             |
        | transcribe_video |
      When these tools are registered
        | name  |
        | $tool |
      Then getAll() returns exactly
        | name             |
        | transcribe_video |
        | $tool            |

    @derived @surface.chat-route
    Scenario Outline: The route offers what the registry ships with, and no more
      Given LLM_PROVIDER is "<provider>"
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 offers exactly
        | name             |
        | transcribe_video |
      And getAll() returns exactly
        | name             |
        | transcribe_video |

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

  @robustness
  Rule: Where the specification is silent

    @robustness
    Scenario Outline: An inherited name is no tool
      Then has("<name>") returns false
      And has("transcribe_video") returns true
      When these tools are registered
        | name   | description |
        | <name> | $about      |
      Then has("<name>") returns true
      And get("<name>") returns
        | name   | description |
        | <name> | "$about"    |

      Examples:
        | case             | name           |
        | to-string        | toString       |
        | constructor      | constructor    |
        | has-own-property | hasOwnProperty |
        | proto            | __proto__      |

    @robustness @reading.4 @surface.orchestrator @surface.chat-store @surface.agent-store
    Scenario Outline: A call of an inherited name is a call of an unknown tool
      Given iteration 1 returns the tool calls
        | id    | tool   | args |
        | $call | <name> | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then POST 2 answers the calls
        | id    | with     |
        | $call | an error |
      And the last message of chatStore is an assistant message with "$answer"

      Examples:
        | case        | name        |
        | to-string   | toString    |
        | constructor | constructor |
        | proto       | __proto__   |

    @robustness
    Scenario Outline: A name that a provider would refuse is refused at registration
      Then register("<name>") is refused
      When these tools are registered
        | name            |
        | google_search-2 |
      Then getAll() returns exactly
        | name             |
        | transcribe_video |
        | google_search-2  |

      Examples:
        | case  | name                                                              |
        | space | Google Search                                                     |
        | dot   | google.search                                                     |
        | slash | google/search                                                     |
        | empty |                                                                   |
        | long  | a2345678901234567890123456789012345678901234567890123456789012345 |
