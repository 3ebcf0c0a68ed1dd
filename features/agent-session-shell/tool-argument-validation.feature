@agent-session-shell @surface.orchestrator @surface.chat-store @surface.agent-store @surface.tool-registry
Feature: Tool Argument Validation

  @tool-argument-validation.1
  Rule: Before executing any tool call, the orchestrator MUST validate that each argument key declared required: true is present in the call args

    @derived @reading.9
    Scenario Outline: A value that is false, empty or zero is present
      Given these tools are registered
        | name  | parameters                                            | outcome          |
        | probe | [{"key": "$key", "type": "<type>", "required": true}] | returns "$found" |
      And iteration 1 returns the tool calls
        | id    | tool  | args              |
        | $call | probe | {"$key": <value>} |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args              |
        | probe | {"$key": <value>} |
      And POST 2 answers the calls
        | id    | with   |
        | $call | $found |

      Examples:
        | case         | type    | value |
        | zero         | number  | 0     |
        | false        | boolean | false |
        | empty-text   | string  | ""    |
        | empty-list   | array   | []    |
        | empty-object | object  | {}    |

    @derived @reading.9
    Scenario Outline: A call with one of two required arguments does not run
      Given these tools are registered
        | name  | parameters                                                                                                 | outcome          |
        | probe | [{"key": "$one", "type": "string", "required": true}, {"key": "$two", "type": "string", "required": true}] | returns "$found" |
      And iteration 1 returns the tool calls
        | id     | tool  | args                       |
        | $call1 | probe | <args>                     |
        | $call2 | probe | {"$one": "a", "$two": "b"} |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args                       |
        | probe | {"$one": "a", "$two": "b"} |
      And POST 2 answers the calls
        | id     | with   | without |
        | $call1 |        | $found  |
        | $call2 | $found |         |

      Examples:
        | case          | args                        |
        | first-absent  | {"$two": "b"}               |
        | second-absent | {"$one": "a"}               |
        | second-null   | {"$one": "a", "$two": null} |
        | both-absent   | {}                          |

    @derived
    Scenario: An argument that is not required may be absent
      Given these tools are registered
        | name  | parameters                                                                                                 | outcome          |
        | probe | [{"key": "must", "type": "string", "required": true}, {"key": "may", "type": "number", "required": false}] | returns "$found" |
      And iteration 1 returns the tool calls
        | id     | tool  | args                     |
        | $call1 | probe | {"must": "$w"}           |
        | $call2 | probe | {"must": "$w", "may": 2} |
        | $call3 | probe | {"may": 2}               |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args                     |
        | probe | {"must": "$w"}           |
        | probe | {"must": "$w", "may": 2} |

  @tool-argument-validation.2
  Rule: … and is of the declared type

    @derived @reading.9
    Scenario Outline: Of six kinds of values, a tool runs on the declared one only
      Given these tools are registered
        | name  | parameters                                            |
        | probe | [{"key": "$key", "type": "<type>", "required": true}] |
      And iteration 1 returns the tool calls
        | id     | tool  | args               |
        | $call1 | probe | {"$key": "text"}   |
        | $call2 | probe | {"$key": 1.5}      |
        | $call3 | probe | {"$key": true}     |
        | $call4 | probe | {"$key": {"a": 1}} |
        | $call5 | probe | {"$key": ["a"]}    |
        | $call6 | probe | {"$key": null}     |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args              |
        | probe | {"$key": <match>} |
      And the chat route was called 2 times

      Examples:
        | case    | type    | match    |
        | string  | string  | "text"   |
        | number  | number  | 1.5      |
        | boolean | boolean | true     |
        | object  | object  | {"a": 1} |
        | array   | array   | ["a"]    |

    @derived @reading.9
    Scenario Outline: A text that reads like another type is a text
      Given these tools are registered
        | name  | parameters                                            |
        | probe | [{"key": "$key", "type": "<type>", "required": true}] |
      And iteration 1 returns the tool calls
        | id     | tool  | args              |
        | $call1 | probe | {"$key": <text>}  |
        | $call2 | probe | {"$key": <value>} |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args              |
        | probe | {"$key": <value>} |

      Examples:
        | case    | type    | text     | value    |
        | number  | number  | "5000"   | 5000     |
        | boolean | boolean | "true"   | false    |
        | object  | object  | "{}"     | {"a": 1} |
        | array   | array   | "[1, 2]" | [1, 2]   |

  @tool-argument-validation.3
  Rule: If validation fails, the tool MUST NOT execute

    @derived @reading.5
    Scenario Outline: A bad call costs the others nothing
      Given these tools are registered
        | name  | parameters                                         | outcome          |
        | probe | [{"key": "q", "type": "string", "required": true}] | returns "$found" |
      And iteration 1 returns the tool calls
        | id     | tool  | args     |
        | $call1 | probe | <first>  |
        | $call2 | probe | <second> |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args        |
        | probe | {"q": "$w"} |
      And POST 2 answers the calls
        | id     | with   | without |
        | <good> | $found |         |
        | <bad>  |        | $found  |
      And the last message of chatStore is an assistant message with "$answer"

      Examples:
        | case         | first       | second      | good   | bad    |
        | absent-first | {}          | {"q": "$w"} | $call2 | $call1 |
        | absent-last  | {"q": "$w"} | {}          | $call1 | $call2 |
        | type-first   | {"q": 5}    | {"q": "$w"} | $call2 | $call1 |
        | type-last    | {"q": "$w"} | {"q": 5}    | $call1 | $call2 |

  @tool-argument-validation.4
  Rule: Instead the orchestrator MUST produce a ToolResult with error describing the missing argument

    @derived @reading.6
    Scenario Outline: The result names the argument that is missing
      Given these tools are registered
        | name  | parameters                                                                                                 |
        | probe | [{"key": "$one", "type": "string", "required": true}, {"key": "$two", "type": "string", "required": true}] |
      And iteration 1 returns the tool calls
        | id    | tool  | args   |
        | $call | probe | <args> |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then POST 2 answers the calls
        | id    | with      |
        | $call | <missing> |
      And the chat route was called 2 times

      Examples:
        | case          | args          | missing |
        | first-absent  | {"$two": "b"} | $one    |
        | second-absent | {"$one": "a"} | $two    |

  @tool-argument-validation.5
  Rule: … or the malformed argument

    @transcribed @reading.6
    Scenario: Wrong argument type
      Given these tools are registered
        | name  | parameters                                               |
        | probe | [{"key": "assetId", "type": "string", "required": true}] |
      And iteration 1 returns the tool calls
        | id    | tool  | args             |
        | $call | probe | {"assetId": 123} |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then no tool ran
      And POST 2 answers the calls
        | id    | with    |
        | $call | assetId |

    @derived @reading.6
    Scenario Outline: The result names the argument that is malformed
      Given these tools are registered
        | name  | parameters                                                                                                 |
        | probe | [{"key": "$one", "type": "number", "required": true}, {"key": "$two", "type": "object", "required": true}] |
      And iteration 1 returns the tool calls
        | id    | tool  | args   |
        | $call | probe | <args> |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then POST 2 answers the calls
        | id    | with        |
        | $call | <malformed> |
      And the chat route was called 2 times

      Examples:
        | case             | args                       | malformed |
        | first-malformed  | {"$one": "1", "$two": {}}  | $one      |
        | second-malformed | {"$one": 1, "$two": ["a"]} | $two      |

  @tool-argument-validation.6
  Rule: A tool that declares no required parameters runs on empty args

    @transcribed
    Scenario: Missing required argument
      Given the shipped tool transcribe_video returns "$found"
      And iteration 1 returns the tool calls
        | id    | tool             | args |
        | $call | transcribe_video | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool             | args |
        | transcribe_video | {}   |
      And POST 2 answers the calls
        | id    | with   |
        | $call | $found |

    @derived
    Scenario Outline: Nothing is missing where nothing is required
      Given these tools are registered
        | name  | parameters   | outcome          |
        | probe | <parameters> | returns "$found" |
      And iteration 1 returns the tool calls
        | id    | tool  | args |
        | $call | probe | {}   |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args |
        | probe | {}   |
      And POST 2 answers the calls
        | id    | with   |
        | $call | $found |

      Examples:
        | case          | parameters                                                                                             |
        | no-parameters | []                                                                                                     |
        | all-optional  | [{"key": "a", "type": "string", "required": false}, {"key": "b", "type": "object", "required": false}] |

  @robustness
  Rule: Where the specification is silent

    @robustness
    Scenario Outline: A required argument with an inherited name is missing where it is not given
      Given these tools are registered
        | name  | parameters                                             |
        | probe | [{"key": "<key>", "type": "<type>", "required": true}] |
      And iteration 1 returns the tool calls
        | id     | tool  | args               |
        | $call1 | probe | {}                 |
        | $call2 | probe | {"<key>": <value>} |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then the tools ran exactly so
        | tool  | args               |
        | probe | {"<key>": <value>} |
      And POST 2 answers the calls
        | id     | with  |
        | $call1 | <key> |

      Examples:
        | case        | key         | type   | value    |
        | constructor | constructor | object | {"a": 1} |
        | to-string   | toString    | string | "$w"     |

    @robustness @reading.10
    Scenario Outline: An optional argument of the wrong type is refused, or converted
      Given these tools are registered
        | name  | parameters                                              |
        | probe | [{"key": "<key>", "type": "<type>", "required": false}] |
      And iteration 1 returns the tool calls
        | id    | tool  | args                 |
        | $call | probe | {"<key>": "<value>"} |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then probe ran with {"<key>": <value>}, or not at all
      And POST 2 answers the calls
        | id    |
        | $call |
      And the last message of chatStore is an assistant message with "$answer"

      Examples:
        | case    | key        | type    | value |
        | boolean | full_page  | boolean | true  |
        | number  | timeout_ms | number  | 5000  |

    @robustness @reading.16
    Scenario Outline: Arguments that are no object never reach a tool
      Given these tools are registered
        | name  | parameters                                          |
        | probe | [{"key": "q", "type": "string", "required": false}] |
      And iteration 1 returns the tool calls
        | id    | tool  | args   |
        | $call | probe | <args> |
      And iteration 2 returns {"content": "$answer"}
      When orchestrator.run() is invoked
      Then no tool was given anything but an object
      And POST 2 answers the calls
        | id    |
        | $call |
      And the last message of chatStore is an assistant message with "$answer"

      Examples:
        | case      | args                 |
        | json-text | "{\\"q\\": \\"x\\"}" |
        | text      | "q=x"                |
        | null      | null                 |
        | list      | ["x"]                |
        | number    | 5                    |
