//! Which parts of messages have values (8.1): reading a part that has none is a fault, even if others have.
//!
//! An assignment to a part writes the whole record and keeps the other parts as they are, so what it reads and writes
//! follows from the form of its value.

use choros_base::Span;
use choros_data::{Op, SortKind, Term, TermKind, Terms, Var};
use choros_model::stg::{Edge, Stg, Update};
use rustc_hash::FxHashSet;

/// A part of a variable; without one, all of it.
pub(super) type Read = (Var, Option<usize>);

/// What an assignment reads and writes.
#[derive(Debug, Default)]
pub(super) struct Touched {
    pub(super) read: Vec<Read>,
    /// Parts that get values; `None` if all of the variable does.
    pub(super) written: Vec<Option<usize>>,
}

/// What a term reads.
pub(super) fn read_in(terms: &Terms, term: Term) -> Vec<Read> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        if !terms.has_variables(term) || !seen.insert(term) {
            continue;
        }
        if let Some(variable) = terms.as_variable(term) {
            found.push((variable, None));
            continue;
        }
        match terms.kind(term) {
            TermKind::Apply(Op::Field(position), &[record]) => match terms.as_variable(record) {
                Some(variable) => found.push((variable, Some(position as usize))),
                None => work.push(record),
            },
            _ => work.extend(terms.arguments(term)),
        }
    }
    found
}

/// What an assignment reads and writes; what it keeps of its own variable counts as neither.
pub(super) fn touched(terms: &Terms, update: &Update) -> Touched {
    let own = update.variable;
    let sort = terms.variable_sort(own);
    let is_record = matches!(terms.sort_kind(sort), SortKind::Record(_));
    let fields = match terms.kind(update.value) {
        TermKind::Apply(Op::MakeRecord, fields) if is_record => fields.to_vec(),
        _ => {
            let mut read = read_in(terms, update.value);
            // What is written at a place in a list, or only if something is there, keeps the rest of the record.
            read.retain(|it| it.0 != own || !is_record);
            return Touched {
                read,
                written: vec![None],
            };
        }
    };
    let mut found = Touched::default();
    for (position, &field) in fields.iter().enumerate() {
        let same = |record: Term| terms.as_variable(record) == Some(own);
        let is_kept = matches!(terms.kind(field),
            TermKind::Apply(Op::Field(it), &[record]) if it as usize == position && same(record));
        if is_kept {
            continue;
        }
        found.written.push(Some(position));
        let inside = matches!(
            terms.kind(field),
            TermKind::Apply(Op::MakeRecord | Op::If, _)
        );
        let reads = read_in(terms, field).into_iter();
        // A place inside the part is written: the rest of the part is kept.
        found
            .read
            .extend(reads.filter(|it| !inside || *it != (own, Some(position))));
    }
    if found.written.len() == fields.len() {
        found.written = vec![None];
    }
    found
}

/// How many parts each of some variables has.
pub(super) type Sizes = Vec<(Var, usize)>;

/// The parts of some variables that may be read before anything has written them, and places where a whole message is
/// copied of which only some parts have values.
pub(super) fn doubtful(
    terms: &Terms,
    graph: &Stg,
    sizes: &[(Var, usize)],
    declared: &[Var],
) -> (FxHashSet<(Var, usize)>, Vec<Span>) {
    let mut parts: Vec<(Var, usize)> = Vec::new();
    for &(variable, size) in sizes {
        parts.extend((0..size).map(|part| (variable, part)));
    }
    if parts.is_empty() {
        return (FxHashSet::default(), Vec::new());
    }
    let mut unset: Vec<Option<Vec<bool>>> = vec![None; graph.nodes().len()];
    unset[graph.initial().index()] = Some(vec![true; parts.len()]);
    let mut found = FxHashSet::default();
    let mut copies = Vec::new();
    let mut work = vec![graph.initial()];
    while let Some(node) = work.pop() {
        let Some(here) = unset[node.index()].clone() else {
            continue;
        };
        for (_, edge) in graph.outgoing(node) {
            let mut flow = Flow {
                terms,
                parts: &parts,
                declared,
                unset: here.clone(),
                found: &mut found,
            };
            if flow.takes(edge)
                && let Some(place) = edge.origin.filter(|it| !copies.contains(it))
            {
                copies.push(place);
            }
            let after = flow.unset;
            let there = &mut unset[edge.target.index()];
            let is_unknown = there.is_none();
            let known = there.get_or_insert_with(|| vec![false; parts.len()]);
            let mut is_new = is_unknown;
            for (known, after) in known.iter_mut().zip(after) {
                is_new |= after && !*known;
                *known |= after;
            }
            if is_new {
                work.push(edge.target);
            }
        }
    }
    (found, copies)
}

struct Flow<'a> {
    terms: &'a Terms,
    parts: &'a [(Var, usize)],
    declared: &'a [Var],
    unset: Vec<bool>,
    found: &'a mut FxHashSet<(Var, usize)>,
}

impl Flow<'_> {
    /// Follows an edge; whether it copies a message of which some parts have values and others have not.
    fn takes(&mut self, edge: &Edge) -> bool {
        let mut copies = false;
        for read in read_in(self.terms, edge.guard) {
            self.read(read);
        }
        for term in edge.event.free_terms() {
            for read in read_in(self.terms, term) {
                self.read(read);
            }
        }
        for variable in edge.event.bound_variables() {
            self.written(variable, None);
        }
        for update in &edge.updates {
            let touched = touched(self.terms, update);
            let from = self.terms.as_variable(update.value);
            if let Some(from) = from.filter(|_| self.declared.contains(&update.variable)) {
                let own: Vec<bool> = self.states_of(from);
                copies |= own.contains(&true) && own.contains(&false);
            }
            for read in touched.read {
                self.read(read);
            }
            for part in touched.written {
                self.written(update.variable, part);
            }
        }
        copies
    }

    fn states_of(&self, variable: Var) -> Vec<bool> {
        let states = self.parts.iter().zip(&self.unset);
        let own = states.filter(|it| it.0.0 == variable);
        own.map(|it| *it.1).collect()
    }

    fn read(&mut self, (variable, part): Read) {
        for (known, unset) in self.parts.iter().zip(&self.unset) {
            if *unset && known.0 == variable && part.is_none_or(|it| it == known.1) {
                self.found.insert(*known);
            }
        }
    }

    fn written(&mut self, variable: Var, part: Option<usize>) {
        for (known, unset) in self.parts.iter().zip(&mut self.unset) {
            if known.0 == variable && part.is_none_or(|it| it == known.1) {
                *unset = false;
            }
        }
    }
}
