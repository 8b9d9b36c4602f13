//! How big is it?

use choros_data::Terms;
use choros_model::Evidence;
use choros_model::evidence::{Trace, Tree};

use super::Present;
use crate::{Block, CountedNoun, GraphDrawing, MachineSafety, NamedResult, Sizes, Stat, Stats};

/// The answer of `explore` about one component or file.
#[derive(Debug, Clone, Default)]
pub struct Exploration {
    /// Its name, or its path.
    pub name: String,
    /// How many states, transitions and so on.
    pub stats: Stats,
    /// Whether a bound cut it.
    pub is_cut: bool,
    /// The nearest states of services that nothing follows.
    pub deadlocks: Vec<Deadlock>,
    /// What is wrong with machines, each with a run to it.
    pub defects: Vec<Tree>,
    /// What is said of machines beside the sizes.
    pub safety: Option<MachineSafety>,
    /// What was drawn, in the form that was asked for.
    pub pictures: Vec<Block>,
    /// What was explored, for reports with pictures.
    pub drawings: Vec<GraphDrawing>,
}

/// A state that nothing follows.
#[derive(Debug, Clone)]
pub struct Deadlock {
    /// Its name.
    pub state: String,
    pub left: String,
    /// A shortest run to it.
    pub run: Trace,
}

impl Exploration {
    fn size(&self, stat: Stat) -> u64 {
        self.stats.get(stat).unwrap_or_default()
    }

    fn deadlock_blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        if self.deadlocks.is_empty() {
            return blocks;
        }
        let counted = |stat| CountedNoun(stat, self.size(stat));
        blocks.push(Block::Line(format!(
            "{}: {}, {}, {}",
            self.name,
            counted(Stat::States),
            counted(Stat::Transitions),
            counted(Stat::Deadlocks)
        )));
        for (position, deadlock) in self.deadlocks.iter().enumerate() {
            let Deadlock { state, left, run } = deadlock;
            if position == 0 {
                blocks.push(Block::Evidence(Box::new(Evidence::Trace(Trace {
                    conclusion: format!("deadlock in {state}: {left}"),
                    ..run.clone()
                }))));
                continue;
            }
            let steps = match run.steps.len() {
                1 => "one step".to_owned(),
                steps => format!("{steps} steps"),
            };
            let text = format!("deadlock in {state} after {steps}: {left}");
            blocks.push(Block::Line(text));
        }
        let further = self.size(Stat::Deadlocks) - self.deadlocks.len() as u64;
        if further > 0 {
            blocks.push(Block::Line(format!("{further} further deadlocks")));
        }
        blocks
    }

    fn defect_blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        if self.defects.is_empty() {
            return blocks;
        }
        blocks.push(Block::Line(format!(
            "{}: configurations {}, transitions {}, unsafe {}",
            self.name,
            self.size(Stat::States),
            self.size(Stat::Transitions),
            self.size(Stat::Deadlocks)
        )));
        let defects = self.defects.iter().cloned();
        blocks.extend(defects.map(|it| Block::Evidence(Box::new(Evidence::Tree(it)))));
        blocks
    }
}

impl Present for Exploration {
    const VERB: &'static str = "explore";

    fn outcomes(self, _: &Terms) -> Vec<NamedResult> {
        let mut blocks = self.deadlock_blocks();
        blocks.extend(self.defect_blocks());
        blocks.extend(self.pictures);
        vec![NamedResult {
            name: self.name,
            sizes: Sizes {
                stats: self.stats,
                complete: !self.is_cut,
            },
            safety: self.safety.map(Box::new),
            blocks,
            models: self.drawings,
            ..NamedResult::default()
        }]
    }
}
