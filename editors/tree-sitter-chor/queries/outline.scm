(choreography "choreography" @context name: (identifier) @name) @item
(role "role" @context name: (identifier) @name) @item
(system "system" @context name: (identifier) @name) @item
(type "type" @context name: (identifier) @name) @item
(constant "const" @context name: (identifier) @name) @item
