//! From what is written to the g-choreography it means.

use choros_base::{Diagnostic, FileId, Name, Names, Span, has_errors};
use choros_model::gchor::{Form, Gchor, Interaction, NodeId};

use super::ast::{Expression, ExpressionKind, Program, Word};
use super::diagnostics::{MAX_FINDINGS, absent_decider, nothing_happens, self_interaction};
use super::parse::parse;

/// Reads a `.gc` file; with errors, what is there is not to be relied on.
pub fn read(file: FileId, text: &str, names: &mut Names) -> (Gchor, Vec<Diagnostic>) {
    let (program, mut diagnostics) = parse(file, text, names);
    if program.choreography.is_none() && !has_errors(&diagnostics) {
        let start = Span::new(file, 0, 0);
        diagnostics.push(nothing_happens::diagnostic(start));
    }
    let (gchor, mut more) = lower(&program, names);
    diagnostics.append(&mut more);
    diagnostics.truncate(MAX_FINDINGS);
    (gchor, diagnostics)
}

/// The g-choreography of a file, and what is wrong with what it says.
///
/// Sequences in sequences and forks in forks are one; several receivers are a fork.
pub fn lower(program: &Program, names: &Names) -> (Gchor, Vec<Diagnostic>) {
    let mut work = Work {
        gchor: Gchor::new(),
        names,
        diagnostics: Vec::new(),
    };
    match &program.choreography {
        Some(choreography) => {
            let (root, _) = work.node(choreography);
            work.gchor.set_root(root);
        }
        None => {
            work.gchor.add(Form::Empty, None);
        }
    }
    (work.gchor, work.diagnostics)
}

struct Work<'a> {
    gchor: Gchor,
    names: &'a Names,
    diagnostics: Vec<Diagnostic>,
}

impl Work<'_> {
    /// The node of an expression and who takes part in it, in the order of first mention.
    ///
    /// The parser keeps expressions from nesting too deeply for this.
    fn node(&mut self, expression: &Expression) -> (NodeId, Vec<Name>) {
        let origin = Some(expression.span);
        let mut roles = Vec::new();
        let form = match &expression.kind {
            ExpressionKind::Empty => Form::Empty,
            ExpressionKind::Interaction {
                from, to, message, ..
            } => {
                let mut parts = Vec::new();
                for receiver in to {
                    let interaction = self.interaction(*from, *receiver, *message);
                    merge(&mut roles, &[interaction.from, interaction.to]);
                    parts.push(interaction);
                }
                match &parts[..] {
                    [only] => Form::Interaction(*only),
                    several => {
                        let nodes = several
                            .iter()
                            .map(|&it| self.gchor.add(Form::Interaction(it), origin))
                            .collect();
                        Form::Fork(nodes)
                    }
                }
            }
            ExpressionKind::Sequence(parts) => {
                let mut nodes = Vec::new();
                self.parts(parts, &mut nodes, &mut roles, |kind| match kind {
                    ExpressionKind::Sequence(parts) => Some(parts),
                    _ => None,
                });
                Form::Sequence(nodes)
            }
            ExpressionKind::Fork(parts) => {
                let mut nodes = Vec::new();
                self.parts(parts, &mut nodes, &mut roles, |kind| match kind {
                    ExpressionKind::Fork(parts) => Some(parts),
                    _ => None,
                });
                Form::Fork(nodes)
            }
            ExpressionKind::Choice {
                decider, branches, ..
            } => {
                let mut nodes = Vec::new();
                for branch in branches {
                    let (node, own) = self.node(&branch.body);
                    nodes.push(node);
                    merge(&mut roles, &own);
                }
                self.decides(*decider, false, &roles);
                Form::Choice {
                    decider: decider.map(|word| word.name),
                    branches: nodes,
                }
            }
            ExpressionKind::Repeat { controller, body } => {
                let (body, own) = self.node(&body.body);
                merge(&mut roles, &own);
                self.decides(*controller, true, &roles);
                Form::Repeat {
                    controller: controller.map(|word| word.name),
                    body,
                }
            }
        };
        (self.gchor.add(form, origin), roles)
    }

    fn parts<'e>(
        &mut self,
        parts: &'e [Expression],
        nodes: &mut Vec<NodeId>,
        roles: &mut Vec<Name>,
        flatten: fn(&'e ExpressionKind) -> Option<&'e Vec<Expression>>,
    ) {
        for part in parts {
            match flatten(&part.kind) {
                Some(inner) => self.parts(inner, nodes, roles, flatten),
                None => {
                    let (node, own) = self.node(part);
                    nodes.push(node);
                    merge(roles, &own);
                }
            }
        }
    }

    fn interaction(&mut self, from: Word, to: Word, message: Word) -> Interaction {
        if from.name == to.name && self.diagnostics.len() < MAX_FINDINGS {
            self.diagnostics.push(self_interaction::diagnostic(
                from.span.to(to.span),
                self.names.text(from.name),
                self.names.text(message.name),
            ));
        }
        Interaction {
            from: from.name,
            to: to.name,
            message: message.name,
        }
    }

    fn decides(&mut self, decider: Option<Word>, is_loop: bool, roles: &[Name]) {
        if let Some(word) = decider
            && !roles.contains(&word.name)
            && self.diagnostics.len() < MAX_FINDINGS
        {
            let present: Vec<&str> = roles.iter().map(|&it| self.names.text(it)).collect();
            self.diagnostics.push(absent_decider::diagnostic(
                word.span,
                self.names.text(word.name),
                is_loop,
                &present,
            ));
        }
    }
}

fn merge(into: &mut Vec<Name>, more: &[Name]) {
    for &name in more {
        if !into.contains(&name) {
            into.push(name);
        }
    }
}
