@provider-tool-transcript @surface.transcript
Feature: Provider Serialization

  Background:
    Given the provider refuses what the real one refuses
    And the provider always answers {"content": "$answer"}

  @provider-serialization.1
  Rule: Assistant content with two tool calls, two matching replies and a message after them SHALL be accepted

    @derived
    Scenario Outline: The turn is sent as it stands, in the order of its messages
      When the transcript is sent
        """
        [
          {
            "role": "assistant",
            "content": "$thought",
            "toolCalls": [
              {"id": "$a", "name": "probe", "arguments": {"q": "$qa"}, "rawArguments": "{\"q\": \"$qa\"}"},
              {"id": "$b", "name": "probe", "arguments": {"q": "$qb"}, "rawArguments": "{\"q\": \"$qb\"}"}
            ]
          },
          {"role": "tool", "content": "$found1", "toolCallId": "<first>"},
          {"role": "tool", "content": "$found2", "toolCallId": "<second>"},
          {"role": "<speaker>", "content": "$next"}
        ]
        """
      Then it arrives
      And the answer's content is "$answer"

      Examples:
        | case                     | first | second | speaker   |
        | then-the-user            | $a    | $b     | user      |
        | then-the-assistant       | $a    | $b     | assistant |
        | then-the-system          | $a    | $b     | system    |
        | replies-in-another-order | $b    | $a     | user      |

    @derived
    Scenario Outline: A legal transcript is sent
      When the transcript is sent: <transcript>
      Then it arrives
      And the answer's content is "$answer"

      Examples:
        | case                | transcript                                                                         |
        | without-tools       | system, user, assistant, user                                                      |
        | replies-at-the-end  | user, calls $a $b, reply $a, reply $b                                              |
        | one-turn-on-another | user, calls $a, reply $a, calls $b $c, reply $c, reply $b, assistant, user         |
        | five-at-once        | user, calls $a $b $c $d $e, reply $e, reply $b, reply $d, reply $a, reply $c, user |

  @provider-serialization.2
  Rule: The provider payload SHALL use the raw JSON text in assistant.tool_calls[].function.arguments

    @derived @reading.23
    Scenario: Raw arguments arrive byte for byte, also where the parsed ones differ
      When the transcript is sent
        """
        [
          {"role": "user", "content": "$question"},
          {
            "role": "assistant",
            "content": "",
            "toolCalls": [
              {
                "id": "$a",
                "name": "probe",
                "arguments": {"b": 1, "a": "caf\u00e9 $q"},
                "rawArguments": "{ \"b\":1.0,\t\"a\" : \"caf\\u00e9 $q\" }"
              },
              {"id": "$b", "name": "probe", "arguments": {"b": 2, "a": ""}, "rawArguments": "{\"a\":\"\",\"b\":2e0}"},
              {"id": "$c", "name": "probe", "arguments": {"q": "$parsed"}, "rawArguments": "{\"q\": \"$raw\"}"}
            ]
          },
          {"role": "tool", "content": "$found1", "toolCallId": "$a"},
          {"role": "tool", "content": "$found2", "toolCallId": "$b"},
          {"role": "tool", "content": "$found3", "toolCallId": "$c"}
        ]
        """
      Then it arrives
      And its raw arguments arrive as they are

  @provider-serialization.3
  Rule: Each tool reply in the provider payload SHALL carry tool_call_id

    @derived
    Scenario Outline: Each reply arrives under the id of its call, with its own content
      When the transcript is sent: <transcript>
      Then it arrives
      And its call ids arrive as they are
      And its reply ids arrive as they are
      And its contents arrive as they are

      Examples:
        | case             | transcript                                         |
        | in-order         | user, calls $a $b, reply $a, reply $b, user        |
        | in-another-order | user, calls $a $b $c, reply $c, reply $a, reply $b |
        | in-two-turns     | user, calls $a, reply $a, calls $b, reply $b       |

  @robustness
  Rule: Where the specification is silent

    @robustness
    Scenario: An empty list of calls is not sent on
      When the transcript is sent
        """
        [
          {"role": "user", "content": "$question"},
          {"role": "assistant", "content": "$reply", "toolCalls": []},
          {"role": "user", "content": "$next", "toolCalls": []}
        ]
        """
      Then it arrives
      And each message without calls says so by leaving tool_calls out
      And its contents arrive as they are
