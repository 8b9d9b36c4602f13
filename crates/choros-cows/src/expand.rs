//! From a tree to a term that can be executed: definitions in place of their calls, every identifier resolved, and
//! the static mistakes.
//!
//! Definitions are macros with static scope: a private name or a killer label that is delimited where a definition is
//! called is unknown inside it unless it is an argument.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use choros_base::{CodeInfo, Diagnostic, Span, nearest};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostics::{
    MAX_FINDINGS, argument_count, arity_mismatch, binder_form, defined_twice, free_label,
    free_variable, label_as_value, nested_too_deeply, recursive_definition, repeated_variable,
    too_large, undefined_call, unguarded_choice, unused_definition, unused_delimitation,
    variable_endpoint,
};
use crate::semantics::Program;
use crate::semantics::process::{
    Atom, Block, Id, Kind, Message, Process, Receive, STATIC, block, protection, replication, scope,
};
use crate::syntax::{Binder, Definition, Endpoint, Identifier, Specification, Term, TermKind};

/// Resolves a specification; `None` when there is no term or it has mistakes.
pub fn expand(specification: &Specification) -> (Option<Program>, Vec<Diagnostic>) {
    let mut expander = Expander::new(specification);
    let Some(main) = &specification.main else {
        return (None, expander.diagnostics);
    };
    let mut ids = Vec::new();
    let body = expander.term(main, &mut ids);
    let initial = block(ids, body);
    expander.check_uses(specification);
    let mut diagnostics = expander.diagnostics;
    diagnostics.sort_by_key(|finding| (finding.severity, finding.primary()));
    diagnostics.truncate(MAX_FINDINGS);
    let program = (!choros_base::has_errors(&diagnostics)).then_some(Program {
        symbols: expander.symbols,
        initial,
        origins: expander.origins,
    });
    (program, diagnostics)
}

/// Terms with definitions in place of calls nest no deeper, so that walking over them is safe.
const EXPANDED_DEPTH: u32 = 400;

/// And have no more parts.
const EXPANDED_SIZE: usize = 200_000;

struct Expander<'s> {
    definitions: FxHashMap<Arc<str>, &'s Definition>,
    diagnostics: Vec<Diagnostic>,
    /// What has been reported where: a definition is gone through at each of its calls.
    reported: FxHashSet<(&'static str, Option<Span>)>,
    symbols: Vec<Arc<str>>,
    symbol_ids: FxHashMap<Arc<str>, u32>,
    /// What identifiers mean here, the innermost last.
    scope: Vec<(Arc<str>, Atom)>,
    /// Everything before this position of the scope is unknown here.
    scope_start: usize,
    /// The definitions that are being gone through.
    calls: Vec<Arc<str>>,
    called: FxHashSet<Arc<str>>,
    next_id: u32,
    depth: u32,
    origins: Vec<Span>,
    used_ids: FxHashSet<u32>,
    /// Whether what is delimited at a place is used by any call of the definition around it.
    binders: BTreeMap<Span, (Arc<str>, bool)>,
    /// Lengths of tuples sent to and received at endpoints that are known.
    invokes: Vec<(Atom, Atom, usize, Span)>,
    receives: Vec<(Atom, Atom, usize)>,
}

impl<'s> Expander<'s> {
    fn new(specification: &'s Specification) -> Self {
        let mut expander = Expander {
            definitions: FxHashMap::default(),
            diagnostics: Vec::new(),
            reported: FxHashSet::default(),
            symbols: Vec::new(),
            symbol_ids: FxHashMap::default(),
            scope: Vec::new(),
            scope_start: 0,
            calls: Vec::new(),
            called: FxHashSet::default(),
            next_id: STATIC,
            depth: 0,
            origins: Vec::new(),
            used_ids: FxHashSet::default(),
            binders: BTreeMap::new(),
            invokes: Vec::new(),
            receives: Vec::new(),
        };
        for definition in &specification.definitions {
            let name = &definition.name;
            match expander.definitions.get(&name.text) {
                Some(first) => {
                    let first = first.name.span;
                    let finding =
                        defined_twice::diagnostic(first, name.span, &name.text, "definitions");
                    expander.report(finding);
                }
                None => {
                    expander.definitions.insert(name.text.clone(), definition);
                }
            }
            for (position, parameter) in definition.parameters.iter().enumerate() {
                let mut earlier = definition.parameters[..position].iter();
                if let Some(first) = earlier.find(|other| other.text == parameter.text) {
                    expander.report(defined_twice::diagnostic(
                        first.span,
                        parameter.span,
                        &parameter.text,
                        "parameters",
                    ));
                }
            }
        }
        expander
    }

    fn report(&mut self, finding: Diagnostic) {
        if self.reported.insert((finding.code.code, finding.primary())) {
            self.diagnostics.push(finding);
        }
    }

    fn has_reported(&self, code: &CodeInfo) -> bool {
        self.diagnostics
            .iter()
            .any(|one| one.code.code == code.code)
    }

    /// The components of a term; the names and variables that it delimits are added to `ids`.
    fn term(&mut self, term: &'s Term, ids: &mut Vec<Id>) -> Vec<Process> {
        if self.depth >= EXPANDED_DEPTH {
            if !self.has_reported(&nested_too_deeply::CODE) {
                self.report(nested_too_deeply::in_calls(term.span, EXPANDED_DEPTH));
            }
            return Vec::new();
        }
        if self.origins.len() >= EXPANDED_SIZE {
            if !self.has_reported(&too_large::CODE) {
                self.report(too_large::diagnostic(term.span, EXPANDED_SIZE));
            }
            return Vec::new();
        }
        self.depth += 1;
        let body = self.term_kind(term, ids);
        self.depth -= 1;
        body
    }

    fn term_kind(&mut self, term: &'s Term, ids: &mut Vec<Id>) -> Vec<Process> {
        match &term.kind {
            TermKind::Nil | TermKind::Error => {
                // Counted, so that calls of calls of nothing end too.
                self.origins.push(term.span);
                Vec::new()
            }
            TermKind::Kill(label) => {
                let origin = self.origin(term.span);
                let label = self.label(label);
                label.map_or(Vec::new(), |label| vec![Process::Kill(label, origin)])
            }
            TermKind::Invoke(endpoint) => {
                let message = self.message(endpoint, term.span);
                if !message.partner.is_variable() && !message.operation.is_variable() {
                    self.invokes.push((
                        message.partner,
                        message.operation,
                        message.tuple.len(),
                        term.span,
                    ));
                }
                vec![Process::Invoke(message)]
            }
            TermKind::Receive(endpoint, continuation) => {
                let span = endpoint.partner.span.to(endpoint.operation.span);
                let message = self.message(endpoint, span);
                self.check_receive(endpoint, &message);
                let continuation = match continuation {
                    None => Block::default(),
                    Some(next) => {
                        let mut inner = Vec::new();
                        let body = self.term(next, &mut inner);
                        block(inner, body)
                    }
                };
                vec![Process::Choice(vec![Receive {
                    message,
                    continuation,
                }])]
            }
            TermKind::Choice(operands) => {
                let mut receives = Vec::new();
                for operand in operands {
                    receives.append(&mut self.operand(operand));
                }
                if receives.is_empty() {
                    Vec::new()
                } else {
                    vec![Process::Choice(receives)]
                }
            }
            TermKind::Parallel(operands) => operands
                .iter()
                .flat_map(|operand| self.term(operand, ids))
                .collect(),
            TermKind::Protection(inner) => protection(self.term(inner, ids)),
            TermKind::Replication(inner) => {
                let mut own = Vec::new();
                let body = self.term(inner, &mut own);
                replication(block(own, body))
            }
            TermKind::Delimitation(binders, inner) => self.delimitation(binders, inner, ids),
            TermKind::Call(name, arguments) => self.call(name, arguments, ids),
        }
    }

    /// The receives of an operand of `+`.
    fn operand(&mut self, operand: &'s Term) -> Vec<Receive> {
        let mut ids = Vec::new();
        let body = self.term(operand, &mut ids);
        let what = match &operand.kind {
            TermKind::Kill(_) => "a kill",
            TermKind::Invoke(_) => "an invoke",
            TermKind::Parallel(_) => "a parallel composition",
            TermKind::Protection(_) => "a protection",
            TermKind::Delimitation(..) => "a delimitation",
            TermKind::Replication(_) => "a replication",
            TermKind::Call(..) => "a call of something that is not a receive",
            TermKind::Nil | TermKind::Receive(..) | TermKind::Choice(_) | TermKind::Error => "",
        };
        let is_call = matches!(operand.kind, TermKind::Call(..));
        let mut found = body.into_iter();
        match (found.next(), found.next()) {
            (None, _) if what.is_empty() || is_call => Vec::new(),
            (Some(Process::Choice(receives)), None)
                if what.is_empty() || (is_call && ids.is_empty()) =>
            {
                receives
            }
            _ => {
                self.report(unguarded_choice::diagnostic(operand.span, what));
                Vec::new()
            }
        }
    }

    fn delimitation(
        &mut self,
        binders: &'s [Binder],
        inner: &'s Term,
        ids: &mut Vec<Id>,
    ) -> Vec<Process> {
        let known = self.scope.len();
        let mut labels = Vec::new();
        let mut own: Vec<(Id, Span)> = Vec::new();
        for binder in binders {
            let identifier = &binder.identifier;
            let kind = match (identifier.is_variable(), binder.is_name) {
                (true, true) => {
                    let finding = binder_form::diagnostic(identifier.span, &identifier.text);
                    self.report(finding);
                    Kind::Variable
                }
                (true, false) => Kind::Variable,
                (false, true) => Kind::Name,
                (false, false) => Kind::Label,
            };
            let id = Id {
                number: self.next_id,
                kind,
                spelling: self.symbol(&identifier.text),
            };
            self.next_id += 1;
            own.push((id, identifier.span));
            match kind {
                Kind::Label => labels.push(id),
                _ => ids.push(id),
            }
            self.scope.push((identifier.text.clone(), Atom::Bound(id)));
        }
        let body = self.term(inner, ids);
        self.scope.truncate(known);
        for (binder, (id, span)) in binders.iter().zip(own) {
            let is_used = self.used_ids.contains(&id.number);
            let entry = self.binders.entry(span);
            let text = binder.identifier.text.clone();
            entry.or_insert((text, false)).1 |= is_used;
        }
        scope(labels, body)
    }

    fn call(
        &mut self,
        name: &'s Identifier,
        arguments: &'s [Identifier],
        ids: &mut Vec<Id>,
    ) -> Vec<Process> {
        let Some(&definition) = self.definitions.get(&name.text) else {
            let mut names: Vec<Arc<str>> = self.definitions.keys().cloned().collect();
            names.sort();
            let similar = nearest(&name.text, names.iter().map(AsRef::as_ref));
            let finding = undefined_call::diagnostic(name.span, &name.text, similar);
            self.report(finding);
            return Vec::new();
        };
        self.called.insert(name.text.clone());
        if let Some(start) = self.calls.iter().position(|call| *call == name.text) {
            let mut circle: Vec<&str> = self.calls[start..].iter().map(AsRef::as_ref).collect();
            circle.push(&name.text);
            let finding = recursive_definition::diagnostic(name.span, &circle);
            self.report(finding);
            return Vec::new();
        }
        if arguments.len() != definition.parameters.len() {
            self.report(argument_count::diagnostic(
                name.span,
                definition.name.span,
                &name.text,
                definition.parameters.len(),
                arguments.len(),
            ));
            return Vec::new();
        }
        let known = self.scope.len();
        let mut bound = Vec::new();
        for (parameter, argument) in definition.parameters.iter().zip(arguments) {
            // A free variable is reported here, where it is written.
            let value = self.resolve(argument);
            bound.push((parameter.text.clone(), value));
        }
        self.scope.append(&mut bound);
        let start = std::mem::replace(&mut self.scope_start, known);
        self.calls.push(name.text.clone());
        let body = self.term(&definition.body, ids);
        self.calls.pop();
        self.scope_start = start;
        self.scope.truncate(known);
        body
    }

    fn origin(&mut self, span: Span) -> u32 {
        self.origins.push(span);
        self.origins.len() as u32 - 1
    }

    fn message(&mut self, endpoint: &Endpoint, span: Span) -> Message {
        let origin = self.origin(span);
        let mut value = |identifier: &Identifier| {
            let atom = self.resolve(identifier);
            if matches!(atom, Atom::Bound(id) if id.kind == Kind::Label) {
                let finding = label_as_value::diagnostic(identifier.span, &identifier.text);
                self.report(finding);
            }
            atom
        };
        Message {
            partner: value(&endpoint.partner),
            operation: value(&endpoint.operation),
            tuple: endpoint.tuple.iter().map(value).collect(),
            origin,
        }
    }

    fn check_receive(&mut self, endpoint: &Endpoint, message: &Message) {
        let ends = [
            (&endpoint.partner, message.partner),
            (&endpoint.operation, message.operation),
        ];
        for (identifier, atom) in ends {
            if let Atom::Bound(id) = atom
                && id.kind == Kind::Variable
            {
                let variable = self.symbols[id.spelling as usize].clone();
                self.report(variable_endpoint::diagnostic(
                    identifier.span,
                    &identifier.text,
                    &variable,
                ));
            }
        }
        for (position, atom) in message.tuple.iter().enumerate() {
            let earlier = message.tuple[..position].iter();
            if atom.is_variable()
                && let Some(first) = earlier.clone().position(|other| other == atom)
            {
                let again = &endpoint.tuple[position];
                let first = endpoint.tuple[first].span;
                let finding = repeated_variable::diagnostic(first, again.span, &again.text);
                self.report(finding);
            }
        }
        self.receives
            .push((message.partner, message.operation, message.tuple.len()));
    }

    fn label(&mut self, identifier: &Identifier) -> Option<Id> {
        let known = self.lookup(&identifier.text);
        let what = match known {
            Some(Atom::Bound(id)) if id.kind == Kind::Label => {
                self.used_ids.insert(id.number);
                return Some(id);
            }
            Some(Atom::Bound(id)) if id.kind == Kind::Variable => "a variable",
            Some(_) => "a name",
            None if identifier.is_variable() => "a variable",
            None => {
                let finding = free_label::diagnostic(identifier.span, &identifier.text);
                self.report(finding);
                return None;
            }
        };
        let finding = free_label::not_a_label(identifier.span, &identifier.text, what);
        self.report(finding);
        None
    }

    fn resolve(&mut self, identifier: &Identifier) -> Atom {
        match self.lookup(&identifier.text) {
            Some(atom) => {
                if let Atom::Bound(id) = atom {
                    self.used_ids.insert(id.number);
                }
                atom
            }
            None => {
                if identifier.is_variable() {
                    let finding = free_variable::diagnostic(identifier.span, &identifier.text);
                    self.report(finding);
                }
                Atom::Constant(self.symbol(&value_text(&identifier.text)))
            }
        }
    }

    fn lookup(&self, text: &str) -> Option<Atom> {
        let visible = self.scope[self.scope_start..].iter().rev();
        visible
            .clone()
            .find(|(name, _)| **name == *text)
            .map(|&(_, atom)| atom)
    }

    fn symbol(&mut self, text: &Arc<str>) -> u32 {
        let next = self.symbols.len() as u32;
        let symbol = *self.symbol_ids.entry(text.clone()).or_insert(next);
        if symbol == next {
            self.symbols.push(text.clone());
        }
        symbol
    }

    /// Warnings that need the whole term.
    fn check_uses(&mut self, specification: &Specification) {
        for definition in &specification.definitions {
            let name = &definition.name;
            if !self.called.contains(&name.text) {
                self.report(unused_definition::diagnostic(name.span, &name.text));
            }
        }
        for (span, (text, is_used)) in std::mem::take(&mut self.binders) {
            if !is_used {
                self.report(unused_delimitation::diagnostic(span, &text));
            }
        }
        let mut received: BTreeMap<_, BTreeSet<usize>> = BTreeMap::new();
        for &(partner, operation, length) in &self.receives {
            let lengths = received.entry((key(partner), key(operation)));
            lengths.or_default().insert(length);
        }
        for (partner, operation, length, span) in std::mem::take(&mut self.invokes) {
            let Some(lengths) = received.get(&(key(partner), key(operation))) else {
                continue;
            };
            if !lengths.contains(&length) {
                let lengths: Vec<usize> = lengths.iter().copied().collect();
                let text = |atom: Atom| match atom {
                    Atom::Constant(symbol) => self.symbols[symbol as usize].to_string(),
                    Atom::Bound(id) => self.symbols[id.spelling as usize].to_string(),
                };
                let endpoint = format!("{}.{}", text(partner), text(operation));
                let finding = arity_mismatch::diagnostic(span, &endpoint, length, &lengths);
                self.report(finding);
            }
        }
    }
}

/// Numbers that differ in leading zeros only are one value.
fn value_text(text: &Arc<str>) -> Arc<str> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.trim_start_matches('0') {
        _ if !is_number => text.clone(),
        "" => "0".into(),
        rest if rest.len() == text.len() => text.clone(),
        rest => rest.into(),
    }
}

/// An order on what endpoints are made of.
fn key(atom: Atom) -> (bool, u32) {
    match atom {
        Atom::Constant(symbol) => (false, symbol),
        Atom::Bound(id) => (true, id.number),
    }
}
