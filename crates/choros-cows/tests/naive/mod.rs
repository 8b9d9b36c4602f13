//! The rules of the operational semantics, applied literally to trees.
//!
//! Nothing is shared with the crate but the text it reads: names are strings, every binder is renamed before its body
//! is used, replication is unfolded by the rule `*s ≡ s | *s` as often as a step can need it, and two terms are
//! compared by trying all ways to pair their components and their private names.

mod congruence;
mod rules;

pub(crate) use congruence::State;
pub(crate) use rules::steps;

use choros_cows::syntax::{Specification, Term as Written, TermKind};

/// A term; the three kinds of what is delimited are told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Term {
    Nil,
    Kill(String),
    Invoke(Vec<Word>),
    /// Branches: endpoint and pattern, and what follows.
    Choice(Vec<(Vec<Word>, Term)>),
    Parallel(Box<Term>, Box<Term>),
    Protection(Box<Term>),
    Delimitation(Kind, String, Box<Term>),
    Replication(Box<Term>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Label,
    Variable,
    Name,
}

/// A name or value, or a variable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Word {
    Value(String),
    Variable(String),
}

/// A term without definitions, as it was read.
pub(crate) fn term_of(specification: &Specification) -> Option<Term> {
    specification.main.as_ref().map(term)
}

fn term(written: &Written) -> Term {
    match &written.kind {
        TermKind::Nil | TermKind::Error | TermKind::Call(..) => Term::Nil,
        TermKind::Kill(label) => Term::Kill(label.text.to_string()),
        TermKind::Invoke(endpoint) => Term::Invoke(words(endpoint)),
        TermKind::Receive(endpoint, next) => {
            let next = next.as_ref().map_or(Term::Nil, |next| term(next));
            Term::Choice(vec![(words(endpoint), next)])
        }
        TermKind::Choice(operands) => Term::Choice(
            operands
                .iter()
                .flat_map(|operand| match term(operand) {
                    Term::Choice(branches) => branches,
                    _ => Vec::new(),
                })
                .collect(),
        ),
        TermKind::Parallel(operands) => operands
            .iter()
            .map(term)
            .reduce(|left, right| Term::Parallel(Box::new(left), Box::new(right)))
            .unwrap_or(Term::Nil),
        TermKind::Protection(body) => Term::Protection(Box::new(term(body))),
        TermKind::Replication(body) => Term::Replication(Box::new(term(body))),
        TermKind::Delimitation(binders, body) => {
            binders.iter().rev().fold(term(body), |body, binder| {
                let name = binder.identifier.text.to_string();
                let kind = match (binder.is_name, binder.identifier.is_variable()) {
                    (true, _) => Kind::Name,
                    (false, true) => Kind::Variable,
                    (false, false) => Kind::Label,
                };
                Term::Delimitation(kind, name, Box::new(body))
            })
        }
    }
}

fn words(endpoint: &choros_cows::syntax::Endpoint) -> Vec<Word> {
    [&endpoint.partner, &endpoint.operation]
        .into_iter()
        .chain(&endpoint.tuple)
        .map(|identifier| {
            if identifier.is_variable() {
                Word::Variable(identifier.text.to_string())
            } else {
                Word::Value(identifier.text.to_string())
            }
        })
        .collect()
}

/// How many messages, receptions and kills are written in a term.
pub(crate) fn length(term: &Term) -> usize {
    match term {
        Term::Nil => 0,
        Term::Kill(_) | Term::Invoke(_) => 1,
        Term::Choice(branches) => branches.iter().map(|(_, next)| 1 + length(next)).sum(),
        Term::Parallel(left, right) => length(left) + length(right),
        Term::Protection(body) | Term::Replication(body) | Term::Delimitation(_, _, body) => {
            length(body)
        }
    }
}

/// Replaces free occurrences; what is put in must be fresh or constant, so nothing is captured.
pub(crate) fn substitute(term: &Term, kind: Kind, name: &str, by: &Word) -> Term {
    let word = |word: &Word| match (word, kind) {
        (Word::Value(text), Kind::Name) if text == name => by.clone(),
        (Word::Variable(text), Kind::Variable) if text == name => by.clone(),
        _ => word.clone(),
    };
    let words = |words: &[Word]| words.iter().map(word).collect::<Vec<Word>>();
    let inside = |body: &Term| Box::new(substitute(body, kind, name, by));
    match term {
        Term::Nil => Term::Nil,
        Term::Kill(label) if kind == Kind::Label && label == name => match by {
            Word::Value(text) | Word::Variable(text) => Term::Kill(text.clone()),
        },
        Term::Kill(label) => Term::Kill(label.clone()),
        Term::Invoke(message) => Term::Invoke(words(message)),
        Term::Choice(branches) => Term::Choice(
            branches
                .iter()
                .map(|(message, next)| (words(message), *inside(next)))
                .collect(),
        ),
        Term::Parallel(left, right) => Term::Parallel(inside(left), inside(right)),
        Term::Protection(body) => Term::Protection(inside(body)),
        Term::Replication(body) => Term::Replication(inside(body)),
        Term::Delimitation(bound, inner, _) if *bound == kind && inner == name => term.clone(),
        Term::Delimitation(bound, inner, body) => {
            Term::Delimitation(*bound, inner.clone(), inside(body))
        }
    }
}

/// Whether something occurs free.
pub(crate) fn is_free(term: &Term, kind: Kind, name: &str) -> bool {
    let used = |words: &[Word]| {
        words.iter().any(|word| match (word, kind) {
            (Word::Value(text), Kind::Name) | (Word::Variable(text), Kind::Variable) => {
                text == name
            }
            _ => false,
        })
    };
    match term {
        Term::Nil => false,
        Term::Kill(label) => kind == Kind::Label && label == name,
        Term::Invoke(message) => used(message),
        Term::Choice(branches) => branches
            .iter()
            .any(|(message, next)| used(message) || is_free(next, kind, name)),
        Term::Parallel(left, right) => is_free(left, kind, name) || is_free(right, kind, name),
        Term::Protection(body) | Term::Replication(body) => is_free(body, kind, name),
        Term::Delimitation(bound, inner, body) => {
            (*bound != kind || inner != name) && is_free(body, kind, name)
        }
    }
}

/// The spelling after a fresh name: `n~3` was `n`.
pub(crate) fn spelling(name: &str) -> &str {
    name.split('~').next().unwrap_or(name)
}
