@managed-agent-tool @surface.agent-tool
Feature: Runtime parity

  @runtime-parity.1 @restates.purpose.2
  Rule: Web managed OpenCode SHALL have the tool injected automatically

  @runtime-parity.2 @by-inspection
  Rule: Desktop managed OpenCode SHALL have the tool injected automatically
    It is another shell around the same server.

  @runtime-parity.3
  Rule: External OpenCode selected with OPENCODE_HOST SHALL NOT have the tool injected

    @derived
    Scenario: The environment of an external agent stays as it was
      Given the configuration of the agent
        """
        {"plugin": ["$one"], "model": "$model"}
        """
      And the listener is bound
      When a external-host child is prepared
      Then the tool is not injected
      When a managed child is prepared
      Then the tool is injected

  @runtime-parity.4
  Rule: OpenCode with skip-start SHALL NOT have the tool injected

    @derived
    Scenario: The environment of an agent that is not started stays as it was
      Given the configuration of the agent
        """
        {"plugin": ["$one"], "model": "$model"}
        """
      And the listener is bound
      When a skip-start child is prepared
      Then the tool is not injected
      When a managed child is prepared
      Then the tool is injected

  @runtime-parity.5
  Rule: VS Code SHALL NOT have the tool injected

    @derived
    Scenario: The environment of an extension's agent stays as it was
      Given the configuration of the agent
        """
        {"plugin": ["$one"], "model": "$model"}
        """
      And the listener is bound
      When a vscode child is prepared
      Then the tool is not injected
      When a managed child is prepared
      Then the tool is injected

  @runtime-parity.6 @by-inspection
  Rule: Hosted and Capacitor mobile clients SHALL use the server's managed OpenCode tool
    They are other programs.

  @runtime-parity.7 @by-inspection
  Rule: No tool SHALL run in the client runtime
    It is a matter of other programs.
