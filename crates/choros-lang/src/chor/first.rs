//! Who may send the first message of a block, and the claims `at R` about that.

use choros_base::{Diagnostic, Name, Names, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Block, Call, Item, Program, Statement, StatementKind};
use super::resolve::{Resolution, ends};
use crate::diagnostics::{MAX_FINDINGS, wrong_decider};

/// The senders of first messages, each with one place.
#[derive(Debug, Clone, Default)]
pub(super) struct First {
    /// In the order of the text.
    pub(super) senders: Vec<(Name, Span)>,
    /// Whether the block can be over without a message.
    pub(super) ends: bool,
}

/// Finds first senders, and remembers those of choreographies.
pub(super) struct FirstSenders<'a> {
    program: &'a Program,
    resolution: &'a Resolution,
    /// Items that contain themselves or nest too deeply.
    broken: &'a FxHashSet<usize>,
    known: FxHashMap<usize, First>,
}

impl<'a> FirstSenders<'a> {
    pub(super) fn new(
        program: &'a Program,
        resolution: &'a Resolution,
        broken: &'a FxHashSet<usize>,
    ) -> Self {
        Self {
            program,
            resolution,
            broken,
            known: FxHashMap::default(),
        }
    }

    /// Who may send the first message of a block of an item.
    pub(super) fn of_block(&mut self, item: &Item, block: &Block) -> First {
        // Blocks and inclusions nest to a limited depth.
        let mut first = First {
            ends: true,
            ..First::default()
        };
        for &id in &block.statements {
            if !first.ends {
                break;
            }
            let own = self.of_statement(item, self.program.statements.get(id));
            first.ends = own.ends;
            first.add(own.senders);
        }
        first
    }

    fn of_statement(&mut self, item: &Item, statement: &Statement) -> First {
        match &statement.kind {
            StatementKind::Message(message) => First {
                senders: ends(item, message)
                    .map(|ends| (ends.from, statement.span))
                    .into_iter()
                    .collect(),
                ends: false,
            },
            StatementKind::Do(call) => self.of_call(call, statement.span),
            // Something has happened before, so the role that begins the next round is not a first sender here.
            StatementKind::Again(_)
            | StatementKind::Abort
            | StatementKind::Assign(..)
            | StatementKind::Wait(_)
            | StatementKind::Skip
            | StatementKind::Error => First {
                ends: true,
                ..First::default()
            },
            StatementKind::Saga(saga) => {
                let mut first = First {
                    ends: true,
                    ..First::default()
                };
                for step in &saga.steps {
                    if !first.ends {
                        break;
                    }
                    let own = self.of_block(item, &step.body);
                    first.ends = own.ends;
                    first.add(own.senders);
                }
                first
            }
            StatementKind::Timeout(timeout) => {
                // What answers a late message comes after something else has happened.
                let mut first = self.of_block(item, &timeout.body);
                let other = self.of_block(item, &timeout.otherwise);
                first.ends |= other.ends;
                first.add(other.senders);
                first
            }
            kind => {
                let mut first = First {
                    ends: matches!(
                        kind,
                        StatementKind::While(..)
                            | StatementKind::Repeat(..)
                            | StatementKind::If(_, None)
                    ),
                    ..First::default()
                };
                let mut all_end = true;
                for block in kind.blocks() {
                    let inner = self.of_block(item, block);
                    all_end &= inner.ends;
                    let parallel = matches!(kind, StatementKind::Parallel(_));
                    first.ends |= inner.ends && !parallel;
                    first.add(inner.senders);
                }
                if matches!(kind, StatementKind::Parallel(_)) {
                    first.ends = all_end;
                }
                first
            }
        }
    }

    fn of_call(&mut self, call: &Call, span: Span) -> First {
        let over = First {
            ends: true,
            ..First::default()
        };
        let Some(position) = self.resolution.component(call.target.name) else {
            return over;
        };
        let Item::Choreography(target) = &self.program.items[position] else {
            return over;
        };
        if self.broken.contains(&position) {
            return over;
        }
        if !self.known.contains_key(&position) {
            let first = self.of_block(&self.program.items[position], &target.body);
            self.known.insert(position, first);
        }
        let first = self.known.get(&position).cloned().unwrap_or_default();
        let actual = |formal: Name| {
            let place = target.roles.iter().position(|role| role.name == formal);
            place.and_then(|place| call.roles.get(place))
        };
        let senders = first
            .senders
            .iter()
            .filter_map(|&(formal, _)| Some((actual(formal)?.name, span)));
        First {
            senders: senders.collect(),
            ends: first.ends,
        }
    }
}

impl First {
    fn add(&mut self, senders: Vec<(Name, Span)>) {
        for sender in senders {
            if !self.senders.iter().any(|&(known, _)| known == sender.0) {
                self.senders.push(sender);
            }
        }
    }
}

/// Verifies all claims `at R`.
pub(super) fn check(first: &mut FirstSenders<'_>, names: &Names) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let program = first.program;
    for item in &program.items {
        let Some(body) = item.body() else { continue };
        for (_, statement) in program.statements.walk(body) {
            let (StatementKind::Choice(Some(role), _) | StatementKind::Repeat(Some(role), _)) =
                statement.kind
            else {
                continue;
            };
            for block in statement.kind.blocks() {
                let senders = first.of_block(item, block).senders;
                let other = senders.iter().find(|&&(sender, _)| sender != role.name);
                if let Some(&(sender, span)) = other
                    && diagnostics.len() < MAX_FINDINGS
                {
                    diagnostics.push(wrong_decider::diagnostic(
                        role.span,
                        names.text(role.name),
                        span,
                        names.text(sender),
                    ));
                    break;
                }
            }
        }
    }
    diagnostics
}
