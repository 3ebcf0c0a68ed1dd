@agent-context-bridge
Feature: Context Injection into System Prompt

  @context-injection-into-system-prompt.1 @surface.context-bridge
  Rule: The system SHALL provide a buildSystemPrompt(context: AgentContext) function that produces a system prompt string

    @derived
    Scenario: The prompt is a string that is not empty
      Given the context
        """
        {
          "projectId": "$project",
          "activeSceneId": null,
          "mediaAssets": [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 30}],
          "playbackTimeMs": 0
        }
        """
      When buildSystemPrompt(context) is called
      Then the returned string is not empty
      And the returned string contains "$clip.mp4"

  @context-injection-into-system-prompt.2 @surface.context-bridge
  Rule: The prompt includes the media summary

    @derived
    Scenario: Every asset is in the summary, with its name and its type
      Given the context
        """
        {
          "projectId": "$project",
          "activeSceneId": null,
          "mediaAssets": [
            {"id": "$asset1", "name": "$clip.mp4", "type": "$type_a", "duration": 30},
            {"id": "$asset2", "name": "$song.wav", "type": "$type_b", "duration": 12.5},
            {"id": "$asset3", "name": "Ü😀 $still.png", "type": "$type_c", "duration": 0}
          ],
          "playbackTimeMs": 0
        }
        """
      When buildSystemPrompt(context) is called
      Then the returned string contains "$clip.mp4", "$type_a"
      And the returned string contains "$song.wav", "$type_b"
      And the returned string contains "Ü😀 $still.png", "$type_c"

  @context-injection-into-system-prompt.3 @surface.context-bridge
  Rule: The prompt includes guidance about available tools

    @transcribed
    Scenario: Prompt includes media context and tool guidance
      Given the context
        """
        {
          "projectId": null,
          "activeSceneId": null,
          "mediaAssets": [{"id": "v1", "name": "clip.mp4", "type": "video", "duration": 30}],
          "playbackTimeMs": 0
        }
        """
      When buildSystemPrompt(context) is called
      Then the returned string contains "clip.mp4", "video", "transcribe_video"

  @context-injection-into-system-prompt.4 @surface.context-bridge
  Rule: When mediaAssets is empty, the prompt MUST still be valid

    @transcribed
    Scenario: Prompt without media
      Given the context
        """
        {"projectId": "$project", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 0}
        """
      When buildSystemPrompt(context) is called
      Then the returned string is not empty
      And the returned string contains "No media assets loaded", "transcribe_video"

    @derived
    Scenario Outline: Nothing of the program shows in the text
      Given the context
        """
        {"projectId": <project>, "activeSceneId": <scene>, "mediaAssets": <assets>, "playbackTimeMs": 0}
        """
      When buildSystemPrompt(context) is called
      Then the returned string is not empty
      And the returned string contains "transcribe_video"
      And the returned string does not contain "undefined", "[object", "NaN"

      Examples:
        | case        | project    | scene    | assets                                                                   |
        | empty       | null       | null     | []                                                                       |
        | no-media    | "$project" | "$scene" | []                                                                       |
        | with-media  | "$project" | "$scene" | [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 30}] |
        | no-duration | "$project" | null     | [{"id": "$asset", "name": "$still.png", "type": "image", "duration": 0}] |

  @context-injection-into-system-prompt.5 @surface.context-bridge
  Rule: When mediaAssets is empty, the prompt MUST indicate no media loaded

    @derived
    Scenario: It says so where it is true, and nowhere else
      Given the context
        """
        {"projectId": "$project", "activeSceneId": null, "mediaAssets": [], "playbackTimeMs": 0}
        """
      When buildSystemPrompt(context) is called
      Then the returned string contains "No media assets loaded"
      Given the context
        """
        {
          "projectId": "$project",
          "activeSceneId": null,
          "mediaAssets": [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 30}],
          "playbackTimeMs": 0
        }
        """
      When buildSystemPrompt(context) is called
      Then the returned string contains "$clip.mp4"
      And the returned string does not contain "No media assets loaded"

  @context-injection-into-system-prompt.6 @surface.context-bridge
  Rule: The prompt MUST instruct the LLM that it can call tools from a known set (currently transcribe_video)

    # The name can be looked for; whether the sentence around it makes sense is for a reader.
    @derived
    Scenario Outline: The known tool is named, and no other
      Given the context
        """
        {"projectId": "$project", "activeSceneId": null, "mediaAssets": <assets>, "playbackTimeMs": 0}
        """
      When buildSystemPrompt(context) is called
      Then the returned string contains "transcribe_video"
      And the returned string does not contain "echo_context"

      Examples:
        | case       | assets                                                                   |
        | no-media   | []                                                                       |
        | with-media | [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 30}] |

  @context-injection-into-system-prompt.7 @surface.context-bridge
  Rule: The prompt MUST instruct the LLM that it should respond in plain text when no tool is needed

    # As above: the word can be looked for, the sense is for a reader.
    @derived
    Scenario Outline: Text is spoken of
      Given the context
        """
        {"projectId": null, "activeSceneId": null, "mediaAssets": <assets>, "playbackTimeMs": 0}
        """
      When buildSystemPrompt(context) is called
      Then the returned string has the word "text"

      Examples:
        | case       | assets                                                                   |
        | no-media   | []                                                                       |
        | with-media | [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 30}] |

  @context-injection-into-system-prompt.8 @surface.source-layout
  Rule: The system prompt template MUST be separate from the orchestrator logic

    @derived
    Scenario: The system prompt has a module of its own
      Then the system prompt and the orchestrator are different modules
      And the system prompt does not load the orchestrator

  @context-injection-into-system-prompt.9
  Rule: It MUST be consumable by the server route (i.e., a pure function)

    @derived @surface.context-bridge
    Scenario: The same context gives the same text
      Given the context
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 30}],
          "playbackTimeMs": 1500
        }
        """
      When buildSystemPrompt(context) is called
      And buildSystemPrompt(context) is called
      And buildSystemPrompt(context) is called
      Then the returned strings are equal
      And the returned string contains "$clip.mp4"

    @derived @surface.context-bridge
    Scenario: A text remembers nothing of the one before
      Given the context
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 30}],
          "playbackTimeMs": 1500
        }
        """
      When buildSystemPrompt(context) is called
      Then the returned string contains "$clip.mp4"
      Given the context
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [{"id": "$asset2", "name": "$song.wav", "type": "audio", "duration": 3}],
          "playbackTimeMs": 1500
        }
        """
      When buildSystemPrompt(context) is called
      Then the returned string contains "$song.wav"
      And the returned string does not contain "$clip.mp4"

    @transcribed @surface.context-bridge @surface.chat-route
    Scenario: Server-side consumption
      Given the context
        """
        {
          "projectId": "$project",
          "activeSceneId": "$scene",
          "mediaAssets": [{"id": "$asset", "name": "$clip.mp4", "type": "video", "duration": 30}],
          "playbackTimeMs": 1500
        }
        """
      And the provider answers {"content": "$answer"}
      When buildSystemPrompt(context) is called
      And POST /api/agent/chat is called
      Then the route answers 200
      And the system text of call 1 contains the returned string

  @context-injection-into-system-prompt.10 @surface.source-layout
  Rule: It has no client-only dependencies: no EditorCore, no WASM, no browser APIs

    @derived
    Scenario: The system prompt loads nothing of the client
      Then what the system prompt loads holds no module of the core, no WASM and no global of a browser

    @derived
    Scenario: The route loads nothing of the client
      Then what the chat route loads holds no module of the core, no WASM and no global of a browser

  @robustness @surface.context-bridge
  Rule: Where the specification is silent

    @robustness @reading.25
    Scenario: An asset whose duration is not known is told of without one
      Given the context
        """
        {
          "projectId": "$project",
          "activeSceneId": null,
          "mediaAssets": [{"id": "$asset", "name": "$still.png", "type": "image", "duration": null}],
          "playbackTimeMs": 0
        }
        """
      When buildSystemPrompt(context) is called
      Then the returned string contains "$still.png", "image"
      And the returned string does not contain "undefined", "NaN", "null", "None"

    @robustness
    Scenario: Assets of one name are told apart by their ids
      Given the context
        """
        {
          "projectId": "$project",
          "activeSceneId": null,
          "mediaAssets": [
            {"id": "$asset1", "name": "$clip.mp4", "type": "video", "duration": 30},
            {"id": "$asset2", "name": "$clip.mp4", "type": "video", "duration": 30}
          ],
          "playbackTimeMs": 0
        }
        """
      When buildSystemPrompt(context) is called
      Then the returned string contains "$asset1", "$asset2"
