@managed-agent-tool @surface.agent-tool
Feature: Result contract

  @result-contract.1
  Rule: Every completed call SHALL return JSON

    @derived
    Scenario: A call that succeeds, one that fails and one that cannot be answered return JSON
      Given a managed child
      And the control service answers {"found": "$data"}
      When the agent calls "session.create" with {}
      Given the control service fails with {"message": "$error", "status": 500}
      When the agent calls "schedule.list" with {}
      And the agent calls "schedule.toggle" while the callback answers HTML with status 502
      Then every completed call returned the envelope of its action

  @result-contract.2
  Rule: A completed call SHALL hold schemaVersion 1, ok true, its action and its data

    @derived
    Scenario Outline: The data come back as the service gave them
      Given a managed child
      And the control service answers <data>
      When the agent calls "session.create" with {}
      Then the agent gets {"schemaVersion": 1, "ok": true, "action": "session.create", "data": <data>}

      Examples:
        | case      | data                                                          |
        | an-object | {"sessionId": "$session", "deep": [1.5, false, {"": "$word"}]} |
        | empty     | {}                                                            |
        | a-list    | ["$one", {"data": "$two"}]                                    |
        | unicode   | {"text": "Grüße, 世界 \ud83c\udfac \u0000 \u2028"}              |
        | look-alike | {"ok": false, "error": {"message": "$word"}}                 |

  @result-contract.3
  Rule: A command failure SHALL use the same envelope with ok false and an error object

    @derived @reading.27
    Scenario Outline: A failure of the service is an envelope
      Given a managed child
      And the control service fails with <error>
      When the agent calls "session.create" with {}
      Then the agent gets a failure
      And every completed call returned the envelope of its action
      Given the control service succeeds again
      When the agent calls "session.create" with {}
      Then the agent gets {"ok": true}

      Examples:
        | case    | error                                                                                                                                   |
        | plain   | {"message": "$error"}                                                                                                                   |
        | usage   | {"message": "$error", "status": 400}                                                                                                    |
        | server  | {"message": "$error", "status": 500}                                                                                                    |
        | partial | {"message": "$error", "status": 502, "partial": {"action": "session.create", "sessionId": "$session", "directory": "/work/$directory"}} |

  @result-contract.4
  Rule: An operational failure SHALL use the same envelope with ok false and an error object

    @derived
    Scenario Outline: A callback that cannot be reached, or answers nonsense, is an envelope
      Given a managed child
      When the agent calls "session.create" while <trouble>
      Then the agent gets a failure

      Examples:
        | case      | trouble                                        |
        | no-url    | its environment has no callback URL            |
        | no-token  | its environment has no token                   |
        | refused   | nobody listens at the callback URL             |
        | html      | the callback answers HTML with status 502      |
        | no-result | the callback answers JSON that is no envelope  |
        | empty     | the callback answers nothing                   |

  @result-contract.5 @may
  Rule: OpenCode-level cancellation MAY produce a native tool error state

    @derived
    Scenario: A cancelled call is a native error or a failure, and no success
      Given a managed child
      When the agent aborts its call of "session.create" while the service works on it
      Then the aborted call is no success
      And the calls before and after it are served

  @robustness
  Rule: Where the specification is silent

    @robustness
    Scenario: What was done before a failure is told
      Given a managed child
      And the control service fails with {"message": "$error", "status": 502, "partial": {"action": "session.create", "sessionId": "$session", "directory": "/work/$directory"}}
      When the agent calls "session.create" with {}
      Then the agent gets a failure with {"message": "$error"}
      And the failure tells of "$session" and "/work/$directory"
