(choreography) @local.scope
(role) @local.scope

(parameter name: (identifier) @local.definition.parameter)
(binding variable: (variable) @local.definition.var)
(assignment (variable) @local.definition.var)
(loop name: (loop_name) @local.definition)

(variable) @local.reference
(again name: (loop_name) @local.reference)
