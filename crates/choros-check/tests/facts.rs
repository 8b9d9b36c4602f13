//! The small facts of the logic, and what on-the-fly evaluation owes to infinite systems.

mod support;

use choros_model::lts::{Action, ActionId, ExplicitLts, Extent, Lts, NoSuccessors, StateId};
use choros_model::{Bound, Verdict, lts::ExplicitLtsBuilder};

use support::{ask, bounds, system};

fn word(lts: &ExplicitLts, rules: &str, formula: &str) -> &'static str {
    ask(&mut lts.clone(), rules, formula, bounds())
        .verdict
        .word()
}

fn holds(lts: &ExplicitLts, rules: &str, formula: &str) {
    assert_eq!(word(lts, rules, formula), "holds", "{formula}");
}

fn fails(lts: &ExplicitLts, rules: &str, formula: &str) {
    assert_eq!(word(lts, rules, formula), "fails", "{formula}");
}

#[test]
fn fact_4_a_final_state() {
    let lts = system(&[]);
    for formula in [
        "EX {tt} true",
        "AX {tt} true",
        "E[true {tt} U {tt} true]",
        "A[true {tt} U {tt} true]",
        "A[false {tt} W {a} true]",
        "E[false {tt} W {a} true]",
    ] {
        fails(&lts, "", formula);
    }
    for formula in [
        "[tt] false",
        "A[true {tt} W {a} true]",
        "E[true {tt} W {a} true]",
        "not EX {tt} true",
    ] {
        holds(&lts, "", formula);
    }
}

#[test]
fn fact_5_one_label_with_two_substitutions() {
    let lts = system(&["0 m<1,2> 1", "1 go<1> 2"]);
    let rules = "Action m<$1,*> -> a($1) Action m<*,$2> -> a($2) State go<$1> -> p($1)";
    holds(&lts, rules, "EX {a($x)} p($x)");
    holds(&lts, rules, "AX {a($x)} p($x)");
    fails(&lts, rules, "[a($x)] p($x)");
    fails(&lts, rules, "AX {a($x)} not true");
}

#[test]
fn fact_6_until_needs_its_left_side_before_the_last_step() {
    let lts = system(&["0 a 1", "1 b 2"]);
    let both = "Action a -> a Action b -> b State a -> p State b -> p";
    let first = "Action a -> a Action b -> b State a -> p";
    holds(&lts, both, "A[p {a} U {b} true]");
    fails(&lts, both, "A[p {b} U {b} true]");
    fails(&lts, first, "A[p {a} U {b} true]");
}

#[test]
fn fact_7_a_loop() {
    let lts = system(&["0 a 0"]);
    fails(&lts, "", "A[true {tt} U {b} true]");
    holds(&lts, "", "E[true {tt} W {b} true]");
    holds(&lts, "", "A[true {a} W {b} true]");
    fails(&lts, "", "A[true {b} W {b} true]");
}

#[test]
fn derived_operators() {
    let lts = system(&["0 a 1", "1 b 2", "0 c 3"]);
    holds(&lts, "", "EF {b} true");
    fails(&lts, "", "AF {b} true");
    holds(&lts, "", "[a] AF {b} true");
    holds(&lts, "", "AG (enabled(a) or enabled(b) or not EX true)");
    fails(&lts, "", "AG EX true");
    holds(&lts, "", "EF not EX true");
    holds(&lts, "", "AF not EX true");
    holds(&lts, "", "E[enabled(a) {a} U enabled(b)]");
    fails(&lts, "", "A[enabled(a) {a} U enabled(b)]");
    holds(&lts, "", "EG (enabled(a) or not EX true)");
    holds(&lts, "", "<a> true and <c> not EX true");
    holds(&lts, "", "enabled(b) implies false");
}

#[test]
fn variables_carry_values_from_one_step_to_a_later_one() {
    let good = system(&["0 req<1> 1", "1 req<2> 2", "2 res<2> 3", "3 res<1> 4"]);
    let bad = system(&["0 req<1> 1", "1 req<2> 2", "2 res<2> 3", "3 res<2> 4"]);
    let formula = "AG [req($v)] AF {res($v)} true";
    holds(&good, "", formula);
    fails(&bad, "", formula);
}

/// A counter that never ends; from 40 it may also go back to 0.
struct Endless {
    shell: ExplicitLts,
    actions: Vec<Action>,
}

impl Endless {
    fn new() -> Self {
        let shell = ExplicitLtsBuilder::new().finish(StateId(0), choros_data::Terms::new());
        Self {
            shell,
            actions: vec![Action::Silent],
        }
    }
}

impl Lts for Endless {
    fn terms(&self) -> &choros_data::Terms {
        self.shell.terms()
    }

    fn initial(&mut self) -> StateId {
        StateId(0)
    }

    fn successors(
        &mut self,
        state: StateId,
        into: &mut Vec<(ActionId, StateId)>,
    ) -> Result<Extent, NoSuccessors> {
        into.push((ActionId(0), StateId(state.0 + 1)));
        if state.0 == 40 {
            into.push((ActionId(0), StateId(0)));
        }
        Ok(Extent::Whole)
    }

    fn action(&self, action: ActionId) -> &Action {
        &self.actions[action.index()]
    }

    fn propositions(&mut self, _: StateId, _: &mut Vec<ActionId>) -> Result<(), NoSuccessors> {
        Ok(())
    }

    fn ended(&self, _: StateId) -> bool {
        false
    }

    fn describe(&self, state: StateId) -> String {
        state.0.to_string()
    }
}

#[test]
fn an_endless_system_with_a_true_always_ends_in_unknown() {
    let mut few = bounds();
    few.max_states = 500;
    let checked = ask(&mut Endless::new(), "", "AG EX {tau} true", few);
    let Verdict::Unknown(unknown) = checked.verdict else {
        panic!("{:?}", checked.verdict);
    };
    assert_eq!(unknown.reason, "the bound of 500 states was reached");
    assert_eq!(unknown.bound(), Some(Bound::States(Some(5000))));

    let mut shallow = bounds();
    shallow.depth = Some(30);
    let checked = ask(&mut Endless::new(), "", "AG EX {tau} true", shallow);
    assert_eq!(checked.verdict.word(), "unknown");
}

#[test]
fn an_endless_system_is_answered_where_a_prefix_is_enough() {
    let checked = ask(&mut Endless::new(), "", "EX EX EX {tau} true", bounds());
    assert_eq!(checked.verdict.word(), "holds");
    assert!(checked.states <= 4, "{}", checked.states);
    let checked = ask(&mut Endless::new(), "", "AG AX [tau] false", bounds());
    assert_eq!(checked.verdict.word(), "fails");
    // The path that goes round forever is found, whatever lies after state 41.
    let checked = ask(&mut Endless::new(), "", "EG EX true", bounds());
    assert_eq!(checked.verdict.word(), "holds");
    assert!(checked.states < 200, "{}", checked.states);
}
