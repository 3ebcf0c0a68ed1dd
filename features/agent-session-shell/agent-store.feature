@agent-session-shell @surface.agent-store
Feature: Agent Store

  @agent-store.1
  Rule: The system SHALL maintain an agentStore with state status: ExecutionStatus

    @derived @reading.7
    Scenario Outline: Every execution status is kept
      Given setStatus("<other>") was called
      Then agentStore.status is "<other>"
      When setStatus("<status>") is called
      Then agentStore.status is "<status>"
      And agentStore.activeTool is null

      Examples:
        | case       | status     | other      |
        | idle       | idle       | sending    |
        | sending    | sending    | processing |
        | processing | processing | responding |
        | responding | responding | error      |
        | error      | error      | idle       |

  @agent-store.2
  Rule: The agentStore SHALL have state activeTool: string | null

    @derived @reading.7
    Scenario: The active tool is a name, or null
      Given agentStore.activeTool is null
      When setActiveTool("$tool") is called
      Then agentStore.activeTool is "$tool"
      When setActiveTool(null) is called
      Then agentStore.activeTool is null

  @agent-store.3
  Rule: The agentStore SHALL have state context: AgentContext | null

    @derived
    Scenario: A context is kept whole
      Given setStatus("sending") was called
      When setContext is called with
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [
            {"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$still.png", "type": "image", "duration": 0}
          ],
          "playbackTimeMs": 1500
        }
        """
      Then agentStore.context is
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [
            {"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$still.png", "type": "image", "duration": 0}
          ],
          "playbackTimeMs": 1500
        }
        """
      And agentStore.status is "sending"

  @agent-store.4
  Rule: The store MUST provide setStatus

    @derived
    Scenario: Setting the status leaves the rest as it is
      Given setActiveTool("$tool") was called
      And setContext was called with
        """
        {"projectId": "$project", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 7}
        """
      When setStatus("processing") is called
      Then agentStore.status is "processing"
      And agentStore.activeTool is "$tool"
      When setStatus("idle") is called
      Then agentStore.status is "idle"
      And agentStore.activeTool is "$tool"
      And agentStore.context is
        """
        {"projectId": "$project", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 7}
        """

  @agent-store.5
  Rule: The store MUST provide setActiveTool

    @derived
    Scenario: Setting the active tool leaves the rest as it is
      Given setStatus("sending") was called
      And setContext was called with
        """
        {"projectId": "$project", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 7}
        """
      When setActiveTool("$tool") is called
      Then agentStore.activeTool is "$tool"
      And agentStore.status is "sending"
      When setActiveTool(null) is called
      Then agentStore.activeTool is null
      And agentStore.status is "sending"
      And agentStore.context is
        """
        {"projectId": "$project", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 7}
        """

  @agent-store.6
  Rule: The store MUST provide setContext

    @derived
    Scenario: A new context replaces the old one
      Given setStatus("responding") was called
      And setContext was called with
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "playbackTimeMs": 1500
        }
        """
      When setContext is called with
        """
        {"projectId": null, "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 0}
        """
      Then agentStore.context is
        """
        {"projectId": null, "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 0}
        """
      And agentStore.status is "responding"

  @agent-store.7
  Rule: The store MUST provide reset: status is "idle" and activeTool is null

    @transcribed @reading.7
    Scenario: Reset after completion
      Given setStatus("processing") was called
      And setActiveTool("echo_context") was called
      Then agentStore.status is "processing"
      When reset() is called
      Then agentStore.status is "idle"
      And agentStore.activeTool is null

    @derived @reading.7
    Scenario Outline: Reset ends every status
      Given setStatus("<status>") was called
      And setActiveTool("$tool") was called
      Then agentStore.status is "<status>"
      When reset() is called
      Then agentStore.status is "idle"
      And agentStore.activeTool is null

      Examples:
        | case       | status     |
        | sending    | sending    |
        | responding | responding |
        | error      | error      |

  @agent-store.8 @by-inspection
  Rule: The store is a Zustand store
    It names a library: nothing outside can tell it, and in another language it means nothing.

  @agent-store.9 @surface.orchestrator @surface.chat-store @surface.tool-registry
  Rule: While the orchestrator executes a tool, status is "processing" and activeTool is the tool's name

    @transcribed @reading.18
    Scenario: Tool execution tracking
      Given these tools are registered
        | name         |
        | echo_context |
      And agentStore is read while calls are open
      And iteration 1 returns the tool calls
        | id    | tool         | args |
        | $call | echo_context | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then while echo_context ran, agentStore.activeTool was "echo_context"
      And while echo_context ran, agentStore.status was "processing"

    @derived @reading.18
    Scenario: The tools of two iterations are tracked one after the other
      Given these tools are registered
        | name    |
        | probe_a |
        | probe_b |
      And agentStore is read while calls are open
      And iteration 1 returns the tool calls
        | id     | tool    | args |
        | $call1 | probe_a | {}   |
      And iteration 2 returns the tool calls
        | id     | tool    | args |
        | $call2 | probe_b | {}   |
      And iteration 3 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then while probe_a ran, agentStore.activeTool was "probe_a"
      And while probe_a ran, agentStore.status was "processing"
      And while probe_b ran, agentStore.activeTool was "probe_b"
      And while probe_b ran, agentStore.status was "processing"

    # Tools may run at the same time: of two, only the one that started last surely stands in the store.
    @derived @reading.18
    Scenario: The second tool of a response is tracked too
      Given these tools are registered
        | name    | outcome         |
        | probe_a | throws "$error" |
        | probe_b | returns "done"  |
      And agentStore is read while calls are open
      And iteration 1 returns the tool calls
        | id     | tool    | args |
        | $call1 | probe_a | {}   |
        | $call2 | probe_b | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then while probe_a ran, agentStore.status was "processing"
      And while probe_b ran, agentStore.activeTool was "probe_b"
      And while probe_b ran, agentStore.status was "processing"

  @robustness @surface.orchestrator @surface.chat-store @surface.tool-registry
  Rule: Where the specification is silent

    @robustness @reading.18
    Scenario Outline: No tool is active after a run
      Given these tools are registered
        | name     | parameters                                         | outcome         |
        | probe    | []                                                 | returns "done"  |
        | thrower  | []                                                 | throws "$error" |
        | demander | [{"key": "q", "type": "string", "required": true}] | returns "done"  |
      And iteration 1 returns the tool calls
        | id    | tool   | args |
        | $call | <tool> | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 2 times
      And agentStore.activeTool is null
      And agentStore.status is "idle"

      Examples:
        | case            | tool     |
        | tool-returns    | probe    |
        | tool-throws     | thrower  |
        | tool-unknown    | nowhere  |
        | argument-absent | demander |

    @robustness @reading.18
    Scenario: No tool is active after an API error
      Given these tools are registered
        | name  |
        | probe |
      And iteration 1 returns the tool calls
        | id    | tool  | args |
        | $call | probe | {}   |
      And every further iteration fails with status 502
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args |
        | probe | {}   |
      And agentStore.activeTool is null
      And agentStore.status is "error"
