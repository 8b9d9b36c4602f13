//! The predicate equation system as text, as in the thesis: `R1_1 ::= forall z. R2_2[x1 := z, y1 := z]`.

use choros_base::{Budget, StopReason};
use choros_certify::sides;
use choros_data::{Term, Terms, Var};
use choros_model::stg::Stg;
use rustc_hash::FxHashSet;

use crate::clauses::{Clause, Pair, Reply, System, Then};
use crate::conformance::Setup;
use crate::formula::{Substitution, conjuncts};
use crate::pairs::Pairs;

/// One line per pair of nodes, the initial pair first.
///
/// `R` is followed by the labels of the two nodes; a clause reads *when one side can, then the other can in one of
/// these ways*; brackets after a call give the values of variables that changed.
pub fn equations(
    implementation: &Stg,
    specification: &Stg,
    setup: &Setup,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Vec<String>, StopReason> {
    let sides = sides(implementation, specification, &setup.shared, terms);
    let mut system = System::new(&sides, setup.allow_fixed, terms);
    let pairs = Pairs::explore(&mut system, &sides.shared, terms, budget)?;
    let mut lines = Vec::with_capacity(pairs.all.len());
    for &pair in &pairs.all {
        budget.spend()?;
        let clauses = system.clauses(pair, terms);
        let mut parts: Vec<String> = Vec::new();
        for clause in &clauses {
            let part = clause_text(&system, clause, terms);
            if part != "true" && !parts.contains(&part) {
                parts.push(part);
            }
        }
        if parts.iter().any(|part| part == "false") {
            parts = vec!["false".to_owned()];
        }
        if parts.is_empty() {
            parts.push("true".to_owned());
        }
        let several = parts.len() > 1;
        let parts: Vec<String> = parts
            .into_iter()
            .map(|part| {
                if several && part.contains(' ') {
                    format!("({part})")
                } else {
                    part
                }
            })
            .collect();
        lines.push(format!(
            "{} ::= {}",
            name(&system, pair),
            parts.join(" and ")
        ));
    }
    Ok(lines)
}

fn name(system: &System<'_>, (left, right): Pair) -> String {
    format!(
        "R{}_{}",
        system.left.node(left).label,
        system.right.node(right).label
    )
}

fn clause_text(system: &System<'_>, clause: &Clause, terms: &mut Terms) -> String {
    let premise = terms.simplify(clause.premise);
    let mut answers: Vec<String> = Vec::new();
    for reply in &clause.answers {
        let text = reply_text(system, reply, premise, terms);
        if text == "true" {
            return text;
        }
        if text != "false" && !answers.contains(&text) {
            answers.push(text);
        }
    }
    if clause.cut {
        answers.push("more".to_owned());
    }
    let several = answers.len() > 1;
    let answers: Vec<String> = answers
        .into_iter()
        .map(|answer| {
            if several && answer.contains(" and ") {
                format!("({answer})")
            } else {
                answer
            }
        })
        .collect();
    match (premise, answers.is_empty()) {
        (Term::FALSE, _) => "true".to_owned(),
        (Term::TRUE, true) => "false".to_owned(),
        (Term::TRUE, false) => answers.join(" or "),
        (premise, true) => {
            let negation = terms.not(premise);
            let negation = terms.simplify(negation);
            terms.print(negation)
        }
        (premise, false) => format!("{} => {}", terms.print(premise), answers.join(" or ")),
    }
}

fn reply_text(system: &System<'_>, reply: &Reply, premise: Term, terms: &mut Terms) -> String {
    let chosen = new_names(system, "c", &reply.chosen, terms);
    let condition = terms.substitute(reply.condition, &chosen);
    let condition = terms.simplify(condition);
    if condition == Term::FALSE {
        return "false".to_owned();
    }
    let known = conjuncts(terms, premise);
    let mut parts: Vec<String> = conjuncts(terms, condition)
        .into_iter()
        .filter(|part| !known.contains(part))
        .map(|part| terms.print(part))
        .collect();
    if let Some(then) = &reply.then {
        parts.push(call_text(system, then, &chosen, terms));
    }
    let text = if parts.is_empty() {
        "true".to_owned()
    } else {
        parts.join(" and ")
    };
    let chosen: Vec<String> = reply
        .chosen
        .iter()
        .filter_map(|variable| Some(terms.print(*chosen.get(variable)?)))
        .collect();
    if chosen.is_empty() {
        text
    } else {
        format!("exists {}. {text}", chosen.join(", "))
    }
}

fn call_text(system: &System<'_>, then: &Then, chosen: &Substitution, terms: &mut Terms) -> String {
    let live = system.live(then.pair);
    let mut names = new_names(system, "z", &then.bound, terms);
    names.extend(chosen);
    let mut text = name(system, then.pair);
    let mut changed: Vec<String> = Vec::new();
    let mut read: FxHashSet<Var> = FxHashSet::default();
    for variable in live {
        let unchanged = terms.var(variable);
        if let Some(&value) = then.values.get(&variable)
            && value != unchanged
        {
            read.extend(terms.free_variables(value));
            let value = terms.substitute(value, &names);
            changed.push(format!(
                "{} := {}",
                terms.variable_text(variable),
                terms.print(value)
            ));
        }
    }
    if !changed.is_empty() {
        text.push_str(&format!("[{}]", changed.join(", ")));
    }
    let new: Vec<String> = then
        .bound
        .iter()
        .filter(|variable| read.contains(variable))
        .filter_map(|variable| Some(terms.print(*names.get(variable)?)))
        .collect();
    if new.is_empty() {
        text
    } else {
        format!("forall {}. {text}", new.join(", "))
    }
}

/// Names that people can read for new values: `z`, `z2`, … as far as the models do not use them.
fn new_names(system: &System<'_>, stem: &str, bound: &[Var], terms: &mut Terms) -> Substitution {
    if bound.is_empty() {
        return Substitution::default();
    }
    let used: FxHashSet<String> = [system.left, system.right]
        .into_iter()
        .flat_map(|stg| stg.variables(terms))
        .map(|variable| terms.variable_text(variable).to_owned())
        .collect();
    let mut names = Substitution::default();
    let mut number = 0;
    for &variable in bound {
        let text = loop {
            number += 1;
            let text = match number {
                1 => stem.to_owned(),
                number => format!("{stem}{number}"),
            };
            if !used.contains(&text) {
                break text;
            }
        };
        let name = terms.names.intern(&text);
        let new = terms.variable(name, terms.variable_sort(variable));
        names.insert(variable, terms.var(new));
    }
    names
}
