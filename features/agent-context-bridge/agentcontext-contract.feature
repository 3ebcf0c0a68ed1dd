@agent-context-bridge
Feature: AgentContext Contract

  @agentcontext-contract.1 @surface.context-bridge
  Rule: The system SHALL define AgentContext as { projectId: string | null, activeSceneId: string | null, mediaAssets: MediaSummary[], playbackTimeMs: number }

    @derived
    Scenario Outline: All four fields are there, whatever the editor holds
      Given EditorCore holds
        """
        {"project": {"id": "$other"}, "activeScene": {"id": "$before"}, "assets": [], "currentTimeMs": 77}
        """
      When adapter.getContext() is called
      Then it returns
        """
        {"projectId": "$other", "activeSceneId": "$before", "mediaAssets": [], "playbackTimeMs": 77}
        """
      When EditorCore holds
        """
        {"project": <project>, "activeScene": <scene>, "assets": [], "currentTimeMs": <time>}
        """
      And adapter.getContext() is called
      Then it returns
        """
        {"projectId": <project id>, "activeSceneId": <scene id>, "mediaAssets": [], "playbackTimeMs": <time>}
        """

      Examples:
        | case       | project            | scene            | time | project id | scene id |
        | all        | {"id": "$project"} | {"id": "$scene"} | 1500 | "$project" | "$scene" |
        | no-scene   | {"id": "$project"} | null             | 1500 | "$project" | null     |
        | at-start   | {"id": "$project"} | {"id": "$scene"} | 0    | "$project" | "$scene" |
        | no-project | null               | null             | 0    | null       | null     |

  @agentcontext-contract.2 @surface.context-bridge
  Rule: MediaSummary { id, name, type, duration }

    @derived @reading.25
    Scenario: Each asset is a summary, and brings nothing else of the editor along
      Given EditorCore holds
        """
        {
          "project": {"id": "$project"},
          "activeScene": null,
          "assets": [
            {"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$song.wav", "type": "audio", "duration": 180},
            {"id": "$asset3", "name": "$still.png", "type": "image"}
          ],
          "currentTimeMs": 0
        }
        """
      When adapter.getContext() is called
      Then it returns
        """
        {
          "projectId": "$project",
          "activeSceneId": null,
          "mediaAssets": [
            {"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$song.wav", "type": "audio", "duration": 180},
            {"id": "$asset3", "name": "$still.png", "type": "image"}
          ],
          "playbackTimeMs": 0
        }
        """
      And every media asset of the context has an id, a name, a type and a duration
      And the context is plain data, which JSON holds whole

  @agentcontext-contract.3 @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
  Rule: The orchestrator MUST receive this context on every run() call

    @derived
    Scenario: Each run has the context that it was given
      Given these tools are registered
        | name    |
        | probe_a |
        | probe_b |
      And the context
        """
        {
          "projectId": "$project1",
          "activeSceneId": "$scene1",
          "mediaAssets": [{"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "playbackTimeMs": 1500
        }
        """
      And iteration 1 returns the tool calls
        | id     | tool    | args |
        | $call1 | probe_a | {}   |
      And iteration 2 returns {"content": "$answer1"}
      And iteration 3 returns the tool calls
        | id     | tool    | args |
        | $call2 | probe_b | {}   |
      And iteration 4 returns {"content": "$answer2"}
      When orchestrator.run() is invoked
      Then the chat route was called 2 times
      And every POST carries the context of the run
      And probe_a was given the context of the run
      Given the context
        """
        {
          "projectId": "$project2",
          "activeSceneId": null,
          "mediaAssets": [{"id": "$asset2", "name": "$still.png", "type": "image", "duration": 0}],
          "playbackTimeMs": 9000
        }
        """
      When orchestrator.run() is invoked
      Then the chat route was called 4 times
      And POST 3 carries the context of the run
      And POST 4 carries the context of the run
      And probe_b was given the context of the run

  @agentcontext-contract.4 @surface.context-bridge
  Rule: The context MUST be serializable (JSON-safe)

    @transcribed
    Scenario: Context is JSON-serializable
      Given EditorCore holds
        """
        {
          "project": {"id": "$project"},
          "activeScene": {"id": "$scene"},
          "assets": [
            {"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$song.wav", "type": "audio", "duration": 3}
          ],
          "currentTimeMs": 1500
        }
        """
      When adapter.getContext() is called
      Then it returns
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [
            {"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$song.wav", "type": "audio", "duration": 3}
          ],
          "playbackTimeMs": 1500
        }
        """
      And the context is plain data, which JSON holds whole

  @agentcontext-contract.5
  Rule: The context can be forwarded to the API proxy

    @derived @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
    Scenario: Names beyond ASCII are posted undamaged
      Given the context
        """
        {
          "projectId": "$project-ß",
          "activeSceneId": null,
          "mediaAssets": [
            {"id": "$asset1", "name": "Ü😀 $clip.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "a \"quoted\" \\ name\n世界.mp4", "type": "video", "duration": 0.04}
          ],
          "playbackTimeMs": 1500.5
        }
        """
      And iteration 1 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then every POST carries the context of the run

    @derived @surface.chat-route
    Scenario: The route takes it, and tells the model the name
      Given the context
        """
        {
          "projectId": "$project-ß",
          "activeSceneId": null,
          "mediaAssets": [{"id": "$asset1", "name": "Ü😀 $clip.mp4", "type": "video", "duration": 0.04}],
          "playbackTimeMs": 1500.5
        }
        """
      And the provider answers {"content": "$answer"}
      When POST /api/agent/chat is called
      Then the route answers 200
      And the answer's content is "$answer"
      And the system text of call 1 contains "Ü😀 $clip.mp4"

    @derived @surface.context-bridge @surface.chat-route
    Scenario: What the adapter gives, the route takes
      Given EditorCore holds
        """
        {
          "project": {"id": "$project"},
          "activeScene": null,
          "assets": [
            {"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$still.png", "type": "image"}
          ],
          "currentTimeMs": 1500
        }
        """
      And the provider answers {"content": "$answer"}
      When adapter.getContext() is called
      And the run has the context that was returned
      And POST /api/agent/chat is called
      Then the route answers 200
      And the system text of call 1 contains "$clip.mp4"

  @agentcontext-contract.6 @surface.context-bridge
  Rule: mediaAssets contains an entry for each asset that the project has loaded

    @transcribed
    Scenario: Context includes active media
      Given EditorCore holds
        """
        {
          "project": {"id": "$project"},
          "activeScene": null,
          "assets": [
            {"id": "$asset1", "name": "$first.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$second.mp4", "type": "video", "duration": 30}
          ],
          "currentTimeMs": 0
        }
        """
      When adapter.getContext() is called
      Then it returns
        """
        {
          "projectId": "$project",
          "activeSceneId": null,
          "mediaAssets": [
            {"id": "$asset1", "name": "$first.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$second.mp4", "type": "video", "duration": 30}
          ],
          "playbackTimeMs": 0
        }
        """

    @derived
    Scenario: Assets of every type are there, with the types that they have
      Given EditorCore holds
        """
        {
          "project": {"id": "$project"},
          "activeScene": {"id": "$scene"},
          "assets": [
            {"id": "$asset1", "name": "$first.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$still.png", "type": "image", "duration": 0},
            {"id": "$asset3", "name": "$first.mp4", "type": "video", "duration": 30},
            {"id": "$asset4", "name": "$song.wav", "type": "audio", "duration": 180}
          ],
          "currentTimeMs": 0
        }
        """
      When adapter.getContext() is called
      Then it returns
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [
            {"id": "$asset1", "name": "$first.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$still.png", "type": "image", "duration": 0},
            {"id": "$asset3", "name": "$first.mp4", "type": "video", "duration": 30},
            {"id": "$asset4", "name": "$song.wav", "type": "audio", "duration": 180}
          ],
          "playbackTimeMs": 0
        }
        """
