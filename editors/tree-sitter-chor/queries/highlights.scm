(line_comment) @comment
(block_comment) @comment

[
  "type" "const" "choreography" "role" "system" "plays" "service" "hiding"
  "new" "do"
  "sessions" "any" "of" "by" "distinct" "sharing" "with" "own" "queues"
  "timeout" "within" "late" "once" "saga" "step" "undo"
] @keyword

[
  "choice" "at" "or" "par" "and" "try" "interrupt" "until" "done" "on" "crash" "when" "if" "then" "else"
] @keyword.conditional

["while" "repeat" "loop" "again" "retry" "times" "every"] @keyword.repeat

["wait" (skip) (abort)] @keyword

["not" "in" "div" "mod" "forall" "exists"] @keyword.operator

["->" "<-" ":=" "=" "==" "!=" "<" "<=" ">" ">=" "=>" "+" "-" "++" "*" "/" "||" "&&" "&" "|" "!"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" ";" "."] @punctuation.delimiter

(choreography name: (identifier) @type.definition)
(system name: (identifier) @type.definition)
(role name: (identifier) @type.definition)
(type name: (identifier) @type.definition)
(constant name: (identifier) @constant)
(part) @type
(role_name) @module
(message_name) @function
(call function: (identifier) @function.builtin)
(label) @property
(parameter name: (identifier) @variable.parameter)
(variable) @variable
(value) @constant
(loop_name) @label
(sort) @type
"List" @type.builtin
((sort) @type.builtin (#any-of? @type.builtin "Bool" "Int" "Real" "String" "Symbol"))

(integer) @number
(unit) @number
(decimal) @number.float
(string) @string
(boolean) @boolean
