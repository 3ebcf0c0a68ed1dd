@provider-tool-transcript @surface.transcript
Feature: Scope

  Background:
    Given the provider refuses what the real one refuses

  @scope.1 @restates.message-shape.1
  Rule: The internal ChatMessage SHALL have structured assistant tool calls

  @scope.2 @restates.provider-serialization.2
  Rule: Assistant tool calls SHALL be serialised into provider-compatible request messages

  @scope.3 @restates.provider-serialization.3
  Rule: Matched tool replies SHALL be serialised into provider-compatible request messages

  @scope.4 @restates.transcript-guard.1
  Rule: Orphaned tool transcripts SHALL be rejected before network I/O

  @scope.5 @restates.transcript-guard.2
  Rule: Mismatched tool transcripts SHALL be rejected before network I/O

  @scope.6 @restates.transcript-guard.3
  Rule: Duplicate tool transcripts SHALL be rejected before network I/O

  @scope.7
  Rule: Incomplete tool transcripts SHALL be rejected before network I/O

    @derived @reading.20
    Scenario Outline: A history that ends before every call has its reply
      Given the provider always answers {"content": "$answer"}
      When the transcript is sent: <incomplete>
      Then it is rejected, and nothing was sent
      When the transcript is sent: <complete>
      Then it arrives

      Examples:
        | case            | incomplete                         | complete                                           |
        | no-reply        | user, calls $a                     | user, calls $a, reply $a                           |
        | one-of-two      | user, calls $a $b, reply $a        | user, calls $a $b, reply $a, reply $b              |
        | last-of-three   | user, calls $a $b $c, reply $c     | user, calls $a $b $c, reply $c, reply $a, reply $b |
        | in-a-later-turn | user, calls $a, reply $a, calls $b | user, calls $a, reply $a, calls $b, reply $b       |
        | answered-before | user, calls $a, reply $a, calls $a | user, calls $a, reply $a, calls $b, reply $b       |

    @derived @reading.20
    Scenario: The ChatAgent's own path is guarded too
      Given the provider always answers {"content": "$answer"}
      When the ChatAgent responds to: user, calls $a $b, reply $a
      Then it is rejected, and nothing was sent
      When the ChatAgent responds to: user, calls $a $b, reply $a, reply $b
      Then it arrives

  @scope.8 @restates.tool-choice.1 @restates.tool-choice.2
  Rule: Implicit forcing of a single tool SHALL be replaced by an explicit tool_choice argument

  @scope.9 @restates.tool-choice.3
  Rule: EventAgent SHALL explicitly force its one selected tool

  @scope.10 @restates.tool-choice.1
  Rule: Ordinary ChatAgent requests SHALL keep automatic or no forced choice

  @scope.11
  Rule: Runtime SHALL NOT enable tools of the ChatAgent

    @derived @reading.22
    Scenario Outline: Whoever offers tools in a turn of the Runtime forces one, and the ChatAgent offers none
      Given the provider makes the call that it is forced to make, and else answers "$answer"
      And the tools <tools>
      When the Runtime responds to a user
      Then the answer's content is "$answer"
      And no call offers a tool without forcing one, and one offers none and carries no tool_choice

      Examples:
        | case      | tools               |
        | one-tool  | ["$alpha"]          |
        | two-tools | ["$alpha", "$beta"] |
