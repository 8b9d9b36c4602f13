//! Purposes with terms: names resolved against the model.

use choros_base::{Diagnostic, Name, Span, nearest};
use choros_data::syntax::Expression;
use choros_data::{Inference, Scope, Sort, Term, Terms, Var};
use choros_model::stg::{Direction, Operation, Role, Update};
use rustc_hash::{FxHashMap, FxHashSet};

use super::diagnostics::{
    declared_twice, early_guard, foreign_variable, never_accepts, unknown_event, unknown_variable,
    unreached_state,
};
use super::model::{Binder, MessageHead, Purpose, PurposeEdge, PurposeState, Trigger};
use super::syntax::{PurposeLabel, PurposeSyntax, Statement, TriggerMessage, TriggerSyntax, Word};
use super::vocabulary::Vocabulary;

/// The purpose that a file holds, for a model with this vocabulary.
///
/// What does not fit is reported; the purpose is there only where nothing is wrong.
pub fn resolve(
    syntax: &PurposeSyntax,
    vocabulary: &Vocabulary,
    start: Span,
    terms: &mut Terms,
) -> (Option<Purpose>, Vec<Diagnostic>) {
    let shape = Shape::of(syntax, start, terms);
    let mut resolving = Resolving {
        syntax,
        vocabulary,
        inference: Inference::new(Sort::INT),
        scope: None,
        own: FxHashMap::default(),
        diagnostics: shape.diagnostics.clone(),
    };
    let purpose = resolving.purpose(&shape, terms);
    let mut diagnostics = resolving.diagnostics;
    diagnostics.append(&mut resolving.inference.diagnostics);
    diagnostics.sort_by_key(Diagnostic::primary);
    let sound = !choros_base::has_errors(&diagnostics);
    (purpose.filter(|_| sound), diagnostics)
}

/// What is wrong with a purpose whatever its model: things said twice, states that nothing leads to, no `#`.
pub fn check_shape(syntax: &PurposeSyntax, start: Span, terms: &Terms) -> Vec<Diagnostic> {
    Shape::of(syntax, start, terms).diagnostics
}

/// States and transitions, without terms.
struct Shape<'s> {
    name: String,
    states: Vec<(Name, PurposeState)>,
    initial: usize,
    edges: Vec<(usize, usize, &'s PurposeLabel)>,
    declared: Vec<(Word, choros_data::syntax::SortExprId)>,
    diagnostics: Vec<Diagnostic>,
}

impl<'s> Shape<'s> {
    fn of(syntax: &'s PurposeSyntax, start: Span, terms: &Terms) -> Shape<'s> {
        let mut shape = Shape {
            name: "purpose".to_owned(),
            states: Vec::new(),
            initial: 0,
            edges: Vec::new(),
            declared: Vec::new(),
            diagnostics: Vec::new(),
        };
        let (mut named, mut initial): (Option<Span>, Option<Word>) = (None, None);
        for statement in syntax.statements() {
            match statement {
                Statement::Purpose(name) => match named {
                    Some(before) => shape.twice("the purpose", name.span, before),
                    None => {
                        named = Some(name.span);
                        shape.name = terms.names.text(name.name).to_owned();
                    }
                },
                Statement::Initial(state) => match initial {
                    Some(before) => shape.twice("the initial state", state.span, before.span),
                    None => initial = Some(*state),
                },
                Statement::Variables(declared) => {
                    for &(word, sort) in declared {
                        let before = shape.declared.iter().find(|(it, _)| it.name == word.name);
                        match before {
                            Some(&(before, _)) => {
                                let what = format!("`{}`", terms.names.text(word.name));
                                shape.twice(&what, word.span, before.span);
                            }
                            None => shape.declared.push((word, sort)),
                        }
                    }
                }
                Statement::Edge {
                    source,
                    target,
                    label,
                } => {
                    let from = shape.state(*source, terms);
                    let to = target.map_or(from, |target| shape.state(target, terms));
                    shape.edges.push((from, to, label));
                }
                Statement::Contract(_) => {}
            }
        }
        if let Some(word) = initial {
            shape.initial = shape.state(word, terms);
        }
        shape.look_around(named.unwrap_or(start));
        shape
    }

    fn twice(&mut self, what: &str, span: Span, before: Span) {
        self.diagnostics
            .push(declared_twice::diagnostic(what, span, before));
    }

    fn state(&mut self, word: Word, terms: &Terms) -> usize {
        match self.states.iter().position(|(name, _)| *name == word.name) {
            Some(known) => known,
            None => {
                let state = PurposeState {
                    name: terms.names.text(word.name).to_owned(),
                    span: word.span,
                };
                self.states.push((word.name, state));
                self.states.len() - 1
            }
        }
    }

    /// Reports states that nothing leads to, and a purpose that never accepts.
    fn look_around(&mut self, place: Span) {
        let mut reached = vec![false; self.states.len()];
        let mut stack = vec![self.initial];
        while let Some(state) = stack.pop() {
            if reached
                .get_mut(state)
                .is_some_and(|seen| !std::mem::replace(seen, true))
            {
                let next = self.edges.iter().filter(|(source, ..)| *source == state);
                stack.extend(next.map(|(_, target, _)| *target));
            }
        }
        for (index, (_, state)) in self.states.iter().enumerate() {
            if !reached[index] {
                self.diagnostics
                    .push(unreached_state::diagnostic(state.span, &state.name));
            }
        }
        let accepts = self.edges.iter().any(|(source, _, label)| {
            reached[*source] && matches!(label.trigger, TriggerSyntax::Accept)
        });
        if !accepts {
            self.diagnostics.push(never_accepts::diagnostic(place));
        }
    }
}

struct Resolving<'s> {
    syntax: &'s PurposeSyntax,
    vocabulary: &'s Vocabulary,
    inference: Inference,
    scope: Option<Scope>,
    /// The names of its own variables and where they occur first.
    own: FxHashMap<Name, Span>,
    diagnostics: Vec<Diagnostic>,
}

impl Resolving<'_> {
    fn purpose(&mut self, shape: &Shape<'_>, terms: &mut Terms) -> Option<Purpose> {
        let scope = self.inference.scope();
        self.scope = Some(scope);
        let start = shape.states.first().map(|(_, state)| state.span)?;
        for &variable in &self.vocabulary.variables {
            let name = terms.variable_name(variable);
            let slot = self.inference.variable(scope, name, start);
            let sort = terms.variable_sort(variable);
            let known = self
                .inference
                .known(sort, start, "the model's variable is of that sort");
            self.inference.unify(terms, slot, start, known);
        }
        let mut order = Vec::new();
        for &(word, sort) in &shape.declared {
            self.claim(word, &mut order, terms);
            let slot = self.inference.variable(scope, word.name, word.span);
            if let Some(sort) = self.inference.written_sort(terms, &self.syntax.exprs, sort) {
                let known = self
                    .inference
                    .known(sort, word.span, "it is declared with this sort");
                self.inference.unify(terms, slot, word.span, known);
            }
        }
        let mut triggers = Vec::with_capacity(shape.edges.len());
        for (_, _, label) in &shape.edges {
            let (trigger, binders) = self.trigger(&label.trigger, terms);
            for &(_, word, sort) in &binders {
                self.claim(word, &mut order, terms);
                let slot = self.inference.variable(scope, word.name, word.span);
                let known = self
                    .inference
                    .known(sort, word.span, "the message carries that sort");
                self.inference.unify(terms, slot, word.span, known);
            }
            for (word, _) in &label.updates {
                self.claim(*word, &mut order, terms);
                self.inference.variable(scope, word.name, word.span);
            }
            triggers.push((trigger, binders));
        }
        for (_, _, label) in &shape.edges {
            self.check(label, scope, terms);
        }
        let mut edges = Vec::with_capacity(shape.edges.len());
        for ((source, target, label), (trigger, binders)) in shape.edges.iter().zip(triggers) {
            let binders: Vec<Binder> = binders
                .into_iter()
                .map(|(field, word, _)| Binder {
                    field,
                    variable: self.variable(word, scope, terms),
                })
                .collect();
            if let Some(edge) = self.edge((*source, *target), label, trigger, binders, terms) {
                edges.push(edge);
            }
        }
        let variables = order
            .into_iter()
            .map(|word| self.variable(word, scope, terms))
            .collect();
        Some(Purpose {
            name: shape.name.clone(),
            states: shape
                .states
                .iter()
                .map(|(_, state)| state.clone())
                .collect(),
            initial: shape.initial,
            edges,
            variables,
        })
    }

    /// Makes a name one of the purpose's own variables, unless the model has it.
    fn claim(&mut self, word: Word, order: &mut Vec<Word>, terms: &Terms) {
        let is_models = self
            .vocabulary
            .variables
            .iter()
            .any(|&variable| terms.variable_name(variable) == word.name);
        if is_models {
            let name = terms.names.text(word.name);
            let finding = foreign_variable::diagnostic(word.span, name);
            self.diagnostics.push(finding);
            return;
        }
        if !self.own.contains_key(&word.name) {
            order.push(word);
        }
        self.own.entry(word.name).or_insert(word.span);
    }

    fn variable(&mut self, word: Word, scope: Scope, terms: &mut Terms) -> Var {
        let slot = self.inference.variable(scope, word.name, word.span);
        let sort = self.inference.sort(terms, slot);
        terms.variable(word.name, sort)
    }

    fn check(&mut self, label: &PurposeLabel, scope: Scope, terms: &mut Terms) {
        let exprs = &self.syntax.exprs;
        if let Some(guard) = label.guard {
            let why = "a guard is true or false";
            self.inference.check_guard(terms, exprs, guard, scope, why);
        }
        for (word, value) in &label.updates {
            let slot = self.inference.variable(scope, word.name, word.span);
            let found = self.inference.check(terms, exprs, *value, scope);
            self.inference.unify(terms, found, value.span, slot);
        }
    }

    /// What the transition waits for, and the fields that it keeps with their sorts.
    fn trigger(
        &mut self,
        trigger: &TriggerSyntax,
        terms: &Terms,
    ) -> (Trigger, Vec<(usize, Word, Sort)>) {
        let plain = match trigger {
            TriggerSyntax::Any => Trigger::Any,
            TriggerSyntax::Accept => Trigger::Accept,
            TriggerSyntax::Silent => Trigger::Silent,
            TriggerSyntax::Tick => Trigger::Tick,
            TriggerSyntax::End => Trigger::End,
            TriggerSyntax::Raise(fault) => {
                if !self.vocabulary.faults.contains(&fault.name) {
                    let text = format!("raise {}", terms.names.text(fault.name));
                    let known = self.vocabulary.faults.iter();
                    let names: Vec<&str> = known.map(|it| terms.names.text(*it)).collect();
                    let similar = nearest(terms.names.text(fault.name), names);
                    let finding = unknown_event::diagnostic(fault.span, &text, similar);
                    self.diagnostics.push(finding);
                }
                Trigger::Raise(fault.name)
            }
            TriggerSyntax::Message(message) => return self.message(message, terms),
        };
        (plain, Vec::new())
    }

    fn message(
        &mut self,
        message: &TriggerMessage,
        terms: &Terms,
    ) -> (Trigger, Vec<(usize, Word, Sort)>) {
        let head = MessageHead {
            partner: Role(message.partner.name),
            operation: Operation(message.operation.name),
            direction: message.direction,
            fault: message.fault.map(|fault| fault.name),
        };
        let trigger = Trigger::Message(head);
        let text = head.text(terms);
        let Some(shape) = self.vocabulary.message(head) else {
            let known: Vec<String> = self
                .vocabulary
                .messages
                .iter()
                .map(|shape| shape.head.text(terms))
                .collect();
            let similar = nearest(&text, known.iter().map(String::as_str));
            let finding = unknown_event::diagnostic(message.span, &text, similar);
            self.diagnostics.push(finding);
            return (trigger, Vec::new());
        };
        let mut binders = Vec::new();
        for (position, (label, word)) in message.binders.iter().enumerate() {
            let field = match label {
                Some(label) => shape.fields.iter().position(|(it, _)| *it == Some(*label)),
                None => (position < shape.fields.len()).then_some(position),
            };
            match field {
                Some(field) => binders.push((field, *word, shape.fields[field].1)),
                None => {
                    let finding = unknown_event::field(word.span, &text, shape.fields.len());
                    self.diagnostics.push(finding);
                }
            }
        }
        (trigger, binders)
    }

    fn edge(
        &mut self,
        (source, target): (usize, usize),
        label: &PurposeLabel,
        trigger: Trigger,
        binders: Vec<Binder>,
        terms: &mut Terms,
    ) -> Option<PurposeEdge> {
        let mut guard = Term::TRUE;
        let mut defined = Vec::new();
        if let Some(written) = label.guard {
            guard = self.term(written, terms)?;
            self.report_early(guard, trigger, &binders, written, terms);
        }
        let mut updates = Vec::with_capacity(label.updates.len());
        for (word, value) in &label.updates {
            let value = self.term(*value, terms)?;
            let variable = self.variable(*word, self.scope?, terms);
            if terms.sort_of(value) != terms.variable_sort(variable) {
                return None;
            }
            defined.push(terms.defined(value));
            updates.push(Update { variable, value });
        }
        let closed = terms.close(guard);
        Some(PurposeEdge {
            source,
            target,
            guard: terms.and(std::iter::once(closed).chain(defined)),
            trigger,
            updates,
            binders,
            span: label.span,
        })
    }

    /// The term of an expression; its variables are known, or reported.
    fn term(&mut self, written: Expression, terms: &mut Terms) -> Option<Term> {
        let term = self.inference.build(terms, &self.syntax.exprs, written)?;
        let known: FxHashSet<Name> = self
            .vocabulary
            .variables
            .iter()
            .map(|&variable| terms.variable_name(variable))
            .chain(self.own.keys().copied())
            .collect();
        let mut sound = true;
        for variable in terms.free_variables(term) {
            if !known.contains(&terms.variable_name(variable)) {
                let mut names: Vec<&str> = known.iter().map(|it| terms.names.text(*it)).collect();
                names.sort_unstable();
                let text = terms.variable_text(variable);
                let finding =
                    unknown_variable::diagnostic(written.span, text, nearest(text, names));
                self.diagnostics.push(finding);
                sound = false;
            }
        }
        sound.then_some(term)
    }

    fn report_early(
        &mut self,
        guard: Term,
        trigger: Trigger,
        binders: &[Binder],
        written: Expression,
        terms: &Terms,
    ) {
        let Trigger::Message(head) = trigger else {
            return;
        };
        if head.direction != Direction::Receive {
            return;
        }
        let by_model = self
            .vocabulary
            .message(head)
            .map_or(&[][..], |shape| &shape.written);
        for variable in terms.free_variables(guard) {
            let brought = by_model.contains(&variable)
                || binders.iter().any(|binder| binder.variable == variable);
            if brought {
                let text = terms.variable_text(variable);
                let finding = early_guard::diagnostic(written.span, text);
                self.diagnostics.push(finding);
            }
        }
    }
}
