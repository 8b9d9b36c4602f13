//! Scripts as text that parses back to the same scripts.
//!
//! Parentheses are written where the grammar needs them, and where [`crate::CODES`]' `ambiguous-term` asks for them.

mod events;

use choros_base::Names;

use crate::ast::{
    Body, Component, Graph, Operator, Process, ProcessId, ProcessKind, Reference, Script,
};
pub(crate) use events::name_text;
use events::{Quotes, event_text, label_text, quoted};

/// A script as text.
pub fn print(script: &Script, names: &Names) -> String {
    let mut out = String::from("DECLARATIONS\n");
    for component in &script.components {
        out.push_str(&component_text(script, component, names));
    }
    out.push_str("\nCOMMANDS\n\n");
    for command in &script.commands {
        match command.kind {
            None => out.push_str(&command.text),
            Some(kind) => {
                out.push_str(kind.text());
                for argument in &command.arguments {
                    out.push(' ');
                    out.push_str(names.text(argument.name));
                }
                if let Some(mode) = command.mode {
                    out.push(' ');
                    out.push_str(mode.text());
                }
            }
        }
        out.push('\n');
    }
    out
}

fn component_text(script: &Script, component: &Component, names: &Names) -> String {
    let text = |reference: &Reference| names.text(reference.name).to_owned();
    let (kind, body) = match &component.body {
        Body::Process(root) => (
            "chorD",
            format!("    {}\n", process_text(script, *root, names)),
        ),
        Body::Composition(parts) => {
            let parts: Vec<String> = parts.iter().map(text).collect();
            ("chorD", format!("    {}\n", parts.join(" || ")))
        }
        Body::Graph(graph) => ("STG", graph_text(script, graph, names)),
    };
    format!(
        "\ncomponent {} {kind}\n{body}end component\n",
        text(&component.name)
    )
}

fn graph_text(script: &Script, graph: &Graph, names: &Names) -> String {
    let mut out = String::new();
    for state in &graph.states {
        let label = match &state.label {
            Some(label) => format!(" [label={}]", quoted(label)),
            None => String::new(),
        };
        out.push_str(&format!("    {}{label};\n", names.text(state.name.name)));
    }
    for transition in &graph.transitions {
        let label = match &transition.label {
            Some(label) => label_text(label, &script.exprs, names),
            None => "…".to_owned(),
        };
        out.push_str(&format!(
            "    {} -> {} [label=\"{label}\"];\n",
            names.text(transition.source.name),
            names.text(transition.target.name)
        ));
    }
    out
}

enum Piece {
    Text(&'static str),
    Owned(String),
    Process(ProcessId, Place),
}

/// Where a process stands, which decides whether it needs parentheses.
#[derive(Clone, Copy)]
enum Place {
    Alone,
    BehindPrefix,
    /// An operand; the last one of its chain or not.
    Operand(Operator, bool),
}

/// A process as text, by a stack of pending pieces: chains of prefixes are as deep as they are long.
fn process_text(script: &Script, root: ProcessId, names: &Names) -> String {
    let mut out = String::new();
    let mut pending = vec![Piece::Process(root, Place::Alone)];
    while let Some(piece) = pending.pop() {
        let (id, place) = match piece {
            Piece::Text(text) => {
                out.push_str(text);
                continue;
            }
            Piece::Owned(text) => {
                out.push_str(&text);
                continue;
            }
            Piece::Process(id, place) => (id, place),
        };
        let process = script.processes.get(id);
        let parentheses = needs_parentheses(process, place);
        let start = pending.len();
        if parentheses {
            pending.push(Piece::Text("("));
        }
        pieces(script, process, names, &mut pending);
        if parentheses {
            pending.push(Piece::Text(")"));
        }
        // Pieces were pushed in reading order; the stack pops from the end.
        pending[start..].reverse();
    }
    out
}

fn pieces(script: &Script, process: &Process, names: &Names, out: &mut Vec<Piece>) {
    let prefix = |guard, sign| {
        let guard = script.exprs.print(names, guard);
        Piece::Owned(format!("[{guard}] {sign} "))
    };
    match &process.kind {
        ProcessKind::Skip => out.push(Piece::Text("skip")),
        ProcessKind::Event(event) => out.push(Piece::Owned(event_text(
            event,
            &script.exprs,
            names,
            Quotes::Plain,
        ))),
        ProcessKind::Guarded(guard, inner) => out.extend([
            prefix(*guard, "|>"),
            Piece::Process(*inner, Place::BehindPrefix),
        ]),
        ProcessKind::Loop(guard, inner) => out.extend([
            prefix(*guard, "*"),
            Piece::Process(*inner, Place::BehindPrefix),
        ]),
        ProcessKind::Chain(operator, operands) => {
            for (position, &operand) in operands.iter().enumerate() {
                if position > 0 {
                    out.push(Piece::Owned(format!(" {} ", operator.text())));
                }
                let is_last = position + 1 == operands.len();
                out.push(Piece::Process(operand, Place::Operand(*operator, is_last)));
            }
        }
        ProcessKind::Error => out.push(Piece::Text("…")),
    }
}

fn needs_parentheses(process: &Process, place: Place) -> bool {
    match (&process.kind, place) {
        (_, Place::Alone) => false,
        (ProcessKind::Chain(..), Place::BehindPrefix) => true,
        (ProcessKind::Chain(inner, _), Place::Operand(operator, _)) => {
            // Only a sequence in a choice or in parallel is read alike by everyone.
            *inner <= operator || operator == Operator::Interruption || *inner == Operator::Choice
        }
        (
            ProcessKind::Guarded(..) | ProcessKind::Loop(..),
            Place::Operand(Operator::Interruption, is_last),
        ) => !is_last,
        _ => false,
    }
}
