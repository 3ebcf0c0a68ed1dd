@provider-tool-transcript @surface.transcript
Feature: Message Shape

  Background:
    Given the provider refuses what the real one refuses
    And the provider always answers {"content": "$answer"}

  @message-shape.1
  Rule: An assistant message with two tool calls SHALL keep their IDs

    @derived
    Scenario: Two calls keep their ids and their order, however odd the ids are
      When the message is validated
        """
        {
          "role": "assistant",
          "content": "",
          "toolCalls": [
            {"id": "functions.$tool:301", "name": "probe", "arguments": {}, "rawArguments": "{}"},
            {"id": "Call $id \u00fc 1", "name": "probe", "arguments": {}, "rawArguments": "{}"}
          ]
        }
        """
      Then it keeps the id of each of its calls
      When the message is sent, with a reply to each of its calls
      Then it arrives

  @message-shape.2
  Rule: An assistant message with two tool calls SHALL keep their names

    @derived
    Scenario: Two calls keep their names
      When the message is validated
        """
        {
          "role": "assistant",
          "content": "",
          "toolCalls": [
            {"id": "$a", "name": "Find-the_$thing", "arguments": {}, "rawArguments": "{}"},
            {"id": "$b", "name": "2nd_Probe", "arguments": {}, "rawArguments": "{}"}
          ]
        }
        """
      Then it keeps the name of each of its calls
      When the message is sent, with a reply to each of its calls
      Then it arrives

  @message-shape.3
  Rule: An assistant message with two tool calls SHALL keep their parsed arguments

    @derived
    Scenario: Parsed arguments stay what they are, nested and apart from the raw ones
      When the message is validated
        """
        {
          "role": "assistant",
          "content": "",
          "toolCalls": [
            {
              "id": "$a",
              "name": "probe",
              "arguments": {"deep": {"list": [1, 2.5, null, true, "$text"], "empty": {}}, "umlaut": "\u00fc", "number": "12"},
              "rawArguments": "{\"deep\": \"$raw\"}"
            },
            {"id": "$b", "name": "probe", "arguments": {"q": "$q"}, "rawArguments": "{\"q\": \"$q\"}"}
          ]
        }
        """
      Then it keeps the arguments of each of its calls
      When the message is sent, with a reply to each of its calls
      Then it arrives

  @message-shape.4
  Rule: An assistant message with two tool calls SHALL keep their raw arguments

    @derived
    Scenario: Raw arguments stay as the model wrote them, byte for byte
      When the message is validated
        """
        {
          "role": "assistant",
          "content": "",
          "toolCalls": [
            {
              "id": "$a",
              "name": "probe",
              "arguments": {"a": 1.0, "caf\u00e9": "$q"},
              "rawArguments": "{ \"caf\\u00e9\" :\"$q\",\n  \"a\": 1.0}"
            },
            {"id": "$b", "name": "probe", "arguments": {}, "rawArguments": "{ }"}
          ]
        }
        """
      Then it keeps the rawArguments of each of its calls
      When the message is sent, with a reply to each of its calls
      Then it arrives

  @message-shape.5
  Rule: Tool calls on a role other than assistant SHALL be rejected

    @derived
    Scenario Outline: Only an assistant's message makes calls
      When the message is validated
        """
        {
          "role": "<role>",
          "content": "$text",
          <fields>
          "toolCalls": [{"id": "$call", "name": "probe", "arguments": {}, "rawArguments": "{}"}]
        }
        """
      Then it is rejected
      When the message is validated
        """
        {
          "role": "assistant",
          "content": "$text",
          "toolCalls": [{"id": "$call", "name": "probe", "arguments": {}, "rawArguments": "{}"}]
        }
        """
      Then it is valid
      When the message is validated
        """
        {<fields> "role": "<role>", "content": "$text"}
        """
      Then it is valid

      Examples:
        | case   | role   | fields                     |
        | user   | user   |                            |
        | system | system |                            |
        | tool   | tool   | "toolCallId": "$answered", |

  @message-shape.6
  Rule: A tool message without tool_call_id SHALL be rejected

    @derived
    Scenario Outline: A tool message says whose call it answers
      When the message is validated
        """
        {"role": "tool", "content": "$found"<field>}
        """
      Then it is rejected
      When the message is validated
        """
        {"role": "tool", "content": "$found", "toolCallId": "$call"}
        """
      Then it is valid

      Examples:
        | case   | field                |
        | absent |                      |
        | null   | , "toolCallId": null |

  @robustness
  Rule: Where the specification is silent

    @robustness
    Scenario: An empty tool_call_id is none
      When the message is validated
        """
        {"role": "tool", "content": "$found", "toolCallId": ""}
        """
      Then it is rejected
      When the message is validated
        """
        {"role": "tool", "content": "$found", "toolCallId": "$call"}
        """
      Then it is valid

    @robustness
    Scenario Outline: A call has an id and a name
      When the message is validated
        """
        {"role": "assistant", "content": "", "toolCalls": [{<fields>, "arguments": {}, "rawArguments": "{}"}]}
        """
      Then it is rejected
      When the message is validated
        """
        {
          "role": "assistant",
          "content": "",
          "toolCalls": [{"id": "$call", "name": "probe", "arguments": {}, "rawArguments": "{}"}]
        }
        """
      Then it is valid

      Examples:
        | case        | fields                      |
        | id-absent   | "name": "probe"             |
        | id-null     | "id": null, "name": "probe" |
        | id-empty    | "id": "", "name": "probe"   |
        | name-absent | "id": "$call"               |
        | name-null   | "id": "$call", "name": null |
        | name-empty  | "id": "$call", "name": ""   |

    @robustness
    Scenario Outline: Parsed arguments are an object
      When the message is validated
        """
        {
          "role": "assistant",
          "content": "",
          "toolCalls": [{"id": "$call", "name": "probe", "arguments": <arguments>, "rawArguments": "<raw>"}]
        }
        """
      Then it is rejected
      When the message is validated
        """
        {
          "role": "assistant",
          "content": "",
          "toolCalls": [{"id": "$call", "name": "probe", "arguments": {}, "rawArguments": "{}"}]
        }
        """
      Then it is valid

      Examples:
        | case   | arguments | raw   |
        | list   | [1]       | [1]   |
        | text   | "q"       | \"q\" |
        | number | 1         | 1     |
        | null   | null      | null  |

    @robustness
    Scenario Outline: An empty list of calls is none, whoever's message it is
      When the message is validated
        """
        {"role": "<role>", "content": "$text", <fields> "toolCalls": []}
        """
      Then it is valid
      When the message is validated
        """
        {
          "role": "user",
          "content": "$text",
          "toolCalls": [{"id": "$call", "name": "probe", "arguments": {}, "rawArguments": "{}"}]
        }
        """
      Then it is rejected

      Examples:
        | case      | role      | fields                 |
        | assistant | assistant |                        |
        | user      | user      |                        |
        | tool      | tool      | "toolCallId": "$call", |
