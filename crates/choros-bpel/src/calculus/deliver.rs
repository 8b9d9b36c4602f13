//! The rules of receptions: which messages they take, and what is wrong with others.

use choros_data::{Term, Terms, Var};
use choros_model::stg::{Direction, Event, FieldValue, Message};

use super::activity::{ActivityId, Delivery, RaisedFault, Reception};
use super::contest::Claim;
use super::rules::{ProcessLabel, ProcessRules, ProcessStep, Sense, both, unlabelled};
use super::state::{Form, States};

impl ProcessRules<'_> {
    pub(super) fn receive(
        &mut self,
        terms: &mut Terms,
        id: ActivityId,
        reception: &Reception,
    ) -> Vec<ProcessStep> {
        let message = |fault, wire: Option<Var>| Message {
            operation: reception.operation,
            from: reception.partner,
            to: self.process.role,
            direction: Direction::Receive,
            fault,
            fields: wire
                .map(FieldValue::Bind)
                .map(unlabelled)
                .into_iter()
                .collect(),
        };
        let target = match reception.correlation {
            Some(_) => self.states.intern(Form::Received(id)),
            None => States::EMPTY,
        };
        let label = ProcessLabel::Event(Event::Message(message(None, reception.wire)));
        let mut steps = match &reception.delivery {
            Some(delivery) => self.deliver(terms, id, reception, delivery, label),
            None => vec![ProcessStep {
                label,
                claim: Some((id, Claim::Takes)),
                ..self.silent(id, Term::TRUE, reception.store.clone(), target)
            }],
        };
        steps.extend(self.contested(terms, id, reception, &steps));
        for fault in &reception.faults {
            let event = message(Some(fault.raised.fault), fault.raised.data);
            let target = self.states.raise(fault.raised);
            steps.push(ProcessStep {
                label: ProcessLabel::Event(Event::Message(event)),
                ..self.silent(id, Term::TRUE, Vec::new(), target)
            });
        }
        steps
    }

    /// DELIVERY: a message that matches comes in; one that cannot be right breaks the correlation.
    fn deliver(
        &mut self,
        terms: &mut Terms,
        id: ActivityId,
        reception: &Reception,
        delivery: &Delivery,
        label: ProcessLabel,
    ) -> Vec<ProcessStep> {
        let mut steps = Vec::new();
        let (unready, ready) = both(terms, delivery.unready);
        if unready != Term::FALSE {
            // Beside a message handler the set may get its values later.
            steps.push(ProcessStep {
                patient: true,
                ..self.violate(id, unready)
            });
        }
        let mut taken = ready;
        for &(refused, fault) in &delivery.refused {
            let (refused, fine) = both(terms, refused);
            let refused = terms.and([taken, refused]);
            taken = terms.and([taken, fine]);
            let target = self.states.raise(RaisedFault { fault, data: None });
            let sense = if fault == self.process.violation {
                Sense::Broken
            } else {
                Sense::Ordinary
            };
            if refused != Term::FALSE {
                steps.push(ProcessStep {
                    label: label.clone(),
                    sense,
                    ..self.silent(id, refused, Vec::new(), target)
                });
            }
        }
        let mut updates = reception.store.clone();
        updates.extend(delivery.updates.iter().copied());
        steps.push(ProcessStep {
            label,
            claim: Some((id, Claim::Takes)),
            sense: if delivery.is_correlated {
                Sense::Kept
            } else {
                Sense::Ordinary
            },
            ..self.silent(id, taken, updates, States::EMPTY)
        });
        steps
    }

    /// CONTEST: the faults that are raised if another reception waits for the same messages.
    ///
    /// Whether one does is known for the whole process only, and decided there.
    fn contested(
        &mut self,
        terms: &mut Terms,
        id: ActivityId,
        reception: &Reception,
        steps: &[ProcessStep],
    ) -> Vec<ProcessStep> {
        let takes = steps.iter().find(|it| it.claim.is_some());
        let (Some(takes), true) = (
            takes,
            reception.contest.as_ref().is_some_and(|it| it.is_open),
        ) else {
            return Vec::new();
        };
        let mut raised = |name: &str| RaisedFault {
            fault: terms.names.intern(name),
            data: None,
        };
        let conflicting = raised("bpel:conflictingReceive");
        let ambiguous = raised("bpel:ambiguousReceive");
        let ambiguous = self.states.raise(ambiguous);
        let accepted = self.process.delivered;
        let accepts = takes
            .updates
            .iter()
            .filter(|it| Some(it.variable) == accepted);
        let both = ProcessStep {
            claim: Some((id, Claim::Ambiguous)),
            updates: accepts.copied().collect(),
            target: ambiguous,
            sense: Sense::Ordinary,
            ..takes.clone()
        };
        let conflict = ProcessStep {
            claim: Some((id, Claim::Conflicts)),
            label: ProcessLabel::Raise(conflicting),
            ..self.silent(id, Term::TRUE, Vec::new(), States::STOP)
        };
        vec![conflict, both]
    }
}
