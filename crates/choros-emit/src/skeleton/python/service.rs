//! The places to fill in, in Python.

use choros_data::{Sort, Terms};

use super::plain;
use super::role::imports;
use crate::Code;
use crate::skeleton::expression::{default, default_names, type_name, type_names};
use crate::skeleton::plan::{Hook, HookKind, Plan};
use crate::skeleton::vocabulary::Vocabulary;

pub(super) fn file(plan: &Plan, vocabulary: &Vocabulary, terms: &Terms) -> String {
    let role = vocabulary.role(plan.role);
    let mut body = Code::new();
    body.line(format!("class {}Service({}):", role.name, role.name));
    body.indented(|code| {
        code.line("\"\"\"What the service keeps for itself goes into its attributes.\"\"\"");
        for (method, variable, sort) in &plan.parameters {
            code.blank();
            let sort_name = type_name(vocabulary, *sort, terms);
            code.uses(type_names(vocabulary, *sort, terms));
            code.uses(default_names(vocabulary, *sort, terms));
            code.line(format!("def {method}(self) -> {sort_name}:"));
            code.indented(|code| {
                code.line(format!("# The value of the parameter {variable}."));
                code.line(format!("return {}", default(vocabulary, *sort, terms)));
            });
        }
        for hook in &plan.hooks {
            code.blank();
            code.uses(["Known"])
                .uses(hook.type_names(vocabulary, terms));
            code.line(signature(hook, vocabulary, terms));
            code.indented(|code| {
                code.line(format!("# {}", advice(hook)));
                let open: &[(String, Sort)] = match &hook.kind {
                    HookKind::Send(open) => open,
                    HookKind::Receive(_) => &[],
                };
                let mut values = Vec::new();
                for (_, sort) in open {
                    values.push(default(vocabulary, *sort, terms));
                    code.uses(default_names(vocabulary, *sort, terms));
                }
                code.line(if values.is_empty() {
                    "pass".to_owned()
                } else {
                    format!("return {}", values.join(", "))
                });
            });
        }
        for (method, kind) in plan.choices() {
            code.blank().uses(["Known"]);
            code.line(choice_signature(method, kind));
            code.indented(|code| {
                code.line("# Which of these things happens.")
                    .line("return options[0]");
            });
        }
    });
    let used = body.used().clone();
    let body = body.finish();
    let mut code = Code::new();
    code.line(
        "\"\"\"Yours to fill in: it is generated once, and never overwritten after you edited it.\"\"\"",
    );
    code.blank();
    if used.contains("Fraction") {
        code.line("from fractions import Fraction").blank();
    }
    code.lines(&imports("messages", used.iter(), &["Fraction", "Known"]));
    let mut own = vec![role.name.clone()];
    own.extend(plan.choices().map(|(_, kind)| kind.to_owned()));
    own.extend(used.get("Known").cloned());
    code.line(format!("from .{} import {}", role.module, own.join(", ")));
    code.blank().line("").lines(&body);
    code.finish()
}

pub(super) fn choice_signature(method: &str, kind: &str) -> String {
    format!("def {method}(self, known: Known, options: list[{kind}]) -> {kind}:")
}

pub(super) fn signature(hook: &Hook, vocabulary: &Vocabulary, terms: &Terms) -> String {
    let type_of = |sort: Sort| type_name(vocabulary, sort, terms);
    let name = &hook.name;
    match &hook.kind {
        HookKind::Send(open) => {
            let result = match &open[..] {
                [] => "None".to_owned(),
                [(_, sort)] => type_of(*sort),
                several => {
                    let sorts: Vec<String> =
                        several.iter().map(|(_, sort)| type_of(*sort)).collect();
                    format!("tuple[{}]", sorts.join(", "))
                }
            };
            format!("def {name}(self, known: Known) -> {result}:")
        }
        HookKind::Receive(taken) => {
            let taken: Vec<String> = taken
                .iter()
                .map(|(name, sort)| format!(", {name}: {}", type_of(*sort)))
                .collect();
            format!("def {name}(self, known: Known{}) -> None:", taken.concat())
        }
    }
}

/// What a method is for.
pub(super) fn advice(hook: &Hook) -> String {
    let text = plain(&hook.text);
    match &hook.kind {
        HookKind::Send(open) if open.is_empty() => format!("About to send `{text}`."),
        HookKind::Send(open) => {
            let names: Vec<&str> = open.iter().map(|(name, _)| name.as_str()).collect();
            format!("To send `{text}`: gives {}.", names.join(", "))
        }
        HookKind::Receive(_) => format!("Received `{text}`; its data are in `known` already."),
    }
}
