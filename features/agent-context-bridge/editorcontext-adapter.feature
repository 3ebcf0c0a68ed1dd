@agent-context-bridge
Feature: EditorContext Adapter

  @editorcontext-adapter.1 @surface.context-bridge
  Rule: The system SHALL provide an EditorContextAdapter with a single method getContext(): AgentContext

    @derived
    Scenario: getContext is the only method
      Given EditorCore holds
        """
        {"project": {"id": "$project"}, "activeScene": null, "assets": [], "currentTimeMs": 12}
        """
      When adapter.getContext() is called
      Then it returns
        """
        {"projectId": "$project", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 12}
        """
      And the methods of EditorContextAdapter are ["getContext"]

  @editorcontext-adapter.2 @surface.context-bridge
  Rule: The adapter MUST read from EditorCore.media.getAssets()

    @derived
    Scenario: Each call reads the assets anew
      Given EditorCore holds
        """
        {
          "project": {"id": "$project"},
          "activeScene": null,
          "assets": [{"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "currentTimeMs": 0
        }
        """
      When adapter.getContext() is called
      Then it returns
        """
        {
          "projectId": "$project",
          "activeSceneId": null,
          "mediaAssets": [{"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "playbackTimeMs": 0
        }
        """
      When EditorCore holds
        """
        {
          "project": {"id": "$project"},
          "activeScene": null,
          "assets": [
            {"id": "$asset2", "name": "$song.wav", "type": "audio", "duration": 3},
            {"id": "$asset1", "name": "$renamed.mp4", "type": "video", "duration": 12.5}
          ],
          "currentTimeMs": 0
        }
        """
      And adapter.getContext() is called
      Then it returns
        """
        {
          "projectId": "$project",
          "activeSceneId": null,
          "mediaAssets": [
            {"id": "$asset2", "name": "$song.wav", "type": "audio", "duration": 3},
            {"id": "$asset1", "name": "$renamed.mp4", "type": "video", "duration": 12.5}
          ],
          "playbackTimeMs": 0
        }
        """

  @editorcontext-adapter.3 @surface.context-bridge
  Rule: The adapter MUST read from EditorCore.project.getActiveOrNull()

    @transcribed
    Scenario: Active media populated from editor
      Given EditorCore holds
        """
        {
          "project": {"id": "proj-1"},
          "activeScene": {"id": "$scene"},
          "assets": [
            {"id": "$asset1", "name": "$first.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$second.mp4", "type": "video", "duration": 30}
          ],
          "currentTimeMs": 1500
        }
        """
      When adapter.getContext() is called
      Then it returns
        """
        {
          "projectId": "proj-1",
          "activeSceneId": "$scene",
          "mediaAssets": [
            {"id": "$asset1", "name": "$first.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$second.mp4", "type": "video", "duration": 30}
          ],
          "playbackTimeMs": 1500
        }
        """

    @derived
    Scenario: Each call reads the project anew
      Given EditorCore holds
        """
        {"project": {"id": "$project1"}, "activeScene": null, "assets": [], "currentTimeMs": 0}
        """
      When adapter.getContext() is called
      Then it returns
        """
        {"projectId": "$project1", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 0}
        """
      When EditorCore holds
        """
        {"project": {"id": "$project2"}, "activeScene": null, "assets": [], "currentTimeMs": 0}
        """
      And adapter.getContext() is called
      Then it returns
        """
        {"projectId": "$project2", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 0}
        """

  @editorcontext-adapter.4 @surface.context-bridge
  Rule: The adapter MUST read from EditorCore.scenes.getActiveSceneOrNull()

    @derived
    Scenario: Each call reads the scene anew
      Given EditorCore holds
        """
        {"project": {"id": "$project"}, "activeScene": {"id": "$scene1"}, "assets": [], "currentTimeMs": 0}
        """
      When adapter.getContext() is called
      Then it returns
        """
        {"projectId": "$project", "activeSceneId": "$scene1", "mediaAssets": [], "playbackTimeMs": 0}
        """
      When EditorCore holds
        """
        {"project": {"id": "$project"}, "activeScene": {"id": "$scene2"}, "assets": [], "currentTimeMs": 0}
        """
      And adapter.getContext() is called
      Then it returns
        """
        {"projectId": "$project", "activeSceneId": "$scene2", "mediaAssets": [], "playbackTimeMs": 0}
        """
      When EditorCore holds
        """
        {"project": {"id": "$project"}, "activeScene": null, "assets": [], "currentTimeMs": 0}
        """
      And adapter.getContext() is called
      Then it returns
        """
        {"projectId": "$project", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 0}
        """

  @editorcontext-adapter.5 @surface.context-bridge
  Rule: The adapter MUST read from EditorCore.playback.getCurrentTime()

    @derived @reading.25
    Scenario: Each call reads the time anew, in milliseconds
      Given EditorCore holds
        """
        {"project": {"id": "$project"}, "activeScene": null, "assets": [], "currentTimeMs": 12345}
        """
      When adapter.getContext() is called
      Then it returns
        """
        {"projectId": "$project", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 12345}
        """
      When EditorCore holds
        """
        {"project": {"id": "$project"}, "activeScene": null, "assets": [], "currentTimeMs": 678.9}
        """
      And adapter.getContext() is called
      Then it returns
        """
        {"projectId": "$project", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 678.9}
        """

  @editorcontext-adapter.6 @surface.context-bridge
  Rule: The data mapping logic is extracted into a pure buildContextFromEditorState() function

    @derived
    Scenario: It gives what the adapter gives, again and again, and leaves the state alone
      Given EditorCore holds
        """
        {
          "project": {"id": "$project"},
          "activeScene": {"id": "$scene"},
          "assets": [
            {"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$still.png", "type": "image", "duration": 0}
          ],
          "currentTimeMs": 1500
        }
        """
      When adapter.getContext() is called
      And buildContextFromEditorState() is called
      Then the state that was mapped is unchanged
      When buildContextFromEditorState() is called
      Then the state that was mapped is unchanged
      And all contexts so far are equal
      And it returns
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

    @derived
    Scenario: It remembers nothing of the call before
      Given EditorCore holds
        """
        {
          "project": {"id": "$project1"},
          "activeScene": {"id": "$scene"},
          "assets": [{"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "currentTimeMs": 1500
        }
        """
      When buildContextFromEditorState() is called
      And EditorCore holds
        """
        {"project": {"id": "$project2"}, "activeScene": null, "assets": [], "currentTimeMs": 7}
        """
      And buildContextFromEditorState() is called
      Then it returns
        """
        {"projectId": "$project2", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 7}
        """
      And the state that was mapped is unchanged

  @editorcontext-adapter.7 @surface.source-layout
  Rule: The function is in context-mapper.ts

    # The ending is that of the language.
    @derived
    Scenario: The mapper has a module of its own
      Then the module of the context mapper is called "context-mapper"
      And the context mapper and the context adapter are different modules

  @editorcontext-adapter.8 @surface.source-layout
  Rule: The function is there for WASM-free testability

    @derived
    Scenario: The mapper loads neither the editor nor WASM
      Then what the context mapper loads holds no module of the core, no WASM

  @editorcontext-adapter.9 @surface.context-bridge
  Rule: The adapter SHALL NOT expose any EditorCore manager directly

    @derived
    Scenario: Nothing of the editor comes out with the context
      Given EditorCore holds
        """
        {
          "project": {"id": "$project"},
          "activeScene": {"id": "$scene"},
          "assets": [{"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "currentTimeMs": 1500
        }
        """
      When adapter.getContext() is called
      Then the context is plain data, which JSON holds whole
      And it returns
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [{"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "playbackTimeMs": 1500
        }
        """

  @editorcontext-adapter.10 @surface.context-bridge
  Rule: It returns a plain AgentContext object

    @derived
    Scenario: The context is plain, with assets and without any
      Given EditorCore holds
        """
        {
          "project": {"id": "$project"},
          "activeScene": null,
          "assets": [
            {"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5},
            {"id": "$asset2", "name": "$still.png", "type": "image"}
          ],
          "currentTimeMs": 0
        }
        """
      When adapter.getContext() is called
      Then the context is plain data, which JSON holds whole
      And every media asset of the context has an id, a name, a type and a duration
      When EditorCore holds
        """
        {"project": {"id": "$project"}, "activeScene": {"id": "$scene"}, "assets": [], "currentTimeMs": 3}
        """
      And adapter.getContext() is called
      Then the context is plain data, which JSON holds whole
      And it returns
        """
        {"projectId": "$project", "activeSceneId": "$scene", "mediaAssets": [], "playbackTimeMs": 3}
        """

  @editorcontext-adapter.11 @surface.context-bridge
  Rule: Without a project it returns { projectId: null, activeSceneId: null, mediaAssets: [], playbackTimeMs: 0 }

    # The project that is closed shows that the answer is no fixed one.
    @transcribed @reading.25
    Scenario: No project loaded
      Given EditorCore holds
        """
        {
          "project": {"id": "$project"},
          "activeScene": {"id": "$scene"},
          "assets": [{"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "currentTimeMs": 1500
        }
        """
      When adapter.getContext() is called
      Then it returns
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [{"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "playbackTimeMs": 1500
        }
        """
      When EditorCore holds
        """
        {"project": null, "activeScene": null, "assets": [], "currentTimeMs": 0}
        """
      And adapter.getContext() is called
      Then it returns
        """
        {"projectId": null, "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 0}
        """

  @robustness @surface.context-bridge
  Rule: Where the specification is silent

    @robustness @reading.25
    Scenario: Without a project the rest is empty, although other managers are stale
      Given EditorCore holds
        """
        {
          "project": {"id": "$project"},
          "activeScene": {"id": "$scene"},
          "assets": [{"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "currentTimeMs": 1500
        }
        """
      When adapter.getContext() is called
      Then it returns
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [{"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "playbackTimeMs": 1500
        }
        """
      When EditorCore holds
        """
        {
          "project": null,
          "activeScene": {"id": "$scene"},
          "assets": [{"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 12.5}],
          "currentTimeMs": 1500
        }
        """
      And adapter.getContext() is called
      Then it returns
        """
        {"projectId": null, "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 0}
        """
