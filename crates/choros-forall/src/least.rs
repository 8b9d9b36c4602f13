//! Least solutions of the equations of one operator, component by component.
//!
//! ```text
//! Y(n) = base(n) or (keep(n) and some step: now or (on and Y(target)))
//! Y(n) = base(n) or (keep(n) and there is a step, and every step: now or (on and Y(target)))
//! ```
//!
//! A *low* side is below the least solution: iterates from *false*, and post-fixpoints whose steps decrease a rank.
//! A *high* side is above it: what the equations map into itself (Park), and iterates from *true*.

use choros_data::{Op, Quantifier as Bind, Term, TermKind, Terms, Var};
use choros_query::socl::Quantifier;

use rustc_hash::FxHashMap;

use crate::bounds::{Bounds, Side};
use crate::fair::Avoided;
use crate::problem::Problem;
use crate::prover::Prover;
use crate::ranks::{self, Rank, ranks, regions};
use crate::starts::{conserved, lasting};
use crate::stop::Stop;
use crate::symbolic::{Step, Symbolic};

/// Rounds from *false* before ranks are tried, and after.
const ROUNDS_BELOW: usize = 3;
const ROUNDS_AFTER: usize = 3;
/// Rounds from *true*.
const ROUNDS_ABOVE: usize = 4;
/// Rounds until a set with a rank must be settled.
const ROUNDS_RANKED: usize = 6;
/// Ranks that are tried from a start that is not *true*.
const RANKS_IN_REGIONS: usize = 8;
/// How often all ranks are tried again with what was found.
const STAGES: usize = 3;
/// Sets with more parts than this are not looked into for ranks of what leads to them.
const MAX_EXIT: usize = 60;
/// Rounds before changing variables are forgotten.
const ROUNDS_EXACT: usize = 2;

/// Solves equations.
pub(crate) struct Least<'a, 'p, 's> {
    pub(crate) problem: &'a Problem,
    pub(crate) graph: &'a Symbolic<'a>,
    /// What holds whenever a run is at a node.
    pub(crate) known: &'a [Term],
    pub(crate) prover: &'a mut Prover<'p>,
    pub(crate) solved: &'s mut Vec<Bounds>,
    /// How the low sides were found.
    pub(crate) layers: Vec<Layer>,
    /// The number of questions at which the search for the component ends.
    pub(crate) end: u64,
    /// Whether only fair runs count, and where one is known that avoids what is sought.
    pub(crate) fair: Option<Avoided<'a>>,
}

/// Sets below the least solution, by their steps: to the last sets of earlier layers, or within the layer to a smaller
/// rank.
pub(crate) struct Layer {
    pub(crate) rank: Option<Rank>,
    pub(crate) sets: Vec<(usize, Term)>,
}

/// One side of some unknowns; the others are what was solved.
pub(crate) type Sets = FxHashMap<usize, Term>;

impl Least<'_, '_, '_> {
    /// Solves all components.
    pub(crate) fn run(&mut self) -> Result<(), Stop> {
        let graph = self.graph;
        for component in &graph.components {
            if graph.is_cyclic(component) {
                self.component(component)?;
            } else {
                let node = component[0];
                let none = Sets::default();
                let low = self.equation(node, &none, Side::Low, None)?;
                let mut high = self.equation(node, &none, Side::High, None)?;
                if let Some(fair) = self.fair {
                    let not_avoided = self.prover.terms.not(fair.sets[node]);
                    high = self.prover.terms.and([high, not_avoided]);
                }
                let low = self.prover.lean(low, self.known[node])?;
                let high = if low == high {
                    low
                } else {
                    self.prover.lean(high, self.known[node])?
                };
                self.solved[node] = Bounds { low, high };
                self.found(None, vec![(node, low)]);
            }
        }
        Ok(())
    }

    fn found(&mut self, rank: Option<Rank>, sets: Vec<(usize, Term)>) {
        self.layers.push(Layer { rank, sets });
    }

    fn component(&mut self, component: &[usize]) -> Result<(), Stop> {
        self.end = self.prover.end_of_effort();
        for &node in component {
            self.solved[node] = Bounds::FALSE;
        }
        let low = self.low(component)?;
        if self.is_closed(component, &low)? {
            for &node in component {
                self.solved[node] = Bounds::exactly(low[&node]);
            }
            return Ok(());
        }
        if let Some(fair) = self.fair {
            for &node in component {
                let high = self.prover.terms.not(fair.sets[node]);
                let high = self.prover.terms.simplify(high);
                let low = low[&node];
                self.solved[node] = Bounds { low, high };
            }
            return Ok(());
        }
        let loosened = self.loosened(component, &low)?;
        self.end = self.prover.end_of_effort();
        let mut high = self.high(component)?;
        if let Some(loosened) = loosened {
            for &node in component {
                let both = self.prover.terms.and([high[&node], loosened[&node]]);
                high.insert(node, self.prover.lean(both, self.known[node])?);
            }
        }
        for &node in component {
            self.solved[node] = Bounds {
                low: low[&node],
                high: high[&node],
            };
        }
        Ok(())
    }

    /// What the low side says of variables that do not change, if that is closed.
    ///
    /// At the first node it may be the low side itself, so that the answer is exact there though it is not elsewhere.
    fn loosened(&mut self, component: &[usize], low: &Sets) -> Result<Option<Sets>, Stop> {
        let changing = self.changing(component);
        let mut sets = low.clone();
        for &node in component {
            let wide = self
                .prover
                .eliminate(Bind::Exists, &changing, low[&node], Side::High)?;
            sets.insert(node, self.prover.lean(wide, self.known[node])?);
        }
        if self.is_closed(component, &sets)? {
            return Ok(Some(sets));
        }
        let all = self.prover.terms.or(component.iter().map(|it| sets[it]));
        for &node in component {
            sets.insert(node, self.prover.lean(all, self.known[node])?);
        }
        Ok(self.is_closed(component, &sets)?.then_some(sets))
    }

    /// A low side.
    fn low(&mut self, component: &[usize]) -> Result<Sets, Stop> {
        // What the base says is below the solution; iterates would be too, but make formulas large.
        let mut sets = Sets::default();
        let mut ranked = Sets::default();
        for &node in component {
            sets.insert(node, Term::FALSE);
            ranked.insert(node, self.problem.base[node].low);
        }
        let before = self.layers.len();
        let news = self.rounds(component, &mut sets, ROUNDS_BELOW, Side::Low)?;
        if news.is_empty() && (self.fair.is_none() || self.is_closed(component, &sets)?) {
            return Ok(sets);
        }
        let restart = self.layers.len();
        let mut is_fresh = false;
        // First with the nodes whose sets still grow: what the others have is below the solution too.
        let (mut moving, news): (Vec<usize>, Vec<Term>) = news.into_iter().unzip();
        if moving.is_empty() {
            moving = component.to_vec();
        }
        moving.sort_unstable();
        let mut groups = vec![moving];
        if groups[0].len() < component.len() {
            groups.push(component.to_vec());
        }
        let mut best = sets.clone();
        'search: for group in groups {
            for &node in &group {
                best.insert(node, ranked[&node]);
            }
            // What follows rests on these sets, which are their own next round, and on nothing that was found before
            // if they are the base.
            let is_base = |&node: &usize| best[&node] == self.problem.base[node].low;
            is_fresh = group.len() == component.len() && group.iter().all(is_base);
            let fresh = is_fresh.then_some(self.layers.len());
            self.found(None, group.iter().map(|&it| (it, best[&it])).collect());
            let fair = self.fair.map(|it| it.fair);
            let exits = self.exits(&group);
            let ranks = ranks(&group, self.graph, self.problem, fair, &exits, self.prover)?;
            let starts = self.starts(&group, &news, &exits)?;
            for _ in 0..STAGES {
                let last = best.clone();
                for &start in &starts {
                    let most = match start {
                        Term::TRUE => ranks.len(),
                        _ => RANKS_IN_REGIONS,
                    };
                    for rank in ranks.iter().take(most) {
                        if self.prover.is_tired(self.end) {
                            break 'search;
                        }
                        let Some(found) = self.with_rank(&group, rank, start, &best)? else {
                            continue;
                        };
                        let grown = self.grown(&group, &mut best, &found)?;
                        if grown.is_empty() {
                            continue;
                        }
                        self.found(Some(rank.clone()), grown);
                        if self.is_closed(component, &best)? {
                            match fresh {
                                Some(fresh) => drop(self.layers.drain(before..fresh)),
                                None => self.keep(restart, &sets),
                            }
                            return Ok(best);
                        }
                    }
                }
                if best == last {
                    break;
                }
            }
            for &node in &group {
                ranked.insert(node, best[&node]);
            }
        }
        let growing = self.rounds(component, &mut best, ROUNDS_AFTER, Side::Low)?;
        if growing.is_empty() && is_fresh {
            return Ok(best);
        }
        self.keep(restart, &sets);
        if growing.is_empty() {
            return Ok(best);
        }
        let mut all = Vec::new();
        for &node in component {
            let both = self.prover.terms.or([best[&node], sets[&node]]);
            best.insert(node, self.prover.lean(both, self.known[node])?);
            all.push((node, best[&node]));
        }
        self.found(None, all);
        Ok(best)
    }

    /// Adds sets that were found before to all layers from one on, so that layers only grow: what is written rests on
    /// the last sets of earlier layers, and the search began again with smaller ones.
    fn keep(&mut self, restart: usize, before: &Sets) {
        for layer in &mut self.layers[restart..] {
            for (node, set) in &mut layer.sets {
                *set = self.prover.terms.or([before[node], *set]);
            }
        }
    }

    /// Where sets with ranks are looked for.
    fn starts(
        &mut self,
        group: &[usize],
        news: &[Term],
        exits: &[Term],
    ) -> Result<Vec<Term>, Stop> {
        let changing = self.changing(group);
        let mut starts = vec![Term::TRUE];
        let mut more = lasting(news, &changing, self.prover)?;
        more.extend(regions(group, self.graph, self.problem, self.prover.terms));
        let mut sources = news.to_vec();
        sources.extend(ranks::sources(group, self.graph, self.problem));
        sources.extend(exits);
        more.extend(conserved(group, self.graph, &sources, self.prover.terms));
        for start in more {
            if !starts.contains(&start) {
                starts.push(start);
            }
        }
        Ok(starts)
    }

    /// What was found of the nodes that a group leads to.
    fn exits(&mut self, group: &[usize]) -> Vec<Term> {
        let mut exits = Vec::new();
        for &node in group {
            for step in &self.graph.steps[node] {
                let set = self.solved[step.target].low;
                if !group.contains(&step.target)
                    && !exits.contains(&set)
                    && self.prover.terms.postorder([set]).len() <= MAX_EXIT
                {
                    exits.push(set);
                }
            }
        }
        exits
    }

    /// Adds what was found; the sets that are new.
    fn grown(
        &mut self,
        group: &[usize],
        best: &mut Sets,
        found: &Sets,
    ) -> Result<Vec<(usize, Term)>, Stop> {
        let mut grown = Vec::new();
        for &node in group {
            if !self.implied(node, found[&node], best[&node])? {
                let both = self.prover.terms.or([best[&node], found[&node]]);
                best.insert(node, self.prover.lean(both, self.known[node])?);
                grown.push((node, best[&node]));
            }
        }
        Ok(grown)
    }

    /// A high side.
    fn high(&mut self, component: &[usize]) -> Result<Sets, Stop> {
        let mut sets: Sets = component.iter().map(|&it| (it, Term::FALSE)).collect();
        // Where the parts are not known exactly, the equations of their high sides may settle on their own.
        let mut closed = sets.clone();
        if self
            .rounds(component, &mut closed, ROUNDS_BELOW, Side::High)?
            .is_empty()
        {
            return Ok(closed);
        }
        for &node in component {
            sets.insert(node, Term::TRUE);
        }
        for _ in 0..ROUNDS_ABOVE {
            let mut changed = false;
            for &node in component.iter().rev() {
                let next = self.equation(node, &sets, Side::High, None)?;
                let next = self.prover.lean(next, self.known[node])?;
                if self.prover.is_too_large(next) || self.prover.is_tired(self.end) {
                    return Ok(sets);
                }
                if next != sets[&node] && !self.implied(node, sets[&node], next)? {
                    sets.insert(node, next);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        Ok(sets)
    }

    /// Some rounds from below, in place; the nodes whose sets changed in the last one, and what their equations gave.
    fn rounds(
        &mut self,
        component: &[usize],
        sets: &mut Sets,
        rounds: usize,
        side: Side,
    ) -> Result<Vec<(usize, Term)>, Stop> {
        let mut changed = Vec::new();
        // A value goes round a component once in as many rounds as it has nodes.
        for _ in 0..rounds + component.len() {
            changed.clear();
            for &node in component.iter().rev() {
                let next = self.equation(node, sets, side, None)?;
                if self.implied(node, next, sets[&node])? {
                    continue;
                }
                changed.push((node, next));
                let next = self.prover.terms.or([sets[&node], next]);
                let next = self.prover.lean(next, self.known[node])?;
                if self.prover.is_too_large(next) || self.prover.is_tired(self.end) {
                    return Ok(component.iter().map(|&it| (it, sets[&it])).collect());
                }
                sets.insert(node, next);
                if side == Side::Low {
                    self.found(None, vec![(node, next)]);
                }
            }
            if changed.is_empty() {
                break;
            }
        }
        Ok(changed)
    }

    /// The largest sets that are found below `start` whose steps decrease a rank, or lead into the sets `below`, which
    /// are below the least solution: then they are so too.
    fn with_rank(
        &mut self,
        component: &[usize],
        rank: &Rank,
        start: Term,
        below: &Sets,
    ) -> Result<Option<Sets>, Stop> {
        let mut sets = below.clone();
        sets.extend(component.iter().map(|&it| (it, start)));
        let changing = self.changing(component);
        for round in 0..ROUNDS_RANKED + component.len() {
            let mut settled = true;
            for &node in component.iter().rev() {
                let mut next = self.equation(node, &sets, Side::Low, Some((rank, below)))?;
                if self.implied(node, sets[&node], next)? {
                    continue;
                }
                if round >= ROUNDS_EXACT + component.len() {
                    next = self.forgotten(node, sets[&node], next, &changing)?;
                }
                let next = self.prover.terms.and([sets[&node], next]);
                let next = self.prover.lean(next, self.known[node])?;
                if self.prover.is_too_large(next) || self.prover.is_tired(self.end) {
                    return Ok(None);
                }
                sets.insert(node, next);
                settled = false;
            }
            if settled {
                return Ok(Some(sets));
            }
        }
        Ok(None)
    }

    /// The variables that steps within the nodes change.
    fn changing(&self, component: &[usize]) -> Vec<Var> {
        let mut found: Vec<Var> = Vec::new();
        for &node in component {
            for step in &self.graph.steps[node] {
                if component.contains(&step.target) {
                    found.extend(step.after.keys());
                }
            }
        }
        found.sort_by_key(|it| it.index());
        found.dedup();
        found
    }

    /// A stronger formula: of what is new in it, only what does not depend on variables that change.
    ///
    /// A set whose steps decrease a rank may be any that is found; what would come with each round comes at once.
    fn forgotten(
        &mut self,
        node: usize,
        old: Term,
        next: Term,
        changing: &[Var],
    ) -> Result<Term, Stop> {
        let mut kept = Vec::new();
        for clause in clauses(next, self.prover.terms) {
            if self.implied(node, old, clause)? {
                continue;
            }
            let strong = self
                .prover
                .eliminate(Bind::Forall, changing, clause, Side::Low)?;
            kept.push(strong);
        }
        Ok(self.prover.terms.and(kept))
    }

    /// Whether the equations map the sets into themselves, so that they are above the least solution.
    fn is_closed(&mut self, component: &[usize], sets: &Sets) -> Result<bool, Stop> {
        if let Some(fair) = self.fair {
            for &node in component {
                let either = self.prover.terms.or([sets[&node], fair.sets[node]]);
                if !self.implied(node, Term::TRUE, either)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        for &node in component {
            let next = self.equation(node, sets, Side::High, None)?;
            if !self.implied(node, next, sets[&node])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn implied(&mut self, node: usize, premise: Term, conclusion: Term) -> Result<bool, Stop> {
        let premise = self.prover.terms.and([self.known[node], premise]);
        self.prover.implies(premise, conclusion)
    }

    /// The right side of the equation of a node; with a rank, steps within its nodes must decrease it or lead into sets
    /// that are settled.
    pub(crate) fn equation(
        &mut self,
        node: usize,
        sets: &Sets,
        side: Side,
        rank: Option<(&Rank, &Sets)>,
    ) -> Result<Term, Stop> {
        let graph = self.graph;
        let problem = self.problem;
        let base = problem.base[node].at(side);
        let keep = problem.keep[node].at(side);
        if base == Term::TRUE || keep == Term::FALSE {
            return Ok(base);
        }
        let mut parts = Vec::new();
        for (index, step) in graph.steps[node].iter().enumerate() {
            let (now, on) = &problem.steps[node][index];
            let at = |sets: &Sets| match sets.get(&step.target) {
                Some(&set) => set,
                None => self.solved[step.target].at(side),
            };
            let (there, terms) = (at(sets), &mut *self.prover.terms);
            let mut then = terms.substitute(there, &step.after);
            if let Some((rank, settled)) = rank {
                let nearer = rank.decrease(node, step, terms);
                if nearer != Term::TRUE {
                    let waits = rank.waits(node, (index, step), terms);
                    let nearer = terms.or([nearer, waits]);
                    let settled = terms.substitute(at(settled), &step.after);
                    let ranked = terms.and([nearer, then]);
                    then = terms.or([settled, ranked]);
                }
            }
            let terms = &mut *self.prover.terms;
            let on = terms.and([on.at(side), then]);
            let reached = terms.or([now.at(side), on]);
            parts.push(quantified(
                problem.quantifier,
                step,
                reached,
                side,
                self.prover,
            )?);
        }
        let terms = &mut *self.prover.terms;
        let next = match problem.quantifier {
            Quantifier::Some => terms.or(parts),
            Quantifier::All => {
                parts.push(graph.enabled[node].at(side));
                terms.and(parts)
            }
        };
        let next = terms.and([keep, next]);
        let next = terms.or([base, next]);
        Ok(terms.simplify(next))
    }
}

/// The conjuncts of a formula, with conjunctions inside of disjunctions drawn out once.
fn clauses(formula: Term, terms: &mut Terms) -> Vec<Term> {
    let parts = |term: Term, of: Op, terms: &Terms| match terms.kind(term) {
        TermKind::Apply(op, parts) if op == of => parts.to_vec(),
        _ => vec![term],
    };
    let mut found = Vec::new();
    for conjunct in parts(formula, Op::And, terms) {
        let alternatives = parts(conjunct, Op::Or, terms);
        let inner = alternatives
            .iter()
            .position(|&it| parts(it, Op::And, terms).len() > 1);
        let Some(inner) = inner else {
            found.push(conjunct);
            continue;
        };
        for part in parts(alternatives[inner], Op::And, terms) {
            let mut clause = alternatives.clone();
            clause[inner] = part;
            found.push(terms.or(clause));
        }
    }
    found
}

/// `exists fresh. condition and φ`, or `forall fresh. condition implies φ`.
pub(crate) fn quantified(
    quantifier: Quantifier,
    step: &Step,
    reached: Term,
    side: Side,
    prover: &mut Prover<'_>,
) -> Result<Term, Stop> {
    match quantifier {
        Quantifier::Some => {
            let body = prover.terms.and([step.condition, reached]);
            prover.eliminate(Bind::Exists, &step.fresh, body, side)
        }
        Quantifier::All => {
            let body = prover.terms.implies(step.condition, reached);
            prover.eliminate(Bind::Forall, &step.fresh, body, side)
        }
    }
}
