//! What does a command of a script say?

use choros_data::{Term, Terms};
use choros_model::stg::{DotMarks, Stg};
use choros_realize::{Liveness, Reachability};

use super::{Conformance, GraphRealizability, Present, Projections, silence};
use crate::{Block, CountedNoun, GraphDrawing, NamedResult, Sizes, Stat, Stats};

/// The answer of `script` about one command and component.
#[derive(Debug, Clone)]
pub struct CommandAnswer {
    /// The command, with the component that it is about.
    pub command: String,
    pub shown: CommandOutput,
}

/// What a command shows.
#[derive(Debug, Clone)]
pub enum CommandOutput {
    /// `showTime`.
    Time(String),
    /// `showStat`.
    Stats(Stats),
    /// `showSTG`.
    Graph(Stg),
    /// `showReachableSTG`: a graph, what is known about it, and what is left of it.
    Reachable(Box<(Stg, Reachability, Stg)>),
    /// `showRealizableSTG`.
    Realizable(Box<GraphRealizability>),
    /// `projection`.
    Projections(Projections),
    /// What `conformance` finds.
    Conformance(Box<Conformance>),
}

impl Present for CommandAnswer {
    const VERB: &'static str = "script";

    fn doubt(&mut self, is_about_nothing: &dyn Fn(&str) -> bool) {
        if !is_about_nothing(&self.command) {
            return;
        }
        match &mut self.shown {
            CommandOutput::Realizable(answer) => answer.doubt(),
            CommandOutput::Conformance(answer) => silence::doubt(&mut answer.verdict),
            CommandOutput::Time(_)
            | CommandOutput::Stats(_)
            | CommandOutput::Graph(_)
            | CommandOutput::Reachable(_)
            | CommandOutput::Projections(_) => {}
        }
    }

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        let mut outcomes = match self.shown {
            CommandOutput::Projections(projections) => {
                return Projections {
                    name: self.command,
                    is_one_of_several: true,
                    ..projections
                }
                .outcomes(terms);
            }
            CommandOutput::Conformance(answer) => answer.outcomes(terms),
            CommandOutput::Realizable(answer) => vec![realizable(*answer, terms)],
            CommandOutput::Reachable(shown) => vec![reachable(*shown, terms)],
            CommandOutput::Time(now) => vec![shown(vec![Block::Line(now)])],
            CommandOutput::Graph(stg) => vec![shown(vec![drawing(&stg, terms)])],
            CommandOutput::Stats(stats) => {
                let counted = stats.iter().filter(|(stat, _)| *stat != Stat::Deadlocks);
                let words: Vec<String> = counted
                    .map(|(stat, count)| CountedNoun(stat, count).to_string())
                    .collect();
                let mut outcome = shown(vec![Block::Line(words.join(", "))]);
                outcome.sizes.stats = stats;
                vec![outcome]
            }
        };
        for outcome in &mut outcomes {
            outcome.name.clone_from(&self.command);
        }
        outcomes
    }
}

fn shown(blocks: Vec<Block>) -> NamedResult {
    NamedResult {
        blocks,
        ..NamedResult::default()
    }
}

fn drawing(stg: &Stg, terms: &Terms) -> Block {
    let drawing = GraphDrawing::of_stg(stg, &DotMarks::default(), terms);
    Block::Graph(Box::new(drawing))
}

fn realizable(answer: GraphRealizability, terms: &Terms) -> NamedResult {
    let picture = drawing(answer.found.repaired(), terms);
    let mut outcome = answer.outcome(terms);
    outcome.blocks.insert(0, picture);
    // It shows something and asks nothing; both verdicts stand beside the picture.
    outcome.answer = None;
    outcome
}

fn reachable((stg, found, rest): (Stg, Reachability, Stg), terms: &Terms) -> NamedResult {
    let mut blocks = vec![drawing(&rest, terms)];
    blocks.extend(removed(&stg, &found, terms).into_iter().map(Block::Line));
    NamedResult {
        blocks,
        sizes: Sizes {
            stats: Stats::of_graph(&rest).with(Stat::Dead, found.dead_edges().count()),
            complete: found.cut.is_none(),
        },
        ..NamedResult::default()
    }
}

/// What was removed, one line each.
fn removed(stg: &Stg, found: &Reachability, terms: &Terms) -> Vec<String> {
    let dead = found.dead_edges().map(|id| stg.edge(id));
    let mut lines: Vec<String> = dead
        .map(|edge| {
            let guard = match edge.guard {
                Term::TRUE => String::new(),
                guard => format!("[{}] ", terms.print(guard)),
            };
            let [source, target] = [edge.source, edge.target].map(|it| &stg.node(it).label);
            let event = edge.event.shown(terms);
            format!("removed: {source} -> {target}  {guard}{event}")
        })
        .collect();
    if lines.is_empty() {
        lines.push("nothing removed".to_owned());
    }
    let edges = found.edges.iter();
    let undecided = edges
        .filter(|it| matches!(it, Liveness::Undecided(_)))
        .count();
    if undecided > 0 {
        lines.push(format!("kept without proof: {undecided} transitions"));
    }
    lines
}
