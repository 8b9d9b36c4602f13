//! The language `L[G]` of a g-choreography: the prefixes of all linearisations of all its pomsets.
//!
//! What is left after a word depends on which branches were taken, so a state here is the set of everything that may be
//! left: the language as a deterministic automaton, unfolded step by step.

use std::rc::Rc;

use choros_base::{Budget, StopReason};
use choros_model::gchor::Gchor;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::residual::{EventId, Residual, Residuals};

/// The language, as far as it has been examined.
pub struct GchorLanguage {
    residuals: Residuals,
    states: Vec<Rc<[Residual]>>,
    ids: FxHashMap<Rc<[Residual]>, WordState>,
    steps: FxHashMap<WordState, Rc<[(EventId, WordState)]>>,
    start: WordState,
}

/// Where a word leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WordState(u32);

choros_base::indices!(WordState);

/// How many words there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordCounts {
    /// Linearisations of pomsets, those with equal words counted once.
    pub linearisations: BigUint,
    /// Their prefixes, the empty word and they themselves included.
    pub prefixes: BigUint,
}

impl GchorLanguage {
    /// The language of a g-choreography.
    pub fn new(gchor: &Gchor) -> GchorLanguage {
        let residuals = Residuals::new(gchor);
        let start = residuals.start();
        let mut language = GchorLanguage {
            residuals,
            states: Vec::new(),
            ids: FxHashMap::default(),
            steps: FxHashMap::default(),
            start: WordState(0),
        };
        language.start = language.state(vec![start]);
        language
    }

    /// Where the empty word leads.
    pub fn start(&self) -> WordState {
        self.start
    }

    /// The store of events and of what is left.
    pub fn residuals(&self) -> &Residuals {
        &self.residuals
    }

    /// Whether the word that leads here is a linearisation: nothing need follow.
    pub fn ends(&self, state: WordState) -> bool {
        self.states[state.index()]
            .iter()
            .any(|&it| self.residuals.ends(it))
    }

    /// What may follow, one state for each event, in the order of events.
    pub fn steps(&mut self, state: WordState) -> Rc<[(EventId, WordState)]> {
        if let Some(known) = self.steps.get(&state) {
            return known.clone();
        }
        let mut all: Vec<(EventId, Residual)> = Vec::new();
        for &residual in self.states[state.index()].clone().iter() {
            all.extend(self.residuals.steps(residual).iter());
        }
        all.sort_unstable();
        let mut found = Vec::new();
        for group in all.chunk_by(|left, right| left.0 == right.0) {
            let rest = group.iter().map(|&(_, rest)| rest).collect();
            found.push((group[0].0, self.state(rest)));
        }
        let found: Rc<[_]> = found.into();
        self.steps.insert(state, found.clone());
        found
    }

    /// Where an event leads, if it may follow.
    pub fn after(&mut self, state: WordState, event: EventId) -> Option<WordState> {
        let steps = self.steps(state);
        let found = steps.binary_search_by_key(&event, |&(event, _)| event);
        found.ok().map(|position| steps[position].1)
    }

    /// How many words there are; of a g-choreography without loops.
    ///
    /// Words are counted by their lengths, and threads that share no event are counted apart and shuffled, so that
    /// many threads beside each other do not multiply.
    /// Each step between states takes one of the budget, twice.
    pub fn counts(&mut self, budget: &Budget) -> Result<WordCounts, StopReason> {
        let mut known: FxHashMap<WordState, Rc<ByLength>> = FxHashMap::default();
        // States whose successors are being counted; a state stays here until all of those are known.
        let mut open = vec![self.start];
        while let Some(&state) = open.last() {
            if known.contains_key(&state) {
                open.pop();
                continue;
            }
            let needed = self.needed(state);
            for _ in needed.states() {
                budget.spend()?;
            }
            let missing: Vec<WordState> = needed
                .states()
                .filter(|it| !known.contains_key(it))
                .collect();
            if missing.is_empty() {
                let own = needed.count(self.ends(state), &known);
                known.insert(state, Rc::new(own));
                open.pop();
            } else {
                open.extend(missing);
            }
        }
        let whole = &known[&self.start];
        Ok(WordCounts {
            linearisations: whole.linearisations.iter().sum(),
            prefixes: whole.prefixes.iter().sum(),
        })
    }

    /// What the words of a state are counted from.
    fn needed(&mut self, state: WordState) -> Needed {
        if let [only] = self.states[state.index()][..]
            && let Some(groups) = self.residuals.independent(only)
        {
            let mut states = Vec::new();
            for group in groups {
                let thread = self.residuals.fork(&group);
                states.push(self.state(vec![thread]));
            }
            return Needed::Beside(states);
        }
        Needed::Next(self.steps(state))
    }

    fn state(&mut self, mut residuals: Vec<Residual>) -> WordState {
        residuals.sort_unstable();
        residuals.dedup();
        if let Some(&known) = self.ids.get(&residuals[..]) {
            return known;
        }
        let residuals: Rc<[Residual]> = residuals.into();
        let id = WordState(self.states.len() as u32);
        self.states.push(residuals.clone());
        self.ids.insert(residuals, id);
        id
    }
}

/// Numbers of words by length.
struct ByLength {
    linearisations: Vec<BigUint>,
    prefixes: Vec<BigUint>,
}

enum Needed {
    /// One of these follows.
    Next(Rc<[(EventId, WordState)]>),
    /// All of these, in any order.
    Beside(Vec<WordState>),
}

impl Needed {
    fn states(&self) -> impl Iterator<Item = WordState> + '_ {
        let (next, beside) = match self {
            Needed::Next(steps) => (&steps[..], &[][..]),
            Needed::Beside(states) => (&[][..], &states[..]),
        };
        let next = next.iter().map(|&(_, state)| state);
        next.chain(beside.iter().copied())
    }

    fn count(&self, ends: bool, known: &FxHashMap<WordState, Rc<ByLength>>) -> ByLength {
        match self {
            Needed::Next(steps) => {
                let mut own = ByLength {
                    linearisations: vec![BigUint::from(u8::from(ends))],
                    prefixes: vec![BigUint::from(1_u8)],
                };
                for (_, state) in steps.iter() {
                    if let Some(next) = known.get(state) {
                        add_behind(&mut own.linearisations, &next.linearisations);
                        add_behind(&mut own.prefixes, &next.prefixes);
                    }
                }
                own
            }
            Needed::Beside(states) => {
                let mut own = ByLength {
                    linearisations: vec![BigUint::from(1_u8)],
                    prefixes: vec![BigUint::from(1_u8)],
                };
                for state in states {
                    if let Some(next) = known.get(state) {
                        own.linearisations = shuffled(&own.linearisations, &next.linearisations);
                        own.prefixes = shuffled(&own.prefixes, &next.prefixes);
                    }
                }
                own
            }
        }
    }
}

/// Adds words that have one event more.
fn add_behind(own: &mut Vec<BigUint>, next: &[BigUint]) {
    if own.len() < next.len() + 1 {
        own.resize(next.len() + 1, BigUint::default());
    }
    for (length, count) in next.iter().enumerate() {
        own[length + 1] += count;
    }
}

/// Words of both, interleaved: a word of length `n` and one of length `m` give `(n + m)! / (n! m!)`.
fn shuffled(left: &[BigUint], right: &[BigUint]) -> Vec<BigUint> {
    let mut result = vec![BigUint::default(); left.len() + right.len() - 1];
    for (one, ones) in left.iter().enumerate() {
        // (one + other) over other, from other = 0 upwards.
        let mut ways = BigUint::from(1_u8);
        for (other, others) in right.iter().enumerate() {
            if other > 0 {
                ways = ways * BigUint::from(one + other) / BigUint::from(other);
            }
            result[one + other] += ones * others * &ways;
        }
    }
    result
}
