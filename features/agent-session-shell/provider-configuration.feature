@agent-session-shell
Feature: Provider Configuration

  @provider-configuration.1 @surface.chat-route
  Rule: LLM_PROVIDER MUST determine which adapter the route uses

    @derived
    Scenario: Two providers with one model, one key and one base URL are two families
      Given LLM_MODEL is "$model"
      And LLM_API_KEY is "$key"
      And LLM_BASE_URL is the provider, under /v1
      And the provider always answers {"content": "$answer"}
      And LLM_PROVIDER is "openai-compatible"
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 is a chat completion
      When LLM_PROVIDER is "gemini"
      And POST /api/agent/chat is called
      Then the route answers 200
      And call 2 is a generateContent

  @provider-configuration.2 @surface.chat-route
  Rule: LLM_MODEL MUST determine which model the route uses

    @derived
    Scenario Outline: The model is the one that is configured
      Given LLM_PROVIDER is "<provider>"
      And LLM_MODEL is "$model"
      And the provider always answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 carries the model "$model"
      When LLM_MODEL is "$other"
      And POST /api/agent/chat is called
      Then call 2 carries the model "$other"

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

  @provider-configuration.3 @surface.chat-route
  Rule: LLM_API_KEY MUST be the key that the route uses

    @derived @reading.12
    Scenario Outline: The key is the one that is configured
      Given LLM_PROVIDER is "<provider>"
      And LLM_API_KEY is "$key"
      And the provider always answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 carries the key "$key"
      When LLM_API_KEY is "$other"
      And POST /api/agent/chat is called
      Then call 2 carries the key "$other"

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

  @provider-configuration.4 @surface.chat-route
  Rule: LLM_BASE_URL MUST determine where an openai-compatible call goes

    @derived
    Scenario Outline: The call goes to the base URL, with its path
      Given LLM_BASE_URL is the provider, under <path>
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 came to "<path>/chat/completions"

      Examples:
        | case   | path             |
        | usual  | /v1              |
        | custom | /$custom/v1      |
        | deep   | /$a/$b/openai/v1 |

  @provider-configuration.5 @surface.chat-route
  Rule: LLM_PROVIDER is required

    @derived @reading.13
    Scenario Outline: Without a provider nothing is sent
      Given LLM_PROVIDER is <value>
      And the provider always answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 502
      And the answer's error is a configuration error
      And nothing was sent to a provider
      When LLM_PROVIDER is "openai-compatible"
      And POST /api/agent/chat is called
      Then the route answers 200
      And the provider was called 1 time

      Examples:
        | case    | value   |
        | not-set | not set |
        | empty   | ""      |

  @provider-configuration.6 @surface.chat-route
  Rule: LLM_MODEL is required

    @derived @reading.13
    Scenario Outline: Without a model nothing is sent
      Given LLM_PROVIDER is "<provider>"
      And LLM_MODEL is <value>
      And the provider always answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 502
      And the answer's error is a configuration error
      And nothing was sent to a provider
      When LLM_MODEL is "$model"
      And POST /api/agent/chat is called
      Then the route answers 200
      And the provider was called 1 time

      Examples:
        | case           | provider          | value   |
        | openai-not-set | openai-compatible | not set |
        | openai-empty   | openai-compatible | ""      |
        | gemini-not-set | gemini            | not set |
        | gemini-empty   | gemini            | ""      |

  @provider-configuration.7 @surface.chat-route
  Rule: LLM_API_KEY is required

    @transcribed @reading.13
    Scenario: Missing required configuration
      Given LLM_API_KEY is not set
      When POST /api/agent/chat is called
      Then the route answers 502
      And the answer's error is a configuration error

    @derived @reading.13
    Scenario Outline: Without a key nothing is sent
      Given LLM_PROVIDER is "<provider>"
      And LLM_API_KEY is <value>
      And the provider always answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 502
      And the answer's error is a configuration error
      And nothing was sent to a provider
      When LLM_API_KEY is "$key"
      And POST /api/agent/chat is called
      Then the route answers 200
      And the provider was called 1 time
      And call 1 carries the key "$key"

      Examples:
        | case           | provider          | value   |
        | openai-not-set | openai-compatible | not set |
        | openai-empty   | openai-compatible | ""      |
        | gemini-not-set | gemini            | not set |
        | gemini-empty   | gemini            | ""      |

  @provider-configuration.8 @surface.chat-route
  Rule: LLM_BASE_URL is optional

    @derived @reading.13
    Scenario Outline: Without a base URL the call goes to a public host
      Given LLM_BASE_URL is <value>
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is "$answer"
      And the provider was called 1 time
      And call 1 is a chat completion
      And call 1 was meant for another machine

      Examples:
        | case    | value   |
        | not-set | not set |
        | empty   | ""      |

  @provider-configuration.9 @restates.provider-configuration.1
  Rule: LLM_PROVIDER MUST accept "openai-compatible"

  @provider-configuration.10 @restates.provider-configuration.1
  Rule: LLM_PROVIDER MUST accept "gemini"

  @provider-configuration.11 @surface.chat-route
  Rule: When LLM_PROVIDER is "gemini", LLM_BASE_URL MUST be ignored

    @transcribed @reading.12
    Scenario: Gemini config ignores base URL
      Given LLM_PROVIDER is "gemini"
      And LLM_BASE_URL is the trap
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is "$answer"
      And the trap heard nothing
      And the provider was called 1 time
      And call 1 is a generateContent
      And call 1 was meant for the host "generativelanguage.googleapis.com"

  @provider-configuration.12 @surface.source-layout
  Rule: Configuration MUST be read server-side only

    @derived
    Scenario: No client module names a variable of the configuration
      Then no module that a client entry reaches names an LLM_ variable

  @provider-configuration.13 @surface.chat-route
  Rule: Configuration MUST NOT be exposed to the client

    # What a legal provider is called is no secret; the other three are.
    @derived @reading.13 @reading.14
    Scenario Outline: Neither key nor model nor base URL is in any answer
      Given LLM_PROVIDER is "<provider>"
      And LLM_MODEL is "$model"
      And LLM_API_KEY is "$key"
      And LLM_BASE_URL is the provider, under /$base/v1
      And the provider answers {"content": "$answer"}
      And the provider always fails with status 400 and "$model and $key are refused at $base"
      When POST /api/agent/chat is called
      Then the route answers 200
      When POST /api/agent/chat is called
      Then the route answers 502
      When POST /api/agent/chat is called with the body '{}'
      Then the route answers 400
      When POST /api/agent/$nowhere is called
      Then the route answers anything but 200
      When LLM_MODEL is ""
      And POST /api/agent/chat is called
      Then the route answers 502
      When LLM_MODEL is "$model"
      And LLM_API_KEY is ""
      And POST /api/agent/chat is called
      Then the route answers 502
      And no answer of the route shows "$key"
      And no answer of the route shows "$model"
      And no answer of the route shows "$base"

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

    @derived @reading.14
    Scenario: An answer that cannot be read does not show the configuration
      Given LLM_MODEL is "$model"
      And LLM_API_KEY is "$key"
      And LLM_BASE_URL is the closed port
      When POST /api/agent/chat is called
      Then the route answers 502
      And no answer of the route shows "$key"
      And no answer of the route shows "$model"
      And no answer of the route shows "127.0.0.1"

  @provider-configuration.14
  Rule: An unknown provider: the factory throws "Unknown LLM provider: unknown-provider"

    @transcribed @surface.provider-adapter
    Scenario: Unknown provider
      Given LLM_PROVIDER is set to "unknown-provider"
      Then the factory throws "Unknown LLM provider: unknown-provider"

    @derived @surface.provider-adapter
    Scenario: The error names whatever provider is unknown, and a known one is none
      Given LLM_PROVIDER is set to "$nobody"
      And the provider always answers {"content": "$answer"}
      Then the factory throws "Unknown LLM provider: $nobody"
      When LLM_PROVIDER is "openai-compatible"
      And the adapter is called
      Then the answer's content is "$answer"
      When LLM_PROVIDER is "gemini"
      And the adapter is called
      Then the answer's content is "$answer"

    @derived @reading.13 @surface.chat-route
    Scenario: The route answers 502 to an unknown provider, and sends nothing
      Given LLM_PROVIDER is set to "unknown-provider"
      And the provider always answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 502
      And the answer's error is a non-empty string
      And nothing was sent to a provider
      When LLM_PROVIDER is "openai-compatible"
      And POST /api/agent/chat is called
      Then the route answers 200
      And the provider was called 1 time

  @robustness
  Rule: Where the specification is silent

    @robustness @reading.13 @surface.chat-route
    Scenario Outline: The error names the variable that is missing
      Given <variable> is <value>
      When POST /api/agent/chat is called
      Then the route answers 502
      And the answer's error contains "<variable>"
      And nothing was sent to a provider

      Examples:
        | case           | variable     | value   |
        | provider       | LLM_PROVIDER | not set |
        | model          | LLM_MODEL    | not set |
        | key            | LLM_API_KEY  | not set |
        | empty-provider | LLM_PROVIDER | ""      |
        | empty-model    | LLM_MODEL    | ""      |
        | empty-key      | LLM_API_KEY  | ""      |

    @robustness @surface.provider-adapter
    Scenario Outline: An inherited name is no provider
      Given LLM_PROVIDER is "<name>"
      Then the factory throws "Unknown LLM provider: <name>"

      Examples:
        | case        | name        |
        | constructor | constructor |
        | to-string   | toString    |
        | proto       | __proto__   |

    @robustness @reading.12 @surface.chat-route
    Scenario Outline: The key is in a header, and in no URL
      Given LLM_PROVIDER is "<provider>"
      And LLM_API_KEY is "$key"
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 carries the key "$key"
      And no URL of a call holds "$key"

      Examples:
        | case   | provider          |
        | openai | openai-compatible |
        | gemini | gemini            |

    @robustness @surface.chat-route
    Scenario: A slash at the end of the base URL is not doubled
      Given LLM_BASE_URL is the provider, under /v1/
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And call 1 came to "/v1/chat/completions"
