@managed-agent-tool @surface.agent-tool
Feature: Purpose

  @purpose.1
  Rule: The module SHALL expose orchestration to agents as exactly one typed tool named openchamber

    @derived
    Scenario: The agent is shown one tool
      Given a managed child
      Then the agent is shown one tool, "openchamber", with typed parameters
      And each parameter has a JSON type

  @purpose.2
  Rule: The tool SHALL be injected only when OpenChamber launches and owns the OpenCode process

    @derived
    Scenario Outline: The tool is injected into a managed child alone
      Given the listener is bound
      When a <launch> child is prepared
      Then the tool is not injected
      When a managed child is prepared
      Then the tool is injected

      Examples:
        | case          | launch        |
        | external-host | external-host |
        | skip-start    | skip-start    |
        | vscode        | vscode        |

  @purpose.3
  Rule: The tool SHALL be injected only while the persisted agentControlToolEnabled setting is not false

    @derived
    Scenario Outline: Only false turns the tool off
      Given the listener is bound
      When a managed child is prepared with the settings {"agentControlToolEnabled": false}
      Then the tool is not injected
      When a managed child is prepared with the settings <settings>
      Then the tool is injected

      Examples:
        | case   | settings                                            |
        | absent | {"theme": "$theme"}                                 |
        | null   | {"agentControlToolEnabled": null}                   |
        | true   | {"agentControlToolEnabled": true, "theme": "$dark"} |

  @purpose.4 @restates.purpose.3
  Rule: The default of agentControlToolEnabled SHALL be on

  @purpose.5 @by-inspection
  Rule: The setting SHALL be toggled in Settings → General → OpenCode CLI
    It is a page of the user interface; what the setting does is tested under purpose.3 and purpose.6.

  @purpose.6
  Rule: A change of the setting SHALL be applied on the next managed OpenCode restart

    @derived @reading.28
    Scenario: A running child keeps the tool until it is prepared anew
      Given a managed child
      And the agent has called the tool
      Then a call with the child's own token is served
      When a managed child is prepared with the settings {"agentControlToolEnabled": true}
      Then the tool is injected
      And a call with the child's own token is served
      When a managed child is prepared with the settings {"agentControlToolEnabled": false}
      Then the tool is not injected

  @robustness
  Rule: Where the specification is silent

    @robustness @reading.28
    Scenario: A preparation that injects nothing ends the token of the child before
      Given a managed child
      And the agent has called the tool
      Then a call with the child's own token is served
      When a managed child is prepared with the settings {"agentControlToolEnabled": false}
      Then a call with the last token is refused
      When a managed child is prepared with the settings {}
      Then a call with the child's own token is served
