//! The inclusion criterion: a node that allows nothing which an earlier one does not allow is not expanded.
//!
//! For two nodes of one state, η is included in η' if every interpretation of the variables that (π, σ) allows is
//! allowed by (π', σ'): `∀ symbols of η: π ⇒ ∃ symbols of η': π' ∧ ⋀ σ(v) = σ'(v)`.
//! Then every step that follows η follows η' too, with the same values, so nothing is lost by looking there.
//!
//! Three things are done here that the definition does not say:
//! - only variables that are *live* in the state are compared, because no step can tell the others apart; and, beside
//!   them, what was sent last to an operation with a contract, because the contract reads it;
//! - η' must not lie deeper than η, else the bound would cut what follows η' earlier than what follows η;
//! - equal values and a part of the same conjuncts are recognised as such; only otherwise a solver is asked, and where
//!   it cannot tell, the node is expanded.

use choros_data::{Quantifier, SortKind, Term, Terms, Var};
use choros_model::interface::Side;
use choros_model::stg::Direction;
use choros_query::purpose::MessageHead;
use choros_smt::{Satisfiability, Solver, SolverError, Truth};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Graph, StateId};
use crate::label::TreeLabel;
use crate::live::live_variables;
use crate::tree::{Tree, TreeCut, TreeNodeId};
use crate::unfolding::{ExecutionRules, datum};

/// How many earlier nodes are put to the solver for one node; syntactic inclusion is looked for in all.
const ASKED: usize = 8;

/// What has to be known to decide inclusion.
pub(crate) struct Inclusion {
    live: Vec<Vec<usize>>,
    /// For each state, whether nothing leaves it: there is nothing to expand.
    stopped: Vec<bool>,
    /// Calls that a contract may look back to.
    calls: Vec<MessageHead>,
    /// The expanded nodes of each state, in order.
    expanded: FxHashMap<StateId, Vec<TreeNodeId>>,
}

impl Inclusion {
    pub(crate) fn new(graph: &Graph, rules: ExecutionRules<'_>, terms: &Terms) -> Inclusion {
        let calls = rules
            .interface
            .map_or(&[][..], |interface| &interface.operations)
            .iter()
            .filter(|one| one.side == Side::Used && one.contract.is_some())
            .map(|one| MessageHead {
                partner: one.partner,
                operation: one.operation,
                direction: Direction::Send,
                fault: None,
            })
            .collect();
        Inclusion {
            live: live_variables(graph, terms),
            stopped: (0..graph.states.len() as u32)
                .map(|state| graph.outgoing(StateId(state)).next().is_none())
                .collect(),
            calls,
            expanded: FxHashMap::default(),
        }
    }

    /// The earlier node that includes this one, and whether it is on the way here; otherwise the node is remembered.
    pub(crate) fn included(
        &mut self,
        tree: &Tree,
        node: TreeNodeId,
        solver: &mut dyn Solver,
        terms: &mut Terms,
    ) -> Result<Option<(TreeNodeId, bool)>, SolverError> {
        let state = tree.node(node).state;
        if self.stopped[state.index()] {
            return Ok(None);
        }
        let ancestors: FxHashSet<TreeNodeId> = tree.path(node).into_iter().collect();
        let mut earlier: Vec<TreeNodeId> = self
            .expanded
            .get(&state)
            .into_iter()
            .flatten()
            .copied()
            .filter(|&other| tree.node(other).depth <= tree.node(node).depth)
            .collect();
        // One's own branch first: stopping there is the stronger finding.
        earlier.sort_by_key(|other| !ancestors.contains(other));
        let found = |other: TreeNodeId| Some((other, ancestors.contains(&other)));
        if !earlier.is_empty() {
            let this = self.view(tree, node, terms);
            for &other in &earlier {
                if this.is_part_of(&self.view(tree, other, terms)) {
                    return Ok(found(other));
                }
            }
            for &other in earlier.iter().take(ASKED) {
                let that = self.view(tree, other, terms);
                if this.is_included_in(&that, solver, terms)? {
                    return Ok(found(other));
                }
            }
        }
        if tree.node(node).cut == TreeCut::Not {
            self.expanded.entry(state).or_default().push(node);
        }
        Ok(None)
    }

    fn view(&self, tree: &Tree, node: TreeNodeId, terms: &mut Terms) -> View {
        let at = tree.node(node);
        let mut compared: Vec<Option<Term>> = self.live[at.state.index()]
            .iter()
            .map(|&position| Some(at.values[position]))
            .collect();
        let path = tree.path(node);
        for call in &self.calls {
            let sent = path
                .iter()
                .rev()
                .find_map(|&id| match &tree.node(id).label {
                    Some(TreeLabel::Message(message)) if message.head == *call => {
                        Some(message.fields.clone())
                    }
                    _ => None,
                });
            let value = sent.and_then(|fields| datum(&fields, terms));
            compared.push(value.map(|[_, value]| value));
        }
        View {
            compared,
            conjuncts: tree.solved_condition(node),
        }
    }
}

/// What of a node is compared.
struct View {
    /// The values of what matters; none for a call that was not made.
    compared: Vec<Option<Term>>,
    conjuncts: Vec<Term>,
}

impl View {
    /// Syntactic: the same values under more conditions.
    fn is_part_of(&self, other: &View) -> bool {
        self.compared == other.compared
            && other
                .conjuncts
                .iter()
                .all(|conjunct| self.conjuncts.contains(conjunct))
    }

    /// Exact, as far as the solver can tell.
    fn is_included_in(
        &self,
        other: &View,
        solver: &mut dyn Solver,
        terms: &mut Terms,
    ) -> Result<bool, SolverError> {
        let called =
            |view: &View| -> Vec<bool> { view.compared.iter().map(Option::is_some).collect() };
        if called(self) != called(other) {
            return Ok(false);
        }
        let premise = self.related(terms);
        let conclusions = other.related(terms);
        // The symbols of the other node get names of their own: both may use the same ones.
        let mut apart: FxHashMap<Var, Term> = FxHashMap::default();
        let mut bound = Vec::new();
        for &term in other.compared.iter().flatten().chain(&conclusions) {
            for symbol in terms.free_variables(term) {
                apart.entry(symbol).or_insert_with(|| {
                    let renamed = terms.fresh_variable(symbol);
                    bound.push(renamed);
                    terms.var(renamed)
                });
            }
        }
        // `∃ x: x = t ∧ φ` is `φ[t/x]`: most values are plain symbols, and nothing is left to quantify.
        let mut known: FxHashMap<Var, Term> = FxHashMap::default();
        let mut body = Vec::new();
        for (this, that) in self.compared.iter().zip(&other.compared) {
            if let (&Some(this), &Some(that)) = (this, that) {
                let that = terms.substitute(that, &apart);
                match terms.as_variable(that) {
                    Some(symbol) if bound.contains(&symbol) && !known.contains_key(&symbol) => {
                        known.insert(symbol, this);
                    }
                    _ => body.push(terms.equal(this, that)),
                }
            }
        }
        for conjunct in conclusions {
            body.push(terms.substitute(conjunct, &apart));
        }
        let body = terms.and(body);
        let body = terms.substitute(body, &known);
        let body = terms.simplify(body);
        let premise = terms.and(premise);
        let left: Vec<Var> = terms
            .free_variables(body)
            .into_iter()
            .filter(|symbol| bound.contains(symbol))
            .collect();
        let conclusion = if left.is_empty() {
            body
        } else {
            // Where no values of the other node go with this node's, there is nothing to prove.
            if solver.satisfiable(terms, &[premise, body])? == Satisfiability::Unsat {
                return Ok(false);
            }
            let (left, body) = flattened(left, body, terms);
            terms.quantify(Quantifier::Exists, &left, body)
        };
        Ok(solver.implies(terms, premise, conclusion)? == Truth::True)
    }

    /// The conjuncts that have to do with what is compared, over any number of common symbols.
    ///
    /// The path condition as a whole can be satisfied, so what has nothing to do with the compared values can be
    /// satisfied beside them, whatever they are: it changes neither side of the implication.
    fn related(&self, terms: &Terms) -> Vec<Term> {
        let mut symbols: FxHashSet<Var> = self
            .compared
            .iter()
            .flatten()
            .flat_map(|&term| terms.free_variables(term))
            .collect();
        let mut left = self.conjuncts.clone();
        let mut related = Vec::new();
        loop {
            let before = left.len();
            left.retain(|&conjunct| {
                let own = terms.free_variables(conjunct);
                let touches = own.iter().any(|symbol| symbols.contains(symbol));
                if touches {
                    symbols.extend(own);
                    related.push(conjunct);
                }
                !touches
            });
            if left.len() == before {
                return related;
            }
        }
    }
}

/// The same formula with a variable for each field of a record, however deep: solvers find values of those sooner.
fn flattened(bound: Vec<Var>, body: Term, terms: &mut Terms) -> (Vec<Var>, Term) {
    let mut flat = Vec::new();
    let mut given: FxHashMap<Var, Term> = FxHashMap::default();
    for variable in bound {
        let value = spread(variable, &mut flat, terms);
        given.insert(variable, value);
    }
    let body = terms.substitute(body, &given);
    (flat, terms.simplify(body))
}

fn spread(variable: Var, flat: &mut Vec<Var>, terms: &mut Terms) -> Term {
    let sort = terms.variable_sort(variable);
    match terms.sort_kind(sort).clone() {
        // Sorts are as deep as a declaration or a document, which their readers limit.
        SortKind::Record(fields) => {
            let parts: Vec<Term> = fields
                .into_iter()
                .map(|(label, sort)| {
                    let like = terms.variable(label, sort);
                    let part = terms.fresh_variable(like);
                    spread(part, flat, terms)
                })
                .collect();
            terms.record(sort, &parts)
        }
        _ => {
            flat.push(variable);
            terms.var(variable)
        }
    }
}
