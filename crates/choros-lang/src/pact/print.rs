//! Definitions as text that parses back to the same definitions.
//!
//! Choice and parallel are put in parentheses wherever they are operands: `;` binds tighter, and the two bind alike.

use choros_base::Names;
use choros_model::stg::Direction;
use choros_model::stg::label::{EventSyntax, MessageSyntax};

use crate::ast::{Body, Component, Operator, ProcessId, ProcessKind, Script};
use crate::print::name_text;

/// Lines are not made longer than this if they can be broken.
const WIDTH: usize = 100;

/// All definitions; one that is called `unnamed` is written without its name.
pub fn print(script: &Script, names: &Names, unnamed: &str) -> String {
    let mut out = String::new();
    for component in &script.components {
        out.push_str(&definition(script, component, names, unnamed));
    }
    out
}

/// One definition, broken into lines, with a line break at its end.
pub(super) fn definition(
    script: &Script,
    component: &Component,
    names: &Names,
    unnamed: &str,
) -> String {
    let words = match &component.body {
        Body::Process(root) => words(script, *root, names),
        Body::Composition(parts) => {
            let parts = parts.iter().map(|part| names.text(part.name));
            let mut words: Vec<String> = Vec::new();
            for part in parts {
                if !words.is_empty() {
                    words.push("|".to_owned());
                }
                words.push(part.to_owned());
            }
            words
        }
        Body::Graph(_) => Vec::new(),
    };
    let name = names.text(component.name.name);
    let mut line = if name == unnamed {
        String::new()
    } else {
        format!("{name} =")
    };
    let mut out = String::new();
    for word in words {
        let space = !line.is_empty() && !line.ends_with(' ');
        if !line.trim().is_empty() && line.chars().count() + word.chars().count() >= WIDTH {
            out.push_str(&line);
            out.push('\n');
            line = format!("    {word}");
            continue;
        }
        if space {
            line.push(' ');
        }
        line.push_str(&word);
    }
    out.push_str(&line);
    out.push('\n');
    out
}

enum Piece {
    Open,
    Close,
    Sign(Operator),
    Process(ProcessId, bool),
}

/// The pieces between which a line may be broken.
fn words(script: &Script, root: ProcessId, names: &Names) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = String::new();
    let mut pending = vec![Piece::Process(root, false)];
    while let Some(piece) = pending.pop() {
        let (id, nested) = match piece {
            Piece::Open => {
                open.push('(');
                continue;
            }
            Piece::Close | Piece::Sign(Operator::Sequence) => {
                let sign = if matches!(piece, Piece::Close) {
                    ')'
                } else {
                    ';'
                };
                if let Some(last) = words.last_mut() {
                    last.push(sign);
                }
                continue;
            }
            Piece::Sign(operator) => {
                let sign = match operator {
                    Operator::Choice => "[]",
                    _ => "|",
                };
                words.push(sign.to_owned());
                continue;
            }
            Piece::Process(id, nested) => (id, nested),
        };
        match &script.processes.get(id).kind {
            ProcessKind::Chain(operator, operands) => {
                let start = pending.len();
                // `a; b` needs none within a choice, everything else does as an operand.
                let parentheses = nested;
                if parentheses {
                    pending.push(Piece::Open);
                }
                for (position, &operand) in operands.iter().enumerate() {
                    if position > 0 {
                        pending.push(Piece::Sign(*operator));
                    }
                    let bare = *operator != Operator::Sequence && is_sequence(script, operand);
                    pending.push(Piece::Process(operand, !bare));
                }
                if parentheses {
                    pending.push(Piece::Close);
                }
                pending[start..].reverse();
            }
            ProcessKind::Event(EventSyntax::Message(message)) => {
                words.push(std::mem::take(&mut open) + &event(message, names));
            }
            _ => words.push(std::mem::take(&mut open) + "skip"),
        }
    }
    words
}

fn is_sequence(script: &Script, id: ProcessId) -> bool {
    matches!(
        &script.processes.get(id).kind,
        ProcessKind::Chain(Operator::Sequence, _)
    )
}

fn event(message: &MessageSyntax, names: &Names) -> String {
    let direction = match message.direction {
        Direction::Interaction => "",
        Direction::Send => "!",
        Direction::Receive => "?",
    };
    format!(
        "{}[{},{}]{direction}",
        name_text(message.operation.0, names),
        name_text(message.from.0, names),
        name_text(message.to.0, names)
    )
}
