//! The program in Python: a package without dependencies.

mod messages;
mod outside;
mod role;
mod service;

use choros_data::Terms;

use super::{Program, origin};
use crate::{Code, FileSet, NamingCase, TargetLanguage};

const NETWORK: &str = include_str!("../../../templates/network.py");

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
    let package = format!("{}_services", NamingCase::Snake.of(choreography));
    let head = TargetLanguage::Python.comment(&origin(choreography));
    let mut add = |path: String, text: String| {
        files.add(&format!("{package}/{path}"), text);
    };
    add("__init__.py".to_owned(), format!("{head}\n"));
    add(
        "messages.py".to_owned(),
        messages::file(&head, vocabulary, terms),
    );
    add("network.py".to_owned(), format!("{head}\n{NETWORK}"));
    if !outside.is_empty() {
        let text = outside::file(&head, vocabulary, outside, terms);
        add("outside.py".to_owned(), text);
    }
    for plan in plans {
        let module = &vocabulary.role(plan.role).module;
        add(
            format!("{module}.py"),
            role::file(&head, plan, vocabulary, terms),
        );
        add(
            format!("{module}_service.py"),
            service::file(plan, vocabulary, terms),
        );
    }
    if whole {
        add("__main__.py".to_owned(), main_program(&head, program));
    }
    files
}

/// Runs all services at once, without a network.
fn main_program(head: &str, program: &Program<'_>) -> String {
    let Program {
        vocabulary, plans, ..
    } = *program;
    let is_bound = !program.outside.is_empty();
    let mut code = Code::new();
    code.line(head);
    code.line("\"\"\"Runs all services in one process and prints their messages.\"\"\"");
    code.blank();
    code.line("import sys");
    code.line("from concurrent.futures import ThreadPoolExecutor");
    code.blank();
    let modules: Vec<&str> = plans
        .iter()
        .map(|plan| vocabulary.role(plan.role).module.as_str())
        .collect();
    code.line(format!("from . import {}", modules.join(", ")));
    for plan in plans {
        let role = vocabulary.role(plan.role);
        let (module, name) = (&role.module, &role.name);
        code.line(format!("from .{module}_service import {name}Service"));
    }
    code.line("from .messages import Role");
    code.line("from .network import Failure, Memory");
    if is_bound {
        code.line("from .outside import encode");
    }
    code.blank().line("");
    code.line("def main() -> int:");
    code.indented(|code| {
        code.line("# Services that talk forever are stopped after this many messages.");
        code.line("memory = Memory(list(Role), most=1_000)");
        code.line("services = [");
        code.indented(|code| {
            for plan in plans {
                let role = vocabulary.role(plan.role);
                code.line(format!(
                    "({}.run, {}Service(), Role.{}),",
                    role.module, role.name, role.name
                ));
            }
        });
        code.line("]");
        code.line("failed = False");
        code.line("with ThreadPoolExecutor(len(services)) as pool:");
        code.indented(|code| {
            code.line("runs = [pool.submit(memory.play, *service) for service in services]");
        });
        code.line("for run in runs:");
        code.indented(|code| {
            code.line("try:");
            code.indented(|code| {
                code.line("run.result()");
            });
            code.line("except Failure as failure:");
            code.indented(|code| {
                code.line("print(failure, file=sys.stderr)")
                    .line("failed = True");
            });
        });
        code.line("for message in memory.sent:");
        code.indented(|code| {
            let ends = "{message.sender.value} -> {message.receiver.value}";
            let outside = if is_bound {
                " as {encode(message.payload)}"
            } else {
                ""
            };
            code.line(format!("print(f\"{ends}: {{message.payload}}{outside}\")"));
        });
        code.line("return int(failed)");
    });
    code.blank().line("");
    code.line("if __name__ == \"__main__\":");
    code.indented(|code| {
        code.line("sys.exit(main())");
    });
    code.finish()
}

/// A text of the model within documentation.
fn plain(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '"' | '\\' => '\'',
            other if other.is_control() => ' ',
            other => other,
        })
        .collect()
}
