@shell @surface.lock @surface.door
Feature: Lock

  @lock.1
  Rule: The lock MUST hold

    @derived
    Scenario: It holds
      Given a locked door
      Then the lock holds

    @derived @operation.lock.pick
    Scenario: It can be picked
      Given a locked door
      Then the lock is open
