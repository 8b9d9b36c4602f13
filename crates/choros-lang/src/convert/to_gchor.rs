//! A choreography of the native language without data as a g-choreography.

use choros_base::{Budget, Diagnostic, Name, Span, StopReason};
use choros_model::gchor::{Form, Gchor, Interaction, NodeId};
use rustc_hash::FxHashMap;

use crate::chor::ast::{Block, Call, Choreography, Item, Program, Statement, StatementKind};
use crate::diagnostics::{MAX_FINDINGS, no_counterpart};

/// Why there is no g-choreography.
#[derive(Debug)]
pub enum NotConverted {
    /// It has parts that g-choreographies have no words for, each reported at its place.
    Mistakes(Vec<Diagnostic>),
    /// With everything that it includes written out it is larger than the budget.
    Spent(StopReason),
}

/// The g-choreography with the tree of a choreography, in a file without errors; every `do` is written out.
///
/// Each statement takes a step of the budget.
pub fn chor_to_gchor(
    program: &Program,
    choreography: &Choreography,
    budget: &Budget,
) -> Result<Gchor, NotConverted> {
    let mut converter = Converter {
        program,
        budget,
        gchor: Gchor::new(),
        found: Vec::new(),
    };
    if let Some(parameter) = choreography.parameters.first() {
        converter.refuse(parameter.name.span, "a parameter");
    }
    let root = converter
        .block(&choreography.body, &Played::default(), 0)
        .map_err(NotConverted::Spent)?;
    converter.gchor.set_root(root);
    if converter.found.is_empty() {
        Ok(converter.gchor)
    } else {
        Err(NotConverted::Mistakes(converter.found))
    }
}

/// Who plays the roles of an included choreography.
type Played = FxHashMap<Name, Name>;

struct Converter<'a> {
    program: &'a Program,
    budget: &'a Budget,
    gchor: Gchor,
    found: Vec<Diagnostic>,
}

impl Converter<'_> {
    fn refuse(&mut self, span: Span, what: &str) {
        let is_known = self.found.iter().any(|it| it.primary() == Some(span));
        if !is_known && self.found.len() < MAX_FINDINGS {
            self.found.push(no_counterpart::diagnostic(span, what));
        }
    }

    /// Blocks and inclusions nest no deeper than the reader of the file allows.
    fn block(&mut self, block: &Block, played: &Played, depth: u32) -> Result<NodeId, StopReason> {
        let mut parts = Vec::new();
        for &id in &block.statements {
            self.budget.spend()?;
            let statement = self.program.statements.get(id);
            parts.push(self.statement(statement, played, depth)?);
        }
        Ok(match parts[..] {
            [only] => only,
            [] => self.gchor.add(Form::Empty, Some(block.span)),
            _ => self.gchor.add(Form::Sequence(parts), Some(block.span)),
        })
    }

    fn statement(
        &mut self,
        statement: &Statement,
        played: &Played,
        depth: u32,
    ) -> Result<NodeId, StopReason> {
        let span = statement.span;
        if depth >= Gchor::DEPTH_LIMIT {
            self.refuse(span, "something nested so deeply");
            return Ok(self.gchor.add(Form::Empty, Some(span)));
        }
        let form = match &statement.kind {
            StatementKind::Message(message) => {
                if let Some(field) = message.fields.first() {
                    self.refuse(field.span, "data in a message");
                }
                match (message.from, message.to) {
                    (Some(from), Some(to)) => Form::Interaction(Interaction {
                        from: player(from.name, played),
                        to: player(to.name, played),
                        message: message.operation.name,
                    }),
                    _ => Form::Empty,
                }
            }
            StatementKind::Choice(decider, blocks) => Form::Choice {
                decider: decider.map(|it| player(it.name, played)),
                branches: self.blocks(blocks, played, depth)?,
            },
            StatementKind::Parallel(blocks) => Form::Fork(self.blocks(blocks, played, depth)?),
            StatementKind::Repeat(controller, block) => Form::Repeat {
                controller: controller.map(|it| player(it.name, played)),
                body: self.block(block, played, depth + 1)?,
            },
            StatementKind::Do(call) => return self.included(call, span, played, depth),
            StatementKind::Skip => Form::Empty,
            other => {
                self.refuse(span, words(other));
                Form::Empty
            }
        };
        Ok(self.gchor.add(form, Some(span)))
    }

    fn blocks(
        &mut self,
        blocks: &[Block],
        played: &Played,
        depth: u32,
    ) -> Result<Vec<NodeId>, StopReason> {
        let blocks = blocks.iter();
        blocks
            .map(|block| self.block(block, played, depth + 1))
            .collect()
    }

    fn included(
        &mut self,
        call: &Call,
        span: Span,
        played: &Played,
        depth: u32,
    ) -> Result<NodeId, StopReason> {
        if !call.arguments.is_empty() {
            self.refuse(span, "values for parameters");
        }
        let target = self.program.items.iter().find_map(|item| match item {
            Item::Choreography(target) if target.name.name == call.target.name => Some(target),
            _ => None,
        });
        let Some(target) = target else {
            self.refuse(call.target.span, "something other than a choreography");
            return Ok(self.gchor.add(Form::Empty, Some(span)));
        };
        let players = call.roles.iter().map(|it| player(it.name, played));
        let roles = target.roles.iter().map(|role| role.name);
        let inner: Played = roles.zip(players).collect();
        self.block(&target.body, &inner, depth + 1)
    }
}

/// Who plays a role, where it is that of an included choreography.
fn player(role: Name, played: &Played) -> Name {
    played.get(&role).copied().unwrap_or(role)
}

/// What a statement is, for those that have no counterpart.
fn words(kind: &StatementKind) -> &'static str {
    match kind {
        StatementKind::Try(..) => "an interruption",
        StatementKind::When(..) | StatementKind::If(..) => "a condition on data",
        StatementKind::While(..) => "a loop with a condition on data",
        StatementKind::Loop(..) | StatementKind::Again(_) => "a loop that names its rounds",
        StatementKind::Assign(..) => "an assignment",
        StatementKind::OnCrash(_) => "a crash",
        StatementKind::Saga(_) | StatementKind::Abort => "a saga",
        StatementKind::Wait(_) | StatementKind::Timeout(_) => "time",
        _ => "this statement",
    }
}
