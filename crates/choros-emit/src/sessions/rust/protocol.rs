//! `protocol.rs`: participants, kinds of messages, and machines.

use crate::sessions::plan::{MachinePlan, Plan};
use crate::{Code, Identifiers, NamingCase, TargetLanguage};

/// This many values of each message are drawn for a run; more that are sent begin again with the first.
const DRAWN: u32 = 4;

pub(super) fn text(plan: &Plan<'_>) -> String {
    let mut code = Code::new();
    code.line("//! The participants, the kinds of messages, and the machine of each participant.");
    code.line("//!");
    code.line("//! Generated, and generated again when the model changes.");
    code.blank();
    code.line("use proptest::prelude::*;");
    code.blank();
    code.line("use crate::runtime::{Exchange, Machine, Transition};");
    code.line("use crate::types::*;");
    code.blank();
    let derive = "#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]";
    code.line("/// The participants.").line(derive);
    code.block("pub enum Participant {", "}", |code| {
        for (_, class) in &plan.participants {
            code.line(format!("{class},"));
        }
    });
    code.blank();
    code.line("/// The kinds of messages.").line(derive);
    code.block("pub enum Kind {", "}", |code| {
        for (_, class) in &plan.messages {
            code.line(format!("{class},"));
        }
    });
    code.blank();
    message(plan, &mut code);
    code.blank();
    payloads(plan, &mut code);
    for machine in &plan.machines {
        code.blank();
        table(plan, machine, &mut code);
    }
    code.blank();
    code.line("/// All machines.");
    let all: Vec<String> = plan
        .machines
        .iter()
        .map(|it| format!("&{}", constant(it)))
        .collect();
    code.line(format!(
        "pub const MODEL: [&Machine; {}] = [{}];",
        all.len(),
        all.join(", ")
    ));
    code.finish()
}

/// The constant that holds a machine.
pub(super) fn constant(machine: &MachinePlan<'_>) -> String {
    Identifiers::new(TargetLanguage::Rust)
        .name(NamingCase::Snake, &machine.class)
        .to_ascii_uppercase()
}

fn message(plan: &Plan<'_>, code: &mut Code) {
    code.line("/// Any message.");
    code.line("#[derive(Debug, Clone, PartialEq)]");
    code.block("pub enum Message {", "}", |code| {
        for (_, class) in &plan.messages {
            code.line(format!("{class}({class}),"));
        }
    });
    code.blank();
    code.block("impl Message {", "}", |code| {
        code.block("pub fn kind(&self) -> Kind {", "}", |code| {
            code.block("match self {", "}", |code| {
                for (_, class) in &plan.messages {
                    code.line(format!("Message::{class}(_) => Kind::{class},"));
                }
            });
        });
        code.blank();
        code.block(
            "pub fn check(&self, history: &[Exchange]) -> Result<(), String> {",
            "}",
            |code| {
                code.block("match self {", "}", |code| {
                    for (_, class) in &plan.messages {
                        code.line(format!("Message::{class}(it) => it.check(history),"));
                    }
                });
            },
        );
    });
}

/// A list of values per message, so that payloads shrink apart from the schedule.
fn payloads(plan: &Plan<'_>, code: &mut Code) {
    code.line("/// The messages that a run sends, drawn before it.");
    code.line("#[derive(Debug, Clone)]");
    code.line("pub struct Payloads(Vec<(Kind, Vec<Message>)>);");
    code.blank();
    code.block("impl Payloads {", "}", |code| {
        code.block("pub fn drawn() -> BoxedStrategy<Self> {", "}", |code| {
            code.block(
                "let each: Vec<BoxedStrategy<(Kind, Vec<Message>)>> = vec![",
                "];",
                |code| {
                    for (_, class) in &plan.messages {
                        code.line(format!(
                            "prop::collection::vec({class}::drawn().prop_map(Message::{class}), 1..={DRAWN})"
                        ));
                        code.line(format!(
                            "    .prop_map(|all| (Kind::{class}, all)).boxed(),"
                        ));
                    }
                },
            );
            code.line("each.prop_map(Payloads).boxed()");
        });
        code.blank();
        code.line("/// The message of this kind that is sent as number `count`.");
        code.block(
            "pub fn get(&self, kind: Kind, count: usize) -> Message {",
            "}",
            |code| {
                code.line(
                    "let (_, all) = self.0.iter().find(|(own, _)| *own == kind).expect(\"every kind is drawn\");",
                );
                code.line("all[count % all.len()].clone()");
            },
        );
    });
}

fn table(plan: &Plan<'_>, machine: &MachinePlan<'_>, code: &mut Code) {
    let text = |state: &str| TargetLanguage::Rust.text_literal(state);
    let own = machine.machine;
    let success: Vec<String> = own
        .states()
        .filter(|&state| own.is_final(state))
        .map(|state| text(machine.state(state)))
        .collect();
    code.block(
        &format!("pub const {}: Machine = Machine {{", constant(machine)),
        "};",
        |code| {
            code.line(format!("participant: Participant::{},", machine.participant));
            code.line(format!("initial: {},", text(machine.state(own.initial()))));
            code.line(format!("success: &[{}],", success.join(", ")));
            code.block("transitions: &[", "],", |code| {
                for transition in &machine.transitions {
                    code.line(format!(
                        "Transition {{ source: {}, sends: {}, partner: Participant::{}, kind: Kind::{}, target: {} }},",
                        text(machine.state(transition.source)),
                        transition.action.is_output(),
                        plan.participant(transition.action.partner),
                        plan.message(transition.action.message),
                        text(machine.state(transition.target))
                    ));
                }
            });
        },
    );
}
