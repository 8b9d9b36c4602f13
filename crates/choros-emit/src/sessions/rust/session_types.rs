//! `session_types.rs`: a type per state.

use crate::sessions::plan::{MachinePlan, Plan};
use crate::sessions::types::{Alternative, StateType, state_types};
use crate::{Code, Identifiers, NamingCase, TargetLanguage};

pub(super) fn text(plan: &Plan<'_>) -> String {
    let mut code = Code::new();
    code.line("//! What each participant does: one type per state of its machine.");
    code.line("//!");
    code.line("//! An operation takes the state and returns the next one, so that what is not possible in");
    code.line("//! a state does not compile, and neither does using a state twice.");
    code.line("//!");
    code.line("//! Generated, and generated again when the model changes.");
    code.blank();
    code.line("use std::rc::Rc;");
    code.blank();
    code.line("#[allow(unused_imports)]");
    code.line("use crate::protocol::{Kind, Message, Participant};");
    code.line("use crate::runtime::{Network, SessionError};");
    code.line("use crate::types::*;");
    for machine in &plan.machines {
        for state_type in state_types(machine.machine, plan.tests.names) {
            code.blank();
            state(plan, machine, &state_type, &mut code);
        }
        code.blank();
        code.line(format!(
            "pub type {} = {};",
            machine.session,
            machine.type_of(machine.machine.initial())
        ));
    }
    code.finish()
}

fn state(plan: &Plan<'_>, machine: &MachinePlan<'_>, state_type: &StateType, code: &mut Code) {
    let name = machine.type_of(state_type.state);
    let role = &machine.participant;
    if state_type.mixed {
        code.line("/// It could receive as well; it sends first and leaves that for later.");
    }
    code.line("#[must_use = \"a session must continue\"]");
    // The end of a session does nothing with the network any more.
    code.line(if state_type.alternatives.is_empty() {
        format!("pub struct {name}(#[allow(dead_code)] Rc<Network>);")
    } else {
        format!("pub struct {name}(Rc<Network>);")
    });
    code.blank();
    let several_inputs = !state_type.sends() && state_type.alternatives.len() > 1;
    code.block(&format!("impl {name} {{"), "}", |code| {
        // Only the first state can be made from nothing.
        if state_type.state == machine.machine.initial() {
            code.block("pub fn on(network: Rc<Network>) -> Self {", "}", |code| {
                code.line(format!("{name}(network)"));
            });
            code.blank();
        }
        match state_type.alternatives.as_slice() {
            [] => {
                code.line("pub fn close(self) {}");
            }
            [only] if !state_type.sends() => recv(plan, machine, only, code),
            all if state_type.sends() => {
                for (number, (alternative, method)) in
                    all.iter().zip(methods(plan, all)).enumerate()
                {
                    if number > 0 {
                        code.blank();
                    }
                    send(plan, machine, alternative, &method, role, code);
                }
            }
            all => offer(plan, machine, name, all, code),
        }
    });
    if several_inputs {
        code.blank();
        code.line(format!("/// What {name} was offered."));
        code.block(&format!("pub enum {name}Offered {{"), "}", |code| {
            for (alternative, variant) in state_type
                .alternatives
                .iter()
                .zip(variants(plan, &state_type.alternatives))
            {
                code.line(format!(
                    "{variant}({}, {}),",
                    machine.type_of(alternative.target),
                    plan.message(alternative.action.message)
                ));
            }
        });
    }
}

/// `send` where there is one message, `send_<message>` where there are several.
fn methods(plan: &Plan<'_>, all: &[Alternative]) -> Vec<String> {
    if all.len() == 1 {
        return vec!["send".to_owned()];
    }
    let mut identifiers = Identifiers::new(TargetLanguage::Rust);
    all.iter()
        .map(|it| {
            let message = plan.message(it.action.message);
            let snake = Identifiers::new(TargetLanguage::Rust).name(NamingCase::Snake, message);
            identifiers.fresh(&format!("send_{}", snake.trim_end_matches('_')))
        })
        .collect()
}

fn variants(plan: &Plan<'_>, all: &[Alternative]) -> Vec<String> {
    let mut identifiers = Identifiers::new(TargetLanguage::Rust);
    all.iter()
        .map(|it| identifiers.fresh(plan.message(it.action.message)))
        .collect()
}

fn send(
    plan: &Plan<'_>,
    machine: &MachinePlan<'_>,
    alternative: &Alternative,
    method: &str,
    role: &str,
    code: &mut Code,
) {
    let message = plan.message(alternative.action.message);
    let target = machine.type_of(alternative.target);
    code.block(
        &format!(
            "pub async fn {method}(self, message: {message}) -> Result<{target}, SessionError> {{"
        ),
        "}",
        |code| {
            code.line(format!(
                "self.0.send(Participant::{role}, Participant::{}, Message::{message}(message));",
                plan.participant(alternative.action.partner)
            ));
            code.line(format!("Ok({target}(self.0))"));
        },
    );
}

fn recv(plan: &Plan<'_>, machine: &MachinePlan<'_>, only: &Alternative, code: &mut Code) {
    let message = plan.message(only.action.message);
    let target = machine.type_of(only.target);
    code.block(
        &format!("pub async fn recv(self) -> Result<({target}, {message}), SessionError> {{"),
        "}",
        |code| {
            wait(plan, machine, std::slice::from_ref(only), code);
            code.block("match message {", "}", |code| {
                code.line(format!(
                    "Message::{message}(message) => Ok(({target}(self.0), message)),"
                ));
                impossible(plan, 1, code);
            });
        },
    );
}

fn offer(
    plan: &Plan<'_>,
    machine: &MachinePlan<'_>,
    name: &str,
    all: &[Alternative],
    code: &mut Code,
) {
    code.block(
        &format!("pub async fn offer(self) -> Result<{name}Offered, SessionError> {{"),
        "}",
        |code| {
            wait(plan, machine, all, code);
            code.block("match message {", "}", |code| {
                for (alternative, variant) in all.iter().zip(variants(plan, all)) {
                    let message = plan.message(alternative.action.message);
                    let target = machine.type_of(alternative.target);
                    code.line(format!(
                        "Message::{message}(message) => Ok({name}Offered::{variant}({target}(self.0), message)),"
                    ));
                }
                impossible(plan, all.len(), code);
            });
        },
    );
}

/// A model whose messages are all awaited here needs no other case, and the compiler says so.
fn impossible(plan: &Plan<'_>, cases: usize, code: &mut Code) {
    if plan.messages.len() > cases {
        code.line("other => Err(SessionError::Unexpected(format!(\"{other:?}\"))),");
    }
}

fn wait(plan: &Plan<'_>, machine: &MachinePlan<'_>, all: &[Alternative], code: &mut Code) {
    let wanted: Vec<String> = all
        .iter()
        .map(|it| {
            format!(
                "(Participant::{}, Kind::{})",
                plan.participant(it.action.partner),
                plan.message(it.action.message)
            )
        })
        .collect();
    code.line(format!("let wanted = [{}];", wanted.join(", ")));
    code.line(format!(
        "let message = self.0.await_one(Participant::{}, &wanted).await?;",
        machine.participant
    ));
}
