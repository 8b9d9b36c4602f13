//! A state as a term in the syntax in which terms are written.

use std::sync::Arc;

use super::process::{Atom, Block, Id, Kind, Message, Process, STATIC, visit_ids};

/// Components of several clusters side by side.
pub(crate) fn show(clusters: &[&[Process]], symbols: &[Arc<str>]) -> String {
    let shower = Shower { symbols };
    let mut parts = Vec::new();
    for body in clusters {
        let mut private: Vec<Id> = Vec::new();
        visit_ids(body, &mut |id| {
            let is_floating = id.number < STATIC && id.kind != Kind::Label;
            if is_floating && !private.contains(&id) {
                private.push(id);
            }
        });
        if private.is_empty() {
            parts.extend(body.iter().map(|process| shower.process(process, true)))
        } else {
            parts.push(format!("{}{}", shower.binders(&private), shower.body(body)))
        }
    }
    if parts.is_empty() {
        "nil".to_owned()
    } else {
        parts.join(" | ")
    }
}

struct Shower<'s> {
    symbols: &'s [Arc<str>],
}

impl Shower<'_> {
    fn process(&self, process: &Process, is_alone: bool) -> String {
        match process {
            Process::Kill(label, _) => format!("kill({})", self.text(label.spelling)),
            Process::Invoke(message) => self.message(message, '!'),
            Process::Choice(receives) => {
                let branches: Vec<String> = receives
                    .iter()
                    .map(|receive| {
                        let message = self.message(&receive.message, '?');
                        if receive.continuation.body.is_empty() {
                            message
                        } else {
                            format!("{message}.{}", self.block(&receive.continuation))
                        }
                    })
                    .collect();
                if branches.len() > 1 && !is_alone {
                    format!("({})", branches.join(" + "))
                } else {
                    branches.join(" + ")
                }
            }
            Process::Protection(body) => {
                let parts: Vec<String> = body
                    .iter()
                    .map(|process| self.process(process, true))
                    .collect();
                format!("{{{}}}", parts.join(" | "))
            }
            Process::Scope(labels, body) => format!("{}{}", self.binders(labels), self.body(body)),
            Process::Replication(block) => format!("*{}", self.block(block)),
        }
    }

    fn block(&self, block: &Block) -> String {
        format!("{}{}", self.binders(&block.ids), self.body(&block.body))
    }

    /// Components where only one may stand.
    fn body(&self, body: &[Process]) -> String {
        match body {
            [] => "nil".to_owned(),
            [single] => self.process(single, false),
            several => {
                let parts: Vec<String> = several
                    .iter()
                    .map(|process| self.process(process, true))
                    .collect();
                format!("({})", parts.join(" | "))
            }
        }
    }

    fn binders(&self, ids: &[Id]) -> String {
        ids.iter()
            .map(|id| {
                let sign = match id.kind {
                    Kind::Name => "#",
                    Kind::Variable | Kind::Label => "",
                };
                format!("[{}{sign}]", self.text(id.spelling))
            })
            .collect()
    }

    fn message(&self, message: &Message, sign: char) -> String {
        let atom = |atom: Atom| match atom {
            Atom::Constant(symbol) => self.text(symbol).to_owned(),
            Atom::Bound(id) => self.text(id.spelling).to_owned(),
        };
        let tuple: Vec<String> = message.tuple.iter().map(|&it| atom(it)).collect();
        format!(
            "{}.{}{sign}<{}>",
            atom(message.partner),
            atom(message.operation),
            tuple.join(",")
        )
    }

    fn text(&self, symbol: u32) -> &str {
        &self.symbols[symbol as usize]
    }
}
