//! Arguments by the names of fields: `Charge(amount = $a)`.
//!
//! Engines know the data of an action by position, so names are replaced by positions before a formula is asked;
//! what is not mentioned becomes `*`.

use choros_base::{Diagnostic, Name, Names, Span, nearest};

use super::diagnostics::unknown_field;
use super::formula::{Actions, Argument, Atom, Formula, NodeKind};

impl Formula {
    /// The first place where a field is named.
    pub fn names_fields(&self) -> Option<Span> {
        let mut places = Vec::new();
        for (_, node) in self.nodes() {
            let mut atoms = Vec::new();
            match &node.kind {
                NodeKind::Proposition(atom) => atoms.push(atom),
                NodeKind::Until(until) => atoms.extend(until.steps.atoms()),
                _ => {}
            }
            atoms.extend(
                node.kind
                    .binding_actions()
                    .into_iter()
                    .flat_map(Actions::atoms),
            );
            let named = atoms.iter().filter(|it| !it.labels.is_empty());
            places.extend(named.map(|it| it.span));
        }
        places.into_iter().next()
    }

    /// Replaces the names of fields by their positions; `fields` gives those of each message with a name.
    pub fn place_fields(
        &mut self,
        names: &Names,
        fields: &dyn Fn(Name) -> Vec<Vec<Option<String>>>,
    ) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut place = |atom: &mut Atom| {
            if !atom.labels.is_empty()
                && let Err(wrong) = placed(atom, names, &fields(atom.kind))
            {
                found.push(*wrong);
            }
        };
        for node in &mut self.nodes {
            match &mut node.kind {
                NodeKind::Proposition(atom) => place(atom),
                NodeKind::Next(_, actions, _)
                | NodeKind::Diamond(actions, _)
                | NodeKind::Box(actions, _)
                | NodeKind::Eventually(_, Some(actions), _) => each_atom(actions, &mut place),
                NodeKind::Until(until) => {
                    each_atom(&mut until.steps, &mut place);
                    if let Some(last) = &mut until.last {
                        each_atom(last, &mut place);
                    }
                }
                _ => {}
            }
        }
        found
    }
}

fn each_atom(actions: &mut Actions, place: &mut dyn FnMut(&mut Atom)) {
    let mut pending = vec![actions];
    while let Some(actions) = pending.pop() {
        match actions {
            Actions::Constant(_) | Actions::Silent => {}
            Actions::Atom(atom) => place(atom),
            Actions::Not(inner) => pending.push(inner),
            Actions::And(parts) | Actions::Or(parts) => pending.extend(parts.iter_mut()),
        }
    }
}

fn placed(
    atom: &mut Atom,
    names: &Names,
    messages: &[Vec<Option<String>>],
) -> Result<(), Box<Diagnostic>> {
    let mut agreed: Option<Vec<Argument>> = None;
    for fields in messages {
        let mut arguments = vec![Argument::Any; fields.len()];
        let mut next = 0;
        for (argument, label) in atom.arguments.iter().zip(&atom.labels) {
            let place = match label {
                None => next,
                Some(label) => {
                    let text = names.text(*label);
                    let place = fields.iter().position(|it| it.as_deref() == Some(text));
                    place.ok_or_else(|| {
                        let known = messages.iter().flatten().flatten().map(String::as_str);
                        let similar = nearest(text, known);
                        let message = names.text(atom.kind);
                        Box::new(unknown_field::diagnostic(atom.span, message, text, similar))
                    })?
                }
            };
            match arguments.get_mut(place) {
                Some(free @ Argument::Any) => *free = *argument,
                _ => {
                    let found = unknown_field::twice(atom.span, names.text(atom.kind));
                    return Err(Box::new(found));
                }
            }
            next = place + 1;
        }
        while arguments.last() == Some(&Argument::Any) {
            arguments.pop();
        }
        if agreed.as_ref().is_some_and(|it| *it != arguments) {
            let found = unknown_field::several(atom.span, names.text(atom.kind));
            return Err(Box::new(found));
        }
        agreed = Some(arguments);
    }
    // A message that no one has matches nothing, whatever its data.
    atom.arguments = agreed.unwrap_or_default();
    atom.labels.clear();
    Ok(())
}
