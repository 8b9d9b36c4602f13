//! `<name>_machines.py`: what the others do in a test.

use crate::sessions::plan::{MachinePlan, Plan};
use crate::{Code, TargetLanguage};

pub(super) fn text(plan: &Plan<'_>, stem: &str) -> String {
    let mut code = Code::new();
    code.line("\"\"\"The machine of each participant, with one method per transition.");
    code.blank();
    code.line("Generated, and generated again when the model changes.");
    code.line("\"\"\"");
    code.blank();
    let transitions = plan.machines.iter().flat_map(|it| &it.transitions);
    let (mut receives, mut sends) = (false, false);
    for transition in transitions {
        if transition.action.is_output() {
            sends = true
        } else {
            receives = true
        }
    }
    let mut imports = vec!["Machine".to_owned(), "Model".to_owned()];
    imports.extend(receives.then(|| "received".to_owned()));
    imports.extend(sends.then(|| "sent".to_owned()));
    super::import(&mut code, "choros_sessions.testing", &imports);
    code.blank();
    let classes: Vec<String> = plan
        .participants
        .iter()
        .chain(&plan.messages)
        .map(|(_, class)| class.clone())
        .collect();
    super::import(&mut code, &format!("{stem}_types"), &classes);
    for machine in &plan.machines {
        code.line("").line("");
        machine_class(plan, machine, &mut code);
    }
    code.line("").line("");
    let machines: String = plan
        .machines
        .iter()
        .map(|it| format!("{}, ", it.class))
        .collect();
    code.line(format!(
        "MODEL = Model({}, ({}))",
        TargetLanguage::Python.text_literal(plan.tests.name),
        // One machine alone still needs the comma of a tuple.
        match plan.machines.len() {
            1 => machines.trim_end(),
            _ => machines.trim_end_matches(", "),
        }
    ));
    code.finish()
}

fn machine_class(plan: &Plan<'_>, machine: &MachinePlan<'_>, code: &mut Code) {
    let participant = &machine.participant;
    let text = |name: &str| TargetLanguage::Python.text_literal(name);
    let finals: Vec<&str> = machine
        .machine
        .states()
        .filter(|&state| machine.machine.is_final(state))
        .map(|state| machine.state(state))
        .collect();
    code.line(format!("class {}(Machine):", machine.class));
    code.indented(|code| {
        code.line(format!("participant = {participant}"));
        code.line(format!(
            "initial = {}",
            text(machine.state(machine.machine.initial()))
        ));
        let success: Vec<String> = finals.iter().map(|state| text(state)).collect();
        code.line(if success.is_empty() {
            "success = frozenset[str]()".to_owned()
        } else {
            format!("success = frozenset({{{}}})", success.join(", "))
        });
        for transition in &machine.transitions {
            let verb = if transition.action.is_output() {
                "sends"
            } else {
                "receives"
            };
            code.blank();
            code.line(format!("async def {}(self) -> None:", transition.method));
            code.indented(|code| {
                code.line(format!(
                    "await self.{verb}({}, {}, {}, {})",
                    text(machine.state(transition.source)),
                    plan.participant(transition.action.partner),
                    plan.message(transition.action.message),
                    text(machine.state(transition.target))
                ));
            });
        }
        for state in &finals {
            code.blank();
            code.line(format!("async def _{state}_eps(self) -> None:"));
            code.indented(|code| {
                code.line(format!("self.ends({})", text(state)));
            });
        }
        code.blank();
        table(plan, machine, code);
        let ends: Vec<String> = finals
            .iter()
            .map(|state| format!("{}: _{state}_eps", text(state)))
            .collect();
        code.line(format!("finals = {{{}}}", ends.join(", ")));
    });
}

fn table(plan: &Plan<'_>, machine: &MachinePlan<'_>, code: &mut Code) {
    if machine.transitions.is_empty() {
        code.line("transitions = ()");
        return;
    }
    code.block("transitions = (", ")", |code| {
        for transition in &machine.transitions {
            let maker = if transition.action.is_output() {
                "sent"
            } else {
                "received"
            };
            code.line(format!(
                "{maker}({}, {}, {}, {}, {}),",
                TargetLanguage::Python.text_literal(machine.state(transition.source)),
                plan.participant(transition.action.partner),
                plan.message(transition.action.message),
                TargetLanguage::Python.text_literal(machine.state(transition.target)),
                transition.method
            ));
        }
    });
}
