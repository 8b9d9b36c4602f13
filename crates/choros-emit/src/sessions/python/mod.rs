//! The five Python files, on top of the package `choros-sessions`.

mod implementations;
mod machines;
mod message_types;
mod session_types;
mod test_file;

use super::SessionTests;
use super::plan::Plan;
use crate::{FileSet, Identifiers, NamingCase, TargetLanguage};

/// The tests as five Python files.
///
/// | file | holds | whose it is |
/// |---|---|---|
/// | `<name>_types.py` | a class per participant and message | the user's: fields steer what is drawn |
/// | `<name>_session_types.py` | a type per state | generated |
/// | `<name>_machines.py` | a machine per participant | generated |
/// | `<name>_implementations.py` | a function per participant | the user's |
/// | `test_<name>.py` | the tests | generated |
pub fn python(tests: &SessionTests<'_>) -> FileSet {
    let plan = Plan::new(tests, TargetLanguage::Python, RESERVED);
    let stem = Identifiers::new(TargetLanguage::Python).name(NamingCase::Snake, tests.name);
    let mut files = FileSet::new();
    files.add(&format!("{stem}_types.py"), message_types::text(&plan));
    files.add(
        &format!("{stem}_session_types.py"),
        session_types::text(&plan, &stem),
    );
    files.add(&format!("{stem}_machines.py"), machines::text(&plan, &stem));
    files.add(
        &format!("{stem}_implementations.py"),
        implementations::text(&plan, &stem),
    );
    files.add(&format!("test_{stem}.py"), test_file::text(&plan, &stem));
    files
}

/// Names that the emitted files use themselves.
const RESERVED: &[&str] = &[
    "Annotated",
    "Between",
    "Case",
    "Choose",
    "Eps",
    "Exchange",
    "Left",
    "Length",
    "Literal",
    "Machine",
    "Matches",
    "Message",
    "Model",
    "MODEL",
    "Offer",
    "OneOf",
    "OPTIONS",
    "Options",
    "Participant",
    "Recv",
    "Right",
    "Send",
    "Sequence",
    "Where",
    "branch",
    "conform",
    "data",
    "dataclass",
    "final",
    "float",
    "frozenset",
    "given",
    "implementations",
    "object",
    "pytest",
    "received",
    "select",
    "sent",
    "session",
    "st",
];

/// Names as an import lists them, in one line or in one line each.
fn import(code: &mut crate::Code, module: &str, names: &[String]) {
    let line = format!("from {module} import {}", names.join(", "));
    if names.is_empty() {
        return;
    }
    if line.len() <= 100 {
        code.line(line);
        return;
    }
    code.block(&format!("from {module} import ("), ")", |code| {
        for name in names {
            code.line(format!("{name},"));
        }
    });
}
