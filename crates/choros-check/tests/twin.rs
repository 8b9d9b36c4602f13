//! Random systems and formulas: evaluation in rounds agrees with the definitions, and every explanation stands up to
//! a checker that shares nothing with the code that made it.

mod support;

use choros_base::{Names, SourceMap};
use choros_check::naive::Naive;
use choros_check::{
    AbstractLabels, ExplainedPath, ExplainedStep, Explanation, ExplanationReason, PathEnd,
    UnfoldedLts, check, check_fair,
};
use choros_model::lts::{ActionId, ExplicitLts, Lts, StateId};
use choros_query::abstraction::{Abstraction, StateLabels};
use choros_query::socl::{
    Actions, Arity, Formula, NodeId, NodeKind, Quantifier, parse_formula, parse_steps,
};
use choros_testkit::{Random, seed_from_env};

use support::random::{RULES, Writer, random_system};
use support::{bounds, rules, system};

#[test]
fn rounds_agree_with_the_definitions() {
    let mut random = Random::new(seed_from_env());
    let mut words = [0usize; 2];
    for _ in 0..1500 {
        let lts = random_system(&mut random);
        let text = Writer::new(&mut random).formula(4);
        let holds = compare(&lts, &text);
        words[usize::from(holds)] += 1;
    }
    assert!(words[0] > 100 && words[1] > 100, "{words:?}");
}

#[test]
fn fair_paths_agree_with_the_definitions() {
    let mut random = Random::new(seed_from_env());
    let mut words = [0usize; 2];
    let mut differs = 0;
    for _ in 0..1500 {
        let lts = random_system(&mut random);
        let inner = Writer::new(&mut random).formula(2);
        let endless = [
            "AF {a} true".to_owned(),
            "AG AF {b(1)} true".to_owned(),
            "EG not p(1)".to_owned(),
            "E[true {not a} W {b} false]".to_owned(),
            "AG [b($v)] AF {a($v)} true".to_owned(),
            format!("A[true {{not b}} U {{a}} ({inner})]"),
            format!("EG ({inner})"),
            format!("AF ({inner})"),
        ];
        let text = if random.percent(85) {
            random.pick(&endless).clone()
        } else {
            Writer::new(&mut random).formula(4)
        };
        let assumed = ["a", "b", "a(1)", "b(2)", "tau", "not a"];
        let count = 1 + random.below(2);
        let fair: Vec<&str> = (0..count).map(|_| *random.pick(&assumed)).collect();
        let (fairly, plainly) = compare_fair(&lts, &text, &fair);
        words[usize::from(fairly)] += 1;
        differs += usize::from(fairly != plainly);
    }
    assert!(words[0] > 100 && words[1] > 100, "{words:?}");
    assert!(differs > 15, "{differs}");
}

/// The verdicts with fairness and without.
fn compare_fair(lts: &ExplicitLts, text: &str, fair: &[&str]) -> (bool, bool) {
    let mut names = Names::new();
    let abstraction = rules(RULES, &mut names);
    let formula = support::formula(text, &mut names);
    let mut map = SourceMap::new();
    let mut steps = Vec::new();
    for text in fair {
        let file = map.add("<fair>", *text);
        steps.push(parse_steps(file, text, &mut names).expect("they are steps"));
    }
    let labels = StateLabels::Steps;
    let naive = Naive::new(
        lts,
        &abstraction,
        labels,
        &mut names,
        &formula,
        Arity::Prefix,
    );
    let start = lts.start().index();
    let plainly = naive.states(formula.root(), &Vec::new())[start];
    let naive = naive.assuming_fair(&steps);
    let fairly = naive.states(formula.root(), &Vec::new())[start];

    let mut own = lts.clone();
    let mut graph = UnfoldedLts::new(&mut own, bounds());
    let mut labels = AbstractLabels::new(abstraction.clone(), StateLabels::Steps);
    let arity = Arity::Prefix;
    let checked = check_fair(&mut graph, &mut labels, &mut names, &formula, arity, &steps);
    let word = if fairly { "holds" } else { "fails" };
    assert_eq!(
        checked.verdict.word(),
        word,
        "{text} assuming fair {fair:?}\n{lts:?}"
    );
    assert!(checked.explanation.is_some(), "{text}");
    (fairly, plainly)
}

/// The verdict, after all comparisons.
fn compare(lts: &ExplicitLts, text: &str) -> bool {
    let mut names = Names::new();
    let abstraction = rules(RULES, &mut names);
    let formula = support::formula(text, &mut names);
    let printed = formula.print(&names);
    let again = support::formula(&printed, &mut names);
    assert_eq!(printed, again.print(&names), "printed twice");
    let naive = Naive::new(
        lts,
        &abstraction,
        StateLabels::Steps,
        &mut names,
        &formula,
        Arity::Prefix,
    );
    let expected = naive.states(formula.root(), &Vec::new())[lts.start().index()];

    let mut own = lts.clone();
    let mut graph = UnfoldedLts::new(&mut own, bounds());
    let mut labels = AbstractLabels::new(abstraction.clone(), StateLabels::Steps);
    let checked = check(&mut graph, &mut labels, &mut names, &formula, Arity::Prefix);
    let word = if expected { "holds" } else { "fails" };
    assert_eq!(checked.verdict.word(), word, "{text}\n{lts:?}");
    let explanation = checked.explanation.unwrap_or_else(|| panic!("{text}"));
    let mut checker = Checker {
        lts,
        graph: &graph,
        abstraction: &abstraction,
        names: &mut names,
    };
    checker.explanation(&explanation);
    expected
}

/// Checks explanations against the definitions, claim by claim and step by step.
struct Checker<'a, 'l> {
    lts: &'a ExplicitLts,
    graph: &'a UnfoldedLts<'l>,
    abstraction: &'a Abstraction,
    names: &'a mut Names,
}

impl Checker<'_, '_> {
    /// A claim about a formula that is read again from its text.
    fn reread(&mut self, text: &str) -> Formula {
        let mut map = SourceMap::new();
        let file = map.add("<claim>", text);
        parse_formula(file, text, self.names).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
    }

    fn holds(&mut self, formula: &Formula, node: NodeId, state: u32) -> bool {
        let naive = Naive::new(
            self.lts,
            self.abstraction,
            StateLabels::Steps,
            self.names,
            formula,
            Arity::Prefix,
        );
        naive.states(node, &Vec::new())[self.graph.original(state).index()]
    }

    /// Whether a step satisfies an action formula, by asking the definitions for `EX` in a system of that step alone.
    fn satisfies(&mut self, actions: &Actions, formula: &Formula, taken: &ExplainedStep) -> bool {
        let text = format!(
            "EX {{{}}} true",
            formula.print_actions(actions, self.names, &|_| None)
        );
        let formula = self.reread(&text);
        let label = self.lts.actions()[taken.action.index()].text(self.lts.terms());
        let alone = system(&[&format!("0 {} 1", label.replace(' ', ""))]);
        let naive = Naive::new(
            &alone,
            self.abstraction,
            StateLabels::Steps,
            self.names,
            &formula,
            Arity::Prefix,
        );
        naive.states(formula.root(), &Vec::new())[0]
    }

    fn step(&self, taken: &ExplainedStep) {
        let from = self.graph.original(taken.from);
        let to = self.graph.original(taken.to);
        let steps: &[(ActionId, StateId)] = self.lts.transitions(from);
        assert!(
            steps.contains(&(taken.action, to)),
            "{taken:?} is not a step"
        );
    }

    fn parts(&mut self, parts: &[Explanation]) {
        for part in parts {
            self.explanation(part);
        }
    }

    fn explanation(&mut self, explanation: &Explanation) {
        let formula = self.reread(&explanation.formula);
        let root = formula.root();
        let claim = &explanation.formula;
        assert_eq!(
            self.holds(&formula, root, explanation.state),
            explanation.holds,
            "{claim}"
        );
        let kind = formula.node(root).kind.clone();
        let leaving = self
            .lts
            .transitions(self.graph.original(explanation.state))
            .len();
        match &explanation.reason {
            ExplanationReason::Constant => assert!(matches!(kind, NodeKind::Constant(_))),
            ExplanationReason::Label(bearer) => assert_eq!(bearer.is_some(), explanation.holds),
            ExplanationReason::Omitted => panic!("{claim} is not explained"),
            ExplanationReason::NoStep => assert_eq!(leaving, 0, "{claim}"),
            ExplanationReason::Parts(parts) => {
                assert!(parts.iter().all(|part| part.state == explanation.state));
                // The parts alone decide: one of a kind that is enough alone, or all of them.
                let all = kind.parts().len();
                let enough = match (&kind, explanation.holds) {
                    (NodeKind::Not(_), _) => 1,
                    (NodeKind::And(_), true) | (NodeKind::Or(_), false) => all,
                    (NodeKind::Implies(..), false) => 2,
                    _ => 1,
                };
                assert_eq!(parts.len(), enough, "{claim}");
                self.parts(parts);
            }
            ExplanationReason::Step(taken, parts) => {
                self.step(taken);
                assert_eq!(taken.from, explanation.state);
                assert!(parts.iter().all(|part| part.state == taken.to));
                let actions = kind.binding_actions().cloned();
                let actions = actions.unwrap_or(Actions::Constant(true));
                assert_eq!(self.satisfies(&actions, &formula, taken), !parts.is_empty());
                self.parts(parts);
            }
            ExplanationReason::Steps { matching, of } => {
                assert_eq!(*of, leaving);
                for (taken, parts) in matching {
                    self.step(taken);
                    assert!(!parts.is_empty());
                    assert!(parts.iter().all(|part| part.state == taken.to));
                    self.parts(parts);
                }
            }
            ExplanationReason::Path(path) => self.path(explanation, &formula, path),
            ExplanationReason::Everywhere { states, example } => {
                assert!(*states > 0);
                let by_all = match kind {
                    NodeKind::Always(quantifier, _) | NodeKind::Eventually(quantifier, ..) => {
                        (quantifier == Quantifier::All) == explanation.holds
                    }
                    NodeKind::Until(until) => {
                        (until.quantifier == Quantifier::All) == explanation.holds
                    }
                    _ => false,
                };
                assert!(by_all, "{claim}");
                if let Some(example) = example {
                    self.explanation(example);
                }
            }
        }
    }

    fn path(&mut self, explanation: &Explanation, formula: &Formula, path: &ExplainedPath) {
        let claim = &explanation.formula;
        let (weak, left, chi, typed) = match &formula.node(formula.root()).kind {
            NodeKind::Always(_, part) => (true, Some(*part), Actions::Constant(true), false),
            NodeKind::Eventually(_, actions, _) => {
                (false, None, Actions::Constant(true), actions.is_some())
            }
            NodeKind::Until(until) => (
                until.weak,
                Some(until.left),
                until.steps.clone(),
                until.last.is_some(),
            ),
            other => panic!("{other:?} is not an operator over paths"),
        };
        let mut state = explanation.state;
        for (index, taken) in path.steps.iter().enumerate() {
            assert_eq!(taken.from, state, "{claim}: the path is broken");
            self.step(taken);
            state = taken.to;
            let is_last = index + 1 == path.steps.len();
            let settles = is_last && matches!(path.end, PathEnd::Step | PathEnd::Refused);
            if !settles {
                assert!(self.satisfies(&chi, formula, taken), "{claim}: {taken:?}");
            }
            if is_last && path.end == PathEnd::Refused {
                assert!(!self.satisfies(&chi, formula, taken), "{claim}: {taken:?}");
            }
            if let Some(left) = left
                && explanation.holds
            {
                assert!(self.holds(formula, left, taken.from), "{claim}");
            }
        }
        let leaving = self.lts.transitions(self.graph.original(state)).len();
        match path.end {
            PathEnd::State => {
                assert!(!path.parts.is_empty(), "{claim}");
                assert!(path.parts.iter().all(|part| part.state == state));
                assert!(
                    path.parts
                        .iter()
                        .any(|part| part.holds == explanation.holds)
                );
            }
            PathEnd::Step => {
                assert!(
                    explanation.holds && typed && path.parts.len() == 1,
                    "{claim}"
                );
                assert_eq!(path.parts[0].state, state);
            }
            PathEnd::Refused => assert!(!explanation.holds, "{claim}"),
            PathEnd::Stopped => {
                assert_eq!(leaving, 0);
                assert_eq!(explanation.holds, weak, "{claim}");
            }
            PathEnd::Cycle(back) => {
                assert_eq!(explanation.holds, weak, "{claim}");
                assert_eq!(
                    path.steps[back].from, state,
                    "{claim}: the path does not close"
                );
            }
        }
        self.parts(&path.parts);
    }
}
