//! Where a sub-formula holds: one set of states per node of the graph, each between two formulas.
//!
//! The definitions are those of SocL on maximal paths, as `choros-check` has them for systems that are explored.
//! A correlation variable is rigid: in the sets of a sub-formula it stands for itself, and where an action binds it the
//! datum takes its place.

use std::rc::Rc;

use choros_base::Names;
use choros_data::{Sort, Term, Var};
use choros_query::socl::{
    Actions, Arity, Atom, Formula, NodeId, NodeKind, Quantifier, StateFormula, Until, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bounds::{Bounds, Side};
use crate::environment::{Environment, value};
use crate::fair::Fair;
use crate::knowledge::Knowledge;
use crate::least::{Layer, Least, quantified};
use crate::matching::Matching;
use crate::problem::Problem;
use crate::prover::Prover;
use crate::state::Reading;
use crate::stop::Stop;
use crate::symbolic::{Datum, Step, Substitution, Symbolic};

/// A sub-formula, and what its free variables are.
pub(crate) type Instance = (NodeId, Environment);

/// What was found of an instance.
pub(crate) struct Solved {
    /// Where it holds.
    pub(crate) sets: Vec<Bounds>,
    /// The equations behind it and their solution, of an operator over paths.
    pub(crate) path: Option<Path>,
}

/// An operator over paths.
pub(crate) struct Path {
    pub(crate) problem: Problem,
    pub(crate) solution: Vec<Bounds>,
    /// Whether the solution is where the operator does *not* hold.
    pub(crate) dual: bool,
    /// How the low side of the solution was found.
    pub(crate) layers: Vec<Layer>,
    /// If only fair runs count, how the high side was found: for each assumption, how a run serves it.
    pub(crate) turns: Vec<Vec<Layer>>,
}

/// Evaluates the sub-formulas of one formula.
pub(crate) struct Evaluator<'a, 'p> {
    pub(crate) graph: &'a Symbolic<'a>,
    pub(crate) formula: &'a Formula,
    pub(crate) names: &'a Names,
    pub(crate) arity: Arity,
    pub(crate) known: &'a [Term],
    pub(crate) prover: &'a mut Prover<'p>,
    pub(crate) solved: FxHashMap<Instance, Rc<Solved>>,
    /// Sub-formulas whose parts were asked after a step that matches their action formula.
    pub(crate) matched: FxHashSet<NodeId>,
    /// Who knows what at which place.
    pub(crate) knowledge: &'a Knowledge,
    /// What is assumed fair.
    pub(crate) fair: Option<&'a Fair>,
}

/// One way to go on after a step: when, where the rest is asked, and with which values.
pub(crate) struct Onward {
    pub(crate) condition: Term,
    pub(crate) part: Rc<Solved>,
    pub(crate) instance: Instance,
    pub(crate) values: Substitution,
}

/// What an operator over paths is made of.
#[derive(Clone, Copy)]
pub(crate) struct Shape<'f> {
    pub(crate) quantifier: Quantifier,
    pub(crate) weak: bool,
    pub(crate) left: Option<NodeId>,
    pub(crate) steps: Option<&'f Actions>,
    pub(crate) last: Option<&'f Actions>,
    pub(crate) right: Option<NodeId>,
}

impl<'a> Evaluator<'a, '_> {
    /// Where a sub-formula holds, its free variables being these.
    pub(crate) fn sets(&mut self, node: NodeId, outer: &Environment) -> Result<Rc<Solved>, Stop> {
        let instance = self.instance(node, outer);
        if let Some(known) = self.solved.get(&instance) {
            return Ok(known.clone());
        }
        let solved = Rc::new(self.evaluate(node, &instance.1)?);
        self.solved.insert(instance, solved.clone());
        Ok(solved)
    }

    pub(crate) fn instance(&self, node: NodeId, outer: &Environment) -> Instance {
        let free = &self.formula.node(node).free;
        let own = free.iter().filter_map(|&it| Some((it, value(outer, it)?)));
        (node, own.collect())
    }

    fn evaluate(&mut self, node: NodeId, environment: &Environment) -> Result<Solved, Stop> {
        let formula = self.formula;
        let places = 0..self.graph.steps.len();
        let sets = match &formula.node(node).kind {
            NodeKind::Constant(value) => vec![Bounds::of(*value); places.len()],
            NodeKind::Proposition(atom) => {
                let sets = places.map(|place| self.proposition(atom, place, environment));
                sets.collect::<Result<_, _>>()?
            }
            NodeKind::State(state) => {
                let sets = places.map(|place| self.state(state, place, environment));
                sets.collect::<Result<_, _>>()?
            }
            NodeKind::Not(part) => {
                let part = self.sets(*part, environment)?;
                let negated = part.sets.iter().map(|it| it.not(self.prover.terms));
                negated.collect()
            }
            NodeKind::And(parts) => self.joined(parts, environment, Bounds::and)?,
            NodeKind::Or(parts) => self.joined(parts, environment, Bounds::or)?,
            NodeKind::Implies(left, right) => {
                let left = self.sets(*left, environment)?;
                let right = self.sets(*right, environment)?;
                let mut sets = Vec::new();
                for (left, right) in left.sets.iter().zip(&right.sets) {
                    let not_left = left.not(self.prover.terms);
                    sets.push(Bounds::or(&[not_left, *right], self.prover.terms));
                }
                sets
            }
            NodeKind::Next(quantifier, actions, part) => {
                self.next(*quantifier, actions, *part, environment)?
            }
            NodeKind::Diamond(actions, part) => {
                self.next(Quantifier::Some, actions, *part, environment)?
            }
            NodeKind::Box(actions, part) => self.boxed(actions, *part, environment)?,
            NodeKind::Always(..) | NodeKind::Eventually(..) | NodeKind::Until(_) => {
                let Some(shape) = shape(&formula.node(node).kind) else {
                    return Err(Stop::Unsupported("an operator is not known".to_owned()));
                };
                let solved = self.path(&shape, environment)?;
                return self.fairly(solved, &shape);
            }
        };
        Ok(Solved { sets, path: None })
    }

    fn joined(
        &mut self,
        parts: &[NodeId],
        environment: &Environment,
        join: fn(&[Bounds], &mut choros_data::Terms) -> Bounds,
    ) -> Result<Vec<Bounds>, Stop> {
        let mut solved = Vec::new();
        for &part in parts {
            solved.push(self.sets(part, environment)?);
        }
        let mut sets = Vec::new();
        for place in 0..self.graph.steps.len() {
            let here: Vec<Bounds> = solved.iter().map(|it| it.sets[place]).collect();
            sets.push(join(&here, self.prover.terms));
        }
        Ok(sets)
    }

    /// A proposition holds if a step that makes it true can be taken.
    fn proposition(
        &mut self,
        atom: &Atom,
        place: usize,
        environment: &Environment,
    ) -> Result<Bounds, Stop> {
        let mut parts = Vec::new();
        for step in &self.graph.steps[place] {
            let mut some = Vec::new();
            for label in &step.propositions {
                let way = self
                    .matching(environment)
                    .atom(atom, label, self.prover.terms)?;
                some.extend(way.map(|it| it.condition));
            }
            let some = self.prover.terms.or(some);
            parts.push(self.both(Quantifier::Some, step, Bounds::exactly(some))?);
        }
        Ok(Bounds::or(&parts, self.prover.terms))
    }

    /// A comparison, or a place; after the end nothing is compared, and a variable without a value leaves it open.
    fn state(
        &mut self,
        state: &StateFormula,
        place: usize,
        environment: &Environment,
    ) -> Result<Bounds, Stop> {
        let has_ended = place == self.graph.ended();
        match state {
            StateFormula::At(name) => {
                let wanted = self.names.text(*name);
                let mut nodes = self.graph.stg.nodes().iter();
                if !nodes.any(|node| node.label == wanted) {
                    let reason = format!("no node of the model is called `{wanted}`");
                    return Err(Stop::Unsupported(reason));
                }
                let here = self.graph.stg.nodes().get(place);
                Ok(Bounds::of(here.is_some_and(|it| it.label == wanted)))
            }
            StateFormula::Knows(role, what) => self.knows(*role, *what, place, environment),
            StateFormula::Compare(comparison) => {
                let reading = Reading {
                    names: self.names,
                    environment,
                    variables: &self.graph.variables,
                };
                let formula = reading.comparison(comparison, self.prover.terms)?;
                let terms = &mut *self.prover.terms;
                let formula = terms.simplify(formula);
                let mut nodes = self.graph.stg.nodes().iter();
                if has_ended && nodes.all(|it| it.terminations.is_empty()) {
                    return Ok(Bounds::FALSE);
                }
                // What has ended has the values that it ended with.
                let missing = terms.free_variables(formula).into_iter().find(|it| {
                    self.graph.variables.contains(it) && !self.graph.assigned[place].contains(it)
                });
                match missing {
                    None => Ok(Bounds::exactly(formula)),
                    Some(missing) => {
                        let name = terms.variable_text(missing);
                        let label = if has_ended {
                            "the end"
                        } else {
                            &self.graph.stg.nodes()[place].label
                        };
                        let doubt = format!("`{name}` has no value yet at {label}");
                        self.prover.doubt.get_or_insert(doubt);
                        Ok(Bounds::OPEN)
                    }
                }
            }
        }
    }

    fn matching<'m>(&self, environment: &'m Environment) -> Matching<'m>
    where
        'a: 'm,
    {
        Matching {
            names: self.names,
            arity: self.arity,
            environment,
            variables: &self.graph.variables,
        }
    }

    fn both(
        &mut self,
        quantifier: Quantifier,
        step: &Step,
        reached: Bounds,
    ) -> Result<Bounds, Stop> {
        let low = quantified(quantifier, step, reached.low, Side::Low, self.prover)?;
        let high = quantified(quantifier, step, reached.high, Side::High, self.prover)?;
        Ok(Bounds { low, high })
    }

    /// The ways in which a step satisfies an action formula, and what is asked after it.
    pub(crate) fn onward(
        &mut self,
        actions: &Actions,
        part: NodeId,
        step: &Step,
        environment: &Environment,
    ) -> Result<Vec<Onward>, Stop> {
        let ways = self
            .matching(environment)
            .ways(actions, &step.actions, self.prover.terms)?;
        if !ways.is_empty() {
            self.matched.insert(part);
        }
        let mut onward = Vec::new();
        for way in ways {
            let mut inner = environment.clone();
            let mut values = step.after.clone();
            for (variable, datum) in way.bindings {
                let datum = match datum {
                    Datum::Text(text) => Datum::Text(text),
                    Datum::Term(term) => {
                        let rigid = self.rigid(variable, self.prover.terms.sort_of(term));
                        values.insert(rigid, term);
                        Datum::Term(self.prover.terms.var(rigid))
                    }
                };
                inner.push((variable, datum));
            }
            onward.push(Onward {
                condition: way.condition,
                instance: self.instance(part, &inner),
                part: self.sets(part, &inner)?,
                values,
            });
        }
        Ok(onward)
    }

    /// What a correlation variable is called where it stands for itself.
    pub(crate) fn rigid(&mut self, variable: Variable, sort: Sort) -> Var {
        let text = self.formula.variable(variable, self.names);
        let name = format!("${text}'{}", variable.0);
        let name = self.prover.terms.names.intern(&name);
        self.prover.terms.variable(name, sort)
    }

    /// A step satisfies an action formula, and the rest holds after it.
    fn good(
        &mut self,
        actions: &Actions,
        part: NodeId,
        step: &Step,
        environment: &Environment,
    ) -> Result<Bounds, Stop> {
        let mut ways = Vec::new();
        for way in self.onward(actions, part, step, environment)? {
            let terms = &mut *self.prover.terms;
            let then = way.part.sets[step.target].map(|it| terms.substitute(it, &way.values));
            ways.push(Bounds::and(
                &[Bounds::exactly(way.condition), then],
                self.prover.terms,
            ));
        }
        Ok(Bounds::or(&ways, self.prover.terms))
    }

    fn next(
        &mut self,
        quantifier: Quantifier,
        actions: &Actions,
        part: NodeId,
        environment: &Environment,
    ) -> Result<Vec<Bounds>, Stop> {
        let graph = self.graph;
        let mut sets = Vec::new();
        for (place, steps) in graph.steps.iter().enumerate() {
            let mut parts = Vec::new();
            for step in steps {
                let good = self.good(actions, part, step, environment)?;
                parts.push(self.both(quantifier, step, good)?);
            }
            let found = match quantifier {
                Quantifier::Some => Bounds::or(&parts, self.prover.terms),
                Quantifier::All => {
                    parts.push(graph.enabled[place]);
                    Bounds::and(&parts, self.prover.terms)
                }
            };
            sets.push(self.lean(found, place)?);
        }
        Ok(sets)
    }

    fn boxed(
        &mut self,
        actions: &Actions,
        part: NodeId,
        environment: &Environment,
    ) -> Result<Vec<Bounds>, Stop> {
        let graph = self.graph;
        let mut sets = Vec::new();
        for (place, steps) in graph.steps.iter().enumerate() {
            let mut parts = Vec::new();
            for step in steps {
                let mut all = Vec::new();
                for way in self.onward(actions, part, step, environment)? {
                    let terms = &mut *self.prover.terms;
                    let then =
                        way.part.sets[step.target].map(|it| terms.substitute(it, &way.values));
                    let not = terms.not(way.condition);
                    all.push(Bounds::or(&[Bounds::exactly(not), then], terms));
                }
                let all = Bounds::and(&all, self.prover.terms);
                parts.push(self.both(Quantifier::All, step, all)?);
            }
            let found = Bounds::and(&parts, self.prover.terms);
            sets.push(self.lean(found, place)?);
        }
        Ok(sets)
    }

    fn lean(&mut self, found: Bounds, place: usize) -> Result<Bounds, Stop> {
        let low = self.prover.lean(found.low, self.known[place])?;
        let high = if found.is_exact() {
            low
        } else {
            self.prover.lean(found.high, self.known[place])?
        };
        Ok(Bounds { low, high })
    }

    pub(crate) fn path(
        &mut self,
        shape: &Shape<'_>,
        environment: &Environment,
    ) -> Result<Solved, Stop> {
        let graph = self.graph;
        let count = graph.steps.len();
        let all = |bounds: Bounds| vec![bounds; count];
        let left = match shape.left {
            Some(left) => self.sets(left, environment)?.sets.clone(),
            None => all(Bounds::TRUE),
        };
        let now = match (shape.right, shape.last) {
            (Some(right), None) => self.sets(right, environment)?.sets.clone(),
            _ => all(Bounds::FALSE),
        };
        let mut steps: Vec<Vec<(Bounds, Bounds)>> = Vec::new();
        for leaving in &graph.steps {
            let mut here = Vec::new();
            for step in leaving {
                let good = match (shape.right, shape.last) {
                    (Some(right), Some(last)) => self.good(last, right, step, environment)?,
                    _ => Bounds::FALSE,
                };
                let leads = match shape.steps {
                    None => Term::TRUE,
                    Some(actions) => self.matching(environment).condition(
                        actions,
                        &step.actions,
                        self.prover.terms,
                    )?,
                };
                here.push((good, Bounds::exactly(leads)));
            }
            steps.push(here);
        }
        let problem = if shape.weak {
            self.dual(shape.quantifier, &left, &now, &steps)
        } else {
            Problem {
                quantifier: shape.quantifier,
                base: now,
                keep: left,
                steps,
            }
        };
        let mut solution = vec![Bounds::FALSE; count];
        let mut least = Least {
            problem: &problem,
            graph,
            known: self.known,
            prover: self.prover,
            solved: &mut solution,
            layers: Vec::new(),
            end: u64::MAX,
            fair: None,
        };
        least.run()?;
        let layers = least.layers;
        let sets = if shape.weak {
            let negated = solution.iter().map(|it| it.not(self.prover.terms));
            negated.collect()
        } else {
            solution.clone()
        };
        Ok(Solved {
            sets,
            path: Some(Path {
                problem,
                solution,
                dual: shape.weak,
                layers,
                turns: Vec::new(),
            }),
        })
    }

    /// The equations of where a weak operator does not hold.
    fn dual(
        &mut self,
        quantifier: Quantifier,
        left: &[Bounds],
        now: &[Bounds],
        steps: &[Vec<(Bounds, Bounds)>],
    ) -> Problem {
        let terms = &mut *self.prover.terms;
        let keep: Vec<Bounds> = now.iter().map(|it| it.not(terms)).collect();
        let mut base = Vec::new();
        for (left, &keep) in left.iter().zip(&keep) {
            let not_left = left.not(terms);
            base.push(Bounds::and(&[not_left, keep], terms));
        }
        let mut dual = Vec::new();
        for leaving in steps {
            let mut here = Vec::new();
            for (good, leads) in leaving {
                let (bad, stops) = (good.not(terms), leads.not(terms));
                here.push((Bounds::and(&[bad, stops], terms), bad));
            }
            dual.push(here);
        }
        Problem {
            quantifier: match quantifier {
                Quantifier::Some => Quantifier::All,
                Quantifier::All => Quantifier::Some,
            },
            base,
            keep,
            steps: dual,
        }
    }
}

fn shape(kind: &NodeKind) -> Option<Shape<'_>> {
    Some(match kind {
        NodeKind::Always(quantifier, part) => Shape {
            quantifier: *quantifier,
            weak: true,
            left: Some(*part),
            steps: None,
            last: None,
            right: None,
        },
        NodeKind::Eventually(quantifier, actions, part) => Shape {
            quantifier: *quantifier,
            weak: false,
            left: None,
            steps: None,
            last: actions.as_ref(),
            right: Some(*part),
        },
        NodeKind::Until(until) => {
            let Until {
                quantifier,
                left,
                steps,
                weak,
                last,
                right,
            } = &**until;
            Shape {
                quantifier: *quantifier,
                weak: *weak,
                left: Some(*left),
                steps: Some(steps),
                last: last.as_ref(),
                right: Some(*right),
            }
        }
        _ => return None,
    })
}
