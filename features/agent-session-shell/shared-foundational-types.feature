@agent-session-shell
Feature: Shared Foundational Types

  @shared-foundational-types.1 @surface.source-layout
  Rule: The system SHALL define types in apps/web/src/agent/types.ts

    # The rest of the path is one product's own.
    @derived
    Scenario: The types have a module of their own in the agent directory
      Then the module of the types is called "types"
      And the module of the types lies in the agent directory

  @shared-foundational-types.2 @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
  Rule: ChatMessage { id, role, content, toolCalls?, timestamp }

    @derived @reading.24
    Scenario: The messages that the loop makes are whole
      Given these tools are registered
        | name    | outcome         |
        | probe   | returns "$done" |
        | thrower | throws "$error" |
      And addMessage({"role": "user", "content": "$question"}) was called
      And iteration 1 returns the tool calls
        | id     | tool    | args |
        | $call1 | probe   | {}   |
        | $call2 | thrower | {}   |
        | $call3 | nowhere | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked with the messages of chatStore
      Then the chat route was called 2 times
      And every message of every POST, and of chatStore, is a ChatMessage

    @derived @reading.24
    Scenario: The message at the limit is whole
      Given these tools are registered
        | name  |
        | probe |
      And addMessage({"role": "user", "content": "$question"}) was called
      And iterations 1 to 12 return the tool calls
        | id     | tool  | args |
        | $call# | probe | {}   |
      When orchestrator.run() is invoked with the messages of chatStore
      Then the chat route was called 8 times
      And every message of every POST, and of chatStore, is a ChatMessage

  @shared-foundational-types.3 @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
  Rule: ToolCall { id, name, args }

    @derived @reading.6
    Scenario: The calls stand in the history as the route returned them
      Given these tools are registered
        | name    |
        | probe_a |
        | probe_b |
      And iteration 1 returns the tool calls
        | id     | tool    | args                             |
        | $call1 | probe_a | {"a": {"b": [1, null, "$word"]}} |
        | $call2 | probe_b | {}                               |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the chat route was called 2 times
      And the last POST answers every call once, right after the assistant message that made it

  @shared-foundational-types.4 @by-inspection
  Rule: ToolResult { toolCallId, name, result, error? }
    It never leaves the orchestrator: what becomes of its id, its result and its error in the history is tested under Orchestrator Shell.

  @shared-foundational-types.5 @restates.agent-store.1
  Rule: ExecutionState = "idle" | "sending" | "processing" | "responding" | "error"

  @shared-foundational-types.6 @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
  Rule: AgentContext { projectId, activeSceneId, mediaAssets, playbackTimeMs }

    @derived
    Scenario: The context is posted with all of its four fields
      Given the context
        """
        {
          "projectId": "$project",
          "activeSceneId": null,
          "mediaAssets": [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "playbackTimeMs": 0
        }
        """
      And iteration 1 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then every POST carries the context of the run

  @shared-foundational-types.7 @restates.tool-registry-shell.2
  Rule: ToolDefinition { name, description, parameters, execute }

  @shared-foundational-types.8 @surface.source-layout
  Rule: These types MUST be the single source of truth shared across stores, orchestrator, registry, and API route

    @derived
    Scenario: Each module imports the types, and has no copy of them
      Then each of these modules imports the types, and declares none of them itself
        | module        |
        | chat store    |
        | agent store   |
        | orchestrator  |
        | tool registry |
        | chat route    |

  @shared-foundational-types.9 @surface.source-layout
  Rule: TypeScript compiles without errors

    @transcribed
    Scenario: Types are importable everywhere
      Then the type-check command ends with success
