//! What the tests of this crate share.

#![allow(dead_code, unreachable_pub)]

pub mod mutate;
pub mod random;

use choros_base::{Budget, Diagnostic, SourceMap};
use choros_data::Terms;
use choros_lang::{ComponentGraph, Model, NoGraph, read};
use choros_model::stg::{Stg, StgCounts};

/// A script that was read.
pub struct Script {
    pub terms: Terms,
    pub sources: SourceMap,
    pub model: Model,
    pub diagnostics: Vec<Diagnostic>,
}

impl Script {
    pub fn new(text: &str) -> Self {
        let mut terms = Terms::new();
        let mut sources = SourceMap::new();
        let file = sources.add("test.schora", text);
        let (model, diagnostics) = read(file, text, &mut terms);
        Self {
            terms,
            sources,
            model,
            diagnostics,
        }
    }

    /// A script with one component `c` of kind `chorD`.
    pub fn process(body: &str) -> Self {
        Self::new(&format!(
            "DECLARATIONS component c chorD {body} end component"
        ))
    }

    /// An example of the repository.
    pub fn example(name: &str) -> Self {
        let path = format!(
            "{}/../../examples/{name}.schora",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let script = Self::new(&text);
        assert_eq!(script.findings(), [""; 0], "{name}");
        script
    }

    /// Code and message of each finding.
    pub fn findings(&self) -> Vec<String> {
        self.diagnostics
            .iter()
            .map(|diagnostic| format!("{} {}", diagnostic.code.code, diagnostic.message))
            .collect()
    }

    /// The codes of the findings.
    pub fn codes(&self) -> Vec<&str> {
        self.diagnostics
            .iter()
            .map(|diagnostic| diagnostic.code.code)
            .collect()
    }

    pub fn lower(&mut self, component: &str, budget: &Budget) -> Result<ComponentGraph, NoGraph> {
        let id = self
            .model
            .find(component, &self.terms)
            .unwrap_or_else(|| panic!("no component {component}"));
        self.model.lower(id, &mut self.terms, budget)
    }

    pub fn stg(&mut self, component: &str) -> Stg {
        self.lower(component, &Budget::steps(1_000_000))
            .unwrap_or_else(|reason| panic!("{component}: {reason}: {:?}", self.findings()))
            .stg
    }

    pub fn counts(&mut self, component: &str) -> StgCounts {
        self.stg(component).counts()
    }
}

pub fn counts(transitions: usize, states: usize, messages: usize) -> StgCounts {
    StgCounts {
        states,
        transitions,
        messages,
    }
}

/// Edges and terminations as `source -[guard] event-> target`, in order.
pub fn listing(stg: &Stg, terms: &Terms) -> Vec<String> {
    let mut lines = Vec::new();
    for id in stg.node_ids() {
        let node = stg.node(id);
        for (_, edge) in stg.outgoing(id) {
            lines.push(format!(
                "{} -[{}] {}-> {}",
                node.label,
                terms.print(edge.guard),
                edge.event.text(terms),
                stg.node(edge.target).label
            ));
        }
        for termination in &node.terminations {
            lines.push(format!(
                "{} -[{}] √",
                node.label,
                terms.print(termination.guard)
            ));
        }
    }
    lines
}
