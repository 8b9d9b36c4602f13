//! What must stand in the messages of the service, and what it may choose.

use choros_data::Term;
use choros_emit::symbolic::{Expected, HttpCall, MessageValue, ServiceMessage};
use choros_smt::Satisfiability;
use choros_symex::driver::ConcreteMessage;
use choros_symex::{SymbolicMessage, TestStep};

use super::Writer;
use super::leaves::{Form, Leaf, constant, list_place, place};

impl Writer<'_> {
    pub(super) fn response(
        &mut self,
        step: &TestStep,
        message: &SymbolicMessage,
        awaited: &ConcreteMessage,
        said: ServiceMessage,
        call: &mut HttpCall,
    ) -> Result<(), String> {
        let reply = self.codec.reply(awaited, self.terms)?;
        call.about = format!("{}, then {}", call.about, awaited.text(self.terms));
        call.status = (reply.status != 200).then_some(reply.status);
        call.expected = self.expected(step, message, awaited, said, Form::Reply);
        Ok(())
    }

    /// The values of a message of the service that it has no choice for; the others are remembered.
    pub(super) fn expected(
        &mut self,
        step: &TestStep,
        message: &SymbolicMessage,
        awaited: &ConcreteMessage,
        said: ServiceMessage,
        form: Form,
    ) -> Vec<(String, Expected)> {
        let mut expected = Vec::new();
        let name = self.terms.names.text(awaited.operation.0);
        for (path, value) in self.codec.constants(name) {
            expected.push((path.replace('.', "/"), constant(value)));
        }
        // What later steps ask for does not bind the service here.
        let known = self.tree.solved_condition(step.node);
        let (leaves, lists) = self.parts(message, awaited);
        for list in lists {
            let within = [&list.lists[..], &[(list.term, list.items.len())]].concat();
            if self.have_lengths(&known, &within)
                && let Some(place) = list_place(&list, awaited, form, self.codec, self.terms)
            {
                expected.push((place, Expected::Count(list.items.len())));
            }
        }
        for leaf in leaves {
            let Some((path, text)) = place(&leaf, awaited, form, self.codec, self.terms) else {
                continue;
            };
            let value = self.terms.constant(leaf.value.clone());
            let is_there = self.have_lengths(&known, &leaf.lists);
            if is_there && self.is_forced(&known, leaf.term, value) {
                expected.push((path, leaf.expected(text)));
            } else if let Some((_, from)) = self.source(&leaf, &known).filter(|_| is_there) {
                expected.push((path, leaf.expected_again(from)));
            } else {
                self.open.push((leaf, MessageValue { said, path }));
            }
        }
        expected
    }

    /// Whether lists cannot be of other lengths.
    fn have_lengths(&mut self, known: &[Term], lists: &[(Term, usize)]) -> bool {
        lists.iter().all(|&(list, count)| {
            let length = self.terms.length(list);
            let count = self.terms.int(count as i64);
            self.is_forced(known, length, count)
        })
    }

    /// The value of an earlier response that a value has to be, and where it stands.
    pub(super) fn source(&mut self, leaf: &Leaf, known: &[Term]) -> Option<(Term, MessageValue)> {
        let candidates: Vec<(Leaf, MessageValue)> = self
            .open
            .iter()
            .filter(|(from, _)| from.value == leaf.value)
            .cloned()
            .collect();
        candidates
            .into_iter()
            .find(|(from, _)| from.term == leaf.term || self.is_forced(known, leaf.term, from.term))
            .map(|(from, place)| (from.term, place))
    }

    /// Whether what is known and what was sent leave no other choice; a solver that cannot tell says no.
    fn is_forced(&mut self, known: &[Term], left: Term, right: Term) -> bool {
        let known = [known, &self.fixed].concat();
        self.is_known(&known, left, right)
    }

    /// Whether what is known leaves no other choice.
    pub(super) fn is_known(&mut self, known: &[Term], left: Term, right: Term) -> bool {
        let differ = self.terms.not_equal(left, right);
        let mut formulas: Vec<Term> = known.to_vec();
        formulas.push(self.terms.close(differ));
        matches!(
            self.solver.satisfiable(self.terms, &formulas),
            Ok(Satisfiability::Unsat)
        )
    }
}
