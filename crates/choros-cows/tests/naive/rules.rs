//! Section 2 of the operational semantics: labels, matching, `halt`, `noKill`, `noConf`, and one function per rule.

use std::collections::BTreeMap;

use super::{Kind, Term, Word, spelling, substitute};

/// Labels of steps inside a term.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Label {
    /// An invoke `n ◁ v`.
    Invoke(Vec<String>),
    /// A receive `n ▷ w`: endpoint, pattern.
    Receive(Vec<Word>),
    /// A communication `n σ ℓ v`: endpoint and values, σ, ℓ.
    Communication(Vec<String>, BTreeMap<String, String>, usize),
    /// A kill in progress.
    Kill(String),
    /// `†`
    Terminated,
}

/// The computational steps of a closed term: their labels as text, and the terms that follow.
///
/// `fresh` numbers binders and must never start again, or renaming could capture.
pub(crate) fn steps(term: &Term, has_best_match: bool, fresh: &mut usize) -> Vec<(String, Term)> {
    let mut rules = Rules {
        fresh,
        has_best_match,
    };
    let opened = lifted(&rules.prepare(term, 2));
    rules
        .step(&opened)
        .into_iter()
        .filter_map(|(label, next)| match label {
            Label::Terminated => Some(("†".to_owned(), next)),
            Label::Communication(message, sigma, _) if sigma.is_empty() => {
                let shown: Vec<&str> = message.iter().map(|text| spelling(text)).collect();
                let label = format!("{}.{}<{}>", shown[0], shown[1], shown[2..].join(","));
                Some((label, next))
            }
            _ => None,
        })
        .collect()
}

struct Rules<'f> {
    fresh: &'f mut usize,
    has_best_match: bool,
}

impl Rules<'_> {
    /// Renames every binder that can be reached, and unfolds each replication so often.
    fn prepare(&mut self, term: &Term, copies: usize) -> Term {
        match term {
            Term::Nil | Term::Kill(_) | Term::Invoke(_) | Term::Choice(_) => term.clone(),
            Term::Parallel(left, right) => Term::Parallel(
                Box::new(self.prepare(left, copies)),
                Box::new(self.prepare(right, copies)),
            ),
            Term::Protection(body) => Term::Protection(Box::new(self.prepare(body, copies))),
            Term::Delimitation(kind, name, body) => {
                *self.fresh += 1;
                let fresh = format!("{}~{}", spelling(name), self.fresh);
                let by = match kind {
                    Kind::Variable => Word::Variable(fresh.clone()),
                    Kind::Name | Kind::Label => Word::Value(fresh.clone()),
                };
                let body = substitute(body, *kind, name, &by);
                Term::Delimitation(*kind, fresh, Box::new(self.prepare(&body, copies)))
            }
            Term::Replication(body) => {
                let mut unfolded = term.clone();
                for _ in 0..copies {
                    let copy = self.prepare(body, copies);
                    unfolded = Term::Parallel(Box::new(copy), Box::new(unfolded));
                }
                unfolded
            }
        }
    }

    fn step(&mut self, term: &Term) -> Vec<(Label, Term)> {
        match term {
            // A replication has been unfolded: what comes after is never asked.
            Term::Nil | Term::Replication(_) => Vec::new(),
            Term::Kill(label) => vec![(Label::Kill(label.clone()), Term::Nil)],
            Term::Invoke(message) => {
                let values: Option<Vec<String>> = message
                    .iter()
                    .map(|word| match word {
                        Word::Value(text) => Some(text.clone()),
                        Word::Variable(_) => None,
                    })
                    .collect();
                values
                    .map(|values| (Label::Invoke(values), Term::Nil))
                    .into_iter()
                    .collect()
            }
            Term::Choice(branches) => branches
                .iter()
                .map(|(message, next)| (Label::Receive(message.clone()), next.clone()))
                .collect(),
            Term::Parallel(left, right) => self.parallel(left, right),
            // (prot)
            Term::Protection(body) => self
                .step(body)
                .into_iter()
                .map(|(label, next)| (label, Term::Protection(Box::new(next))))
                .collect(),
            Term::Delimitation(kind, name, body) => self
                .step(body)
                .into_iter()
                .filter_map(|(label, next)| delimited(*kind, name, body, label, next))
                .collect(),
        }
    }

    fn parallel(&mut self, left: &Term, right: &Term) -> Vec<(Label, Term)> {
        let (of_left, of_right) = (self.step(left), self.step(right));
        let mut found = Vec::new();
        // (com)
        for (first, second, is_mirrored) in
            [(&of_left, &of_right, false), (&of_right, &of_left, true)]
        {
            for (receive, after_receive) in first {
                for (invoke, after_invoke) in second {
                    let (Label::Receive(pattern), Label::Invoke(values)) = (receive, invoke) else {
                        continue;
                    };
                    let Some(sigma) = matching(pattern, values) else {
                        continue;
                    };
                    let count = sigma.len();
                    if !self.no_conflict(left, values, count)
                        || !self.no_conflict(right, values, count)
                    {
                        continue;
                    }
                    let next = if is_mirrored {
                        (after_invoke.clone(), after_receive.clone())
                    } else {
                        (after_receive.clone(), after_invoke.clone())
                    };
                    let label = Label::Communication(values.clone(), sigma, count);
                    found.push((label, Term::Parallel(Box::new(next.0), Box::new(next.1))));
                }
            }
        }
        for (of_one, other, is_mirrored) in [(of_left, right, false), (of_right, left, true)] {
            for (label, next) in of_one {
                let other = match &label {
                    // (parconf)
                    Label::Communication(values, _, count) => {
                        if !self.no_conflict(other, values, *count) {
                            continue;
                        }
                        other.clone()
                    }
                    // (parkill)
                    Label::Kill(_) => halt(other),
                    // (parpass)
                    _ => other.clone(),
                };
                let pair = if is_mirrored {
                    Term::Parallel(Box::new(other), Box::new(next))
                } else {
                    Term::Parallel(Box::new(next), Box::new(other))
                };
                found.push((label, pair));
            }
        }
        found
    }

    /// `noConf`
    fn no_conflict(&self, term: &Term, values: &[String], count: usize) -> bool {
        if !self.has_best_match {
            return true;
        }
        match term {
            Term::Nil | Term::Kill(_) | Term::Invoke(_) => true,
            Term::Choice(branches) => branches.iter().all(|(pattern, _)| {
                matching(pattern, values).is_none_or(|sigma| sigma.len() >= count)
            }),
            Term::Parallel(left, right) => {
                self.no_conflict(left, values, count) && self.no_conflict(right, values, count)
            }
            Term::Protection(body) => self.no_conflict(body, values, count),
            // Its copies stand beside it.
            Term::Replication(_) => true,
            // Binders have been renamed, so an endpoint never names one that is delimited inside.
            Term::Delimitation(_, _, body) => self.no_conflict(body, values, count),
        }
    }
}

/// (delkill), (delcom), (del)
fn delimited(
    kind: Kind,
    name: &str,
    body: &Term,
    label: Label,
    next: Term,
) -> Option<(Label, Term)> {
    let again = |next: Term| Term::Delimitation(kind, name.to_owned(), Box::new(next));
    match (&label, kind) {
        (Label::Kill(killed), Kind::Label) if killed == name => {
            Some((Label::Terminated, again(next)))
        }
        (Label::Kill(_) | Label::Terminated, _) => Some((label, again(next))),
        (Label::Communication(values, sigma, count), Kind::Variable)
            if sigma.contains_key(name) =>
        {
            let by = Word::Value(sigma[name].clone());
            let mut sigma = sigma.clone();
            sigma.remove(name);
            let next = substitute(&next, Kind::Variable, name, &by);
            Some((Label::Communication(values.clone(), sigma, *count), next))
        }
        (_, Kind::Label) if !no_kill(body, name) => None,
        // Open steps with what is delimited: only extrusion gives them a partner, and `s₁ | [e]s₂ ≡ [e](s₁ | s₂)` has
        // been applied to the whole term by `lifted`.
        _ => Some((label, again(next))),
    }
}

/// The term with names and variables delimited around everything: `s₁ | [e]s₂ ≡ [e](s₁ | s₂)`, `{[e]s} ≡ [e]{s}` and
/// `[k][e]s ≡ [e][k]s`, which is allowed because binders have been renamed.
fn lifted(term: &Term) -> Term {
    fn lift(term: &Term, binders: &mut Vec<(Kind, String)>) -> Term {
        match term {
            Term::Nil
            | Term::Kill(_)
            | Term::Invoke(_)
            | Term::Choice(_)
            | Term::Replication(_) => term.clone(),
            Term::Parallel(left, right) => {
                let left = lift(left, binders);
                Term::Parallel(Box::new(left), Box::new(lift(right, binders)))
            }
            Term::Protection(body) => Term::Protection(Box::new(lift(body, binders))),
            Term::Delimitation(Kind::Label, name, body) => {
                let body = Box::new(lift(body, binders));
                Term::Delimitation(Kind::Label, name.clone(), body)
            }
            Term::Delimitation(kind, name, body) => {
                binders.push((*kind, name.clone()));
                lift(body, binders)
            }
        }
    }
    let mut binders = Vec::new();
    let body = lift(term, &mut binders);
    binders.into_iter().rev().fold(body, |body, (kind, name)| {
        Term::Delimitation(kind, name, Box::new(body))
    })
}

/// How a pattern matches values, endpoint included.
fn matching(pattern: &[Word], values: &[String]) -> Option<BTreeMap<String, String>> {
    if pattern.len() != values.len() {
        return None;
    }
    let mut sigma = BTreeMap::new();
    for (position, (word, value)) in pattern.iter().zip(values).enumerate() {
        match word {
            Word::Value(text) if text == value => {}
            Word::Variable(name) if position > 1 => {
                sigma.insert(name.clone(), value.clone());
            }
            _ => return None,
        }
    }
    Some(sigma)
}

fn halt(term: &Term) -> Term {
    match term {
        Term::Nil | Term::Kill(_) | Term::Invoke(_) | Term::Choice(_) => Term::Nil,
        Term::Protection(_) => term.clone(),
        Term::Parallel(left, right) => Term::Parallel(Box::new(halt(left)), Box::new(halt(right))),
        Term::Delimitation(kind, name, body) => {
            Term::Delimitation(*kind, name.clone(), Box::new(halt(body)))
        }
        Term::Replication(body) => Term::Replication(Box::new(halt(body))),
    }
}

fn no_kill(term: &Term, label: &str) -> bool {
    match term {
        Term::Nil | Term::Invoke(_) | Term::Choice(_) => true,
        Term::Kill(other) => other != label,
        Term::Parallel(left, right) => no_kill(left, label) && no_kill(right, label),
        Term::Protection(body) | Term::Replication(body) => no_kill(body, label),
        Term::Delimitation(Kind::Label, inner, _) if inner == label => true,
        Term::Delimitation(_, _, body) => no_kill(body, label),
    }
}
