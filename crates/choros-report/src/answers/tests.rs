//! Which tests does the model imply?

use choros_base::{FileSet, Span};
use choros_data::{Notation, Term, Terms};
use choros_model::Evidence;
use choros_model::evidence::{Table, Trace};

use super::Present;
use super::counted::counted;
use crate::{Block, NamedResult, Plot, Sizes, Stat, Stats};

/// The answer of `tests`.
#[derive(Debug, Default)]
pub struct Tests {
    /// The components under test, in the order of the model.
    pub components: Vec<TestsOf>,
    /// What can be written to a disk.
    pub files: TestFiles,
}

#[derive(Debug, Default)]
pub struct TestFiles {
    /// The tests in the form that was asked for.
    pub suite: FileSet,
    /// One script per path, with its condition, for other solvers.
    pub scripts: FileSet,
    /// The tree of paths, in the form that was asked for.
    pub tree: Option<String>,
}

/// The tests of one component.
#[derive(Debug)]
pub enum TestsOf {
    /// Its partners are machines.
    Machines {
        /// The component.
        role: String,
        /// Those of this role, in the order in which they were made.
        tests: Vec<RoleTest>,
        /// Whether these are all; not if the work was stopped.
        is_complete: bool,
    },
    /// They are paths of its tree.
    Paths(Box<PathTests>),
}

/// A test whose partners are machines.
#[derive(Debug, Clone)]
pub struct RoleTest {
    /// What it is called.
    pub name: String,
    /// What the machines decide, in words.
    pub decisions: String,
    /// Whether the model's own machine passes; nothing where that was not decided.
    pub is_suitable: Option<bool>,
    /// What success means, where that is not the end of everything.
    pub about: Option<String>,
}

/// The paths that test a component.
#[derive(Debug)]
pub struct PathTests {
    /// The component.
    pub name: String,
    /// One for each path that was chosen.
    pub tests: Vec<PathTest>,
    /// Runs with concrete values, and the values at the boundaries of guards, are part of the answer.
    pub is_concrete: bool,
    /// The tree that the paths were chosen from.
    pub tree: TreeSize,
    /// How much of the model they cover.
    pub covered: Coverage,
    /// Conditions leave out what the types of messages ask for.
    pub are_types_left_out: bool,
}

#[derive(Debug)]
pub struct PathTest {
    /// What it is called.
    pub name: String,
    /// What happens on it.
    pub events: Vec<String>,
    /// What its data have to satisfy: all of these, over the symbols of the path.
    pub condition: Vec<Term>,
    /// A run with values that takes it.
    pub run: Trace,
    /// Values at which one atom of a guard decides.
    pub edges: Vec<EdgeValues>,
}

/// Values at the edge of a guard.
#[derive(Debug)]
pub struct EdgeValues {
    /// What is special about them.
    pub condition: Term,
    /// What the tester sends.
    pub sent: Vec<String>,
}

/// How large a tree is.
#[derive(Debug, Clone, Copy)]
pub struct TreeSize {
    pub nodes: usize,
    /// Those that nothing follows.
    pub leaves: usize,
    /// Leaves at which the service has ended.
    pub terminating: usize,
    /// Whether no bound cut it.
    pub is_complete: bool,
}

/// How much of the model is covered.
#[derive(Debug, Clone)]
pub struct Coverage {
    /// What counts, in words: `transitions`.
    pub what: &'static str,
    /// How many there are.
    pub items: usize,
    /// How many more there are that no run can reach.
    pub infeasible: usize,
    /// Those that no test covers.
    pub missing: Vec<String>,
    /// Where the steps of the model are written, and how many tests take each.
    pub places: Vec<(Span, usize)>,
    /// How much is covered after each test.
    pub growth: Vec<usize>,
}

impl Present for Tests {
    const VERB: &'static str = "tests";

    fn is_made_of_messages(&self) -> bool {
        true
    }

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        let components = self.components.into_iter();
        components
            .map(|component| match component {
                TestsOf::Machines {
                    role,
                    tests,
                    is_complete,
                } => of_machines(role, &tests, is_complete),
                TestsOf::Paths(paths) => of_paths(*paths, terms),
            })
            .collect()
    }
}

fn of_machines(name: String, tests: &[RoleTest], complete: bool) -> NamedResult {
    let has_parts = tests.iter().any(|test| test.about.is_some());
    let mut columns = vec!["test", "decisions", "suitable"];
    columns.extend(has_parts.then_some("about"));
    let rows = tests.iter().map(|test| {
        let decisions = match test.decisions.as_str() {
            "" => "none",
            decisions => decisions,
        };
        let suitable = match test.is_suitable {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not decided",
        };
        let mut row = vec![test.name.as_str(), decisions, suitable];
        row.extend(has_parts.then(|| test.about.as_deref().unwrap_or_default()));
        row.into_iter().map(str::to_owned).collect()
    });
    let table = table(&columns, rows.collect());
    let suitable = tests.iter().filter(|it| it.is_suitable == Some(true));
    let (count, suitable) = (tests.len(), suitable.count());
    NamedResult {
        name,
        sizes: Sizes {
            stats: Stats::default().with(Stat::Tests, count),
            complete,
        },
        blocks: vec![
            table,
            Block::Line(format!("tests: {count}, suitable: {suitable}")),
        ],
        ..NamedResult::default()
    }
}

fn of_paths(of: PathTests, terms: &Terms) -> NamedResult {
    let separator = match terms.notation {
        Notation::Calculus => " ",
        Notation::Native => "; ",
    };
    let rows = of.tests.iter().map(|test| {
        let condition = condition_text(&test.condition, terms);
        vec![test.name.clone(), test.events.join(separator), condition]
    });
    let mut blocks = vec![table(&["test", "events", "condition"], rows.collect())];
    if of.is_concrete {
        blocks.extend(concrete(&of.tests, terms));
    }
    let TreeSize {
        nodes,
        leaves,
        terminating,
        is_complete,
    } = of.tree;
    blocks.push(Block::Line(format!(
        "tree: {}, {}, {terminating} of them terminating",
        counted(nodes as u64, "node", "nodes"),
        counted(leaves as u64, "leaf", "leaves"),
    )));
    if of.are_types_left_out {
        let note = "conditions are shown without the constraints from message types";
        blocks.push(Block::Line(note.to_owned()));
    }
    let Coverage {
        what,
        items,
        infeasible,
        missing,
        places: _,
        growth,
    } = of.covered;
    let reached = items - missing.len();
    let more = match infeasible {
        0 => String::new(),
        more => format!("; {more} more cannot be reached"),
    };
    let line = format!("covered: {reached} of {items} {what}{more}");
    blocks.push(Block::Line(line));
    let growth = (1..).zip(growth).map(|(test, count)| (test, count as u64));
    let curves = vec![(what, false, growth.collect())];
    let plot = Plot::of_counts(&format!("{what} covered"), "test", curves);
    blocks.extend(plot.map(|it| Block::Plot(Box::new(it))));
    if !missing.is_empty() {
        let missing = missing.join(", ");
        blocks.push(Block::Line(format!("not covered: {missing}")));
    }
    let edges: usize = of.tests.iter().map(|test| test.edges.len()).sum();
    if edges > 0 {
        let edges = counted(edges as u64, "set of values", "sets of values");
        blocks.push(Block::Line(format!("{edges} at the boundaries of guards")));
    }
    NamedResult {
        name: of.name,
        sizes: Sizes {
            stats: Stats::default()
                .with(Stat::Nodes, nodes)
                .with(Stat::Leaves, leaves)
                .with(Stat::Terminating, terminating)
                .with(Stat::Tests, of.tests.len()),
            complete: is_complete,
        },
        blocks,
        ..NamedResult::default()
    }
}

fn condition_text(condition: &[Term], terms: &Terms) -> String {
    if condition.is_empty() {
        return "true".to_owned();
    }
    let conjuncts = condition.iter().map(|&it| match terms.print(it) {
        text if text.contains(" or ") => format!("({text})"),
        text => text,
    });
    conjuncts.collect::<Vec<_>>().join(" and ")
}

/// One run of each test, and the values at the edges of its guards.
fn concrete(tests: &[PathTest], terms: &Terms) -> Vec<Block> {
    let runs = tests.iter().map(|test| {
        let conclusion = format!("{}: {}", test.name, test.run.conclusion);
        let run = Trace {
            conclusion,
            ..test.run.clone()
        };
        Block::Evidence(Box::new(Evidence::Trace(run)))
    });
    let edges = tests.iter().flat_map(|test| {
        test.edges.iter().map(|edge| {
            let condition = terms.print(edge.condition);
            let sent = edge.sent.join(", ");
            Block::Line(format!("{} where {condition}: {sent}", test.name))
        })
    });
    runs.chain(edges).collect()
}

fn table(columns: &[&str], rows: Vec<Vec<String>>) -> Block {
    let columns = columns.iter().map(|it| (*it).to_owned()).collect();
    Block::Evidence(Box::new(Evidence::Table(Table { columns, rows })))
}
