//! The graphs of a file, collected one by one.

use choros_base::Diagnostic;
use choros_lang::ast::Command;
use choros_lang::{Lowered, NoGraph};
use choros_model::diagram::Diagram;
use choros_model::stg::{ProductNote, Stg};

use super::{Opened, Read};
use crate::Settings;
use crate::contents::{Component, Model};
use crate::diagnostics::unmatched_message;

/// Collects components and the remarks on them.
pub(super) struct Components<'a> {
    wanted: Option<&'a str>,
    settings: &'a Settings,
    names: Vec<String>,
    found: Vec<Component>,
    findings: Vec<Diagnostic>,
}

impl<'a> Components<'a> {
    pub(super) fn new(opened: &Opened<'a>, findings: Vec<Diagnostic>) -> Self {
        Self {
            wanted: opened.wanted,
            settings: opened.settings,
            names: Vec::new(),
            found: Vec::new(),
            findings,
        }
    }

    /// Adds a component; it is built if it is wanted.
    pub(super) fn add(
        &mut self,
        name: String,
        services: Vec<String>,
        lower: impl FnOnce() -> Result<Lowered, NoGraph>,
    ) {
        // A name that is declared twice is reported, and the first one counts.
        if self.names.contains(&name) {
            return;
        }
        self.names.push(name.clone());
        if self.wanted.is_some_and(|wanted| wanted != name) {
            return;
        }
        self.settings.progress.show(format!("building `{name}`"));
        let mut remarks = Vec::new();
        let stg = lower().map(|lowered| {
            for note in &lowered.notes {
                match note {
                    ProductNote::MixedEndings { .. } => remarks.push(note.to_string()),
                    ProductNote::Misfit { .. } | ProductNote::Partnerless { .. } => {
                        self.findings
                            .push(unmatched_message::diagnostic(&name, note));
                    }
                }
            }
            lowered.stg
        });
        self.found.push(Component {
            name,
            stg,
            interface: None,
            diagram: None,
            services,
            remarks,
        });
    }

    /// Adds the sequence diagram of the component that was added last, if it is wanted.
    pub(super) fn illustrate(&mut self, name: &str, diagram: impl FnOnce() -> Option<Diagram>) {
        let last = self.found.last_mut().filter(|it| it.name == name);
        if let Some(component) = last {
            component.diagram = diagram().map(Box::new);
        }
    }

    pub(super) fn finish(self, commands: Vec<Command>) -> Read {
        Read {
            model: Model::Graphs(self.found, commands),
            findings: self.findings,
            names: self.names,
        }
    }
}

/// A file that is one graph.
pub(super) fn one_graph(stg: Stg, findings: Vec<Diagnostic>) -> Read {
    Read::whole(
        Model::Graphs(vec![Component::of(stg)], Vec::new()),
        findings,
    )
}
