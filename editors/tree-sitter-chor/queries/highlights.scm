(line_comment) @comment
(block_comment) @comment

[
  "type" "const" "choreography" "role" "system" "plays" "service" "hiding"
  "new" "do"
] @keyword

[
  "choice" "at" "or" "par" "and" "try" "interrupt" "when" "if" "then" "else"
] @keyword.conditional

["while" "repeat" "loop" "again"] @keyword.repeat

["wait" (skip)] @keyword

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
(decimal) @number.float
(string) @string
(boolean) @boolean
