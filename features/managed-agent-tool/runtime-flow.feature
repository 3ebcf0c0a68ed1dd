@managed-agent-tool @surface.agent-tool
Feature: Runtime flow

  @runtime-flow.1
  Rule: The listener SHALL be bound and its port published before the environment is made

    @derived
    Scenario: There is no callback URL before the listener is bound
      Then no callback URL is given before the listener is bound
      When the listener is bound
      And a managed child is prepared
      Then the tool is injected
      And the callback URL is the listener's, on loopback
      Given the agent has called the tool
      Then a call with the child's own token is served

  @runtime-flow.2
  Rule: The plugin SHALL be materialised under <openchamber-data-dir>/agent-tool/

    @derived
    Scenario: The plugin is a file in the data directory
      Given a managed child
      Then the plugin is a file in agent-tool, in the data directory

  @runtime-flow.3
  Rule: The plugin's file:// URL SHALL be appended to OPENCODE_CONFIG_CONTENT

    @derived
    Scenario Outline: The plugin is the last entry
      Given the configuration of the agent
        """
        <configuration>
        """
      And the listener is bound
      When a managed child is prepared
      Then the configuration of the child is that of the agent, with the plugin as its last entry

      Examples:
        | case       | configuration                  |
        | no-plugins | {"theme": "$theme"}            |
        | an-empty   | {"plugin": []}                 |
        | two        | {"plugin": ["$one", "$other"]} |

    @derived
    Scenario: Without a configuration there is one, with the plugin alone
      Given the listener is bound
      When a managed child is prepared
      Then the configuration of the child is {}, with the plugin as its last entry

  @runtime-flow.4
  Rule: Existing plugin entries SHALL NOT be replaced

    @derived
    Scenario: Entries of every kind, and all other keys, stay as they are
      Given the configuration of the agent
        """
        {
          "model": "$model",
          "plugin": ["$one", ["$two", {"k": 1, "deep": [true, null, 1.5]}], "file:///opt/$three.js"],
          "agent": {"$name": {"prompt": "Grüße 世界 // no comment, /* nor this */"}}
        }
        """
      And the listener is bound
      When a managed child is prepared
      Then the configuration of the child is that of the agent, with the plugin as its last entry

  @runtime-flow.5
  Rule: The token SHALL be random, for each child anew

    @derived
    Scenario: Five children have five tokens
      Given the listener is bound
      When a managed child is prepared
      And a managed child is prepared
      And a managed child is prepared
      And a managed child is prepared
      And a managed child is prepared
      Then the 5 tokens are all different, and long enough

  @runtime-flow.6
  Rule: The callback URL SHALL be a loopback URL

    @derived
    Scenario: The callback URL is the listener's, and it answers
      Given the listener is bound
      When a managed child is prepared
      Then the callback URL is the listener's, on loopback
      Given the agent has called the tool
      Then a call with the child's own token is served

  @runtime-flow.7
  Rule: Token and callback URL SHALL be added only to the managed child's environment

    @derived
    Scenario: The server's own environment stays as it was
      Given the configuration of the agent
        """
        {"plugin": ["$one"]}
        """
      And the listener is bound
      When a managed child is prepared
      Then the server's own environment is what it was, without token and callback URL
      And the tool is injected

  @runtime-flow.8
  Rule: The plugin SHALL call POST /api/openchamber/agent-tool

    @derived
    Scenario: A call of the tool is one POST, with the child's token
      Given a managed child
      And the control service answers {"found": "$data"}
      When the agent calls "session.create" with {}
      Then the relay saw one POST of the plugin, with the token of the child
      And the agent gets {"ok": true, "data": {"found": "$data"}}

  @runtime-flow.9
  Rule: The plugin SHALL call with its typed input

    @derived
    Scenario: Booleans, numbers and texts arrive as what they are
      Given a managed child
      When the agent calls "session.create" with a value of the schema for each of
        | parameter |
        | prompt    |
        | timeout   |
        | limit     |
        | wait      |
        | worktree  |
        | goal      |
        | agent     |
        | variant   |
      And the agent calls "schedule.toggle" with {"disabled": false}
      And the agent calls "schedule.toggle" with {"disabled": true}
      Then the control service was asked for each of them once, as the agent asked, in the directory of the session

  @runtime-flow.10
  Rule: The plugin SHALL call with OpenCode's authoritative session directory

    @derived
    Scenario: The session's own directory wins over what the model says
      Given a managed child
      When the agent of the session in "/work/$there" calls "session.create" with the directory "/work/$here"
      Then the control service was asked in "/work/$there", with "/work/$here" as a parameter if at all

  @runtime-flow.11
  Rule: The route SHALL delegate the fixed action allowlist directly to the shared control service

    @derived
    Scenario: Every action of the tool reaches the service, and its data come back untouched
      Given a managed child
      And the control service answers {"found": ["$data", 1.5, false, null, {"deep": {"": "$more"}}], "ok": false}
      When the agent calls each of its actions
      Then the control service was asked for each of them once, as the agent asked, in the directory of the session
      And the agent gets the data of the control service, each time
      And "session.create" is among the actions
      And "schedule.list" is among the actions
      And "schedule.toggle" is among the actions

  @runtime-flow.12 @by-inspection
  Rule: The CLI SHALL use the same service through its authenticated HTTP adapter
    It is a second program, and the control service is the harness's here.

  @runtime-flow.13 @by-inspection
  Rule: Goal Mode ordering, wait behavior, partial-failure reporting and scheduled-task contracts SHALL have one owner
    Which part of the product owns a behaviour is a matter of its structure, which nothing outside can see.

  @runtime-flow.14
  Rule: Each action definition SHALL own a short presentation title

    @derived
    Scenario: Each action has a title
      Given a managed child
      Then each action has a title of one line that is not its name

  @runtime-flow.15
  Rule: Each action definition SHALL own a separate agent-facing description

    @derived
    Scenario: Each action has a description
      Given a managed child
      Then each action has a description that is not its title

  @runtime-flow.16
  Rule: The generated schema SHALL use the description

    @derived
    Scenario: The agent is shown the descriptions
      Given a managed child
      Then the schema shows the description of each action

  @runtime-flow.17
  Rule: Completed calls SHALL use the short title in native tool metadata

    @derived
    Scenario: A call that succeeds and one that fails carry the titles of their actions
      Given a managed child
      When the agent calls "session.create" with {}
      Given the control service fails with {"message": "$error"}
      When the agent calls "schedule.list" with {}
      Then the titles of the calls are those of their actions

  @robustness
  Rule: Where the specification is silent

    @robustness
    Scenario: A configuration may hold comments and trailing commas
      Given the configuration of the agent
        """
        {
          // which model
          "model": "$model", /* "not": "this" */
          "plugin": ["$one // kept", ["$two", {"k": "/* kept */",}],],
        }
        """
      And the listener is bound
      When a managed child is prepared
      Then the configuration of the child is {"model": "$model", "plugin": ["$one // kept", ["$two", {"k": "/* kept */"}]]}, with the plugin as its last entry

    @robustness
    Scenario: A child that is prepared twice has the plugin once
      Given the configuration of the agent
        """
        {"plugin": ["$one", "$two"]}
        """
      And the listener is bound
      When a managed child is prepared
      And a managed child is prepared in the environment of the last one
      And a managed child is prepared in the environment of the last one
      Then no plugin is in it twice
      And the configuration of the child is that of the agent, with the plugin as its last entry

    @robustness
    Scenario Outline: A configuration that cannot be extended is refused, with nothing written
      Given the configuration of the agent
        """
        <configuration>
        """
      And the listener is bound
      Then a managed child cannot be prepared, and nothing is written

      Examples:
        | case     | configuration      |
        | a-list   | ["$one"]           |
        | a-text   | "$one"             |
        | null     | null               |
        | no-json  | {"plugin": [       |
        | no-list  | {"plugin": "$one"} |

    @robustness
    Scenario: The plugin's file is its owner's alone
      Given a managed child
      Then nobody but its owner may read or write the plugin

    @robustness @operation.agent-tool.cli
    Scenario: The command line reaches the same service
      Given a managed child
      And the control service answers {"found": "$data"}
      When the command line is called with ["schedule", "status"]
      Then the command line succeeds, and shows "$data"
      And each call of the control service was exactly
        | action          | input |
        | schedule.status | {}    |
      When the command line is called with ["session", "list"]
      Then each call of the control service was exactly
        | action          | input |
        | schedule.status | {}    |
        | session.list    | {}    |
