//! A choreography as a sequence diagram, with its data and conditions as they are written.

use choros_base::{Name, Names};
use choros_data::syntax::Expression;
use choros_model::diagram::{Diagram, DiagramRow, Frame, TimerEvent};

use super::ast::{Block, Interruption, Item, Program, StatementId, StatementKind};
use super::clocks::Clocks;
use super::print::Phrases;
use super::saga::Saga;
use super::time::{Timeout, TimeoutForm, Wait};
use crate::ast::Reference;

/// The sequence diagram of an item; `None` where it is not a choreography.
///
/// A choreography that is included is one row, which names it.
/// Blocks nest only as deep as the parser allows, so recursion is bounded.
pub(super) fn diagram(
    program: &Program,
    clocks: &Clocks,
    item: &Item,
    names: &Names,
) -> Option<Diagram> {
    let Item::Choreography(choreography) = item else {
        return None;
    };
    let phrases = Phrases { program, names };
    let mut pen = Pen {
        phrases,
        clocks,
        diagram: Diagram {
            name: phrases.name(choreography.name).to_owned(),
            roles: phrases.names_of(&choreography.roles),
            rows: Vec::new(),
        },
    };
    pen.block(&choreography.body);
    Some(pen.diagram)
}

struct Pen<'a> {
    phrases: Phrases<'a>,
    clocks: &'a Clocks,
    diagram: Diagram,
}

impl Pen<'_> {
    fn block(&mut self, block: &Block) {
        for &id in &block.statements {
            self.statement(id, &self.phrases.program.statements.get(id).kind);
        }
    }

    fn statement(&mut self, id: StatementId, kind: &StatementKind) {
        let phrases = self.phrases;
        match kind {
            StatementKind::Message(message) => {
                // A choreography names both; what did not parse is reported elsewhere.
                let (Some(from), Some(to)) = (message.from, message.to) else {
                    return;
                };
                let row = DiagramRow::Message {
                    from: self.role(from),
                    to: self.role(to),
                    text: phrases.message_with_data(message),
                };
                self.diagram.rows.push(row);
            }
            StatementKind::Choice(at, blocks) => {
                let head = self.decides(*at);
                self.frame(Frame::Alternatives, head, "or", blocks);
            }
            StatementKind::Parallel(blocks) => {
                self.frame(Frame::Parallel, String::new(), "", blocks)
            }
            StatementKind::Try(interruption, blocks) => {
                let next = match interruption {
                    Interruption::UntilEnd => "interrupted by, even after the last message",
                    Interruption::UntilDone => "interrupted by, before the last message",
                };
                self.frame(Frame::Interruptible, String::new(), next, blocks);
            }
            StatementKind::When(guard, block) => {
                let head = self.guard(*guard);
                self.frame(Frame::When, head, "", std::slice::from_ref(block));
            }
            StatementKind::If(arms, otherwise) => self.conditional(arms, otherwise.as_ref()),
            StatementKind::While(guard, block) => {
                let head = format!("while {}", phrases.expression(*guard));
                self.frame(Frame::Loop, head, "", std::slice::from_ref(block));
            }
            StatementKind::Repeat(at, block) => {
                let head = self.decides(*at);
                self.frame(Frame::Loop, head, "", std::slice::from_ref(block));
            }
            StatementKind::Loop(name, block) => {
                let head = phrases.name(*name).to_owned();
                self.frame(Frame::Loop, head, "", std::slice::from_ref(block));
            }
            StatementKind::Again(name) => self.note(format!("again {}", phrases.name(*name))),
            StatementKind::Assign(binding, value) => {
                let (binding, value) = (phrases.binding(binding), phrases.expression(*value));
                self.note(format!("{binding} := {value}"));
            }
            StatementKind::Do(call) => {
                let over = call.roles.iter().map(|&role| self.role(role)).collect();
                let text = phrases.call(call);
                self.diagram.rows.push(DiagramRow::Note { over, text });
            }
            StatementKind::Wait(wait) => self.wait(*wait, self.clocks.measures(id)),
            StatementKind::Timeout(timeout) => self.timeout(timeout, self.clocks.measures(id)),
            StatementKind::OnCrash(it) => {
                let crashed = phrases.name(it.crashed);
                let notices = self.clocks.measures(id);
                let notices = notices.map(|it| format!(", noticed by {}", phrases.names.text(it)));
                let head = format!("crash of {crashed}{}", notices.unwrap_or_default());
                let rows = &mut self.diagram.rows;
                rows.push(DiagramRow::Open(Frame::Interruptible, String::new()));
                self.block(&it.body);
                self.diagram.rows.push(DiagramRow::Section(head));
                self.block(&it.handler);
                self.diagram.rows.push(DiagramRow::Close);
            }
            StatementKind::Saga(saga) => self.saga(saga),
            StatementKind::Abort => self.note("abort: undo what is done".to_owned()),
            StatementKind::Skip | StatementKind::Error => {}
        }
    }

    fn saga(&mut self, saga: &Saga) {
        for (position, step) in saga.steps.iter().enumerate() {
            let head = format!("step {}", position + 1);
            self.diagram.rows.push(match position {
                0 => DiagramRow::Open(Frame::Saga, head),
                _ => DiagramRow::Section(head),
            });
            self.block(&step.body);
        }
        for (position, step) in saga.steps.iter().enumerate().rev() {
            if let Some(undo) = &step.undo {
                let head = format!("undo step {}", position + 1);
                self.diagram.rows.push(DiagramRow::Section(head));
                self.block(undo);
            }
        }
        self.diagram.rows.push(DiagramRow::Close);
    }

    fn conditional(&mut self, arms: &[(Expression, Block)], otherwise: Option<&Block>) {
        let frame = match (arms, otherwise) {
            ([_], None) => Frame::Option,
            _ => Frame::Alternatives,
        };
        for (position, (guard, block)) in arms.iter().enumerate() {
            let head = self.guard(*guard);
            self.diagram.rows.push(match position {
                0 => DiagramRow::Open(frame, head),
                _ => DiagramRow::Section(head),
            });
            self.block(block);
        }
        let rows = &mut self.diagram.rows;
        if let Some(block) = otherwise {
            rows.push(DiagramRow::Section("[else]".to_owned()));
            self.block(block);
        } else if frame == Frame::Alternatives {
            // Where no condition holds, it is left out.
            rows.push(DiagramRow::Section("[else]".to_owned()));
        }
        self.diagram.rows.push(DiagramRow::Close);
    }

    fn frame(&mut self, frame: Frame, head: String, next: &str, blocks: &[Block]) {
        self.diagram.rows.push(DiagramRow::Open(frame, head));
        for (position, block) in blocks.iter().enumerate() {
            if position > 0 {
                self.diagram.rows.push(DiagramRow::Section(next.to_owned()));
            }
            self.block(block);
        }
        self.diagram.rows.push(DiagramRow::Close);
    }

    fn wait(&mut self, wait: Wait, measures: Option<Name>) {
        let text = wait.duration.text();
        match measures.map(|it| self.diagram.role(self.phrases.names.text(it))) {
            Some(at) => self.diagram.rows.push(DiagramRow::Timer {
                at,
                event: TimerEvent::Waits,
                text,
            }),
            None => self.note(format!("wait {text}")),
        }
    }

    fn timeout(&mut self, timeout: &Timeout, measures: Option<Name>) {
        let limit = timeout.limit.text();
        let at = measures.map(|it| self.diagram.role(self.phrases.names.text(it)));
        let timer = |event: TimerEvent, rows: &mut Vec<DiagramRow>| {
            let text = limit.clone();
            rows.extend(at.map(|at| DiagramRow::Timer { at, event, text }));
        };
        let head = match timeout.form {
            TimeoutForm::Retry(times) => format!("{times} attempts, {limit} each"),
            _ => format!("within {limit}"),
        };
        self.diagram
            .rows
            .push(DiagramRow::Open(Frame::Timeout, head));
        timer(TimerEvent::Starts, &mut self.diagram.rows);
        self.block(&timeout.body);
        let over = match timeout.form {
            TimeoutForm::Retry(_) => "[all attempts in vain]".to_owned(),
            _ => format!("[{limit} are over]"),
        };
        self.diagram.rows.push(DiagramRow::Section(over));
        timer(TimerEvent::Over, &mut self.diagram.rows);
        self.block(&timeout.otherwise);
        for late in &timeout.late {
            let name = self.phrases.name(late.operation);
            let head = format!("[{name} comes too late]");
            self.diagram.rows.push(DiagramRow::Section(head));
            self.block(&late.answer);
        }
        self.diagram.rows.push(DiagramRow::Close);
    }

    fn note(&mut self, text: String) {
        let over = Vec::new();
        self.diagram.rows.push(DiagramRow::Note { over, text });
    }

    fn guard(&self, guard: Expression) -> String {
        format!("[{}]", self.phrases.expression(guard))
    }

    fn decides(&self, who: Option<Reference>) -> String {
        who.map_or_else(String::new, |it| {
            format!("{} decides", self.phrases.name(it))
        })
    }

    fn role(&mut self, role: Reference) -> usize {
        self.diagram.role(self.phrases.name(role))
    }
}
