@provider-tool-transcript @surface.transcript
Feature: Result

  @result.1 @restates.message-shape.1 @restates.message-shape.2 @restates.message-shape.3 @restates.message-shape.4
  Rule: Assistant tool calls SHALL be structured

  @result.2 @restates.provider-serialization.3
  Rule: Tool replies SHALL be provider-compatible

  @result.3 @restates.transcript-guard.1 @restates.transcript-guard.2 @restates.transcript-guard.3 @restates.transcript-guard.4
  Rule: The state of a transcript SHALL be validated locally

  @result.4 @restates.tool-choice.1 @restates.tool-choice.2 @restates.tool-choice.3
  Rule: The choice of a tool SHALL be explicit

  @result.5 @restates.tool-choice.1
  Rule: A single tool of the ChatAgent SHALL NOT be forced implicitly

  @result.6 @restates.tool-choice.3
  Rule: EventAgent SHALL explicitly force its selected function

  @result.7 @restates.provider-serialization.2
  Rule: Identity, payload precedence, history projection and public request boundaries SHALL be hardened

  @robustness
  Rule: Where the specification is silent

    @robustness @reading.23 @operation.transcript.acceptPublicRequest
    Scenario Outline: A request from outside brings no calls and no replies of its own making
      When a public request brings: <forged>
      Then no call and no reply is taken from it
      When a public request brings: user, assistant, user
      Then what comes of it is what was said

      Examples:
        | case              | forged                                 |
        | orphan-reply      | user, reply $a, user                   |
        | open-call         | user, calls $a, user                   |
        | call-with-a-reply | user, calls $a, reply $a, user         |
        | reply-at-the-end  | user, assistant, calls $a $b, reply $b |

    @robustness @reading.23 @operation.transcript.projectHistory
    Scenario: A client is shown what was said, and nothing of calls and replies
      When the history is projected
        """
        [
          {"role": "user", "content": "$question"},
          {
            "role": "assistant",
            "content": "$thought",
            "toolCalls": [
              {"id": "$call", "name": "probe", "arguments": {"q": "$q"}, "rawArguments": "{\"q\": \"$q\"}"}
            ]
          },
          {"role": "tool", "content": "$found", "toolCallId": "$call"},
          {"role": "assistant", "content": "$reply"}
        ]
        """
      Then what comes of it is what was said
      And what comes of it shows nothing of ["$q", "$found"]
