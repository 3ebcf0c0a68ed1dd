@other @surface.gate
Feature: Door

  @door.1
  Rule: The other door MUST open

    @derived
    Scenario: It opens
      Given a gate
      Then the gate is open
