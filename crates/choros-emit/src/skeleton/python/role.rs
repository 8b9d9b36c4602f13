//! A role's part of the protocol, in Python.

use choros_data::{Sort, Terms};

use super::plain;
use super::service::{advice, choice_signature, choices, mentioned, signature};
use crate::skeleton::expression::{default, type_name};
use crate::skeleton::plan::{Choice, Guard, HookKind, Move, Plan, Reception, State};
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
    let body = body.finish();
    let mut code = Code::new();
    code.line(head);
    let role = plain(&vocabulary.role(plan.role).text);
    code.line(format!("\"\"\"What the role `{role}` has to do.\"\"\""))
        .blank();
    code.line("from abc import ABC, abstractmethod");
    code.line("from dataclasses import dataclass");
    if choices(plan).next().is_some() {
        code.line("from enum import Enum, auto");
    }
    if body.contains("Fraction") {
        code.line("from fractions import Fraction");
    }
    code.blank();
    let mut imports = mentioned(&body, vocabulary);
    imports.extend(
        ["Message", "Role"]
            .into_iter()
            .filter(|name| body.contains(&format!("{name}(")) || body.contains(&format!("{name}.")))
            .map(str::to_owned),
    );
    imports.sort_unstable();
    if !imports.is_empty() {
        code.line(format!("from .messages import {}", imports.join(", ")));
    }
    let failures: Vec<&str> = ["Network", "Silence", "Stuck", "Unexpected"]
        .into_iter()
        .filter(|name| *name == "Network" || body.contains(&format!("raise {name}(")))
        .collect();
    code.line(format!("from .network import {}", failures.join(", ")));
    code.blank().line("").lines(&body);
    code.finish()
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
            let mut method = |head: String, remark: String| {
                code.blank().line("@abstractmethod").line(head);
                code.indented(|code| {
                    code.line(format!("\"\"\"{remark}\"\"\""));
                });
            };
            for (name, variable, sort) in &self.plan.parameters {
                method(
                    format!("def {name}(self) -> {}:", self.type_of(*sort)),
                    format!("The value of the parameter {variable}, the same for all roles."),
                );
            }
            for hook in &self.plan.hooks {
                method(signature(hook, self.vocabulary, self.terms), advice(hook));
            }
            for (name, kind) in choices(self.plan) {
                let remark = "Which of these things happens; there are at least two.";
                method(choice_signature(name, kind), remark.to_owned());
            }
        });
        code.blank().line("");
    }

    fn run(&self, code: &mut Code) {
        let role = self.role();
        code.line(format!(
            "def run(service: {role}, network: Network) -> Known:"
        ));
        code.indented(|code| {
            code.line("\"\"\"Plays the role until it ends, and says what it knew then.\"\"\"");
            code.line("known = Known()");
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
        let stuck = format!(
            "raise Stuck(Role.{}, {})",
            self.role(),
            TargetLanguage::Python.text_literal(&state.label)
        );
        if let Choice::Method {
            method,
            kind,
            moves,
            receive,
            end,
        } = &state.choice
        {
            let receptions: Vec<&Guard> = state.receptions.iter().map(|it| &it.guard).collect();
            code.line(format!("options: list[{kind}] = []"));
            let guards = state.moves.iter().map(|it| it.guard.clone());
            let received = receive.as_ref().map(|_| any(&receptions));
            let ended = end.as_ref().map(|_| state.end.clone().flatten());
            let values = moves.iter().chain(receive).chain(end);
            for (value, guard) in values.zip(guards.chain(received).chain(ended)) {
                when(code, &guard, |code| {
                    code.line(format!("options.append({kind}.{value})"));
                });
            }
            code.line("if not options:");
            code.indented(|code| {
                code.line(&stuck);
            });
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
                    code.indented(|code| {
                        code.line("return known");
                    });
                }
            });
            return;
        }
        // At most one of these can happen: the first whose condition holds is the one.
        let mut open = true;
        let mut first = true;
        let mut alternative = |code: &mut Code, guard: &Guard, body: &mut dyn FnMut(&mut Code)| {
            if !open {
                return;
            }
            match (guard, first) {
                (Some(guard), true) => code.line(format!("if {guard}:")),
                (Some(guard), false) => code.line(format!("elif {guard}:")),
                (None, true) => {
                    body(code);
                    open = false;
                    return;
                }
                (None, false) => code.line("else:"),
            };
            code.indented(|code| body(code));
            first = false;
            open = guard.is_some();
        };
        for step in &state.moves {
            alternative(code, &step.guard, &mut |code| self.act(code, step));
        }
        if !state.receptions.is_empty() {
            let mut guards: Vec<&Guard> = state.receptions.iter().map(|it| &it.guard).collect();
            guards.extend(&state.end);
            let guard = if state.moves.is_empty() && state.end.is_none() {
                None
            } else {
                any(&guards)
            };
            alternative(code, &guard, &mut |code| self.receive(code, state));
        } else if let Some(end) = &state.end {
            alternative(code, end, &mut |code| {
                code.line("return known");
            });
        }
        if open {
            if first {
                code.line(&stuck);
            } else {
                code.line("else:");
                code.indented(|code| {
                    code.line(&stuck);
                });
            }
        }
    }

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
                Err(expression) => expression,
            })
            .collect();
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
        code.line(format!(
            "message = network.receive([{}])",
            senders.join(", ")
        ));
        code.line("if message is None:");
        code.indented(|code| {
            if let Some(end) = &state.end {
                when(code, end, |code| {
                    code.line("return known");
                });
                if end.is_none() {
                    return;
                }
            }
            let label = TargetLanguage::Python.text_literal(&state.label);
            code.line(format!("raise Silence(Role.{}, {label})", self.role()));
        });
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

    fn reception(&self, code: &mut Code, reception: &Reception) {
        let payload = &self.vocabulary.payloads[reception.payload];
        let labels: Vec<&str> = payload.fields.iter().map(|(it, _)| it.as_str()).collect();
        let mut conditions: Vec<String> = reception.guard.iter().cloned().collect();
        for (label, value) in labels.iter().zip(&reception.fields) {
            if let Err(expected) = value {
                conditions.push(format!("{label} == {expected}"));
            }
        }
        let condition = match &conditions[..] {
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

    fn leave(&self, code: &mut Code, updates: &[(String, String)], target: usize) {
        for (variable, value) in updates {
            code.line(format!("known.{variable} = {value}"));
        }
        let label = TargetLanguage::Python.text_literal(&self.plan.states[target].label);
        code.line(format!("state = {label}"));
    }

    fn helpers(&self, code: &mut Code) {
        for helper in &self.plan.helpers {
            code.blank().line("").lines(match *helper {
                "div" => DIV,
                "divide" => DIVIDE,
                "modulo" => MODULO,
                _ => ELEMENT,
            });
        }
    }
}

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

/// Adds what `body` adds, under a condition if there is one.
fn when(code: &mut Code, guard: &Guard, body: impl FnOnce(&mut Code)) {
    match guard {
        None => body(code),
        Some(guard) => {
            code.line(format!("if {guard}:"));
            code.indented(body);
        }
    }
}

/// The condition that one of several holds.
fn any(guards: &[&Guard]) -> Guard {
    let mut parts = Vec::new();
    for guard in guards {
        match guard {
            None => return None,
            Some(text) if !parts.contains(text) => parts.push(text.clone()),
            Some(_) => {}
        }
    }
    match &parts[..] {
        [only] => Some(only.clone()),
        several => Some(format!("({})", several.join(") or ("))),
    }
}
