@managed-agent-tool @surface.agent-tool
Feature: Agent context budget

  @agent-context-budget.1
  Rule: The tool SHALL expose one shared parameter object rather than a per-action union

    @derived
    Scenario: One object declares all parameters
      Given a managed child
      Then one object declares all parameters, and no branch of the schema declares any

  @agent-context-budget.2 @by-inspection
  Rule: Action descriptions SHALL carry only required inputs, defaults, or one non-obvious semantic detail
    Whether a sentence says no more than that is a judgement of prose.

  @agent-context-budget.3
  Rule: Obvious fields SHALL rely on their names and JSON types

    @derived
    Scenario: Each parameter has a JSON type
      Given a managed child
      Then each parameter has a JSON type

  @agent-context-budget.4 @by-inspection
  Rule: Parameter descriptions SHALL be reserved for what cannot be safely inferred from the field name
    Whether a description says what the name says already is a judgement of prose.

  @agent-context-budget.5
  Rule: Session dispatches SHALL NOT wait by default

    @derived
    Scenario: An agent that does not ask to wait does not wait
      Given a managed child
      When the agent calls each action that sends to a session, and says nothing of waiting
      Then none of them waits

  @agent-context-budget.6
  Rule: Agents SHALL be told to set wait only when the user asks or the next step requires the completed result

    @derived
    Scenario: The agent is told when to wait
      Given a managed child
      Then the agent is told to set wait only when the user asks, or the next step needs the result

  @agent-context-budget.7 @restates.agent-context-budget.8 @restates.agent-context-budget.10 @restates.security-invariants.8 @restates.security-invariants.11 @restates.security-invariants.12 @restates.security-invariants.13
  Rule: The tool SHALL expose only agent-relevant actions

  @agent-context-budget.8
  Rule: schedule.status SHALL stay CLI-only

    @derived @reading.27
    Scenario: schedule.status is neither shown nor served
      Given a managed child
      And the agent has called the tool
      Then "schedule.status" is not among the actions
      And "schedule.list" is among the actions
      When the callback is attacked with the actions
        | action            |
        | "schedule.status" |
      Then each attack is refused or answered by ok false, and the control service saw none
      And right after each attack a legal call went through

  @agent-context-budget.9 @by-inspection
  Rule: schedule.list SHALL return the scheduler's status already
    The control service is the harness's here, and what the list holds is the product's.

  @agent-context-budget.10
  Rule: Enable and disable SHALL be one schedule.toggle action

    @derived @reading.27
    Scenario: There is a toggle, and nothing beside it
      Given a managed child
      And the agent has called the tool
      Then "schedule.toggle" is among the actions
      And "schedule.enable" is not among the actions
      And "schedule.disable" is not among the actions
      When the callback is attacked with the actions
        | action             |
        | "schedule.enable"  |
        | "schedule.disable" |
      Then each attack is refused or answered by ok false, and the control service saw none
      And right after each attack a legal call went through

  @agent-context-budget.11
  Rule: schedule.toggle SHALL be driven by the disabled boolean

    @derived
    Scenario: Both values of disabled arrive
      Given a managed child
      Then the parameter "disabled" is a boolean
      When the agent calls "schedule.toggle" with {"disabled": true}
      And the agent calls "schedule.toggle" with {"disabled": false}
      Then each call of the control service was exactly
        | action          | input               |
        | schedule.toggle | {"disabled": true}  |
        | schedule.toggle | {"disabled": false} |

  @agent-context-budget.12
  Rule: The tool description SHALL frame created sessions and scheduled tasks as user-facing work

    @derived
    Scenario: The description speaks of the user, of sessions and of scheduled tasks
      Given a managed child
      Then the description of the tool speaks of ["user", "session", "schedule", "task"]

  @agent-context-budget.13
  Rule: The tool SHALL never be framed as a channel for the agent to delegate parts of its own current task

    @derived
    Scenario: The description says not to delegate
      Given a managed child
      Then the description of the tool says never to delegate a part of the agent's own task

  @agent-context-budget.14
  Rule: The optional switches (worktree, goal, agent, variant, wait) SHALL state their default

    @derived
    Scenario: The five switches are described
      Given a managed child
      Then the switches are described

  @agent-context-budget.15
  Rule: The optional switches SHALL state an explicit "only when the user asks" rule

    @derived
    Scenario: Each of the five switches has the rule
      Given a managed child
      Then the switches are described, each with the rule that it is set only when the user asks

  @agent-context-budget.16
  Rule: Detailed combination rules SHALL be enforced by the shared control service

    @derived
    Scenario: A combination that may be wrong reaches the service unchanged
      Given a managed child
      When the agent calls "session.create" with a value of the schema for each of
        | parameter |
        | timeout   |
        | variant   |
      And the agent calls "schedule.toggle" with {}
      Then the control service was asked for each of them once, as the agent asked, in the directory of the session

  @agent-context-budget.17
  Rule: Combination errors SHALL be returned as actionable usage errors only after an invalid call

    @derived
    Scenario: The agent gets the service's own words
      Given a managed child
      When the agent calls "session.create" with {}
      Then the agent gets {"ok": true}
      Given the control service fails with {"message": "Add $parameter, or leave $other out.", "status": 400}
      When the agent calls "session.create" with {}
      Then the agent gets a failure with {"message": "Add $parameter, or leave $other out."}

  @agent-context-budget.18
  Rule: Per-action examples SHALL be omitted

    @derived
    Scenario: The schema holds no examples
      Given a managed child
      Then the schema holds no examples

  @agent-context-budget.19 @restates.agent-context-budget.1
  Rule: A repeated per-action parameter schema SHALL be omitted

  @robustness
  Rule: Where the specification is silent

    @robustness
    Scenario: What the tool costs of an agent's context, nothing of it twice
      Given a managed child
      Then no parameter is described twice

    @robustness @surface.control-service
    Scenario: The product's own service says what to change in a wrong combination
      When the service is asked for "session.create" with {"prompt": "$prompt", "timeout": 5}
      Then it refuses, and its words name "timeout" and "wait"
      When the service is asked for "session.create" with {"prompt": "$prompt", "timeout": 5, "wait": true}
      Then it answers
