//! The two graphs as they are compared: the implementation restricted to what the specification speaks of, and no
//! variable in both.

use std::borrow::Cow;

use choros_data::{Terms, Var};
use choros_model::stg::{Alphabet, Renaming, Stg, rename, restrict};
use rustc_hash::FxHashSet;

/// Both sides; products are large, so a graph in which nothing changes is not copied.
#[derive(Debug, Clone)]
pub struct Sides<'a> {
    /// The implementation, restricted (Definition 2 of Nguyen's thesis).
    pub left: Cow<'a, Stg>,
    /// The specification.
    pub right: Cow<'a, Stg>,
    /// Parameters that both sides have in common, each under its two names.
    pub shared: Vec<(Var, Var)>,
}

/// Prepares the two sides.
///
/// A name that occurs on both sides gets the component's name as an ending, `x@shop`; a shared parameter keeps its
/// name on the side of the implementation.
pub fn sides<'a>(
    implementation: &'a Stg,
    specification: &'a Stg,
    shared: &[String],
    terms: &mut Terms,
) -> Sides<'a> {
    let alphabet: Alphabet = specification.alphabet().into_iter().collect();
    let own = implementation.alphabet();
    let left = if own.iter().all(|message| alphabet.contains(message)) {
        Cow::Borrowed(implementation)
    } else {
        Cow::Owned(restrict(implementation, &alphabet, terms))
    };
    let left_variables = left.variables(terms);
    let right_variables = specification.variables(terms);
    let text = |variables: &[Var], terms: &Terms| -> FxHashSet<String> {
        variables
            .iter()
            .map(|&variable| terms.variable_text(variable).to_owned())
            .collect()
    };
    let (left_names, right_names) = (text(&left_variables, terms), text(&right_variables, terms));
    let (left_ending, right_ending) = if implementation.name() == specification.name() {
        ("implementation".to_owned(), "specification".to_owned())
    } else {
        (ending(implementation.name()), ending(specification.name()))
    };
    let mut used: FxHashSet<String> = left_names.union(&right_names).cloned().collect();
    let mut rename_clashes = |variables: &[Var],
                              others: &FxHashSet<String>,
                              ending: &str,
                              keep: &dyn Fn(&str) -> bool,
                              terms: &mut Terms| {
        let mut renaming = Renaming::default();
        for &variable in variables {
            let old = terms.variable_text(variable).to_owned();
            if !others.contains(&old) || keep(&old) {
                continue;
            }
            let stem = if old.contains('@') {
                format!("{old}_{ending}")
            } else {
                format!("{old}@{ending}")
            };
            let mut new = stem.clone();
            let mut number = 2;
            while !used.insert(new.clone()) {
                new = format!("{stem}_{number}");
                number += 1;
            }
            let name = terms.names.intern(&new);
            let new = terms.variable(name, terms.variable_sort(variable));
            renaming.variables.insert(variable, new);
        }
        renaming
    };
    let is_shared = |name: &str| shared.iter().any(|it| it == name);
    let left_renaming = rename_clashes(
        &left_variables,
        &right_names,
        &left_ending,
        &is_shared,
        terms,
    );
    let right_renaming = rename_clashes(
        &right_variables,
        &left_names,
        &right_ending,
        &|_| false,
        terms,
    );
    let mut pairs = Vec::new();
    for &own in &left_variables {
        if !is_shared(terms.variable_text(own)) {
            continue;
        }
        for &other in &right_variables {
            if terms.variable_text(own) == terms.variable_text(other)
                && terms.variable_sort(own) == terms.variable_sort(other)
            {
                let other = right_renaming
                    .variables
                    .get(&other)
                    .copied()
                    .unwrap_or(other);
                pairs.push((own, other));
            }
        }
    }
    Sides {
        left: renamed(left, &left_renaming, terms),
        right: renamed(Cow::Borrowed(specification), &right_renaming, terms),
        shared: pairs,
    }
}

fn renamed<'a>(stg: Cow<'a, Stg>, renaming: &Renaming, terms: &mut Terms) -> Cow<'a, Stg> {
    if renaming.variables.is_empty() {
        stg
    } else {
        Cow::Owned(rename(&stg, renaming, terms))
    }
}

/// A component's name as the ending of a variable.
fn ending(name: &str) -> String {
    let text: String = name
        .chars()
        .map(|character| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => character,
            _ => '_',
        })
        .collect();
    if text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        text
    } else {
        format!("_{text}")
    }
}
