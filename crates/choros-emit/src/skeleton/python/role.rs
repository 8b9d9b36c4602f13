//! A role's part of the protocol, in Python.

use std::collections::BTreeSet;

use choros_data::{Sort, Terms};

use super::plain;
use super::service::{advice, choice_signature, signature};
use crate::skeleton::alternatives::{Bodies, Chain, alternatives};
use crate::skeleton::expression::{default, default_names, type_name, type_names};
use crate::skeleton::plan::{Choice, HookKind, Move, Plan, Reception, State};
use crate::skeleton::snippet::{Guard, Snippet};
use crate::skeleton::vocabulary::Vocabulary;
use crate::{Code, TargetLanguage};

pub(super) fn file(head: &str, plan: &Plan, vocabulary: &Vocabulary, terms: &Terms) -> String {
    let writer = RoleWriter {
        plan,
        vocabulary,
        terms,
    };
    let mut body = Code::new();
    writer.declarations(&mut body);
    writer.run(&mut body);
    writer.helpers(&mut body);
    let used = body.used().clone();
    let body = body.finish();
    let mut code = Code::new();
    code.line(head);
    let role = plain(&vocabulary.role(plan.role).text);
    code.line(format!("\"\"\"What the role `{role}` has to do.\"\"\""))
        .blank();
    code.line("from abc import ABC, abstractmethod");
    code.line("from dataclasses import dataclass");
    if plan.choices().next().is_some() {
        code.line("from enum import Enum, auto");
    }
    if used.contains("Fraction") {
        code.line("from fractions import Fraction");
    }
    if plan.tick.is_some() {
        code.line("from time import monotonic");
    }
    code.blank();
    let elsewhere: Vec<&str> = NETWORK.into_iter().chain(["Fraction"]).collect();
    code.lines(&imports("messages", used.iter(), &elsewhere));
    let of_network = used.iter().filter(|it| NETWORK.contains(&it.as_str()));
    code.lines(&imports("network", of_network, &[]));
    code.blank().line("").lines(&body);
    code.finish()
}

/// What the module of the network declares.
const NETWORK: [&str; 5] = ["Network", "Silence", "Stuck", "TimedNetwork", "Unexpected"];

/// The line that imports names from a module beside it; `elsewhere` are those of other modules.
pub(super) fn imports<'n>(
    module: &str,
    names: impl Iterator<Item = &'n String>,
    elsewhere: &[&str],
) -> String {
    let names: Vec<&str> = names
        .map(String::as_str)
        .filter(|name| !elsewhere.contains(name))
        .collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("from .{module} import {}", names.join(", "))
    }
}

struct RoleWriter<'a> {
    plan: &'a Plan,
    vocabulary: &'a Vocabulary,
    terms: &'a Terms,
}

impl RoleWriter<'_> {
    fn type_of(&self, sort: Sort) -> String {
        type_name(self.vocabulary, sort, self.terms)
    }

    fn role(&self) -> &str {
        &self.vocabulary.role(self.plan.role).name
    }

    fn declarations(&self, code: &mut Code) {
        code.line("@dataclass").line("class Known:");
        code.indented(|code| {
            code.line("\"\"\"What the role knows; a default value until it knows better.\"\"\"");
            if !self.plan.known.is_empty() {
                code.blank();
            }
            for (name, sort) in &self.plan.known {
                let value = default(self.vocabulary, *sort, self.terms);
                code.uses(default_names(self.vocabulary, *sort, self.terms));
                code.uses(type_names(self.vocabulary, *sort, self.terms));
                code.line(format!("{name}: {} = {value}", self.type_of(*sort)));
            }
        });
        for state in &self.plan.states {
            let Choice::Method {
                kind,
                moves,
                receive,
                end,
                ..
            } = &state.choice
            else {
                continue;
            };
            code.blank().line("").line(format!("class {kind}(Enum):"));
            code.indented(|code| {
                let label = plain(&state.label);
                code.line(format!("\"\"\"What may happen at {label}.\"\"\""))
                    .blank();
                for value in moves.iter().chain(receive).chain(end) {
                    code.line(format!("{value} = auto()"));
                }
            });
        }
        code.blank()
            .line("")
            .line(format!("class {}(ABC):", self.role()));
        code.indented(|code| {
            code.line("\"\"\"What the model leaves to the service: one method per message.\"\"\"");
            let mut method = |head: String, remark: String, types: BTreeSet<String>| {
                code.uses(types);
                code.blank().line("@abstractmethod").line(head);
                code.indented(|code| {
                    code.line(format!("\"\"\"{remark}\"\"\""));
                });
            };
            for (name, variable, sort) in &self.plan.parameters {
                method(
                    format!("def {name}(self) -> {}:", self.type_of(*sort)),
                    format!("The value of the parameter {variable}, the same for all roles."),
                    type_names(self.vocabulary, *sort, self.terms),
                );
            }
            for hook in &self.plan.hooks {
                let head = signature(hook, self.vocabulary, self.terms);
                let types = hook.type_names(self.vocabulary, self.terms);
                method(head, advice(hook), types);
            }
            for (name, kind) in self.plan.choices() {
                let remark = "Which of these things happens; there are at least two.";
                let head = choice_signature(name, kind);
                method(head, remark.to_owned(), BTreeSet::new());
            }
        });
        code.blank().line("");
    }

    fn run(&self, code: &mut Code) {
        let role = self.role();
        match self.plan.tick {
            None => {
                code.uses(["Network"]);
                code.line(format!(
                    "def run(service: {role}, network: Network) -> Known:"
                ));
            }
            Some(tick) => {
                code.uses(["TimedNetwork"]);
                let tick = seconds(tick);
                code.line(format!(
                    "def run(service: {role}, network: TimedNetwork, tick: float = {tick}) -> Known:"
                ));
            }
        }
        code.indented(|code| {
            code.line("\"\"\"Plays the role until it ends, and says what it knew then.\"\"\"");
            code.line("known = Known()");
            if self.plan.tick.is_some() {
                code.line("# When the next tick of its clock is; None while it measures nothing.");
                code.line("clock: float | None = None");
            }
            for (method, variable, _) in &self.plan.parameters {
                code.line(format!("known.{variable} = service.{method}()"));
            }
            let initial = &self.plan.states[self.plan.initial].label;
            let literal = |text: &str| TargetLanguage::Python.text_literal(text);
            code.line(format!("state = {}", literal(initial)));
            code.line("while True:");
            code.indented(|code| {
                code.line("match state:");
                code.indented(|code| {
                    for state in &self.plan.states {
                        code.line(format!("case {}:", literal(&state.label)));
                        code.indented(|code| self.state(code, state));
                    }
                });
            });
        });
    }

    fn state(&self, code: &mut Code, state: &State) {
        if self.plan.tick.is_some() && state.ticks.is_empty() {
            code.line("clock = None");
        } else if !state.ticks.is_empty() {
            code.line("clock = monotonic() + tick if clock is None else clock");
        }
        if let Choice::Method {
            method,
            kind,
            moves,
            receive,
            end,
        } = &state.choice
        {
            code.line(format!("options: list[{kind}] = []"));
            for (value, guard) in state.offers(CHAIN.or) {
                when(code, &guard, |code| {
                    code.line(format!("options.append({kind}.{value})"));
                });
            }
            code.line("if not options:");
            code.indented(|code| self.stuck(code, state));
            code.line(format!(
                "chosen = options[0] if len(options) == 1 else service.{method}(known, options)"
            ));
            code.line("match chosen:");
            code.indented(|code| {
                for (value, step) in moves.iter().zip(&state.moves) {
                    code.line(format!("case {kind}.{value}:"));
                    code.indented(|code| self.act(code, step));
                }
                if let Some(value) = receive {
                    code.line(format!("case {kind}.{value}:"));
                    code.indented(|code| self.receive(code, state));
                }
                if let Some(value) = end {
                    code.line(format!("case {kind}.{value}:"));
                    code.indented(|code| self.end(code));
                }
            });
            return;
        }
        alternatives(code, state, &CHAIN, self);
    }

    fn reception(&self, code: &mut Code, reception: &Reception) {
        let payload = &self.vocabulary.payloads[reception.payload];
        let labels: Vec<&str> = payload.fields.iter().map(|(it, _)| it.as_str()).collect();
        code.uses([&payload.name]);
        let condition = match &reception.conditions(&labels, code)[..] {
            [] => String::new(),
            [only] => format!(" if {only}"),
            several => format!(" if ({})", several.join(") and (")),
        };
        code.line(format!(
            "case Role.{}, {}({}){condition}:",
            self.vocabulary.role(reception.from).name,
            payload.name,
            labels.join(", ")
        ));
        code.indented(|code| {
            for (label, value) in labels.iter().zip(&reception.fields) {
                if let Ok(variable) = value {
                    code.line(format!("known.{variable} = {label}"));
                }
            }
            let mut arguments = vec!["known"];
            arguments.extend(&labels);
            let hook = &self.plan.hooks[reception.hook];
            code.line(format!("service.{}({})", hook.name, arguments.join(", ")));
            self.leave(code, &reception.updates, reception.target);
        });
    }

    fn leave(&self, code: &mut Code, updates: &[(String, Snippet)], target: usize) {
        for (variable, value) in updates {
            code.uses(&value.names);
            code.line(format!("known.{variable} = {value}"));
        }
        let label = TargetLanguage::Python.text_literal(&self.plan.states[target].label);
        code.line(format!("state = {label}"));
    }

    fn helpers(&self, code: &mut Code) {
        for helper in &self.plan.helpers {
            if *helper == "divide" {
                code.uses(["Fraction"]);
            }
            code.blank().line("").lines(match *helper {
                "div" => DIV,
                "divide" => DIVIDE,
                "modulo" => MODULO,
                _ => ELEMENT,
            });
        }
    }
}

impl Bodies for RoleWriter<'_> {
    fn act(&self, code: &mut Code, step: &Move) {
        let hook = &self.plan.hooks[step.hook];
        let HookKind::Send(open) = &hook.kind else {
            unreachable!("a sending has a method that gives its data");
        };
        let names: Vec<&str> = open.iter().map(|(name, _)| name.as_str()).collect();
        code.line(if names.is_empty() {
            format!("service.{}(known)", hook.name)
        } else {
            format!("{} = service.{}(known)", names.join(", "), hook.name)
        });
        let payload = &self.vocabulary.payloads[step.payload];
        let values: Vec<&str> = step
            .fields
            .iter()
            .map(|value| match value {
                Ok(position) => names[*position],
                Err(expression) => {
                    code.uses(&expression.names);
                    expression.text.as_str()
                }
            })
            .collect();
        code.uses([payload.name.as_str(), "Message", "Role"]);
        code.line(format!("payload = {}({})", payload.name, values.join(", ")));
        code.line(format!(
            "network.send(Message(Role.{}, Role.{}, payload))",
            self.role(),
            self.vocabulary.role(step.to).name
        ));
        for (variable, name) in step.kept.iter().zip(&names) {
            code.line(format!("known.{variable} = {name}"));
        }
        self.leave(code, &step.updates, step.target);
    }

    fn receive(&self, code: &mut Code, state: &State) {
        let mut senders: Vec<String> = Vec::new();
        for reception in &state.receptions {
            let sender = format!("Role.{}", self.vocabulary.role(reception.from).name);
            if !senders.contains(&sender) {
                senders.push(sender);
            }
        }
        if state.ticks.is_empty() {
            code.line(format!(
                "message = network.receive([{}])",
                senders.join(", ")
            ));
        } else {
            code.line(format!(
                "message = network.receive_within([{}], clock - monotonic())",
                senders.join(", ")
            ));
        }
        code.line("if message is None:");
        code.indented(|code| {
            if !state.ticks.is_empty() {
                code.line("clock += tick");
                for tick in &state.ticks {
                    when(code, &tick.guard, |code| {
                        self.leave(code, &tick.updates, tick.target);
                        code.line("continue");
                    });
                    if tick.guard.is_none() {
                        return;
                    }
                }
            }
            if let Some(end) = &state.end {
                when(code, end, |code| {
                    code.line("return known");
                });
                if end.is_none() {
                    return;
                }
            }
            let label = TargetLanguage::Python.text_literal(&state.label);
            code.uses(["Role", "Silence"]);
            code.line(format!("raise Silence(Role.{}, {label})", self.role()));
        });
        code.uses(["Unexpected"]);
        if state.receptions.is_empty() {
            code.line("raise Unexpected(message)");
            return;
        }
        code.uses(["Role"]);
        code.line("match message.sender, message.payload:");
        code.indented(|code| {
            for reception in &state.receptions {
                self.reception(code, reception);
            }
            code.line("case _:");
            code.indented(|code| {
                code.line("raise Unexpected(message)");
            });
        });
    }

    fn end(&self, code: &mut Code) {
        code.line("return known");
    }

    fn stuck(&self, code: &mut Code, state: &State) {
        let label = TargetLanguage::Python.text_literal(&state.label);
        code.uses(["Role", "Stuck"]);
        code.line(format!("raise Stuck(Role.{}, {label})", self.role()));
    }
}

const CHAIN: Chain = Chain {
    first: |guard| format!("if {guard}:"),
    next: |guard| format!("elif {guard}:"),
    otherwise: "else:",
    close: None,
    or: "or",
};

const DIV: &str = "\
def _div(dividend: int, divisor: int) -> int:
    \"\"\"The quotient whose remainder is not negative; conditions see to it that the divisor is not 0.\"\"\"
    if divisor == 0:
        return 0
    quotient = dividend // abs(divisor)
    return quotient if divisor > 0 else -quotient";

const DIVIDE: &str = "\
def _divide(dividend: Fraction, divisor: Fraction) -> Fraction:
    \"\"\"The quotient; conditions see to it that the divisor is not 0.\"\"\"
    return Fraction(0) if divisor == 0 else dividend / divisor";

const MODULO: &str = "\
def _modulo(dividend: int, divisor: int) -> int:
    \"\"\"The remainder that is not negative; conditions see to it that the divisor is not 0.\"\"\"
    return 0 if divisor == 0 else dividend % abs(divisor)";

const ELEMENT: &str = "\
def _element(items, position, otherwise):
    \"\"\"An element of a list; conditions see to it that there is one.\"\"\"
    return items[position] if 0 <= position < len(items) else otherwise";

/// Milliseconds as seconds.
fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1_000, milliseconds % 1_000)
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// Adds what `body` adds, under a condition if there is one.
fn when(code: &mut Code, guard: &Guard, body: impl FnOnce(&mut Code)) {
    match guard {
        None => body(code),
        Some(guard) => {
            code.uses(&guard.names).line(format!("if {guard}:"));
            code.indented(body);
        }
    }
}
