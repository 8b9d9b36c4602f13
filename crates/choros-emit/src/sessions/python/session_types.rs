//! `<name>_session_types.py`: a type per state.

use crate::sessions::plan::{MachinePlan, Plan};
use crate::sessions::types::{Alternative, StateType, state_types};
use crate::{Code, TargetLanguage};

/// This many alternatives are nested in one expression; Python's parser refuses to go much deeper than a hundred.
const NESTED: usize = 20;

pub(super) fn text(plan: &Plan<'_>, stem: &str) -> String {
    let mut body = Code::new();
    for machine in &plan.machines {
        body.line("");
        machine_types(plan, machine, &mut body);
    }
    let body = body.finish();
    let used: Vec<String> = ["Choose", "Eps", "Offer", "Recv", "Send"]
        .iter()
        .filter(|&&name| uses(&body, name))
        .map(|&name| name.to_owned())
        .collect();
    let classes: Vec<String> = plan
        .participants
        .iter()
        .chain(&plan.messages)
        .map(|(_, class)| class.clone())
        .filter(|class| uses(&body, class))
        .collect();
    let mut code = Code::new();
    code.line(
        "\"\"\"What each participant does, as local session types: one per state of its machine.",
    );
    code.blank();
    code.line("Generated, and generated again when the model changes.");
    code.line("\"\"\"");
    code.blank();
    super::import(&mut code, "choros_sessions", &used);
    code.blank();
    super::import(&mut code, &format!("{stem}_types"), &classes);
    format!("{}{body}", code.finish())
}

/// Whether a word occurs.
fn uses(text: &str, word: &str) -> bool {
    text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .any(|part| part == word)
}

fn machine_types(plan: &Plan<'_>, machine: &MachinePlan<'_>, code: &mut Code) {
    let names = plan.tests.names;
    let role = names.text(machine.machine.participant());
    code.line(TargetLanguage::Python.comment(role));
    for state_type in state_types(machine.machine, names) {
        let name = machine.type_of(state_type.state);
        if state_type.mixed {
            code.line(format!(
                "# {name} could receive as well; its type sends first and leaves that for later."
            ));
        }
        let expression = expression(plan, machine, &state_type, name, code);
        // A class can name itself and what comes after it; a plain alias cannot.
        if state_type.refers_ahead {
            code.blank();
            code.line(format!("class {name}({expression}):"));
            code.indented(|code| {
                code.line("pass");
            });
            code.blank();
        } else {
            code.line(format!("{name} = {expression}"));
        }
    }
    let initial = machine.type_of(machine.machine.initial());
    code.line(format!("{} = {initial}", machine.session));
}

fn expression(
    plan: &Plan<'_>,
    machine: &MachinePlan<'_>,
    state_type: &StateType,
    name: &str,
    code: &mut Code,
) -> String {
    let (several, last) = if state_type.sends() {
        ("Choose", "Send")
    } else {
        ("Offer", "Recv")
    };
    let mut expression: Option<String> = None;
    for (count, alternative) in state_type.alternatives.iter().rev().enumerate() {
        if count > 0 && count % NESTED == 0 && !state_type.refers_ahead {
            let rest = format!("{name}_rest{}", count / NESTED);
            code.line(format!("{rest} = {}", expression.unwrap_or_default()));
            expression = Some(rest);
        }
        let start = start(plan, machine, alternative);
        expression = Some(match expression {
            None => format!("{last}[{start}]"),
            Some(rest) => format!("{several}[{start}, {rest}]"),
        });
    }
    expression.unwrap_or_else(|| "Eps".to_owned())
}

fn start(plan: &Plan<'_>, machine: &MachinePlan<'_>, alternative: &Alternative) -> String {
    let target = machine.type_of(alternative.target);
    let quote = if alternative.ahead { "\"" } else { "" };
    format!(
        "{}, {}, {quote}{target}{quote}",
        plan.participant(alternative.action.partner),
        plan.message(alternative.action.message)
    )
}
