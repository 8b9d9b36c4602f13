//! Graphs as text.

use std::collections::{BTreeMap, BTreeSet};

use choros_base::Name;
use choros_data::{Sort, SortKind, Term, TermKind, Terms, Value};

use crate::stg::event::name_text;
use crate::stg::{Ending, Stg, Termination};

/// The graph as text.
pub fn write_stg(stg: &Stg, terms: &Terms) -> String {
    let ending = match stg.ending() {
        Ending::Explicit => "explicit",
        Ending::Stopped => "stopped",
        Ending::Sinks => "sinks",
    };
    let name = if choros_data::syntax::is_identifier(stg.name()) {
        stg.name().to_owned()
    } else {
        terms.print_value(&Value::text(stg.name()))
    };
    let mut out = format!("stg {name} {ending}\n");
    declarations(stg, terms, &mut out);
    out.push_str(&format!("initial {}\n", stg.initial().0));
    let mentioned = mentioned(stg);
    for node in stg.node_ids() {
        let number = node.0;
        let label = &stg.node(node).label;
        if *label != number.to_string() {
            let label = terms.print_value(&Value::text(label.as_str()));
            out.push_str(&format!("node {number} {label}\n"));
        } else if !mentioned[number as usize] {
            out.push_str(&format!("node {number}\n"));
        }
    }
    for node in stg.node_ids() {
        let number = node.0;
        let mut sink = true;
        for (_, edge) in stg.outgoing(node) {
            sink = false;
            out.push_str(&format!(
                "{number} -> {}: {}\n",
                edge.target.0,
                edge.label_text(terms)
            ));
        }
        let terminations = &stg.node(node).terminations;
        let by_convention = sink && stg.ending() == Ending::Sinks;
        if by_convention && terminations.is_empty() {
            out.push_str(&format!("{number}: stuck\n"));
        }
        if by_convention && always_ends(terminations) {
            continue;
        }
        for termination in terminations {
            out.push_str(&format!("{number}: end"));
            if termination.guard != Term::TRUE {
                out.push_str(&format!(" [{}]", terms.print(termination.guard)));
            }
            out.push('\n');
        }
    }
    out
}

/// For each node, whether some statement mentions it even if none declares it.
fn mentioned(stg: &Stg) -> Vec<bool> {
    let mut mentioned: Vec<bool> = stg
        .nodes()
        .iter()
        .map(|node| match stg.ending() {
            Ending::Explicit | Ending::Stopped => !node.terminations.is_empty(),
            // A sink that terminates is not mentioned, one that is stuck is.
            Ending::Sinks => !always_ends(&node.terminations),
        })
        .collect();
    mentioned[stg.initial().index()] = true;
    for edge in stg.edges() {
        mentioned[edge.source.index()] = true;
        mentioned[edge.target.index()] = true;
    }
    mentioned
}

fn always_ends(terminations: &[Termination]) -> bool {
    matches!(terminations, [only] if only.guard == Term::TRUE)
}

/// The sorts, constants and variables of a graph, each by name.
fn declarations(stg: &Stg, terms: &Terms, out: &mut String) {
    let mut named = NamedSorts::default();
    let variables: BTreeMap<&str, Sort> = stg
        .variables(terms)
        .into_iter()
        .map(|variable| (terms.variable_text(variable), terms.variable_sort(variable)))
        .collect();
    for &sort in variables.values() {
        named.sort(sort, terms);
    }
    for term in terms.postorder(roots(stg)) {
        named.sort(terms.sort_of(term), terms);
        if let TermKind::Constant(value) = terms.kind(term) {
            named.value(value, terms);
        }
    }
    for (name, constructors) in &named.sorts {
        out.push_str(&format!("sort {name}"));
        for (position, &constructor) in constructors.iter().enumerate() {
            out.push_str(if position == 0 { " = " } else { " | " });
            out.push_str(&name_text(constructor, terms));
        }
        out.push('\n');
    }
    for (name, sort) in &named.constants {
        out.push_str(&format!("constant {name}: {sort}\n"));
    }
    let variables: Vec<String> = variables
        .iter()
        .map(|(name, &sort)| format!("{name}: {}", terms.sort_text(sort)))
        .collect();
    if !variables.is_empty() {
        out.push_str(&format!("variables {}\n", variables.join(", ")));
    }
}

/// All terms on a graph.
fn roots(stg: &Stg) -> Vec<Term> {
    let mut roots = Vec::new();
    for edge in stg.edges() {
        roots.push(edge.guard);
        roots.extend(edge.event.free_terms());
        roots.extend(edge.updates.iter().map(|update| update.value));
    }
    for node in stg.nodes() {
        roots.extend(
            node.terminations
                .iter()
                .map(|termination| termination.guard),
        );
    }
    roots
}

#[derive(Default)]
struct NamedSorts {
    /// Enumerations with their constructors, uninterpreted sorts with none.
    sorts: BTreeMap<String, Vec<Name>>,
    /// Values of uninterpreted sorts other than Symbol.
    constants: BTreeSet<(String, String)>,
}

impl NamedSorts {
    fn sort(&mut self, sort: Sort, terms: &Terms) {
        // Depth is that of a declaration or a document, limited by their readers.
        match terms.sort_kind(sort) {
            SortKind::Enumeration { name, constructors } => {
                let name = terms.names.text(*name).to_owned();
                self.sorts.insert(name, constructors.clone());
            }
            SortKind::Uninterpreted(name) if sort != Sort::SYMBOL => {
                let name = terms.names.text(*name).to_owned();
                self.sorts.insert(name, Vec::new());
            }
            SortKind::List(element) => self.sort(*element, terms),
            SortKind::Record(fields) => {
                for &(_, sort) in fields {
                    self.sort(sort, terms);
                }
            }
            _ => {}
        }
    }

    fn value(&mut self, value: &Value, terms: &Terms) {
        match value {
            Value::Atom { sort, name } if *sort != Sort::SYMBOL => {
                let name = terms.names.text(*name).to_owned();
                self.constants.insert((name, terms.sort_text(*sort)));
            }
            Value::Record { fields: parts, .. } | Value::List { items: parts, .. } => {
                for part in parts {
                    self.value(part, terms);
                }
            }
            _ => {}
        }
    }
}
