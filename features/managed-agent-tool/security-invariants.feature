@managed-agent-tool @surface.agent-tool @evidence
Feature: Security invariants

  @security-invariants.1
  Rule: The callback SHALL accept loopback requests only

    @derived @reading.26 @reading.27 @agent-tool.foreign-peer
    Scenario Outline: A peer that is not loopback is refused, whatever its headers say
      Given the listener is bound to <host>
      And a managed child is prepared
      And the agent has called the tool
      When the callback is attacked from an address that is not loopback, with the token and
        | header                      |
        | no other header             |
        | X-Forwarded-For of loopback |
        | Forwarded of loopback       |
        | X-Real-IP of loopback       |
        | Host of loopback            |
        | every header of a proxy     |
      Then each attack is refused, and the control service saw none
      And right after each attack a legal call went through
      And the token stands nowhere but in the environment of the child

      Examples:
        | case      | host    |
        | ipv4      | 0.0.0.0 |
        | dual      | ::      |

    @derived @reading.26
    Scenario: A peer on loopback is served over IPv4, IPv6 and IPv4 in IPv6
      Given the listener is bound to ::
      And a managed child is prepared
      And the agent has called the tool
      Then a call of this machine over 127.0.0.1 is served
      And a call of this machine over ::1 is served
      When the callback is attacked from loopback, without a token, with
        | header                      |
        | no other header             |
        | X-Forwarded-For of loopback |
        | Forwarded of loopback       |
        | X-Real-IP of loopback       |
        | Host of loopback            |
        | every header of a proxy     |
      Then each attack is refused, and the control service saw none
      And right after each attack a legal call went through
      And the token stands nowhere but in the environment of the child

  @security-invariants.2
  Rule: The callback SHALL require the current per-child bearer token

    @derived @reading.27
    Scenario: Whatever is not the token is refused
      Given a managed child
      And the agent has called the tool
      When the callback is attacked with
        | token                                           |
        | no token                                        |
        | an empty token                                  |
        | a scheme without a token                        |
        | another token of the same length                |
        | one character changed                           |
        | one character less                              |
        | one character more                              |
        | the first half                                  |
        | the token twice                                 |
        | another case                                    |
        | the word undefined                              |
        | the word null                                   |
        | the token under the scheme Basic                |
        | the token in the query alone                    |
        | the token in a cookie alone                     |
        | the token in a header of another name           |
      Then each attack is refused, and the control service saw none
      And right after each attack a legal call went through
      And the token stands nowhere but in the environment of the child

    @derived @reading.27 @reading.29
    Scenario: A token that cannot be compared is refused as any other
      Given a managed child
      And the agent has called the tool
      When the callback is attacked with
        | token                                  |
        | bytes beyond ASCII, of the same length |
        | a very long token                      |
        | another token of the same length       |
      Then each attack is refused, and the control service saw none
      And right after each attack a legal call went through

    @derived @reading.27 @reading.28
    Scenario: The tokens of earlier children are refused
      Given a managed child
      And the agent has called the tool
      When a managed child is prepared
      And a managed child is prepared
      And the callback is attacked with the tokens of the last children
      Then each attack is refused, and the control service saw none
      And right after each attack a legal call went through
      And the token stands nowhere but in the environment of the child

    @derived @reading.27
    Scenario: A page of another origin, which has no token, is refused
      Given a managed child
      And the agent has called the tool
      When a page of another origin attacks the callback
      Then each attack is refused, and the control service saw none
      And right after each attack a legal call went through
      And the token stands nowhere but in the environment of the child

  @security-invariants.3 @by-inspection
  Rule: The token SHALL be compared by a timing-safe comparison
    How long a comparison takes cannot be told from outside with certainty; that no token makes it break is tested under security-invariants.2.

  @security-invariants.4
  Rule: The token SHALL never be persisted

    @derived @reading.29
    Scenario: After preparing, calling and stopping no file holds the token
      Given a managed child
      And the agent has called the tool
      When a managed child is prepared
      And the agent calls "schedule.list" with {}
      And the callback is attacked with
        | token                 |
        | one character changed |
      And the listener is stopped
      Then the token stands in no file

  @security-invariants.5
  Rule: The token SHALL never be logged

    @derived @reading.29
    Scenario: Neither a call that is served, nor one that is refused or fails, is logged with its token
      Given a managed child
      And the agent has called the tool
      When the callback is attacked with
        | token                                |
        | one character more                   |
        | the token under the scheme Basic     |
        | the token in the query alone         |
      And the callback is attacked with the actions
        | action         |
        | "session.none" |
      Given the control service fails with {"message": "$error"}
      When the agent calls "schedule.list" with {}
      Then the token stands in no log

  @security-invariants.6
  Rule: The token SHALL never be returned to the UI

    @derived @reading.29
    Scenario: No answer holds the token
      Given a managed child
      And the agent has called the tool
      When the callback is attacked with
        | token                            |
        | one character more               |
        | the token under the scheme Basic |
        | the token in the query alone     |
      And the callback is attacked with the actions
        | action         |
        | "session.none" |
      Given the control service fails with {"message": "$error"}
      When the agent calls "schedule.list" with {}
      Then the token stands in no answer

  @security-invariants.7
  Rule: The token SHALL never be written into the materialised plugin

    @derived
    Scenario: The plugin of each preparation is without its token
      Given a managed child
      And the agent has called the tool
      Then the token is not in the plugin
      When a managed child is prepared
      And the agent calls "schedule.list" with {}
      Then the token is not in the plugin

  @security-invariants.8
  Rule: Inputs SHALL map to a fixed action allowlist

    @derived @reading.27
    Scenario: Whatever is no action of the list is refused
      Given a managed child
      And the agent has called the tool
      When the callback is attacked with the actions
        | action                                  |
        | "session.none"                          |
        | "SESSION.CREATE"                        |
        | "session.create "                       |
        | "session.create\u0000"                  |
        | "session"                               |
        | "constructor"                           |
        | "__proto__"                             |
        | "toString"                              |
        | "hasOwnProperty"                        |
        | ""                                      |
        | 5                                       |
        | true                                    |
        | null                                    |
        | ["session.create"]                      |
        | {"$ne": ""}                             |
        | none                                    |
      Then each attack is refused or answered by ok false, and the control service saw none
      And right after each attack a legal call went through
      And the token stands nowhere but in the environment of the child

    @derived @reading.27
    Scenario: An action among the parameters is not the action
      Given a managed child
      And the agent has called the tool
      When the callback is attacked with the parameters
        | parameter | value             |
        | action    | "schedule.status" |
        | action    | "schedule.delete" |
      And the agent calls "schedule.list" with {"action": "schedule.delete"}
      Then each attack is refused, or arrives as what the agent called
      And right after each attack a legal call went through
      And the control service was never asked for "schedule.delete" or "schedule.status"

    @derived @reading.27
    Scenario: What is no request of the plugin is refused
      Given a managed child
      And the agent has called the tool
      When the callback is attacked with the bodies
        | body                      |
        | a body that is not JSON   |
        | an empty body             |
        | a body that is cut short  |
        | a list                    |
        | a text                    |
        | null                      |
      Then each attack is refused or answered by ok false, and the control service saw none
      And right after each attack a legal call went through
      And the token stands nowhere but in the environment of the child

  @security-invariants.9
  Rule: Inputs SHALL map to a fixed parameter allowlist

    @derived
    Scenario: The schema is closed
      Given a managed child
      Then the schema forbids other parameters

  @security-invariants.10
  Rule: There SHALL be no arbitrary CLI, shell, route, or URL forwarding

    @derived @reading.27
    Scenario: Commands, routes and URLs are no actions
      Given a managed child
      And the agent has called the tool
      When the callback is attacked with the actions
        | action                                |
        | "cli.run"                             |
        | "shell.exec"                          |
        | "http.get"                            |
        | "/api/config"                         |
        | "../../api/config"                    |
        | "GET /api/config"                     |
        | "http://127.0.0.1/api/config"         |
        | "file:///etc/passwd"                  |
        | "session.create; id"                  |
        | "$(id)"                               |
      Then each attack is refused or answered by ok false, and the control service saw none
      And right after each attack a legal call went through
      And the token stands nowhere but in the environment of the child

    @derived
    Scenario: Commands, paths and URLs in a parameter are text
      Given a managed child
      And the agent has called the tool
      When the agent calls with texts that a shell, a file system or a client would act upon
      Then each text arrived as it was, or not at all
      And nothing was run, and nothing was fetched

  @security-invariants.11
  Rule: Session deletion SHALL NOT be exposed

    @derived @reading.27
    Scenario: No action deletes a session
      Given a managed child
      And the agent has called the tool
      Then "session.delete" is not among the actions
      And "session.remove" is not among the actions
      When the callback is attacked with the actions
        | action             |
        | "session.delete"   |
        | "session.remove"   |
        | "sessions.delete"  |
      Then each attack is refused or answered by ok false, and the control service saw none
      And right after each attack a legal call went through

  @security-invariants.12
  Rule: Worktree deletion SHALL NOT be exposed

    @derived @reading.27
    Scenario: No action deletes a worktree
      Given a managed child
      And the agent has called the tool
      Then "worktree.delete" is not among the actions
      And "worktree.remove" is not among the actions
      When the callback is attacked with the actions
        | action             |
        | "worktree.delete"  |
        | "worktree.remove"  |
        | "worktrees.delete" |
      Then each attack is refused or answered by ok false, and the control service saw none
      And right after each attack a legal call went through

  @security-invariants.13
  Rule: Project-path registration SHALL NOT be exposed

    @derived @reading.27
    Scenario: No action registers a project
      Given a managed child
      And the agent has called the tool
      Then "projects.add" is not among the actions
      And "project.register" is not among the actions
      When the callback is attacked with the actions
        | action              |
        | "projects.add"      |
        | "projects.create"   |
        | "projects.register" |
        | "project.register"  |
      Then each attack is refused or answered by ok false, and the control service saw none
      And right after each attack a legal call went through

  @security-invariants.14
  Rule: An aborted tool request SHALL propagate an abort signal into the shared service

    @derived
    Scenario: The agent's own signal reaches the service
      Given a managed child
      When the agent aborts its call of "session.create" while the service works on it
      Then the control service is told within a second that this call is aborted, and of no other
      And the calls before and after it are served

    @derived
    Scenario: A connection that is lost reaches the service
      Given a managed child
      When the connection of the call of "session.create" breaks while the service works on it
      Then the control service is told within a second that this call is aborted, and of no other
      And the calls before and after it are served

  @robustness
  Rule: Where the specification is silent

    @robustness @reading.27
    Scenario: An unknown parameter at the callback is refused
      Given a managed child
      And the agent has called the tool
      When the callback is attacked with the parameters
        | parameter   | value                  |
        | $unknown    | true                   |
        | command     | "id"                   |
        | url         | "http://127.0.0.1/"    |
        | __proto__   | {"admin": true}        |
        | constructor | {"prototype": {}}      |
      Then each attack is refused or answered by ok false, and the control service saw none
      And right after each attack a legal call went through

    @robustness @reading.27
    Scenario: One Authorization header is all that is taken
      Given a managed child
      And the agent has called the tool
      When the callback is attacked with
        | token                                           |
        | the token without a scheme                      |
        | two Authorization headers, the wrong one first  |
        | two Authorization headers, the right one first  |
      Then each attack is refused, and the control service saw none
      And right after each attack a legal call went through

    @robustness
    Scenario: A page of another origin is allowed nothing
      Given a managed child
      And the agent has called the tool
      When a page of another origin asks whether it may call the callback
      And a page of another origin attacks the callback
      Then each attack is refused, and the control service saw none
      And no answer lets a page of another origin read it
      And right after each attack a legal call went through

    @robustness @reading.27
    Scenario: The token is looked at before the body
      Given a managed child
      And the agent has called the tool
      When the callback is attacked without a token, with a body that is not JSON, and with one that never comes
      Then each attack is refused, and the control service saw none
      And each attack is answered as one without a token is
      And right after each attack a legal call went through

    @robustness
    Scenario: A request that is too deep or too large is refused, and costs nobody else anything
      Given a managed child
      And the agent has called the tool
      When the callback is attacked with the bodies
        | body                         |
        | a body that is nested deeply |
        | bytes that are no UTF-8      |
      And the callback is attacked with a parameter that is nested deeply, and with one that is too large
      Then each attack is refused or answered by ok false, and the control service saw none
      And right after each attack a legal call went through

    @robustness
    Scenario Outline: Another method than POST does nothing
      Given a managed child
      And the agent has called the tool
      When the callback is called with the method <method>
      Then each attack is refused, and the control service saw none
      And right after each attack a legal call went through

      Examples:
        | case   | method |
        | get    | GET    |
        | put    | PUT    |
        | delete | DELETE |
