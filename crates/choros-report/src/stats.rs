//! Sizes, with the words that the JSON form fixes.

use choros_model::lts::LtsCounts;
use choros_model::stg::Stg;

/// What is counted. The order here is the order in reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stat {
    /// Nodes of a graph or states of a system.
    States,
    /// Distinct source, concrete label, target.
    Transitions,
    /// States without successor that have not properly ended.
    Deadlocks,
    /// Distinct operation, sender, receiver.
    Messages,
    /// Participants.
    Roles,
    /// Messages that one service saw.
    Observations,
    /// Variables whose values are fixed before a run.
    Parameters,
    /// Distinct sequences of messages from the start to an end.
    Traces,
    /// Observations of messages that the model does not speak of.
    Filtered,
    /// Transitions that can never fire.
    Dead,
    /// Transitions of which that is not known.
    Undecided,
    /// States in which nothing can continue for some data.
    Stuck,
    /// Partially ordered multisets of events.
    Pomsets,
    /// Words of events in which nothing is left to do.
    Linearisations,
    /// Words of events that those begin with.
    Prefixes,
    /// Nodes of a tree.
    Nodes,
    /// Nodes of a tree that nothing was built below.
    Leaves,
    /// Leaves that were reached by termination.
    Terminating,
    /// Tests that a suite has.
    Tests,
    /// Machines with one mistake.
    Mutants,
    /// Mutants that a test found out.
    Killed,
    /// Mutants that do what the machine does.
    Equivalent,
    /// Tests, windows or runs that passed.
    Pass,
    /// Those that failed.
    Fail,
    /// Those of which neither can be said.
    Inconclusive,
}

impl Stat {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Stat::States => "states",
            Stat::Transitions => "transitions",
            Stat::Deadlocks => "deadlocks",
            Stat::Messages => "messages",
            Stat::Roles => "roles",
            Stat::Observations => "observations",
            Stat::Parameters => "parameters",
            Stat::Traces => "traces",
            Stat::Filtered => "filtered",
            Stat::Dead => "dead",
            Stat::Undecided => "undecided",
            Stat::Stuck => "stuck",
            Stat::Pomsets => "pomsets",
            Stat::Linearisations => "linearisations",
            Stat::Prefixes => "prefixes",
            Stat::Nodes => "nodes",
            Stat::Leaves => "leaves",
            Stat::Terminating => "terminating",
            Stat::Tests => "tests",
            Stat::Mutants => "mutants",
            Stat::Killed => "killed",
            Stat::Equivalent => "equivalent",
            Stat::Pass => "pass",
            Stat::Fail => "fail",
            Stat::Inconclusive => "inconclusive",
        }
    }
}

impl std::fmt::Display for CountedNoun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = self.0.word();
        match (self.1, word.strip_suffix('s')) {
            (1, Some(singular)) => write!(f, "1 {singular}"),
            (count, _) => write!(f, "{count} {word}"),
        }
    }
}

/// A number of something in words: `1 message`, `4 states`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedNoun(pub Stat, pub u64);

/// Some sizes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    entries: std::collections::BTreeMap<Stat, u64>,
}

impl Stats {
    /// The sizes of a graph.
    pub fn of_graph(stg: &Stg) -> Stats {
        let counts = stg.counts();
        // Nodes that nothing leaves and that may not terminate.
        let deadlocks = stg.node_ids().filter(|&node| stg.is_stuck(node)).count();
        Stats::default()
            .with(Stat::States, counts.states)
            .with(Stat::Transitions, counts.transitions)
            .with(Stat::Deadlocks, deadlocks)
            .with(Stat::Messages, counts.messages)
    }

    /// The sizes of a system of states.
    pub fn of_system(counts: LtsCounts) -> Stats {
        Stats::default()
            .with(Stat::States, counts.states)
            .with(Stat::Transitions, counts.transitions)
            .with(Stat::Deadlocks, counts.deadlocks)
    }

    /// The same with one more.
    #[must_use]
    pub fn with(mut self, stat: Stat, count: usize) -> Self {
        self.entries.insert(stat, count as u64);
        self
    }

    /// Adds each size of `other` to the one here.
    pub fn add(&mut self, other: &Stats) {
        for (&stat, count) in &other.entries {
            *self.entries.entry(stat).or_default() += count;
        }
    }

    /// A size, if it was counted.
    pub fn get(&self, stat: Stat) -> Option<u64> {
        self.entries.get(&stat).copied()
    }

    /// All, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (Stat, u64)> + '_ {
        self.entries.iter().map(|(&stat, &count)| (stat, count))
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
