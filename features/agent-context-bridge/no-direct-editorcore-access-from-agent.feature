@agent-context-bridge @surface.source-layout
Feature: No Direct EditorCore Access from Agent

  @no-direct-editorcore-access-from-agent.1
  Rule: The apps/web/src/agent/ directory MUST NOT import from apps/web/src/core/

    @derived @reading.11
    Scenario: No agent module but the context adapter imports from core
      Then no agent module but the context adapter imports from core

  @no-direct-editorcore-access-from-agent.2
  Rule: All editor state access MUST go through EditorContextAdapter

    @derived @reading.11
    Scenario: No agent module takes from another module what that has from core
      Then no agent module but the context adapter imports from core, also through another module

  @no-direct-editorcore-access-from-agent.3
  Rule: An agent module imports from EditorContextAdapter (or a re-export barrel)

    @transcribed @reading.11
    Scenario: Agent module imports adapter, not core
      Then the client reaches the context adapter
      And no agent module but the context adapter imports from core
