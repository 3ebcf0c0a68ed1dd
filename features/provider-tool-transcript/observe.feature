@provider-tool-transcript @surface.transcript
Feature: Observe

  @observe.1 @restates.provider-serialization.1
  Rule: The legal transcript SHALL match OpenAI-compatible message ordering

  @observe.2
  Rule: Visible assistant content SHALL be able to coexist with tool calls

    @derived
    Scenario Outline: Text and calls stand in one message, and nothing stands for no text
      Given the provider refuses what the real one refuses
      And the provider always answers {"content": "$answer"}
      When the transcript is sent
        """
        [
          {"role": "user", "content": "$question"},
          {
            "role": "assistant",
            "content": "<content>",
            "toolCalls": [{"id": "$a", "name": "probe", "arguments": {}, "rawArguments": "{}"}]
          },
          {"role": "tool", "content": "$found", "toolCallId": "$a"}
        ]
        """
      Then it arrives
      And its call ids arrive as they are
      And its contents arrive as they are

      Examples:
        | case      | content                 |
        | text      | $thought                |
        | two-lines | $thought\\n\\n and more |
        | no-text   |                         |

  @observe.3 @restates.transcript-guard.1 @restates.transcript-guard.2 @restates.transcript-guard.3 @restates.transcript-guard.4
  Rule: Invalid histories SHALL fail locally before HTTP calls

  @observe.4 @restates.tool-choice.1
  Rule: Single-tool ChatAgent requests SHALL NOT be forced accidentally

  @observe.5 @restates.tool-choice.3
  Rule: EventAgent SHALL retain deterministic selected-tool invocation

  @observe.6 @restates.scope.11
  Rule: Runtime SHALL still send tools=[] in the existing dual-agent mode
