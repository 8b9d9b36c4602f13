//! A Rust test crate in which a wrong order of messages does not compile.
//!
//! Every state of a machine is a type of its own; an operation takes the state by value and returns the next one.
//! So a session cannot be used twice either, which Python's types cannot say.

mod manifest;
mod message_types;
mod protocol;
mod session_types;
mod test_file;

use std::collections::BTreeSet;

use super::SessionTests;
use super::plan::Plan;
use crate::{Code, FileSet, Identifiers, NamingCase, TargetLanguage};

/// The tests as a Rust crate.
///
/// | file | holds | whose it is |
/// |---|---|---|
/// | `Cargo.toml` | the manifest, with tokio and proptest | the user's |
/// | `src/types.rs` | a struct per message | the user's: fields steer what is drawn |
/// | `src/implementations.rs` | a function per participant | the user's |
/// | `src/session_types.rs` | a type per state | generated |
/// | `src/protocol.rs` | participants, kinds of messages, machines | generated |
/// | `src/runtime.rs` | queues and the loop that drives a test | generated |
/// | `src/tests.rs` | the tests | generated |
pub fn rust(tests: &SessionTests<'_>) -> FileSet {
    let plan = Plan::new(tests, TargetLanguage::Rust, RESERVED);
    let stem = Identifiers::new(TargetLanguage::Rust).name(NamingCase::Snake, tests.name);
    let mut files = FileSet::new();
    files.add("Cargo.toml", manifest::text(&stem));
    files.add("src/lib.rs", manifest::library(tests.name));
    files.add("src/types.rs", message_types::text(&plan));
    files.add("src/session_types.rs", session_types::text(&plan));
    files.add("src/protocol.rs", protocol::text(&plan));
    files.add(
        "src/runtime.rs",
        include_str!("../../../templates/sessions/runtime.rs"),
    );
    files.add("src/implementations.rs", implementations(&plan));
    files.add("src/tests.rs", test_file::text(&plan));
    files
}

/// Names that the emitted files use themselves.
const RESERVED: &[&str] = &[
    "BoxedStrategy",
    "Case",
    "Coverage",
    "Ended",
    "Exchange",
    "Just",
    "Kind",
    "Machine",
    "Message",
    "Network",
    "Options",
    "Participant",
    "Payloads",
    "Rc",
    "SessionError",
    "Strategy",
    "Transition",
];

fn implementations(plan: &Plan<'_>) -> String {
    let mut code = Code::new();
    code.lines(
        "//! The implementations under test.\n//!\n\
         //! This file is yours. Each function plays one participant: it gets a session at its\n\
         //! beginning, and every operation on a session returns the session that follows.\n",
    );
    code.blank();
    code.line("use crate::runtime::{Options, SessionError};");
    code.line("use crate::session_types::*;");
    code.line("#[allow(unused_imports)]");
    code.line("use crate::types::*;");
    code.blank();
    code.line("/// How tests are run.");
    code.block("pub fn options() -> Options {", "}", |code| {
        code.line("Options::default()");
    });
    for machine in &plan.machines {
        let role = plan.tests.names.text(machine.machine.participant());
        code.blank();
        code.line(format!(
            "pub async fn {}(_session: {}) -> Result<(), SessionError> {{",
            function(plan, &machine.participant),
            machine.session
        ));
        code.indented(|code| {
            code.line(format!(
                "Err(SessionError::Other({}.to_owned()))",
                TargetLanguage::Rust.text_literal(&format!("{role} is not implemented yet"))
            ));
        });
        code.line("}");
    }
    code.finish()
}

/// The function that plays a participant.
fn function(plan: &Plan<'_>, participant: &str) -> String {
    let mut taken = BTreeSet::new();
    for machine in &plan.machines {
        let mut identifiers = Identifiers::new(TargetLanguage::Rust);
        let stem = format!(
            "play_{}",
            identifiers.name(NamingCase::Snake, &machine.participant)
        );
        let name = super::plan::unique(&stem, &mut taken);
        if machine.participant == participant {
            return name;
        }
    }
    String::new()
}
