//! Machines without what cannot be reached, and machines that differ in the numbers of their states only.

use choros_base::Names;

use super::{Cfsm, LocalState, Transition};

impl Cfsm {
    /// The machine without the states that runs cannot reach; the others keep their order and their names.
    ///
    /// With it, for each old state, its new number.
    pub fn trimmed(&self, names: &mut Names) -> (Cfsm, Vec<Option<LocalState>>) {
        let reached = self.reachable();
        let mut next = 0;
        let numbers: Vec<Option<LocalState>> = reached
            .iter()
            .map(|&reached| {
                reached.then(|| {
                    next += 1;
                    LocalState(next - 1)
                })
            })
            .collect();
        let mut machine = Cfsm::new(self.participant());
        machine.ensure_states(next as usize);
        for state in self.states() {
            let Some(new) = numbers[state.index()] else {
                continue;
            };
            // A state keeps what people call it, so that reports of both machines speak of the same states.
            if self.label(state).is_some() || new != state {
                let text = self.state_text(state, names);
                machine.set_label(new, names.intern(&text));
            }
            let own = self
                .outgoing(state)
                .iter()
                .filter_map(|one| {
                    let target = numbers[one.target.index()]?;
                    Some(Transition { target, ..*one })
                })
                .collect();
            machine.set_outgoing(new, own);
        }
        if let Some(initial) = numbers[self.initial().index()] {
            machine.set_initial(initial);
        }
        (machine, numbers)
    }

    /// For each state, whether a run of this machine alone can be in it.
    pub fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.state_count()];
        let mut open = vec![self.initial()];
        reached[self.initial().index()] = true;
        while let Some(state) = open.pop() {
            for transition in self.outgoing(state) {
                let target = transition.target.index();
                if !reached[target] {
                    reached[target] = true;
                    open.push(transition.target);
                }
            }
        }
        reached
    }

    /// A text that is equal for two deterministic machines exactly when their reachable parts are isomorphic.
    ///
    /// States are numbered breadth-first, following the actions of a state in the order of their texts; in a
    /// deterministic machine that order is total, so nothing is left to chance.
    /// For machines that are not deterministic, equal texts still mean isomorphic machines, but isomorphic machines
    /// may have different texts.
    pub fn canonical_text(&self, names: &Names) -> String {
        let mut numbers: Vec<Option<u32>> = vec![None; self.state_count()];
        let mut order = vec![self.initial()];
        numbers[self.initial().index()] = Some(0);
        let mut out = String::new();
        let mut at = 0;
        while let Some(&state) = order.get(at) {
            at += 1;
            let mut own: Vec<(String, LocalState)> = self
                .outgoing(state)
                .iter()
                .map(|one| (one.action.text(self.participant(), names), one.target))
                .collect();
            own.sort();
            for (action, target) in own {
                let number = *numbers[target.index()].get_or_insert_with(|| {
                    order.push(target);
                    order.len() as u32 - 1
                });
                out.push_str(&format!("{} {action} {number}\n", at - 1));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::LocalAction;
    use super::*;

    #[test]
    fn trimming_keeps_what_people_call_the_states() {
        let mut names = Names::new();
        let (a, b, m) = (names.intern("A"), names.intern("B"), names.intern("m"));
        let mut machine = Cfsm::new(a);
        machine.ensure_states(3);
        machine.add(
            LocalState(0),
            LocalAction::output(b, m),
            LocalState(2),
            None,
        );
        machine.add(LocalState(1), LocalAction::input(b, m), LocalState(2), None);
        let (trimmed, numbers) = machine.trimmed(&mut names);
        assert_eq!(numbers, [Some(LocalState(0)), None, Some(LocalState(1))]);
        assert_eq!(trimmed.state_text(LocalState(1), &names), "2");
        assert_eq!(
            trimmed.canonical_text(&names),
            machine.canonical_text(&names)
        );
    }
}
