//! The variables of a graph, and graphs that share none.

use choros_data::{Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Renaming, Stg, rename, synchronise::Scratch};

impl Stg {
    /// All variables that occur in it, read or written, in order of first occurrence.
    pub fn variables(&self, terms: &Terms) -> Vec<Var> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut add = |variable: Var| {
            if seen.insert(variable) {
                found.push(variable);
            }
        };
        for node in self.node_ids() {
            for termination in &self.node(node).terminations {
                terms
                    .free_variables(termination.guard)
                    .into_iter()
                    .for_each(&mut add);
            }
            for (_, edge) in self.outgoing(node) {
                let read = std::iter::once(edge.guard).chain(edge.event.free_terms());
                for term in read {
                    terms.free_variables(term).into_iter().for_each(&mut add);
                }
                edge.event.bound_variables().for_each(&mut add);
                for update in &edge.updates {
                    terms
                        .free_variables(update.value)
                        .into_iter()
                        .for_each(&mut add);
                    add(update.variable);
                }
            }
        }
        found
    }
}

/// Copies of the components that share no variable, named as compositions name them, and how each was renamed.
pub fn disjoint(components: &[&Stg], terms: &mut Terms) -> Vec<(Stg, Renaming)> {
    let (renamings, _) = renamings(components, terms);
    let components = components.iter().zip(renamings);
    components
        .map(|(component, renaming)| (rename(component, &renaming, terms), renaming))
        .collect()
}

/// Copies of the components that share no variable, and the names now in use.
pub(super) fn make_disjoint(components: &[&Stg], terms: &mut Terms) -> (Vec<Stg>, Scratch) {
    let (renamings, scratch) = renamings(components, terms);
    let components = components.iter().zip(renamings);
    let copies = components.map(|(&component, renaming)| {
        if renaming.variables.is_empty() {
            component.clone()
        } else {
            rename(component, &renaming, terms)
        }
    });
    (copies.collect(), scratch)
}

/// How components are renamed so that they share no variable, and the names then in use.
///
/// A name that occurs in one component only stays; one that occurs in several becomes `name@component` in each.
/// Sorts do not tell names apart: people and files know variables by name.
fn renamings(components: &[&Stg], terms: &mut Terms) -> (Vec<Renaming>, Scratch) {
    let variables: Vec<Vec<Var>> = components
        .iter()
        .map(|component| component.variables(terms))
        .collect();
    let mut owners: FxHashMap<&str, FxHashSet<usize>> = FxHashMap::default();
    for (index, variables) in variables.iter().enumerate() {
        for &variable in variables {
            owners
                .entry(terms.variable_text(variable))
                .or_default()
                .insert(index);
        }
    }
    let shared: FxHashSet<String> = owners
        .iter()
        .filter(|(_, owners)| owners.len() > 1)
        .map(|(name, _)| (*name).to_owned())
        .collect();
    let mut scratch = Scratch::default();
    scratch.used = owners.keys().map(|name| (*name).to_owned()).collect();
    let mut renamings = Vec::with_capacity(components.len());
    for (component, variables) in components.iter().zip(variables) {
        let mut new_names: FxHashMap<String, String> = FxHashMap::default();
        let mut renaming = Renaming::default();
        for variable in variables {
            let old = terms.variable_text(variable).to_owned();
            if !shared.contains(&old) {
                continue;
            }
            let new = new_names.entry(old).or_insert_with_key(|old| {
                scratch.name(&with_ending(old, &as_identifier(component.name())))
            });
            let name = terms.names.intern(new);
            let new = terms.variable(name, terms.variable_sort(variable));
            renaming.variables.insert(variable, new);
        }
        renamings.push(renaming);
    }
    (renamings, scratch)
}

/// `name@ending`, or `name@other_ending` where the name has an ending already: the lexer takes one.
pub(super) fn with_ending(name: &str, ending: &str) -> String {
    if name.contains('@') {
        format!("{name}_{ending}")
    } else {
        format!("{name}@{ending}")
    }
}

/// The name with everything that no identifier can hold replaced.
fn as_identifier(name: &str) -> String {
    let mut text: String = name
        .chars()
        .map(|character| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => character,
            _ => '_',
        })
        .collect();
    if !text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        text.insert(0, '_');
    }
    text
}
