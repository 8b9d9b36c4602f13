//! A role's part of the protocol, in Rust.

use choros_data::{Sort, Terms};

use super::messages::remark;
use super::service::{advice, choice_signature, signature};
use crate::Code;
use crate::skeleton::alternatives::{Bodies, Chain, alternatives};
use crate::skeleton::expression::{type_name, type_names};
use crate::skeleton::plan::{Choice, HookKind, Move, Plan, Reception, State};
use crate::skeleton::snippet::{Guard, Snippet};
use crate::skeleton::vocabulary::Vocabulary;

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
    let mut used = body.used().clone();
    used.insert("Role".to_owned());
    let imports: Vec<String> = used.into_iter().collect();
    let body = body.finish();
    let role = vocabulary.role(plan.role);
    let mut code = Code::new();
    code.line(head);
    code.line(format!(
        "//! What the role {} has to do.",
        &remark(&role.text)[4..]
    ));
    code.blank();
    code.line(format!("use crate::messages::{{{}}};", imports.join(", ")));
    code.line("use crate::network::{Failure, Network};");
    if plan.tick.is_some() {
        code.line("use std::time::{Duration, Instant};");
    }
    code.blank();
    code.lines(&body);
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
        code.line("/// What the role knows; a default value until it knows better.");
        code.line("#[derive(Debug, Clone, PartialEq, Default)]");
        if self.plan.known.is_empty() {
            code.line("pub struct Known {}");
        } else {
            code.block("pub struct Known {", "}", |code| {
                for (name, sort) in &self.plan.known {
                    code.uses(type_names(self.vocabulary, *sort, self.terms));
                    code.line(format!("pub {name}: {},", self.type_of(*sort)));
                }
            });
        }
        code.blank();
        code.line("/// What the model leaves to the service: one method per message.");
        code.block(&format!("pub trait {} {{", self.role()), "}", |code| {
            for (method, variable, sort) in &self.plan.parameters {
                code.line(format!(
                    "/// The value of the parameter {variable}, the same for all roles."
                ));
                code.uses(type_names(self.vocabulary, *sort, self.terms));
                code.line(format!(
                    "fn {method}(&mut self) -> {};",
                    self.type_of(*sort)
                ));
            }
            for hook in &self.plan.hooks {
                code.line(format!("/// {}", advice(hook)));
                code.uses(hook.type_names(self.vocabulary, self.terms));
                let head = signature(hook, self.vocabulary, self.terms, "");
                code.line(format!("{head};"));
            }
            for (method, kind) in self.plan.choices() {
                code.line("/// Which of these things happens; there are at least two.");
                let head = choice_signature(method, kind, "");
                code.line(format!("{};", head.trim_end_matches(" {")));
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
            code.blank();
            code.line(format!("/// What may happen at {}.", plain(&state.label)));
            code.line("#[derive(Debug, Clone, Copy, PartialEq, Eq)]");
            code.block(&format!("pub enum {kind} {{"), "}", |code| {
                for value in moves.iter().chain(receive).chain(end) {
                    code.line(format!("{value},"));
                }
            });
        }
        code.blank();
        code.line("#[derive(Debug, Clone, Copy)]");
        code.block("enum State {", "}", |code| {
            for state in &self.plan.states {
                code.line(format!("{},", state.name));
            }
        });
        code.blank();
    }

    fn run(&self, code: &mut Code) {
        if let Some(tick) = self.plan.tick {
            code.line("/// How long a unit of time is.");
            code.line(format!(
                "pub const TICK: Duration = Duration::from_millis({tick});"
            ));
            code.blank();
            code.line("/// Plays the role until it ends, and says what it knew then.");
            let head = format!(
                "pub fn run(service: &mut impl {}, network: &mut impl Network) -> Result<Known, Failure> {{",
                self.role()
            );
            code.block(&head, "}", |code| {
                code.line("run_timed(service, network, TICK)");
            });
            code.blank();
            code.line("/// The same, with units of time of another length.");
        } else {
            code.line("/// Plays the role until it ends, and says what it knew then.");
        }
        let receives = self.plan.states.iter().any(State::waits);
        let writes = self.plan.states.iter().any(writes_known);
        let touched = writes || !self.plan.parameters.is_empty();
        let mut arguments = vec![
            format!("service: &mut impl {}", self.role()),
            "network: &mut impl Network".to_owned(),
        ];
        let name = match self.plan.tick {
            Some(_) => {
                arguments.push("tick: Duration".to_owned());
                "run_timed"
            }
            None => "run",
        };
        let line = format!(
            "pub fn {name}({}) -> Result<Known, Failure> {{",
            arguments.join(", ")
        );
        // As `rustfmt` would have it.
        let head = if line.len() <= 100 {
            line
        } else {
            code.line(format!("pub fn {name}("));
            code.indented(|code| {
                for argument in &arguments {
                    code.line(format!("{argument},"));
                }
            });
            ") -> Result<Known, Failure> {".to_owned()
        };
        code.block(&head, "}", |code| {
            code.line(if touched {
                "let mut known = Known::default();"
            } else {
                "let known = Known::default();"
            });
            for (method, variable, _) in &self.plan.parameters {
                code.line(format!("known.{variable} = service.{method}();"));
            }
            if self.plan.tick.is_some() {
                code.line(
                    "// When the next tick of its clock is; `None` while it measures nothing.",
                );
                code.line("let mut clock: Option<Instant> = None;");
            }
            // A role that neither sends nor receives has nothing to do with either.
            if !receives && !self.plan.states.iter().any(sends) {
                code.line("let _ = (&service, &network);");
            }
            if self
                .plan
                .states
                .iter()
                .all(|it| it.moves.is_empty() && !it.waits())
            {
                let state = &self.plan.states[self.plan.initial];
                self.state(code, state);
                return;
            }
            let initial = &self.plan.states[self.plan.initial].name;
            code.line(format!("let mut state = State::{initial};"));
            code.block("loop {", "}", |code| {
                code.block("match state {", "}", |code| {
                    for state in &self.plan.states {
                        code.block(&format!("State::{} => {{", state.name), "}", |code| {
                            self.state(code, state);
                        });
                    }
                });
            });
        });
    }

    fn state(&self, code: &mut Code, state: &State) {
        if !state.ticks.is_empty() {
            code.line("let next = *clock.get_or_insert_with(|| Instant::now() + tick);");
        } else if self.plan.tick.is_some() && (state.waits() || sends(state)) {
            code.line("clock = None;");
        }
        if let Choice::Method {
            method,
            kind,
            moves,
            receive,
            end,
        } = &state.choice
        {
            code.line("let mut options = Vec::new();");
            for (value, guard) in state.offers(CHAIN.or) {
                let push = format!("options.push({kind}::{value});");
                when(code, &guard, |code| {
                    code.line(push);
                });
            }
            code.block("let chosen = match options.as_slice() {", "};", |code| {
                code.line(format!("[] => {},", self.failure(state)));
                code.line("[only] => *only,");
                code.line(format!("several => service.{method}(&known, several),"));
            });
            code.block("match chosen {", "}", |code| {
                for (value, step) in moves.iter().zip(&state.moves) {
                    code.block(&format!("{kind}::{value} => {{"), "}", |code| {
                        self.act(code, step);
                    });
                }
                if let Some(value) = receive {
                    code.block(&format!("{kind}::{value} => {{"), "}", |code| {
                        self.receive(code, state);
                    });
                }
                if let Some(value) = end {
                    code.line(format!("{kind}::{value} => return Ok(known),"));
                }
            });
            return;
        }
        alternatives(code, state, &CHAIN, self);
    }

    /// What a role returns that can do nothing, against the model.
    fn failure(&self, state: &State) -> String {
        let (role, label) = (self.role(), plain(&state.label));
        format!("return Err(Failure::Stuck(Role::{role}, \"{label}\"))")
    }

    fn reception(&self, code: &mut Code, reception: &Reception) {
        let payload = &self.vocabulary.payloads[reception.payload];
        let labels: Vec<&str> = payload.fields.iter().map(|(it, _)| it.as_str()).collect();
        let pattern = if labels.is_empty() {
            format!("Payload::{}", payload.name)
        } else {
            format!("Payload::{} {{ {} }}", payload.name, labels.join(", "))
        };
        let condition = match &reception.conditions(&labels, code)[..] {
            [] => String::new(),
            [only] => format!(" if {only}"),
            several => format!(" if ({})", several.join(") && (")),
        };
        let from = &self.vocabulary.role(reception.from).name;
        let head = format!("(Role::{from}, {pattern}){condition} => {{");
        code.block(&head, "}", |code| {
            for ((label, sort), value) in payload.fields.iter().zip(&reception.fields) {
                if let Ok(variable) = value {
                    let copy = if self.is_copied(*sort) {
                        ""
                    } else {
                        ".clone()"
                    };
                    code.line(format!("known.{variable} = {label}{copy};"));
                }
            }
            let mut arguments = vec!["&known"];
            arguments.extend(&labels);
            let hook = &self.plan.hooks[reception.hook];
            code.line(format!("service.{}({});", hook.name, arguments.join(", ")));
            self.leave(code, &reception.updates, reception.target);
        });
    }

    fn leave(&self, code: &mut Code, updates: &[(String, Snippet)], target: usize) {
        for (variable, value) in updates {
            code.uses(&value.names);
            code.line(format!("known.{variable} = {value};"));
        }
        code.line(format!("state = State::{};", self.plan.states[target].name));
    }

    fn is_copied(&self, sort: Sort) -> bool {
        use choros_data::SortKind;
        matches!(
            self.terms.sort_kind(sort),
            SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::Enumeration { .. }
        )
    }

    fn helpers(&self, code: &mut Code) {
        for helper in &self.plan.helpers {
            code.blank();
            code.lines(match *helper {
                "sum" => SUM,
                "difference" => DIFFERENCE,
                "product" => PRODUCT,
                "negative" => NEGATIVE,
                "div" => DIV,
                "modulo" => MODULO,
                "exact" => EXACT,
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
        code.line(match &names[..] {
            [] => format!("service.{}(&known);", hook.name),
            [only] => format!("let {only} = service.{}(&known);", hook.name),
            several => {
                let several = several.join(", ");
                format!("let ({several}) = service.{}(&known);", hook.name)
            }
        });
        let payload = &self.vocabulary.payloads[step.payload];
        let fields: Vec<String> = payload
            .fields
            .iter()
            .zip(&step.fields)
            .map(|((label, _), value)| match value {
                Ok(position) => match self.is_copied(open[*position].1) {
                    true if names[*position] == label => label.clone(),
                    true => format!("{label}: {}", names[*position]),
                    false => format!("{label}: {}.clone()", names[*position]),
                },
                Err(expression) => {
                    code.uses(&expression.names);
                    format!("{label}: {expression}")
                }
            })
            .collect();
        let payload = if fields.is_empty() {
            format!("Payload::{}", payload.name)
        } else {
            format!("Payload::{} {{ {} }}", payload.name, fields.join(", "))
        };
        code.uses(["Message", "Payload"]);
        code.line(format!("let payload = {payload};"));
        code.block("network.send(Message {", "})?;", |code| {
            code.line(format!("from: Role::{},", self.role()));
            code.line(format!("to: Role::{},", self.vocabulary.role(step.to).name));
            code.line("payload,");
        });
        for (variable, name) in step.kept.iter().zip(&names) {
            code.line(format!("known.{variable} = {name};"));
        }
        self.leave(code, &step.updates, step.target);
    }

    fn receive(&self, code: &mut Code, state: &State) {
        let mut senders: Vec<&str> = Vec::new();
        for reception in &state.receptions {
            let name = self.vocabulary.role(reception.from).name.as_str();
            if !senders.contains(&name) {
                senders.push(name);
            }
        }
        let senders: Vec<String> = senders.iter().map(|name| format!("Role::{name}")).collect();
        let senders = senders.join(", ");
        let receive = if state.ticks.is_empty() {
            format!("network.receive(&[{senders}])?")
        } else {
            code.line("let left = next.saturating_duration_since(Instant::now());");
            format!("network.receive_within(&[{senders}], left)?")
        };
        code.block(
            &format!("let Some(message) = {receive} else {{"),
            "};",
            |code| {
                if !state.ticks.is_empty() {
                    code.line("clock = Some(next + tick);");
                }
                for tick in &state.ticks {
                    when(code, &tick.guard, |code| {
                        self.leave(code, &tick.updates, tick.target);
                        code.line("continue;");
                    });
                    if tick.guard.is_none() {
                        return;
                    }
                }
                if let Some(end) = &state.end {
                    when(code, end, |code| {
                        code.line("return Ok(known);");
                    });
                    if end.is_none() {
                        return;
                    }
                }
                code.line(format!(
                    "return Err(Failure::Silence(Role::{}, \"{}\"));",
                    self.role(),
                    plain(&state.label)
                ));
            },
        );
        if state.receptions.is_empty() {
            code.line("return Err(Failure::Unexpected(message));");
            return;
        }
        code.uses(["Message", "Payload"]);
        code.block("match (message.from, message.payload) {", "}", |code| {
            for reception in &state.receptions {
                self.reception(code, reception);
            }
            code.block("(from, payload) => {", "}", |code| {
                code.line(format!("let to = Role::{};", self.role()));
                code.line("return Err(Failure::Unexpected(Message { from, to, payload }));");
            });
        });
    }

    fn end(&self, code: &mut Code) {
        code.line("return Ok(known);");
    }

    fn stuck(&self, code: &mut Code, state: &State) {
        code.line(format!("{};", self.failure(state)));
    }
}

const CHAIN: Chain = Chain {
    first: |guard| format!("if {guard} {{"),
    next: |guard| format!("}} else if {guard} {{"),
    otherwise: "} else {",
    close: Some("}"),
    or: "||",
};

const SUM: &str = "\
fn sum(numbers: &[i64]) -> Result<i64, Failure> {
    exact(numbers.iter().try_fold(0_i128, |sum, &it| sum.checked_add(it.into())))
}";

const DIFFERENCE: &str = "\
fn difference(number: i64, other: i64) -> Result<i64, Failure> {
    exact(i128::from(number).checked_sub(other.into()))
}";

const PRODUCT: &str = "\
fn product(numbers: &[i64]) -> Result<i64, Failure> {
    // Nothing that is too large on the way matters if a factor is 0.
    match numbers.contains(&0) {
        true => Ok(0),
        false => exact(numbers.iter().try_fold(1_i128, |product, &it| product.checked_mul(it.into()))),
    }
}";

const NEGATIVE: &str = "\
fn negative(number: i64) -> Result<i64, Failure> {
    exact(i128::from(number).checked_neg())
}";

const DIV: &str = "\
/// The quotient whose remainder is not negative; conditions see to it that the divisor is not 0.
fn div(dividend: i64, divisor: i64) -> Result<i64, Failure> {
    match divisor {
        0 => Ok(0),
        divisor => exact(i128::from(dividend).checked_div_euclid(divisor.into())),
    }
}";

const MODULO: &str = "\
/// The remainder that is not negative; conditions see to it that the divisor is not 0.
fn modulo(dividend: i64, divisor: i64) -> i64 {
    dividend.checked_rem_euclid(divisor).unwrap_or_default()
}";

const EXACT: &str = "\
/// A number, or a failure where it does not fit: the model knows numbers of any size.
fn exact(number: Option<i128>) -> Result<i64, Failure> {
    let fits = number.and_then(|it| i64::try_from(it).ok());
    fits.ok_or(Failure::Number(\"a number does not fit into 64 bits\"))
}";

const ELEMENT: &str = "\
/// An element of a list; conditions see to it that there is one.
fn element<T: Clone + Default>(list: &[T], position: i64) -> T {
    let position = usize::try_from(position).ok();
    position.and_then(|it| list.get(it)).cloned().unwrap_or_default()
}";

/// A label of the model as text in a program.
fn plain(label: &str) -> String {
    label
        .chars()
        .map(|character| match character {
            '"' | '\\' => '\'',
            other if other.is_control() => ' ',
            other => other,
        })
        .collect()
}

/// Adds what `body` adds, under a condition if there is one.
fn when(code: &mut Code, guard: &Guard, body: impl FnOnce(&mut Code)) {
    match guard {
        None => body(code),
        Some(guard) => {
            code.uses(&guard.names);
            code.block(&format!("if {guard} {{"), "}", body);
        }
    }
}

fn sends(state: &State) -> bool {
    !state.moves.is_empty()
}

fn writes_known(state: &State) -> bool {
    let moves = state
        .moves
        .iter()
        .any(|step| !step.kept.is_empty() || !step.updates.is_empty());
    let receptions = state.receptions.iter().any(|reception| {
        reception.fields.iter().any(Result::is_ok) || !reception.updates.is_empty()
    });
    moves || receptions
}
