//! Obligations and how they are put together.

use choros_data::{Term, Terms, Var};

use super::graph::OpenGraph;

/// What must be so for one place of one stage of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetObligation {
    /// Nothing of this may have a solution.
    pub wrong: Vec<(Duty, Term)>,
    pub needs: Vec<Need>,
}

/// Where this is so, some way must be open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    pub when: Term,
    pub ways: Vec<OpenWay>,
}

/// A step that can be chosen, and what must be so of the data it brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenWay {
    /// Its position among the steps of the place.
    pub step: u32,
    /// What stands for the data.
    pub fresh: Vec<Var>,
    pub body: Term,
}

/// What can be wrong with a claim at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// A part of the formula is not shown here.
    Part,
    /// A step leads to where nothing is shown, or does not decrease the rank.
    Step(u32),
    /// No step is shown that does what is claimed.
    Choice,
}

/// Puts an obligation together.
pub(super) struct Builder {
    pub(super) premise: Term,
    pub(super) done: SetObligation,
}

impl Builder {
    pub(super) fn new(premise: Term) -> Builder {
        Builder {
            premise,
            done: SetObligation {
                wrong: Vec::new(),
                needs: Vec::new(),
            },
        }
    }

    /// Every step does what is asked.
    pub(super) fn every(
        &mut self,
        graph: &OpenGraph<'_>,
        place: u32,
        bodies: &[Term],
        terms: &mut Terms,
    ) {
        for (index, step) in graph.steps[place as usize].iter().enumerate() {
            let fails = terms.not(bodies[index]);
            let wrong = terms.and([self.premise, step.condition, fails]);
            self.done.wrong.push((Duty::Step(index as u32), wrong));
        }
    }

    /// A path does not stop here.
    pub(super) fn has_step(&mut self, graph: &OpenGraph<'_>, place: u32, terms: &mut Terms) {
        let bodies = vec![Term::TRUE; graph.steps[place as usize].len()];
        self.some(graph, place, &bodies, terms);
    }

    /// Nothing is asked where there is no step.
    pub(super) fn unless_stuck(&mut self, graph: &OpenGraph<'_>, place: u32, terms: &mut Terms) {
        let steps = graph.steps[place as usize].iter();
        let some = terms.or(steps.map(|it| it.condition));
        self.premise = terms.and([self.premise, some]);
    }

    /// Some step does what is asked.
    pub(super) fn some(
        &mut self,
        graph: &OpenGraph<'_>,
        place: u32,
        bodies: &[Term],
        terms: &mut Terms,
    ) {
        self.need(self.premise, graph, place, bodies, terms);
    }

    /// Where something is so, some step does what is asked.
    pub(super) fn need(
        &mut self,
        when: Term,
        graph: &OpenGraph<'_>,
        place: u32,
        bodies: &[Term],
        terms: &mut Terms,
    ) {
        let mut ways = Vec::new();
        for (index, step) in graph.steps[place as usize].iter().enumerate() {
            let body = terms.and([step.condition, bodies[index]]);
            let body = terms.simplify(body);
            if body != Term::FALSE {
                ways.push(OpenWay {
                    step: index as u32,
                    fresh: step.fresh.clone(),
                    body,
                });
            }
        }
        self.done.needs.push(Need { when, ways });
    }
}
