//! `<name>_implementations.py`: what the user writes.

use crate::sessions::plan::Plan;
use crate::{Code, TargetLanguage};

pub(super) fn text(plan: &Plan<'_>, stem: &str) -> String {
    let mut code = Code::new();
    code.line("\"\"\"The implementations under test.");
    code.blank();
    code.line("This file is yours. Each function plays one participant: it gets a session at its");
    code.line("beginning, and every operation on a session returns the session that follows.");
    code.line("\"\"\"");
    code.blank();
    code.line("from choros_sessions.testing import Options");
    code.blank();
    let sessions: Vec<String> = plan.machines.iter().map(|it| it.session.clone()).collect();
    super::import(&mut code, &format!("{stem}_session_types"), &sessions);
    code.line(format!("from {stem}_types import *"));
    code.blank();
    code.line("OPTIONS = Options()");
    for machine in &plan.machines {
        let role = plan.tests.names.text(machine.machine.participant());
        code.line("").line("");
        code.line(format!(
            "async def play_{}(session: {}) -> None:",
            machine.participant, machine.session
        ));
        code.indented(|code| {
            code.line(format!(
                "raise NotImplementedError({})",
                TargetLanguage::Python.text_literal(&format!("{role} is not implemented yet"))
            ));
        });
    }
    code.finish()
}
