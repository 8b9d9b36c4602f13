//! The places to fill in, in Rust.

use std::collections::BTreeSet;

use choros_data::{Sort, Terms};

use crate::Code;
use crate::skeleton::expression::{type_name, type_names};
use crate::skeleton::plan::{Hook, HookKind, Plan};
use crate::skeleton::vocabulary::Vocabulary;

pub(super) fn file(plan: &Plan, vocabulary: &Vocabulary, terms: &Terms) -> String {
    let role = vocabulary.role(plan.role);
    let mut code = Code::new();
    code.line(
        "//! Yours to fill in: it is generated once, and never overwritten after you edited it.",
    );
    code.blank();
    let mut imports: Vec<String> = vec![role.name.clone()];
    imports.extend(plan.choices().map(|(_, kind)| kind.to_owned()));
    imports.push("Known".to_owned());
    imports.sort_unstable();
    code.line(format!(
        "use crate::{}::{{{}}};",
        role.module,
        imports.join(", ")
    ));
    let parameters = plan.parameters.iter();
    let mut used: BTreeSet<String> = parameters
        .flat_map(|(_, _, sort)| type_names(vocabulary, *sort, terms))
        .collect();
    used.extend(
        plan.hooks
            .iter()
            .flat_map(|hook| hook.type_names(vocabulary, terms)),
    );
    if !used.is_empty() {
        let used: Vec<String> = used.into_iter().collect();
        code.line(format!("use crate::messages::{{{}}};", used.join(", ")));
    }
    code.blank();
    code.line("/// What the service keeps for itself.");
    code.line("#[derive(Debug, Default)]");
    code.line(format!("pub struct {}Service {{}}", role.name));
    code.blank();
    code.block(
        &format!("impl {} for {}Service {{", role.name, role.name),
        "}",
        |code| {
            let mut first = true;
            let mut gap = |code: &mut Code| {
                if !std::mem::take(&mut first) {
                    code.blank();
                }
            };
            for (method, variable, sort) in &plan.parameters {
                gap(code);
                code.line(format!("// The value of the parameter {variable}."));
                let sort = type_name(vocabulary, *sort, terms);
                code.block(
                    &format!("fn {method}(&mut self) -> {sort} {{"),
                    "}",
                    |code| {
                        code.line("Default::default()");
                    },
                );
            }
            for hook in &plan.hooks {
                gap(code);
                code.line(format!("// {}", advice(hook)));
                let head = signature(hook, vocabulary, terms, "_");
                match &hook.kind {
                    HookKind::Send(open) if !open.is_empty() => {
                        code.block(&format!("{head} {{"), "}", |code| {
                            code.line(match open.len() {
                                1 => "Default::default()".to_owned(),
                                count => {
                                    format!("({})", vec!["Default::default()"; count].join(", "))
                                }
                            });
                        });
                    }
                    HookKind::Send(_) | HookKind::Receive(_) => {
                        code.line(format!("{head} {{}}"));
                    }
                }
            }
            for (method, kind) in plan.choices() {
                gap(code);
                code.line("// Which of these things happens.");
                code.block(&choice_signature(method, kind, "_"), "}", |code| {
                    code.line("options[0]");
                });
            }
        },
    );
    code.finish()
}

/// The head of a method that chooses, with its opening brace.
pub(super) fn choice_signature(method: &str, kind: &str, unused: &str) -> String {
    format!("fn {method}(&mut self, {unused}known: &Known, options: &[{kind}]) -> {kind} {{")
}

/// The head of a method; `unused` is put before the names of its arguments.
pub(super) fn signature(
    hook: &Hook,
    vocabulary: &Vocabulary,
    terms: &Terms,
    unused: &str,
) -> String {
    let type_of = |sort: Sort| type_name(vocabulary, sort, terms);
    let mut head = format!("fn {}(&mut self, {unused}known: &Known", hook.name);
    match &hook.kind {
        HookKind::Send(open) => {
            head.push(')');
            match &open[..] {
                [] => {}
                [(_, sort)] => head.push_str(&format!(" -> {}", type_of(*sort))),
                several => {
                    let sorts: Vec<String> =
                        several.iter().map(|(_, sort)| type_of(*sort)).collect();
                    head.push_str(&format!(" -> ({})", sorts.join(", ")));
                }
            }
        }
        HookKind::Receive(taken) => {
            for (name, sort) in taken {
                head.push_str(&format!(", {unused}{name}: {}", type_of(*sort)));
            }
            head.push(')');
        }
    }
    head
}

/// What a method is for.
pub(super) fn advice(hook: &Hook) -> String {
    let text: String = hook
        .text
        .chars()
        .filter(|character| !character.is_control() && *character != '`')
        .collect();
    match &hook.kind {
        HookKind::Send(open) if open.is_empty() => format!("About to send `{text}`."),
        HookKind::Send(open) => {
            let names: Vec<&str> = open.iter().map(|(name, _)| name.as_str()).collect();
            format!("To send `{text}`: gives {}.", names.join(", "))
        }
        HookKind::Receive(_) => format!("Received `{text}`; its data are in `known` already."),
    }
}
