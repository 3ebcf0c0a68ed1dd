@provider-tool-transcript @surface.transcript
Feature: Transcript Guard

  Background:
    Given the provider refuses what the real one refuses
    And the provider always answers {"content": "$answer"}

  @transcript-guard.1
  Rule: An orphan tool reply SHALL be rejected before network I/O

    @derived @reading.21
    Scenario Outline: A reply without a call before it never reaches the network
      When the transcript is sent: <illegal>
      Then it is rejected, and nothing was sent
      When the transcript is sent: <legal>
      Then it arrives

      Examples:
        | case                        | illegal                                       | legal                                            |
        | first-message               | reply $a, user                                | calls $a, reply $a, user                         |
        | after-the-user              | system, user, reply $a                        | system, user, calls $a, reply $a                 |
        | after-the-assistant         | user, assistant, reply $a, user               | user, calls $a, reply $a, user                   |
        | after-the-system            | user, system, reply $a                        | user, system, calls $a, reply $a                 |
        | before-its-call             | user, reply $a, calls $a, user                | user, calls $a, reply $a, user                   |
        | before-and-after            | user, reply $a, calls $a, reply $a            | user, calls $a, reply $a                         |
        | answered-in-an-earlier-turn | user, calls $a, reply $a, user, reply $a      | user, calls $a, reply $a, user                   |
        | a-turn-too-late             | user, calls $a, reply $a, assistant, reply $b | user, calls $a $b, reply $a, reply $b, assistant |

  @transcript-guard.2
  Rule: A mismatched call ID SHALL be rejected before network I/O

    @derived @reading.21
    Scenario Outline: A reply with another id than its call never reaches the network
      When the transcript is sent: <illegal>
      Then it is rejected, and nothing was sent
      When the transcript is sent: <legal>
      Then it arrives

      Examples:
        | case               | illegal                                      | legal                                        |
        | one-call           | user, calls $a, reply $b                     | user, calls $a, reply $a                     |
        | then-the-user      | user, calls $a, reply $b, user               | user, calls $a, reply $a, user               |
        | one-of-two         | user, calls $a $b, reply $a, reply $c        | user, calls $a $b, reply $a, reply $b        |
        | one-too-many       | user, calls $a, reply $a, reply $b           | user, calls $a $b, reply $a, reply $b        |
        | longer             | user, calls $a, reply $a-1                   | user, calls $a-1, reply $a-1                 |
        | shorter            | user, calls $a-1, reply $a                   | user, calls $a, reply $a                     |
        | of-an-earlier-turn | user, calls $a, reply $a, calls $b, reply $a | user, calls $a, reply $a, calls $b, reply $b |

  @transcript-guard.3
  Rule: A duplicate tool reply SHALL be rejected before network I/O

    @derived @reading.21
    Scenario Outline: A second reply to a call never reaches the network
      When the transcript is sent: <illegal>
      Then it is rejected, and nothing was sent
      When the transcript is sent: <legal>
      Then it arrives

      Examples:
        | case                  | illegal                                         | legal                                 |
        | one-call              | user, calls $a, reply $a, reply $a              | user, calls $a, reply $a              |
        | then-the-user         | user, calls $a, reply $a, reply $a, user        | user, calls $a, reply $a, user        |
        | after-the-other       | user, calls $a $b, reply $a, reply $b, reply $a | user, calls $a $b, reply $a, reply $b |
        | in-place-of-the-other | user, calls $a $b, reply $a, reply $a           | user, calls $a $b, reply $b, reply $a |

    @derived
    Scenario: A reply that was repeated word for word is a duplicate too
      When the transcript is sent
        """
        [
          {
            "role": "assistant",
            "content": "",
            "toolCalls": [{"id": "$a", "name": "probe", "arguments": {}, "rawArguments": "{}"}]
          },
          {"role": "tool", "content": "$found", "toolCallId": "$a"},
          {"role": "tool", "content": "$found", "toolCallId": "$a"}
        ]
        """
      Then it is rejected, and nothing was sent
      When the transcript is sent
        """
        [
          {
            "role": "assistant",
            "content": "",
            "toolCalls": [
              {"id": "$a", "name": "probe", "arguments": {}, "rawArguments": "{}"},
              {"id": "$b", "name": "probe", "arguments": {}, "rawArguments": "{}"}
            ]
          },
          {"role": "tool", "content": "$found", "toolCallId": "$a"},
          {"role": "tool", "content": "$found", "toolCallId": "$b"}
        ]
        """
      Then it arrives

  @transcript-guard.4
  Rule: A non-tool message while assistant calls remain unresolved SHALL be rejected before network I/O

    @derived @reading.20 @reading.21
    Scenario Outline: Nobody speaks before every call has its reply
      When the transcript is sent: user, calls $a, <speaker>
      Then it is rejected, and nothing was sent
      When the transcript is sent: user, calls $a $b, reply $a, <speaker>
      Then it is rejected, and nothing was sent
      When the transcript is sent: user, calls $a $b, reply $a, <speaker>, reply $b
      Then it is rejected, and nothing was sent
      When the transcript is sent: user, calls $a $b, reply $a, reply $b, <speaker>
      Then it arrives

      Examples:
        | case      | speaker   |
        | user      | user      |
        | assistant | assistant |
        | system    | system    |

    @derived @reading.20 @reading.21
    Scenario Outline: An answer that was given elsewhere resolves no call
      When the transcript is sent: <illegal>
      Then it is rejected, and nothing was sent
      When the transcript is sent: <legal>
      Then it arrives

      Examples:
        | case                | illegal                                      | legal                                              |
        | earlier             | user, calls $a, reply $a, calls $a, user     | user, calls $a, reply $a, calls $b, reply $b, user |
        | later               | user, calls $a, user, reply $a               | user, calls $a, reply $a, user                     |
        | later-by-more-calls | user, calls $a, calls $b, reply $b, reply $a | user, calls $a $b, reply $b, reply $a              |
        | more-calls-only     | user, calls $a, calls $b, reply $b           | user, calls $a, reply $a, calls $b, reply $b       |

    @derived
    Scenario: The ChatAgent's own path is guarded before a message too
      When the ChatAgent responds to: user, calls $a, user
      Then it is rejected, and nothing was sent
      When the ChatAgent responds to: user, calls $a, reply $a, user
      Then it arrives

  @robustness
  Rule: Where the specification is silent

    @robustness @reading.21
    Scenario Outline: An id may be used again in a later turn, and is answered there
      When the transcript is sent: <transcript>
      Then it arrives
      And its call ids arrive as they are
      And its reply ids arrive as they are

      Examples:
        | case           | transcript                                                            |
        | next-turn      | user, calls $a, reply $a, calls $a, reply $a                          |
        | after-the-user | user, calls $a $b, reply $b, reply $a, user, calls $b, reply $b, user |

    @robustness
    Scenario Outline: The same id twice in one message is told apart, or refused
      When the transcript is sent: <double>
      Then it is rejected, or each of its calls arrives under an id of its own
      When the transcript is sent: <single>
      Then it arrives

      Examples:
        | case        | double                                | single                                |
        | one-reply   | user, calls $a $a, reply $a, user     | user, calls $a, reply $a, user        |
        | two-replies | user, calls $a $a, reply $a, reply $a | user, calls $a $b, reply $a, reply $b |

    @robustness @reading.20
    Scenario: The error names the calls that have no reply
      When the transcript is sent: user, calls $a $b $c, reply $b
      Then it is rejected, and nothing was sent
      And the error names "$a"
      And the error names "$c"
      When the transcript is sent: user, calls $a $b $c, reply $b, reply $c, reply $a
      Then it arrives
