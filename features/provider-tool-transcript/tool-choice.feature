@provider-tool-transcript @surface.transcript
Feature: Tool Choice

  @tool-choice.1
  Rule: One ChatAgent tool with no explicit choice SHALL NOT add a forced tool_choice

    @derived @reading.22
    Scenario Outline: A single tool is offered, and not forced
      Given the provider refuses what the real one refuses
      And the provider always answers {"content": "$answer"}
      And the tools ["$alpha"]
      When <sender>: <transcript>
      Then it arrives
      And call 1 carries no forced tool_choice
      And call 1 offers exactly
        | name   |
        | $alpha |
      And the answer's content is "$answer"

      Examples:
        | case                        | sender                    | transcript               |
        | the-chat-agent              | the ChatAgent responds to | user                     |
        | the-chat-agent-after-a-call | the ChatAgent responds to | user, calls $a, reply $a |
        | the-client                  | the transcript is sent    | user                     |

  @tool-choice.2
  Rule: An explicit forced function choice SHALL be serialised exactly

    @derived @reading.22
    Scenario Outline: A choice arrives as it was made
      Given the provider refuses what the real one refuses
      And the provider always answers {"content": "$answer"}
      And the tools ["$alpha", "$beta"]
      And the tool choice <choice>
      When <sender>: user
      Then it arrives
      And call 1 carries the tool_choice <wire>
      And call 1 offers exactly
        | name   |
        | $alpha |
        | $beta  |

      Examples:
        | case                    | sender                    | choice             | wire                                                 |
        | the-second-function     | the transcript is sent    | {"name": "$beta"}  | {"type": "function", "function": {"name": "$beta"}}  |
        | the-first-function      | the transcript is sent    | {"name": "$alpha"} | {"type": "function", "function": {"name": "$alpha"}} |
        | none                    | the transcript is sent    | "none"             | "none"                                               |
        | auto                    | the transcript is sent    | "auto"             | "auto"                                               |
        | required                | the transcript is sent    | "required"         | "required"                                           |
        | the-chat-agent-function | the ChatAgent responds to | {"name": "$beta"}  | {"type": "function", "function": {"name": "$beta"}}  |
        | the-chat-agent-none     | the ChatAgent responds to | "none"             | "none"                                               |

  @tool-choice.3
  Rule: EventAgent's argument-generation call SHALL supply the selected function choice

    @derived
    Scenario Outline: EventAgent forces the tool that was selected, and gives the arguments that it is called with
      Given the provider makes the call that it is forced to make, and else answers "$text"
      And the tools <tools>
      When the EventAgent generates the arguments of "<selected>"
      Then the provider was called 1 time
      And call 1 carries the tool_choice {"type": "function", "function": {"name": "<selected>"}}
      And the arguments are {"tool": "<selected>", "q": "$q"}

      Examples:
        | case                | tools                         | selected |
        | the-second-of-two   | ["$alpha", "$beta"]           | $beta    |
        | the-first-of-two    | ["$alpha", "$beta"]           | $alpha   |
        | the-second-of-three | ["$alpha", "$beta", "$gamma"] | $beta    |
        | the-only-one        | ["$alpha"]                    | $alpha   |

  @robustness
  Rule: Where the specification is silent

    @robustness
    Scenario: A choice that names an unknown tool is refused
      Given the provider always answers {"content": "$answer"}
      And the tools ["$alpha"]
      And the tool choice {"name": "$nowhere"}
      When the transcript is sent: user
      Then it is rejected, and nothing was sent
      Given the tool choice {"name": "$alpha"}
      When the transcript is sent: user
      Then it arrives

    @robustness
    Scenario Outline: A call cannot be forced where there are no tools
      Given the provider always answers {"content": "$answer"}
      And the tool choice <choice>
      And the tools []
      When the transcript is sent: user
      Then it is rejected, and nothing was sent
      Given the tools ["$alpha"]
      When the transcript is sent: user
      Then it arrives

      Examples:
        | case       | choice             |
        | required   | "required"         |
        | a-function | {"name": "$alpha"} |

    @robustness
    Scenario: EventAgent cannot be asked for a tool that it does not have
      Given the provider makes the call that it is forced to make, and else answers "$text"
      And the tools ["$alpha"]
      When the EventAgent generates the arguments of "$nowhere"
      Then it is rejected, and nothing was sent
      When the EventAgent generates the arguments of "$alpha"
      Then the arguments are {"tool": "$alpha", "q": "$q"}
