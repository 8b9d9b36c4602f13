// The native language of Choros, `.chor`.
//
// Keywords are words only where the grammar expects them, as in the parser of Choros: a role may be called `service`.
// A newline is white space here: no statement begins with what could continue the expression before it, except `<-`,
// which is one sign. So `x<-1` has to be written `x < -1`, which is how `choros fmt` writes it.

/// <reference types="tree-sitter-cli/dsl" />

const PRECEDENCE = {
  conditional: 1,
  implies: 2,
  or: 3,
  and: 4,
  not: 5,
  compare: 6,
  sum: 7,
  product: 8,
  negate: 9,
  part: 10,
};

const list = (item) => optional(seq(item, repeat(seq(',', item)), optional(',')));

module.exports = grammar({
  name: 'chor',

  word: ($) => $.identifier,
  extras: ($) => [/[\s\uFEFF]/, $.line_comment, $.block_comment],
  // `label = x` and the comparison `x = y` look alike: within a message, the label is meant.
  conflicts: ($) => [[$.label, $.variable]],

  rules: {
    source_file: ($) => repeat(choice($._item, ';')),

    line_comment: () => token(seq('//', /[^\n]*/)),
    block_comment: () => token(seq('/*', /[^*]*\*+([^/*][^*]*\*+)*/, '/')),

    _item: ($) => choice($.type, $.constant, $.choreography, $.role, $.system, $.sessions),

    type: ($) =>
      seq(
        'type',
        field('name', $.identifier),
        optional(seq('=', $.value, repeat(seq('|', $.value)))),
      ),
    value: ($) => $.identifier,

    constant: ($) =>
      seq('const', field('name', $.identifier), ':', $._sort, '=', field('value', $._expression)),

    choreography: ($) =>
      seq(
        'choreography',
        field('name', $.identifier),
        field('roles', $.declared_roles),
        optional($.parameters),
        field('body', $.block),
      ),
    declared_roles: ($) => seq('[', list($._declared_role), ']'),
    // A role may be called `service` itself.
    _declared_role: ($) => choice($.role_name, $.service, alias('service', $.role_name)),
    service: ($) => seq('service', $.role_name),
    role_name: ($) => $.identifier,

    role: ($) =>
      seq(
        'role',
        field('name', $.identifier),
        optional(seq('plays', field('plays', $.role_name))),
        optional(field('partners', $.roles)),
        optional($.parameters),
        field('body', $.block),
      ),
    roles: ($) => seq('[', list($.role_name), ']'),

    parameters: ($) => seq('(', list($.parameter), ')'),
    parameter: ($) => seq(field('name', $.identifier), ':', $._sort),

    system: ($) =>
      prec.right(
        seq(
          'system',
          field('name', $.identifier),
          '=',
          $.part,
          repeat(seq('||', $.part)),
          optional(seq('hiding', $.message_name, repeat(seq(',', $.message_name)))),
        ),
      ),
    part: ($) => $.identifier,

    sessions: ($) =>
      prec.right(
        seq(
          'sessions',
          field('count', choice($.integer, 'any')),
          'of',
          field('of', $.part),
          optional(seq('by', optional('distinct'), field('by', $.label))),
          optional(seq('sharing', $.variable, repeat(seq(',', $.variable)))),
          optional(seq('with', 'own', 'queues')),
        ),
      ),

    block: ($) => seq('{', repeat(choice($._statement, ';')), '}'),

    _statement: ($) =>
      choice(
        $.message,
        $.assignment,
        $.choice,
        $.parallel,
        $.try,
        $.when,
        $.while,
        $.if,
        $.repeat,
        $.loop,
        $.again,
        $.do,
        $.wait,
        $.timeout,
        $.retry,
        $.saga,
        $.abort,
        $.skip,
      ),

    message: ($) =>
      seq(
        choice(
          seq(field('from', $.role_name), '->', field('to', $.role_name)),
          seq('->', field('to', $.role_name)),
          seq('<-', field('from', $.role_name)),
        ),
        ':',
        field('message', $.message_name),
        optional($.fields),
        optional($.once),
        optional($.deadline),
      ),
    once: ($) => prec.right(seq('once', 'by', $.label, repeat(seq(',', $.label)))),
    deadline: ($) =>
      prec.right(seq('within', $.duration, optional($._at), 'else', $.block, repeat($.late))),
    message_name: ($) => $.identifier,
    fields: ($) => seq('(', list($.field), ')'),
    field: ($) =>
      choice(
        prec.dynamic(1, seq(field('label', $.label), '=', choice($.binding, $._expression))),
        $.binding,
        $._expression,
      ),
    label: ($) => $.identifier,

    binding: ($) =>
      choice(
        seq('new', field('variable', $.variable), optional(seq(':', $._sort))),
        seq(field('variable', $.variable), ':', $._sort),
      ),
    variable: ($) => $.identifier,

    assignment: ($) => seq(choice($.binding, $.variable), ':=', field('value', $._expression)),

    choice: ($) => seq('choice', optional($._at), $.block, repeat(seq('or', $.block))),
    _at: ($) => seq('at', field('at', $.role_name)),
    parallel: ($) => seq('par', $.block, repeat(seq('and', $.block))),
    try: ($) =>
      seq(
        'try',
        $.block,
        choice(
          repeat1(seq('interrupt', optional(seq('until', 'done')), $.block)),
          seq('on', 'crash', 'of', field('crashed', $.role_name), optional($._at), $.block),
        ),
      ),
    when: ($) => seq('when', field('condition', $._expression), $.block),
    while: ($) => seq('while', field('condition', $._expression), $.block),
    if: ($) =>
      seq(
        'if',
        field('condition', $._expression),
        $.block,
        optional(seq('else', choice($.if, $.block))),
      ),
    repeat: ($) => seq('repeat', optional($._at), $.block),
    loop: ($) => seq('loop', field('name', $.loop_name), $.block),
    again: ($) => seq('again', field('name', $.loop_name)),
    loop_name: ($) => $.identifier,
    do: ($) =>
      seq('do', field('name', $.part), $.roles, optional(seq('(', list($._expression), ')'))),
    duration: ($) => seq($.integer, optional($.unit)),
    unit: () => token.immediate(choice('ms', 's', 'min', 'h')),
    wait: ($) => prec.right(seq('wait', $.duration, optional($._at))),
    timeout: ($) =>
      prec.right(
        seq('timeout', $.duration, optional($._at), $.block, 'else', $.block, repeat($.late)),
      ),
    retry: ($) =>
      prec.right(
        seq(
          'retry',
          field('times', $.integer),
          'times',
          'every',
          $.duration,
          optional($._at),
          $.block,
          optional(seq('else', $.block)),
          repeat($.late),
        ),
      ),
    late: ($) => prec.right(seq('late', $.message_name, optional($.block))),
    saga: ($) => seq('saga', '{', repeat1($.step), '}'),
    step: ($) => seq('step', $.block, optional(seq('undo', $.block)), repeat(';')),
    abort: () => 'abort',
    skip: () => 'skip',

    _sort: ($) => choice($.sort, $.list_sort, $.record_sort),
    sort: ($) => $.identifier,
    list_sort: ($) => seq('List', '(', $._sort, ')'),
    record_sort: ($) => seq('{', list(seq($.label, ':', $._sort)), '}'),

    _expression: ($) =>
      choice(
        $.conditional,
        $.quantified,
        $.binary,
        $.unary,
        $.call,
        $.part_of,
        $.index,
        $.variable,
        $.integer,
        $.decimal,
        $.string,
        $.boolean,
        $.list,
        $.record,
        $.parenthesized,
      ),

    conditional: ($) =>
      prec.right(
        PRECEDENCE.conditional,
        seq('if', $._expression, 'then', $._expression, 'else', $._expression),
      ),
    quantified: ($) =>
      prec.right(
        PRECEDENCE.conditional,
        seq(
          choice('forall', 'exists'),
          $.bound,
          repeat(seq(',', $.bound)),
          '.',
          $._expression,
        ),
      ),
    bound: ($) => seq($.variable, ':', $._sort),

    binary: ($) => {
      const row = (side, level, ...signs) =>
        side(
          PRECEDENCE[level],
          seq(
            field('left', $._expression),
            field('operator', signs.length > 1 ? choice(...signs) : signs[0]),
            field('right', $._expression),
          ),
        );
      return choice(
        row(prec.right, 'implies', '=>'),
        row(prec.left, 'or', 'or', '||'),
        row(prec.left, 'and', 'and', '&&', '&'),
        row(prec.left, 'compare', '=', '==', '!=', '<', '<=', '>', '>=', 'in'),
        row(prec.left, 'sum', '+', '-', '++'),
        row(prec.left, 'product', '*', '/', 'div', 'mod'),
      );
    },
    unary: ($) =>
      choice(
        prec(PRECEDENCE.not, seq(choice('not', '!'), $._expression)),
        prec(PRECEDENCE.negate, seq('-', $._expression)),
      ),
    call: ($) => prec(PRECEDENCE.part, seq(field('function', $.identifier), '(', list($._expression), ')')),
    part_of: ($) => prec(PRECEDENCE.part, seq($._expression, '.', $.label)),
    index: ($) => prec(PRECEDENCE.part, seq($._expression, '[', $._expression, ']')),
    parenthesized: ($) => seq('(', $._expression, ')'),
    list: ($) => seq('[', list($._expression), ']'),
    record: ($) => seq('{', list(seq($.label, ':', $._expression)), '}'),

    boolean: () => choice('true', 'false'),
    integer: () => /[0-9]+/,
    decimal: () => /[0-9]+\.[0-9]+/,
    string: () => /"([^"\\\n]|\\[^\n])*"/,
    identifier: () =>
      /[\p{XID_Start}_]\p{XID_Continue}*('[0-9]+)?(@[\p{XID_Start}_]\p{XID_Continue}*)?/u,
  },
});
