@shell @surface.door
Feature: Door

  @door.1
  Rule: The door MUST open

    @derived
    Scenario: It opens
      Given a closed door
      When it is pushed
      Then the door is open

    @transcribed @reading.2
    Scenario Outline: It opens for a visitor
      Given a closed door
      When "<who>" knocks
      Then the door is open

      Examples:
        | case | who |
        | ann  | Ann |
        | bob  | Bob |

  @door.2
  Rule: The door MUST lock

    # It takes a second surface.
    @derived @surface.lock
    Scenario: It locks
      Given a closed door
      Then the door is locked

  @door.3 @should
  Rule: The door SHOULD be quiet

    @derived
    Scenario: It is quiet
      Given a closed door
      Then nothing is heard

  @door.4 @by-inspection
  Rule: The door MUST be made of oak

    Nobody sees the wood from outside.

  @door.5 @restates.door.1
  Rule: The door MUST NOT stay shut

  @robustness
  Rule: Where the specification is silent

    @robustness
    Scenario: It does not squeak
      Given a closed door
      Then nothing is heard
