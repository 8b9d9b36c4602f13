//! Least and greatest fixpoints on the states that an operator over paths can see.
//!
//! With *good* for a step whose label satisfies `γ` and whose target satisfies `φ'` (for one of the ways to match), and
//! `χ` for a step whose label satisfies `χ`, the operators are (Fantechi et al., definition 2.14, on finite and
//! infinite maximal paths):
//!
//! - `EU`: least `Z`: `φ` and (some step good, or some `χ` step into `Z`)
//! - `AU`: least `Z`: `φ` and not final and every step good or a `χ` step into `Z`
//! - `EW`: greatest `Z`: `φ` and (final, or some step good, or some `χ` step into `Z`)
//! - `AW`: greatest `Z`: `φ` and every step good or a `χ` step into `Z`
//!
//! An until without `γ` holds where its right side holds, and otherwise needs `φ` and `χ` steps as above.
//! On a prefix of a system the fixpoint is taken twice: once with everything open counted as false, which gives the
//! states where the formula surely holds, and once with everything open counted as true, outside of which it surely
//! fails.

use choros_query::socl::Quantifier;

use super::fair::fair_components;
use super::truth::FormulaValue;

/// The states that were examined, with what their values rest on.
#[derive(Debug, Default)]
pub(crate) struct Region {
    pub(crate) cells: Vec<Cell>,
    pub(crate) steps: Vec<RegionEdge>,
    /// All assumptions of fairness.
    pub(crate) fair: u64,
}

/// One state.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) state: u32,
    /// The value where nothing else has to be known.
    pub(crate) value: Option<FormulaValue>,
    /// Whether the left side holds: true or open.
    pub(crate) left: FormulaValue,
    /// Whether the right side holds here: false or open.
    pub(crate) now: FormulaValue,
    /// Its steps, as positions.
    pub(crate) steps: std::ops::Range<u32>,
    /// The assumptions of fairness that have no step here.
    pub(crate) idle: u64,
}

/// A step of a state whose value depends on others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RegionEdge {
    pub(crate) good: FormulaValue,
    /// The cell it goes to; `None` if it satisfies no `χ`.
    pub(crate) to: Option<u32>,
    /// The assumptions of fairness of which it is a step.
    pub(crate) fair: u64,
}

/// How a step counts when what is open is guessed.
enum Counts {
    Done,
    Dead,
    Goes,
}

/// Steps and the cells they leave, by the cell they go to.
type Predecessors = (Vec<u32>, Vec<(u32, u32)>);

fn counts(step: &RegionEdge, guess: bool) -> Counts {
    match (step.good, step.to) {
        (FormulaValue::True, _) => Counts::Done,
        (FormulaValue::Open, _) if guess => Counts::Done,
        (_, Some(_)) => Counts::Goes,
        (_, None) => Counts::Dead,
    }
}

impl Region {
    /// The value of each cell.
    pub(crate) fn solve(&self, quantifier: Quantifier, weak: bool) -> Vec<FormulaValue> {
        let before = self.predecessors();
        let surely = self.fixpoint(quantifier, weak, false, &before);
        let possibly = if self.has_open() {
            self.fixpoint(quantifier, weak, true, &before)
        } else {
            surely.clone()
        };
        surely
            .into_iter()
            .zip(possibly)
            .map(|(surely, possibly)| match (surely, possibly) {
                (true, _) => FormulaValue::True,
                (false, false) => FormulaValue::False,
                (false, true) => FormulaValue::Open,
            })
            .collect()
    }

    fn has_open(&self) -> bool {
        let cell = |cell: &Cell| match cell.value {
            Some(value) => value == FormulaValue::Open,
            None => cell.left == FormulaValue::Open || cell.now == FormulaValue::Open,
        };
        self.cells.iter().any(cell)
            || self
                .steps
                .iter()
                .any(|step| step.good == FormulaValue::Open)
    }

    /// For each cell the steps that go there with the cells they leave, one after the other, and where they begin.
    fn predecessors(&self) -> Predecessors {
        let mut first = vec![0u32; self.cells.len() + 1];
        for step in &self.steps {
            if let Some(to) = step.to {
                first[to as usize + 1] += 1;
            }
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut next = first.clone();
        let mut sources = vec![(0u32, 0u32); first[self.cells.len()] as usize];
        for (source, cell) in self.cells.iter().enumerate() {
            for position in cell.steps.clone() {
                if let Some(to) = self.steps[position as usize].to {
                    sources[next[to as usize] as usize] = (source as u32, position);
                    next[to as usize] += 1;
                }
            }
        }
        (first, sources)
    }

    /// Spreads `true` for a least and `false` for a greatest fixpoint.
    fn fixpoint(
        &self,
        quantifier: Quantifier,
        weak: bool,
        guess: bool,
        before: &Predecessors,
    ) -> Vec<bool> {
        let (first, sources) = before;
        let spread = !weak;
        // With `E` one step is enough for true, all are needed for false; with `A` the other way round.
        let one_is_enough = (quantifier == Quantifier::Some) == spread;
        let known = |truth: FormulaValue| {
            truth == FormulaValue::True || (guess && truth == FormulaValue::Open)
        };
        let is_endless = weak == (quantifier == Quantifier::Some);
        let mut values = vec![!spread; self.cells.len()];
        let mut waiting = vec![0u32; self.cells.len()];
        // A cell that others cannot change any more, or cannot change to what is spread.
        let mut fixed = vec![false; self.cells.len()];
        let mut pending: Vec<u32> = Vec::new();
        for (index, cell) in self.cells.iter().enumerate() {
            let settled = match cell.value {
                Some(value) => Some(known(value)),
                None if known(cell.now) => Some(true),
                None if !known(cell.left) => Some(false),
                None => {
                    let (mut done, mut dead, mut goes) = (0u32, 0u32, 0u32);
                    for step in &self.steps[cell.steps.start as usize..cell.steps.end as usize] {
                        match counts(step, guess) {
                            Counts::Done => done += 1,
                            Counts::Dead => dead += 1,
                            Counts::Goes => goes += 1,
                        }
                    }
                    waiting[index] = goes;
                    match quantifier {
                        Quantifier::Some if done > 0 => Some(true),
                        Quantifier::Some if goes == 0 => Some(false),
                        Quantifier::All if dead > 0 => Some(false),
                        Quantifier::All if goes == 0 => Some(true),
                        _ => None,
                    }
                }
            };
            if let Some(value) = settled {
                fixed[index] = true;
                if value == spread {
                    pending.push(index as u32);
                }
                values[index] = value;
            }
        }
        while let Some(index) = pending.pop() {
            let range = first[index as usize] as usize..first[index as usize + 1] as usize;
            for &(source, position) in &sources[range] {
                let source = source as usize;
                let step = &self.steps[position as usize];
                if fixed[source] || !matches!(counts(step, guess), Counts::Goes) {
                    continue;
                }
                waiting[source] = waiting[source].saturating_sub(1);
                if one_is_enough || waiting[source] == 0 {
                    fixed[source] = true;
                    values[source] = spread;
                    pending.push(source as u32);
                }
            }
        }
        if self.fair != 0 && is_endless {
            self.only_fair(!spread, guess, &fixed, before, &mut values);
        }
        values
    }

    /// Of the cells with a value that an endless path gives them, those keep it that have a fair path.
    ///
    /// Such a path comes to a settled cell with that value, or stays in a component that has, for each assumption, a
    /// cell without a step of it, or such a step.
    fn only_fair(
        &self,
        kept: bool,
        guess: bool,
        fixed: &[bool],
        (first, sources): &Predecessors,
        values: &mut [bool],
    ) {
        let on_the_way = |cell: usize| values[cell] == kept && !fixed[cell];
        let following = |cell: u32| -> Vec<(u32, u64)> {
            let cell = cell as usize;
            if !on_the_way(cell) {
                return Vec::new();
            }
            let steps = self.cells[cell].steps.clone();
            let steps = &self.steps[steps.start as usize..steps.end as usize];
            let goes = steps
                .iter()
                .filter(|it| matches!(counts(it, guess), Counts::Goes));
            let goes = goes.filter_map(|it| Some((it.to?, it.fair)));
            goes.filter(|&(to, _)| on_the_way(to as usize)).collect()
        };
        let mut pending: Vec<u32> = Vec::new();
        let mut stays = vec![false; self.cells.len()];
        for (cell, stays) in stays.iter_mut().enumerate() {
            *stays = values[cell] == kept && fixed[cell];
            if *stays {
                pending.push(cell as u32);
            }
        }
        for component in fair_components(self.cells.len(), self.fair, &following, &|cell| {
            self.cells[cell as usize].idle
        }) {
            for cell in component {
                stays[cell as usize] = true;
                pending.push(cell);
            }
        }
        while let Some(cell) = pending.pop() {
            let range = first[cell as usize] as usize..first[cell as usize + 1] as usize;
            for &(source, position) in &sources[range] {
                let step = &self.steps[position as usize];
                let goes = matches!(counts(step, guess), Counts::Goes);
                if goes && on_the_way(source as usize) && !stays[source as usize] {
                    stays[source as usize] = true;
                    pending.push(source);
                }
            }
        }
        for (value, stays) in values.iter_mut().zip(stays) {
            if *value == kept && !stays {
                *value = !kept;
            }
        }
    }
}
