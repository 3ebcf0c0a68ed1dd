@provider-tool-transcript @surface.transcript
Feature: Goal

  @goal.1
  Rule: A valid OpenAI-compatible tool transcript SHALL be represented and serialised

    @derived
    Scenario: OpenAI takes a turn of two calls with the tools that were called
      Given the provider refuses what the real one refuses
      And the provider always answers {"content": "$answer"}
      And the tools ["probe", "$other"]
      When the transcript is sent: system, user, calls $a $b, reply $a, reply $b
      Then it arrives
      And the provider accepted every call
      And the answer's content is "$answer"

    @derived
    Scenario: The next call of the model is made with the calls that it made before
      Given the provider refuses what the real one refuses
      And the provider always answers {"content": "$answer"}
      When the transcript is sent
        """
        [
          {"role": "user", "content": "$question"},
          {
            "role": "assistant",
            "content": "$thought",
            "toolCalls": [{"id": "$a", "name": "probe", "arguments": {"q": "$q"}, "rawArguments": "{\"q\": \"$q\"}"}]
          },
          {"role": "tool", "content": "$found", "toolCallId": "$a"},
          {
            "role": "assistant",
            "content": "",
            "toolCalls": [{"id": "$b", "name": "probe", "arguments": {}, "rawArguments": "{}"}]
          },
          {"role": "tool", "content": "", "toolCallId": "$b"}
        ]
        """
      Then it arrives
      And call 1 holds the conversation
        | from      | text      | tool  | args        |
        | user      | $question |       |             |
        | assistant | $thought  |       |             |
        | assistant |           | probe | {"q": "$q"} |
        | tool      | $found    | probe | {"q": "$q"} |
        | assistant |           | probe | {}          |
      And the answer's content is "$answer"

  @goal.3 @restates.tool-choice.3 @restates.scope.11
  Rule: The existing dual-agent path SHALL NOT be weakened
