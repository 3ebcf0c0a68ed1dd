@provider-tool-transcript @surface.transcript
Feature: Plan

  @plan.2
  Rule: The tool_choice of the chat client SHALL be explicit and optional

    @derived @reading.22
    Scenario Outline: Without a choice a request with tools is sent, and forces nothing
      Given the provider refuses what the real one refuses
      And the provider always answers {"content": "$answer"}
      And the tools <tools>
      When the transcript is sent: <transcript>
      Then it arrives
      And call 1 carries no forced tool_choice
      And the answer's content is "$answer"

      Examples:
        | case         | tools                         | transcript               |
        | two-tools    | ["$alpha", "$beta"]           | user                     |
        | three-tools  | ["$alpha", "$beta", "$gamma"] | user                     |
        | after-a-call | ["probe", "$beta"]            | user, calls $a, reply $a |

  @plan.3 @restates.tool-choice.3
  Rule: EventAgent SHALL pass a forced function choice

  @plan.4 @restates.scope.11
  Rule: Runtime's ChatAgent calls SHALL stay at tools=[] and no tool choice
