//! Structural congruence by trying everything.
//!
//! Terms are flattened by the rules that only remove or move things, replications are folded in every possible order,
//! and two flat terms are compared by pairing components and private names in all ways.

use super::{Kind, Term, Word, is_free, spelling};

/// Components with what is delimited around them.
#[derive(Debug, Clone)]
struct Flat {
    binders: Vec<(Kind, String)>,
    parts: Vec<Part>,
}

#[derive(Debug, Clone)]
enum Part {
    Kill(String),
    Invoke(Vec<Word>),
    Choice(Vec<(Vec<Word>, Flat)>),
    Protection(Vec<Part>),
    Scope(Vec<String>, Vec<Part>),
    Replication(Flat),
}

/// A term up to congruence.
#[derive(Debug)]
pub(crate) struct State {
    /// One of the terms.
    pub(crate) term: Term,
    forms: Vec<Flat>,
    /// What does not depend on names and order, to see quickly that terms differ.
    signature: Vec<String>,
}

impl State {
    /// The state of a term; `fresh` numbers binders and must never start again.
    pub(crate) fn new(term: &Term, fresh: &mut usize) -> State {
        let forms = forms(term, fresh);
        // Of several forms the smallest one: others may hold a copy more.
        let smallest = forms.iter().min_by_key(|form| form.parts.len());
        let mut signature: Vec<String> = smallest
            .iter()
            .flat_map(|form| &form.parts)
            .map(faceless)
            .collect();
        signature.sort();
        State {
            term: smallest.map_or(Term::Nil, as_term),
            signature: match forms.len() {
                1 => signature,
                _ => Vec::new(),
            },
            forms,
        }
    }

    /// How many components it has.
    pub(crate) fn size(&self) -> usize {
        let sizes = self.forms.iter().map(|form| form.parts.len());
        sizes.min().unwrap_or(0)
    }

    /// Whether two states are one.
    pub(crate) fn is(&self, other: &State) -> bool {
        let is_comparable = self.forms.len() == 1 && other.forms.len() == 1;
        if is_comparable && self.signature != other.signature {
            return false;
        }
        self.forms
            .iter()
            .any(|one| other.forms.iter().any(|two| equal(one, two)))
    }
}

/// A component without what is bound in it or around it.
fn faceless(part: &Part) -> String {
    match part {
        Part::Kill(_) => "kill".to_owned(),
        Part::Invoke(words) => format!("!{}", words.len()),
        Part::Choice(branches) => format!("?{}", branches.len()),
        Part::Protection(body) => format!("{{{}}}", body.len()),
        Part::Scope(labels, body) => format!("[{}]{}", labels.len(), body.len()),
        Part::Replication(body) => format!("*{}", body.parts.len()),
    }
}

fn as_term(flat: &Flat) -> Term {
    fn together(parts: &[Part]) -> Term {
        parts
            .iter()
            .map(|part| match part {
                Part::Kill(label) => Term::Kill(label.clone()),
                Part::Invoke(words) => Term::Invoke(words.clone()),
                Part::Choice(branches) => Term::Choice(
                    branches
                        .iter()
                        .map(|(words, next)| (words.clone(), as_term(next)))
                        .collect(),
                ),
                Part::Protection(body) => Term::Protection(Box::new(together(body))),
                Part::Scope(labels, body) => labels.iter().fold(together(body), |body, label| {
                    Term::Delimitation(Kind::Label, label.clone(), Box::new(body))
                }),
                Part::Replication(body) => Term::Replication(Box::new(as_term(body))),
            })
            .reduce(|left, right| Term::Parallel(Box::new(left), Box::new(right)))
            .unwrap_or(Term::Nil)
    }
    let binders = flat.binders.iter();
    binders.fold(together(&flat.parts), |body, (kind, name)| {
        Term::Delimitation(*kind, name.clone(), Box::new(body))
    })
}

/// Everything that folding leads to, with at most one more copy of each replication at the start.
fn forms(term: &Term, fresh: &mut usize) -> Vec<Flat> {
    let start = flat(&unique(term, fresh));
    let mut found = Vec::new();
    folded(&start, &mut found);
    let replicated: Vec<Flat> = start
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Replication(body) => Some(body.clone()),
            _ => None,
        })
        .collect();
    if replicated.len() > 1 {
        for body in &replicated {
            let mut more = start.clone();
            let copy = renamed(body, fresh);
            more.binders.extend(copy.binders);
            more.parts.extend(copy.parts);
            folded(&more, &mut found);
        }
    }
    let mut distinct: Vec<Flat> = Vec::new();
    for form in found {
        if !distinct.iter().any(|known| equal(known, &form)) {
            distinct.push(form);
        }
    }
    distinct
}

/// Terms that are left when nothing folds at the top any more, folding each replication first once.
fn folded(term: &Flat, into: &mut Vec<Flat>) {
    for start in 0..term.parts.len().max(1) {
        let is_replication = matches!(term.parts.get(start), Some(Part::Replication(_)));
        if start > 0 && !is_replication {
            continue;
        }
        let mut current = term.clone();
        while let Some(next) = fold_once(&current, start) {
            current = next;
        }
        into.push(current);
    }
}

/// Without the first copy of a replication that is found, beginning with the replication at a position.
fn fold_once(term: &Flat, start: usize) -> Option<Flat> {
    let count = term.parts.len();
    for position in (0..count).map(|offset| (start + offset) % count) {
        let Part::Replication(body) = &term.parts[position] else {
            continue;
        };
        let mut wanted: Vec<String> = body.parts.iter().map(faceless).collect();
        wanted.sort();
        for chosen in subsets(count, body.parts.len(), position) {
            let mut found: Vec<String> = chosen
                .iter()
                .map(|&part| faceless(&term.parts[part]))
                .collect();
            found.sort();
            if found != wanted {
                continue;
            }
            let copy: Vec<Part> = chosen
                .iter()
                .map(|&part| term.parts[part].clone())
                .collect();
            let rest: Vec<Part> = (0..count)
                .filter(|part| !chosen.contains(part))
                .map(|part| term.parts[part].clone())
                .collect();
            let own = |(kind, name): &&(Kind, String)| {
                uses(&copy, *kind, name) && !uses(&rest, *kind, name)
            };
            let binders = term.binders.iter().filter(own).cloned().collect();
            let parts = copy.clone();
            if equal(&Flat { binders, parts }, body) {
                let mut binders = term.binders.clone();
                binders.retain(|(kind, name)| uses(&rest, *kind, name));
                return Some(Flat {
                    binders,
                    parts: rest,
                });
            }
        }
    }
    None
}

/// All ways to choose this many of `0..count` without one.
fn subsets(count: usize, size: usize, without: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        found = found
            .into_iter()
            .flat_map(|chosen| {
                let start = chosen.last().map_or(0, |last| last + 1);
                (start..count)
                    .filter(|&next| next != without)
                    .map(move |next| {
                        let mut chosen = chosen.clone();
                        chosen.push(next);
                        chosen
                    })
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    found
}

/// Gives every binder a name of its own.
fn unique(term: &Term, counter: &mut usize) -> Term {
    match term {
        Term::Nil | Term::Kill(_) | Term::Invoke(_) => term.clone(),
        Term::Choice(branches) => Term::Choice(
            branches
                .iter()
                .map(|(message, next)| (message.clone(), unique(next, counter)))
                .collect(),
        ),
        Term::Parallel(left, right) => {
            let left = unique(left, counter);
            Term::Parallel(Box::new(left), Box::new(unique(right, counter)))
        }
        Term::Protection(body) => Term::Protection(Box::new(unique(body, counter))),
        Term::Replication(body) => Term::Replication(Box::new(unique(body, counter))),
        Term::Delimitation(kind, name, body) => {
            *counter += 1;
            let fresh = format!("{}~u{counter}", spelling(name));
            let by = match kind {
                Kind::Variable => Word::Variable(fresh.clone()),
                _ => Word::Value(fresh.clone()),
            };
            let body = super::substitute(body, *kind, name, &by);
            Term::Delimitation(*kind, fresh, Box::new(unique(&body, counter)))
        }
    }
}

/// A copy of a body with other binders around it.
fn renamed(body: &Flat, counter: &mut usize) -> Flat {
    let mut copy = body.clone();
    for (kind, name) in &mut copy.binders {
        *counter += 1;
        let fresh = format!("{}~u{counter}", spelling(name));
        rename(&mut copy.parts, *kind, name, &fresh);
        *name = fresh;
    }
    copy
}

fn rename(parts: &mut [Part], kind: Kind, from: &str, to: &str) {
    let in_words = |words: &mut Vec<Word>| {
        for word in words {
            match (&mut *word, kind) {
                (Word::Value(text), Kind::Name) | (Word::Variable(text), Kind::Variable)
                    if text == from =>
                {
                    *text = to.to_owned();
                }
                _ => {}
            }
        }
    };
    for part in parts {
        match part {
            Part::Kill(_) => {}
            Part::Invoke(words) => in_words(words),
            Part::Choice(branches) => {
                for (words, next) in branches {
                    in_words(words);
                    rename(&mut next.parts, kind, from, to);
                }
            }
            Part::Protection(body) | Part::Scope(_, body) => rename(body, kind, from, to),
            Part::Replication(body) => rename(&mut body.parts, kind, from, to),
        }
    }
}

/// Flattens a term in which all binders differ.
fn flat(term: &Term) -> Flat {
    let mut binders = Vec::new();
    let parts = parts(term, &mut binders);
    let whole = Flat { binders, parts };
    let mut kept = Vec::new();
    for (kind, name) in &whole.binders {
        if uses(&whole.parts, *kind, name) {
            kept.push((*kind, name.clone()));
        }
    }
    let inner = fold_levels(Flat {
        binders: kept,
        parts: whole.parts,
    });
    // Inside prefixes and replications folding is done once, in the order in which it is found.
    let mut results = Vec::new();
    folded(&inner, &mut results);
    results.into_iter().next().unwrap_or(inner)
}

fn parts(term: &Term, binders: &mut Vec<(Kind, String)>) -> Vec<Part> {
    match term {
        Term::Nil => Vec::new(),
        Term::Kill(label) => vec![Part::Kill(label.clone())],
        Term::Invoke(message) => vec![Part::Invoke(message.clone())],
        Term::Choice(branches) if branches.is_empty() => Vec::new(),
        Term::Choice(branches) => vec![Part::Choice(
            branches
                .iter()
                .map(|(message, next)| (message.clone(), flat(next)))
                .collect(),
        )],
        Term::Parallel(left, right) => {
            let mut found = parts(left, binders);
            found.extend(parts(right, binders));
            found
        }
        Term::Protection(body) => protected(parts(body, binders)),
        Term::Delimitation(Kind::Label, name, body) => {
            let is_used = is_free(body, Kind::Label, name);
            let inside = parts(body, binders);
            if is_used && uses(&inside, Kind::Label, name) {
                scoped(vec![name.clone()], inside)
            } else {
                inside
            }
        }
        Term::Delimitation(kind, name, body) => {
            binders.push((*kind, name.clone()));
            parts(body, binders)
        }
        Term::Replication(body) => {
            let body = flat(body);
            if body.parts.is_empty() {
                Vec::new()
            } else {
                vec![Part::Replication(body)]
            }
        }
    }
}

/// Folds inside protections and scopes, in the order in which copies are found; what is a copy's own is used nowhere
/// else in the whole term.
fn fold_levels(mut whole: Flat) -> Flat {
    loop {
        let before = whole.clone();
        let is_changed = whole.parts.iter_mut().any(|part| fold_level(part, &before));
        if !is_changed {
            return before;
        }
        let parts = whole.parts.clone();
        whole
            .binders
            .retain(|(kind, name)| count(&parts, *kind, name) > 0);
    }
}

fn fold_level(part: &mut Part, whole: &Flat) -> bool {
    let (Part::Protection(body) | Part::Scope(_, body)) = part else {
        return false;
    };
    if body.iter_mut().any(|part| fold_level(part, whole)) {
        return true;
    }
    for position in 0..body.len() {
        let Part::Replication(replicated) = &body[position] else {
            continue;
        };
        for chosen in subsets(body.len(), replicated.parts.len(), position) {
            let copy: Vec<Part> = chosen.iter().map(|&part| body[part].clone()).collect();
            let own = |(kind, name): &&(Kind, String)| {
                let inside = count(&copy, *kind, name);
                inside > 0 && inside == count(&whole.parts, *kind, name)
            };
            let binders = whole.binders.iter().filter(own).cloned().collect();
            let parts = copy.clone();
            if equal(&Flat { binders, parts }, replicated) {
                for &part in chosen.iter().rev() {
                    body.remove(part);
                }
                return true;
            }
        }
    }
    false
}

fn count(parts: &[Part], kind: Kind, name: &str) -> usize {
    let in_words = |words: &[Word]| {
        let is_it = |word: &&Word| match (word, kind) {
            (Word::Value(text), Kind::Name) | (Word::Variable(text), Kind::Variable) => {
                text == name
            }
            _ => false,
        };
        words.iter().filter(is_it).count()
    };
    let of_part = |part: &Part| match part {
        Part::Kill(label) => usize::from(kind == Kind::Label && label == name),
        Part::Invoke(words) => in_words(words),
        Part::Choice(branches) => branches
            .iter()
            .map(|(words, next)| in_words(words) + count(&next.parts, kind, name))
            .sum(),
        Part::Protection(body) | Part::Scope(_, body) => count(body, kind, name),
        Part::Replication(body) => count(&body.parts, kind, name),
    };
    parts.iter().map(of_part).sum()
}

fn protected(mut body: Vec<Part>) -> Vec<Part> {
    match body.as_mut_slice() {
        [] | [Part::Protection(_)] => body,
        [Part::Scope(labels, inner)] => {
            let (labels, inner) = (labels.clone(), inner.clone());
            scoped(labels, protected(inner))
        }
        _ => vec![Part::Protection(body)],
    }
}

fn scoped(mut labels: Vec<String>, body: Vec<Part>) -> Vec<Part> {
    match body.as_slice() {
        [Part::Scope(more, inner)] => {
            labels.extend(more.iter().cloned());
            vec![Part::Scope(labels, inner.clone())]
        }
        _ => vec![Part::Scope(labels, body)],
    }
}

fn uses(parts: &[Part], kind: Kind, name: &str) -> bool {
    count(parts, kind, name) > 0
}

/// Which binders of the left stand for which of the right.
#[derive(Clone, Default)]
struct Pairing {
    left: Vec<(Kind, String)>,
    right: Vec<(Kind, String)>,
    pairs: Vec<(Kind, String, String)>,
}

impl Pairing {
    fn pair(&mut self, kind: Kind, left: &str, right: &str) -> bool {
        let of_left = self.pairs.iter().find(|(k, l, _)| *k == kind && l == left);
        let of_right = self.pairs.iter().find(|(k, _, r)| *k == kind && r == right);
        if of_left.is_some() || of_right.is_some() {
            return of_left == of_right;
        }
        let is_bound = |binders: &[(Kind, String)], name: &str| {
            binders.iter().any(|(k, bound)| *k == kind && bound == name)
        };
        match (is_bound(&self.left, left), is_bound(&self.right, right)) {
            (true, true) => {
                if kind == Kind::Name && spelling(left) != spelling(right) {
                    return false;
                }
                self.pairs.push((kind, left.to_owned(), right.to_owned()));
                true
            }
            (false, false) => left == right,
            _ => false,
        }
    }

    fn words(&mut self, left: &[Word], right: &[Word]) -> bool {
        left.len() == right.len()
            && left.iter().zip(right).all(|pair| match pair {
                (Word::Value(left), Word::Value(right)) => self.pair(Kind::Name, left, right),
                (Word::Variable(left), Word::Variable(right)) => {
                    self.pair(Kind::Variable, left, right)
                }
                _ => false,
            })
    }
}

fn equal(left: &Flat, right: &Flat) -> bool {
    all_flat(left, right, &Pairing::default(), &mut |_| true)
}

/// What is to be done with a pairing that works so far; tries are undone by forgetting the pairing.
type Then<'t> = &'t mut dyn FnMut(&Pairing) -> bool;

fn all_flat(left: &Flat, right: &Flat, pairing: &Pairing, then: Then<'_>) -> bool {
    if left.binders.len() != right.binders.len() {
        return false;
    }
    let mut inner = pairing.clone();
    inner.left.extend(left.binders.iter().cloned());
    inner.right.extend(right.binders.iter().cloned());
    all_parts(&left.parts, &right.parts, &inner, then)
}

fn all_parts(left: &[Part], right: &[Part], pairing: &Pairing, then: Then<'_>) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let Some((first, rest)) = left.split_first() else {
        return then(pairing);
    };
    (0..right.len()).any(|position| {
        let mut others = right.to_vec();
        let other = others.remove(position);
        one_part(first, &other, pairing, &mut |pairing| {
            all_parts(rest, &others, pairing, then)
        })
    })
}

fn one_part(left: &Part, right: &Part, pairing: &Pairing, then: Then<'_>) -> bool {
    match (left, right) {
        (Part::Kill(left), Part::Kill(right)) => {
            let mut next = pairing.clone();
            next.pair(Kind::Label, left, right) && then(&next)
        }
        (Part::Invoke(left), Part::Invoke(right)) => {
            let mut next = pairing.clone();
            next.words(left, right) && then(&next)
        }
        (Part::Choice(left), Part::Choice(right)) => all_branches(left, right, pairing, then),
        (Part::Protection(left), Part::Protection(right)) => all_parts(left, right, pairing, then),
        (Part::Scope(labels, left), Part::Scope(others, right)) => {
            if labels.len() != others.len() {
                return false;
            }
            let mut inner = pairing.clone();
            let as_binder = |label: &String| (Kind::Label, label.clone());
            inner.left.extend(labels.iter().map(as_binder));
            inner.right.extend(others.iter().map(as_binder));
            all_parts(left, right, &inner, then)
        }
        (Part::Replication(left), Part::Replication(right)) => all_flat(left, right, pairing, then),
        _ => false,
    }
}

fn all_branches(
    left: &[(Vec<Word>, Flat)],
    right: &[(Vec<Word>, Flat)],
    pairing: &Pairing,
    then: Then<'_>,
) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let Some(((message, next), rest)) = left.split_first() else {
        return then(pairing);
    };
    (0..right.len()).any(|position| {
        let mut others = right.to_vec();
        let (other_message, other_next) = others.remove(position);
        let mut inner = pairing.clone();
        inner.words(message, &other_message)
            && all_flat(next, &other_next, &inner, &mut |pairing| {
                all_branches(rest, &others, pairing, then)
            })
    })
}
