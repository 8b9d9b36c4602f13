//! Programs as text and back: parse ∘ print is the identity, formatting is idempotent and loses no comment.

mod support;

use choros_base::{Name, Names, SourceMap, Span, has_errors};
use choros_data::syntax::{Expression, Exprs, Parser, SortExpr, SortExprId, lex};
use choros_lang::ast::Reference;
use choros_lang::chor::ast::{
    Block, BoundVariable, Call, Choreography, ConstantItem, Field, FieldValue, Interruption, Item,
    MessageStatement, OnCrash, Parameter, Program, RoleItem, StatementKind, System, TypeItem,
};
use choros_lang::chor::saga::{Saga, SagaStep};
use choros_lang::chor::time::{Duration, Late, Timeout, TimeoutForm, Unit, Wait};
use choros_lang::chor::{format, parse, print};
use proptest::prelude::*;
use support::random::Random;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn printing_and_parsing_gives_the_same_program(seed in any::<u64>()) {
        let mut maker = Maker::new(seed);
        let program = maker.program();
        let text = print(&program, &maker.names, None);
        let (again, diagnostics) = parse(maker.file, &text, &mut maker.names);
        prop_assert!(!has_errors(&diagnostics), "{}\n{:?}", text, diagnostics);
        prop_assert_eq!(
            shape(&again, &maker.names),
            shape(&program, &maker.names),
            "{}",
            text
        );
    }

    #[test]
    fn formatting_is_idempotent_and_keeps_comments(seed in any::<u64>(), spacing in any::<u64>()) {
        let mut maker = Maker::new(seed);
        let program = maker.program();
        let text = scatter(&print(&program, &maker.names, None), spacing);
        let once = format(maker.file, &text, &mut maker.names);
        let once = once.unwrap_or_else(|reason| panic!("{reason:?}\n{text}"));
        let twice = format(maker.file, &once, &mut maker.names);
        let twice = twice.unwrap_or_else(|reason| panic!("{reason:?}\n{once}"));
        prop_assert_eq!(&twice, &once, "{}", text);
        let (formatted, _) = parse(maker.file, &once, &mut maker.names);
        prop_assert_eq!(shape(&formatted, &maker.names), shape(&program, &maker.names));
        prop_assert_eq!(comments(&once), comments(&text));
    }
}

/// The numbers in comments of a text, in order.
fn comments(text: &str) -> Vec<&str> {
    let marks = text.match_indices("mark-");
    marks
        .map(|(at, _)| {
            let rest = &text[at..];
            let end = rest[5..].find(|next: char| !next.is_ascii_digit());
            &rest[..end.map_or(rest.len(), |end| end + 5)]
        })
        .collect()
}

/// The same tokens with other white space and with comments in between.
///
/// Line breaks stay, because they end statements; more are added only where a comment or an operator allows it.
fn scatter(text: &str, seed: u64) -> String {
    let mut random = Random(seed);
    let mut sources = SourceMap::new();
    let file = sources.add("scattered", text);
    let (tokens, _) = lex(file, text, 0);
    let mut out = String::new();
    let mut end = 0;
    let mut mark = 0;
    for token in tokens {
        let range = token.span.range();
        let gap = &text[end..range.start];
        let breaks = gap.contains('\n');
        // `<-` is two tokens that stay together.
        if gap.is_empty() && text[range.clone()].starts_with('-') && out.ends_with('<') {
            out.push_str(&text[range.clone()]);
            end = range.end;
            continue;
        }
        if random.below(12) == 0 {
            mark += 1;
            if breaks && random.below(2) == 0 {
                out.push_str(&format!(" // mark-{mark}"))
            } else {
                out.push_str(&format!(" /* mark-{mark} */ "))
            }
        }
        if breaks {
            for _ in 0..1 + random.below(3) {
                out.push('\n');
            }
            if random.below(8) == 0 {
                mark += 1;
                out.push_str(&format!("  // mark-{mark}\n"));
            }
        } else if !gap.is_empty() || random.below(6) == 0 {
            out.push_str(&" ".repeat(1 + random.below(3)));
        }
        out.push_str(&text[range.clone()]);
        end = range.end;
    }
    out
}

/// A program without its places, written in a way that shares no code with the printer.
fn shape(program: &Program, names: &Names) -> String {
    let mut lines = Vec::new();
    for item in &program.items {
        lines.push(match item {
            Item::Type(item) => format!(
                "{:?} {:?}",
                text(names, item.name),
                all(names, &item.constructors)
            ),
            Item::Constant(item) => format!(
                "{:?} {} {}",
                text(names, item.name),
                sort(program, names, item.sort),
                expression(program, names, item.value)
            ),
            Item::Choreography(item) => format!(
                "{:?} {:?} {} {}",
                text(names, item.name),
                all(names, &item.roles),
                parameters(program, names, &item.parameters),
                block(program, names, &item.body)
            ),
            Item::Role(item) => format!(
                "{:?} {:?} {:?} {} {}",
                text(names, item.name),
                item.plays.map(|it| text(names, it)),
                item.partners.as_ref().map(|it| all(names, it)),
                parameters(program, names, &item.parameters),
                block(program, names, &item.body)
            ),
            Item::System(item) => format!(
                "{:?} {:?} {:?}",
                text(names, item.name),
                all(names, &item.parts),
                all(names, &item.hiding)
            ),
            Item::Sessions(item) => format!(
                "{} {:?} {:?} {} {:?} {}",
                item.count,
                text(names, item.of),
                item.by.map(|it| text(names, it)),
                item.distinct,
                all(names, &item.sharing),
                item.own_queues
            ),
        });
    }
    lines.join("\n")
}

fn text(names: &Names, reference: Reference) -> String {
    names.text(reference.name).to_owned()
}

fn all(names: &Names, references: &[Reference]) -> Vec<String> {
    references.iter().map(|&it| text(names, it)).collect()
}

fn parameters(program: &Program, names: &Names, parameters: &[Parameter]) -> String {
    let one =
        |it: &Parameter| format!("{}:{}", text(names, it.name), sort(program, names, it.sort));
    parameters.iter().map(one).collect::<Vec<_>>().join(",")
}

fn block(program: &Program, names: &Names, it: &Block) -> String {
    let statements: Vec<String> = it
        .statements
        .iter()
        .map(|&id| statement(program, names, &program.statements.get(id).kind))
        .collect();
    format!("<{}>", statements.join(";"))
}

fn statement(program: &Program, names: &Names, kind: &StatementKind) -> String {
    let blocks: Vec<String> = kind
        .blocks()
        .iter()
        .map(|it| block(program, names, it))
        .collect();
    let own: Vec<String> = kind
        .expressions()
        .iter()
        .map(|&it| expression(program, names, it))
        .collect();
    let bound: Vec<String> = kind
        .bindings()
        .iter()
        .map(|it| binding(program, names, it))
        .collect();
    let details = match kind {
        StatementKind::Message(it) => {
            let fields: Vec<String> = it
                .fields
                .iter()
                .map(|field| {
                    let kind = match field.value {
                        FieldValue::Bind(_) => "bind",
                        FieldValue::Free(_) => "free",
                    };
                    format!("{:?}={kind}", field.label.map(|label| text(names, label)))
                })
                .collect();
            let end = |role: Option<Reference>| role.map(|role| text(names, role));
            format!(
                "{:?}{:?}{:?}{fields:?}{:?}",
                end(it.from),
                end(it.to),
                text(names, it.operation),
                all(names, &it.once)
            )
        }
        StatementKind::Choice(at, _) => format!("choice{:?}", at.map(|at| text(names, at))),
        StatementKind::Repeat(at, _) => format!("repeat{:?}", at.map(|at| text(names, at))),
        StatementKind::Loop(name, _) => format!("loop{}", text(names, *name)),
        StatementKind::Again(name) => format!("again{}", text(names, *name)),
        StatementKind::Do(it) => {
            format!("do{:?}{:?}", text(names, it.target), all(names, &it.roles))
        }
        StatementKind::Wait(it) => format!(
            "wait{}{:?}",
            it.duration.text(),
            it.at.map(|at| text(names, at))
        ),
        StatementKind::Timeout(it) => {
            let late: Vec<String> = it
                .late
                .iter()
                .map(|late| text(names, late.operation))
                .collect();
            format!(
                "timeout{:?}{}{:?}{late:?}",
                it.form,
                it.limit.text(),
                it.at.map(|at| text(names, at))
            )
        }
        StatementKind::If(_, otherwise) => format!("if{}", otherwise.is_some()),
        StatementKind::Parallel(_) => "par".to_owned(),
        StatementKind::Try(interruption, _) => format!("try{interruption:?}"),
        StatementKind::Saga(saga) => {
            let undone: Vec<bool> = saga.steps.iter().map(|it| it.undo.is_some()).collect();
            format!("saga{undone:?}")
        }
        StatementKind::OnCrash(it) => format!(
            "crash{}{:?}",
            text(names, it.crashed),
            it.at.map(|at| text(names, at))
        ),
        StatementKind::Abort => "abort".to_owned(),
        StatementKind::When(..) => "when".to_owned(),
        StatementKind::While(..) => "while".to_owned(),
        StatementKind::Assign(..) => "assign".to_owned(),
        StatementKind::Skip => "skip".to_owned(),
        StatementKind::Error => "error".to_owned(),
    };
    format!("{details}{own:?}{bound:?}{blocks:?}")
}

fn binding(program: &Program, names: &Names, it: &BoundVariable) -> String {
    let sort = it.sort.map(|it| sort(program, names, it));
    format!("{} {} {sort:?}", it.again, text(names, it.variable))
}

fn sort(program: &Program, names: &Names, it: SortExprId) -> String {
    match program.exprs.sort(it) {
        SortExpr::Named(name, _) => names.text(*name).to_owned(),
        SortExpr::List(inner) => format!("[{}]", sort(program, names, *inner)),
        SortExpr::Record(fields) => {
            let one = |&(label, it): &(Name, SortExprId)| {
                format!("{}:{}", names.text(label), sort(program, names, it))
            };
            format!("{:?}", fields.iter().map(one).collect::<Vec<_>>())
        }
        SortExpr::Error => "error".to_owned(),
    }
}

/// The expression as its own printer writes it: that this one can be trusted is tested where it lives.
fn expression(program: &Program, names: &Names, it: Expression) -> String {
    program.exprs.print(names, it)
}

/// Makes programs that are well formed as far as the grammar is concerned.
struct Maker {
    random: Random,
    names: Names,
    span: Span,
    file: choros_base::FileId,
    exprs: Exprs,
    program: Program,
}

impl Maker {
    fn new(seed: u64) -> Self {
        let mut sources = SourceMap::new();
        let file = sources.add("made", "");
        Self {
            random: Random(seed),
            names: Names::new(),
            span: Span::new(file, 0, 0),
            file,
            exprs: Exprs::default(),
            program: Program::default(),
        }
    }

    fn program(&mut self) -> Program {
        for _ in 0..1 + self.random.below(5) {
            let item = self.item();
            self.program.items.push(item);
        }
        let mut program = std::mem::take(&mut self.program);
        program.exprs = std::mem::take(&mut self.exprs);
        program
    }

    fn item(&mut self) -> Item {
        let (name, span) = (self.name(), self.span);
        match self.random.below(6) {
            0 => Item::Type(TypeItem {
                name,
                constructors: self.references(0, 3),
                span,
            }),
            1 => Item::Constant(ConstantItem {
                name,
                sort: self.sort(2),
                value: self.expression(),
                span,
            }),
            2 => Item::System(System {
                name,
                parts: self.references(1, 30),
                hiding: self.references(0, 3),
                span,
            }),
            3 => Item::Role(RoleItem {
                name,
                plays: self.maybe(),
                partners: match self.random.below(2) {
                    0 => None,
                    _ => Some(self.references(0, 3)),
                },
                parameters: self.parameters(),
                body: self.block(3),
                span,
            }),
            _ => Item::Choreography(Choreography {
                name,
                roles: self.references(0, 4),
                services: Vec::new(),
                lists_roles: true,
                parameters: self.parameters(),
                body: self.block(4),
                span,
            }),
        }
    }

    /// Names that are keywords elsewhere, that are long, that look alike.
    fn name(&mut self) -> Reference {
        const NAMES: [&str; 12] = [
            "a",
            "buyer",
            "x",
            "choice",
            "role",
            "new",
            "at",
            "wait",
            "Öl",
            "a_very_long_name_of_something_that_breaks_lines",
            "OK",
            "plays",
        ];
        let text = NAMES[self.random.below(NAMES.len())];
        Reference {
            name: self.names.intern(text),
            span: self.span,
        }
    }

    fn references(&mut self, least: usize, most: usize) -> Vec<Reference> {
        let count = least + self.random.below(most - least + 1);
        (0..count).map(|_| self.name()).collect()
    }

    fn maybe(&mut self) -> Option<Reference> {
        match self.random.below(2) {
            0 => None,
            _ => Some(self.name()),
        }
    }

    fn parameters(&mut self) -> Vec<Parameter> {
        let count = self.random.below(3);
        (0..count)
            .map(|_| Parameter {
                name: self.name(),
                sort: self.sort(2),
            })
            .collect()
    }

    fn sort(&mut self, depth: usize) -> SortExprId {
        let sort = match self.random.below(if depth == 0 { 1 } else { 3 }) {
            0 => SortExpr::Named(self.name().name, self.span),
            1 => SortExpr::List(self.sort(depth - 1)),
            _ => {
                let count = self.random.below(3);
                let fields = (0..count).map(|_| (self.name().name, self.sort(depth - 1)));
                SortExpr::Record(fields.collect())
            }
        };
        // A name that is read as a list would not come back.
        self.exprs.add_sort(sort)
    }

    /// Operands are added just before the expression, so that all parts of one lie together.
    fn expression(&mut self) -> Expression {
        let mut sources = SourceMap::new();
        const TEXTS: [&str; 10] = [
            "x",
            "-1",
            "x + 2 * y",
            "(x + 2) * y",
            "not (a or b) and c",
            "if a then b else c",
            "{a: 1, b: [1, 2]}",
            "length(s) >= 3",
            "r.a[2] in [1]",
            "\"text \\\" with quotes\"",
        ];
        let text = TEXTS[self.random.below(TEXTS.len())];
        let file = sources.add("expression", text);
        let (tokens, mut found) = lex(file, text, 0);
        let mut parser = Parser::new(
            text,
            0,
            &tokens,
            &mut self.names,
            &mut self.exprs,
            &mut found,
        );
        parser.expression()
    }

    fn block(&mut self, depth: usize) -> Block {
        let count = self.random.below(4);
        let statements = (0..count)
            .map(|_| {
                let kind = self.statement(depth);
                self.program.statements.add(kind, self.span)
            })
            .collect();
        Block {
            statements,
            span: self.span,
        }
    }

    fn blocks(&mut self, least: usize, depth: usize) -> Vec<Block> {
        let count = least + self.random.below(2);
        (0..count).map(|_| self.block(depth - 1)).collect()
    }

    fn duration(&mut self) -> Duration {
        Duration {
            count: self.random.below(100) as u32,
            unit: match self.random.below(5) {
                4 => None,
                unit => Some(Unit::ALL[unit]),
            },
            span: self.span,
        }
    }

    fn timeout(&mut self, depth: usize) -> Timeout {
        let (form, body) = match self.random.below(3) {
            0 => (TimeoutForm::Block, self.block(depth - 1)),
            1 => {
                let times = 1 + self.random.below(100) as u32;
                (TimeoutForm::Retry(times), self.block(depth - 1))
            }
            _ => {
                let message = StatementKind::Message(self.message());
                let statements = vec![self.program.statements.add(message, self.span)];
                let span = self.span;
                (TimeoutForm::Message, Block { statements, span })
            }
        };
        Timeout {
            form,
            limit: self.duration(),
            at: self.maybe(),
            body,
            otherwise: self.block(depth - 1),
            late: (0..self.random.below(3))
                .map(|_| Late {
                    operation: self.name(),
                    answer: self.block(depth - 1),
                })
                .collect(),
        }
    }

    fn saga(&mut self, depth: usize) -> Saga {
        let count = 1 + self.random.below(2);
        let steps = (0..count).map(|_| SagaStep {
            body: self.block(depth - 1),
            undo: match self.random.below(2) {
                0 => None,
                _ => Some(self.block(depth - 1)),
            },
            span: self.span,
        });
        Saga {
            steps: steps.collect(),
            span: self.span,
        }
    }

    fn statement(&mut self, depth: usize) -> StatementKind {
        match self.random.below(if depth == 0 { 9 } else { 21 }) {
            0 | 1 => StatementKind::Message(self.message()),
            2 => StatementKind::Skip,
            3 => StatementKind::Wait(Wait {
                duration: self.duration(),
                at: self.maybe(),
            }),
            4 => StatementKind::Assign(self.binding(true), self.expression()),
            5 => StatementKind::Do(Call {
                target: self.name(),
                roles: self.references(0, 3),
                arguments: (0..self.random.below(3))
                    .map(|_| self.expression())
                    .collect(),
            }),
            6 => StatementKind::Message(self.message()),
            7 => StatementKind::Again(self.name()),
            8 => StatementKind::Abort,
            19 => StatementKind::Choice(self.maybe(), self.blocks(1, depth)),
            9 => StatementKind::Parallel(self.blocks(1, depth)),
            10 => {
                let kinds = [Interruption::UntilEnd, Interruption::UntilDone];
                let kind = kinds[self.random.below(2)];
                StatementKind::Try(kind, self.blocks(2, depth))
            }
            20 => StatementKind::OnCrash(Box::new(OnCrash {
                body: self.block(depth - 1),
                crashed: self.name(),
                at: self.maybe(),
                handler: self.block(depth - 1),
            })),
            18 => StatementKind::Saga(Box::new(self.saga(depth))),
            11 => StatementKind::When(self.expression(), self.block(depth - 1)),
            12 => StatementKind::While(self.expression(), self.block(depth - 1)),
            14 => StatementKind::Loop(self.name(), self.block(depth - 1)),
            13 => StatementKind::Repeat(self.maybe(), self.block(depth - 1)),
            15 | 16 => StatementKind::Timeout(Box::new(self.timeout(depth))),
            _ => {
                let count = 1 + self.random.below(3);
                let arms = (0..count)
                    .map(|_| (self.expression(), self.block(depth - 1)))
                    .collect();
                let otherwise = match self.random.below(2) {
                    0 => None,
                    _ => Some(self.block(depth - 1)),
                };
                StatementKind::If(arms, otherwise)
            }
        }
    }

    fn message(&mut self) -> MessageStatement {
        let (from, to) = match self.random.below(3) {
            0 => (Some(self.name()), None),
            1 => (None, Some(self.name())),
            _ => (Some(self.name()), Some(self.name())),
        };
        let count = self.random.below(4);
        MessageStatement {
            from,
            to,
            operation: self.name(),
            fields: (0..count).map(|_| self.field()).collect(),
            once: self.references(0, 2),
        }
    }

    fn field(&mut self) -> Field {
        Field {
            label: self.maybe(),
            value: match self.random.below(2) {
                0 => FieldValue::Bind(self.binding(false)),
                _ => FieldValue::Free(self.expression()),
            },
            span: self.span,
        }
    }

    /// Without `new` or a sort it would be an expression, except before `:=`.
    fn binding(&mut self, plain: bool) -> BoundVariable {
        let again = self.random.below(2) == 0;
        let sorted = (!again && !plain) || self.random.below(2) == 0;
        BoundVariable {
            again,
            variable: self.name(),
            sort: sorted.then(|| self.sort(2)),
        }
    }
}

#[test]
fn expressions_of_every_kind_can_be_fields() {
    // What begins like a binding or a label and is none.
    for field in [
        "x == 1",
        "new",
        "x",
        "forall x: Int. x > 0",
        "a = x == 1",
        "a = b: Int",
        "a = new b",
    ] {
        let text = format!("choreography C[a, b] {{\n    a -> b: M({field})\n}}\n");
        let mut names = Names::new();
        let mut sources = SourceMap::new();
        let file = sources.add("field", text.as_str());
        assert_eq!(format(file, &text, &mut names).unwrap(), text);
    }
}
