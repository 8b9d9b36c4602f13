//! The program in Rust: a crate without dependencies.

mod messages;
mod outside;
mod role;
mod service;

use choros_data::Terms;

use super::{Program, origin};
use crate::{Code, FileSet, NamingCase, TargetLanguage};

const NETWORK: &str = include_str!("../../../templates/network.rs");
const REAL: &str = include_str!("../../../templates/real.rs");

pub(super) fn files(program: &Program<'_>, terms: &Terms) -> FileSet {
    let Program {
        choreography,
        vocabulary,
        plans,
        whole,
        outside,
    } = *program;
    let mut files = FileSet::new();
    // Not the bare name, which may be that of a library.
    let name = format!("{}_services", NamingCase::Snake.of(choreography));
    files.add("Cargo.toml", manifest(&name));
    let head = comment(&origin(choreography));
    files.add("src/lib.rs", library(&head, program));
    files.add("src/messages.rs", messages::file(&head, vocabulary, terms));
    files.add("src/network.rs", format!("{head}\n{NETWORK}"));
    if !outside.is_empty() {
        let text = outside::file(&head, vocabulary, outside, terms);
        files.add("src/outside.rs", text);
    }
    if needs_reals(program) {
        files.add("src/real.rs", format!("{head}\n{REAL}"));
    }
    for plan in plans {
        let module = &vocabulary.role(plan.role).module;
        files.add(
            &format!("src/{module}.rs"),
            role::file(&head, plan, vocabulary, terms),
        );
        files.add(
            &format!("src/{module}_service.rs"),
            service::file(plan, vocabulary, terms),
        );
    }
    if whole {
        files.add("src/main.rs", main_program(&head, &name, program));
    }
    files
}

fn comment(text: &str) -> String {
    TargetLanguage::Rust.comment(text)
}

fn manifest(name: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
         # A separate package, even inside the folder of another one.\n[workspace]\n"
    )
}

/// Whether there are numbers with fractions, inside or outside.
fn needs_reals(program: &Program<'_>) -> bool {
    program.vocabulary.has_reals || !program.outside.is_empty()
}

fn library(head: &str, program: &Program<'_>) -> String {
    let Program {
        choreography,
        vocabulary,
        plans,
        ..
    } = *program;
    let mut code = Code::new();
    code.line(head);
    code.line(format!(
        "//! The services of the choreography {}: fill in `*_service.rs`.",
        TargetLanguage::Rust.comment(&format!("`{choreography}`"))[3..].to_owned()
    ));
    code.blank();
    for plan in plans {
        let module = &vocabulary.role(plan.role).module;
        code.line(format!("pub mod {module};"));
        code.line(format!("pub mod {module}_service;"));
    }
    code.line("pub mod messages;").line("pub mod network;");
    if !program.outside.is_empty() {
        code.line("pub mod outside;");
    }
    if needs_reals(program) {
        code.line("pub mod real;");
    }
    code.finish()
}

/// Runs all services at once, without a network.
fn main_program(head: &str, name: &str, program: &Program<'_>) -> String {
    let Program {
        vocabulary, plans, ..
    } = *program;
    let is_bound = !program.outside.is_empty();
    let mut code = Code::new();
    code.line(head);
    code.line("//! Runs all services in one process and prints their messages.");
    code.blank();
    for plan in plans {
        let module = &vocabulary.role(plan.role).module;
        code.line(format!("use {name}::{module};"));
    }
    for plan in plans {
        let role = vocabulary.role(plan.role);
        let module = &role.module;
        code.line(format!(
            "use {name}::{module}_service::{}Service;",
            role.name
        ));
    }
    code.line(format!("use {name}::messages::Role;"));
    code.line(format!("use {name}::network::Memory;"));
    if is_bound {
        code.line(format!("use {name}::outside::encode;"));
    }
    code.blank();
    let roles: Vec<String> = plans
        .iter()
        .map(|plan| format!("Role::{}", vocabulary.role(plan.role).name))
        .collect();
    code.block("fn main() {", "}", |code| {
        code.line("// Services that talk forever are stopped after this many messages.");
        code.line(format!(
            "let memory = Memory::new(&[{}], 1_000);",
            roles.join(", ")
        ));
        code.line("let threads = [");
        code.indented(|code| {
            for plan in plans {
                let role = vocabulary.role(plan.role);
                let (module, name) = (&role.module, &role.name);
                code.block("{", "},", |code| {
                    code.line(format!("let mut network = memory.endpoint(Role::{name});"));
                    code.block("std::thread::spawn(move || {", "})", |code| {
                        code.line(format!("let mut service = {name}Service::default();"));
                        code.line(format!(
                            "{module}::run(&mut service, &mut network).map(|_| ())"
                        ));
                    });
                });
            }
        });
        code.line("];");
        code.line("let mut failed = false;");
        code.block("for thread in threads {", "}", |code| {
            code.block("match thread.join() {", "}", |code| {
                code.line("Ok(Ok(())) => {}");
                code.block("Ok(Err(failure)) => {", "}", |code| {
                    code.line("eprintln!(\"{failure}\");")
                        .line("failed = true;");
                });
                code.line("Err(_) => failed = true,");
            });
        });
        code.block("for message in memory.sent() {", "}", |code| {
            if is_bound {
                code.block("let outside = match encode(&message.payload) {", "};", |code| {
                    code.line("Ok(envelope) => envelope.to_string(),")
                        .line("Err(failure) => failure.to_string(),");
                });
            }
            let outside = if is_bound { " as {outside}" } else { "" };
            code.line(format!(
                "println!(\"{{:?}} -> {{:?}}: {{:?}}{outside}\", message.from, message.to, message.payload);",
            ));
        });
        code.line("std::process::exit(i32::from(failed));");
    });
    code.finish()
}
