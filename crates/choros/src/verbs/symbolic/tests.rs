//! Which tests does a model with data imply?

use choros_emit::FileSet;
use choros_model::Evidence;
use choros_report::{Block, NamedResult, Report, Sizes, Stat, Stats};
use choros_symex::{CoverageCriterion, Item, Origin};

use choros_symex::Derived;

use super::derive::{SymbolicTesting, derive};
use super::drawing::{tree_aut, tree_drawing};
use super::evidence::{table, trace};
use super::http::compiled;
use super::save::save;
use crate::diagnostics::nothing_emitted;
use crate::verbs::Picture;
use crate::verbs::draw::drawing_block;
use crate::{Request, Settings, Workspace};

/// How symbolic tests are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SymbolicForm {
    /// As a suite for `choros drive`.
    Json,
    /// As Python for pytest.
    Python {
        /// The file that says how messages look as JSON over HTTP.
        mapping: Option<String>,
    },
}

/// What a run of symbolic tests gives.
#[derive(Debug, Default)]
pub struct SymbolicTests {
    /// The report.
    pub report: Report,
    /// `suite.json`, or a file of tests for pytest.
    pub suite: FileSet,
    /// The tree in the form that was asked for.
    pub tree: Option<String>,
    /// One script per test, with its path condition.
    pub scripts: FileSet,
}

/// Makes the symbolic tests of a model of one role.
pub fn symbolic_tests(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &SymbolicTesting,
    concrete: bool,
    form: &SymbolicForm,
    tree: Option<Picture>,
    settings: &Settings,
) -> SymbolicTests {
    let mut made = SymbolicTests {
        report: Report {
            verb: "tests",
            semantics: settings.semantics(),
            deny_warnings: settings.deny_warnings,
            ..Report::default()
        },
        ..SymbolicTests::default()
    };
    let report = &mut made.report;
    report.semantics.relation = Some("symbolic execution".to_owned());
    let Some(derived) = derive(workspace, request, asked, settings, report) else {
        return made;
    };
    match form {
        SymbolicForm::Json => {
            let saved = save(&derived, request, asked, settings, &workspace.terms);
            made.suite.add("suite.json", saved.to_json());
        }
        SymbolicForm::Python { mapping } => {
            let mapping = mapping.as_deref();
            let suite = compiled(workspace, request, &derived, mapping, settings, report);
            if let Some(suite) = suite {
                for (name, reason) in &suite.left_out {
                    let note = format!("{name} is not emitted: {reason}");
                    report.semantics.notes.push(note);
                }
                if suite.tests.is_empty() {
                    let finding = nothing_emitted::diagnostic(&suite.service, &suite.left_out);
                    report.diagnostics.push(finding);
                } else {
                    made.suite = choros_emit::symbolic::python(&suite);
                }
            }
        }
    }
    let terms = &workspace.terms;
    for test in &derived.selection.tests {
        let text = match derived.tree.smt2(test.end, terms) {
            Ok(text) => text,
            Err(reason) => format!("; {reason}\n"),
        };
        made.scripts.add(&format!("{}.smt2", test.name), text);
    }
    report
        .outcomes
        .push(outcome(&derived, asked, concrete, workspace));
    match tree {
        None => {}
        Some(Picture::Aut) => made.tree = Some(tree_aut(&derived.tree, terms)),
        Some(picture) => {
            let drawing = tree_drawing(&derived.graph.name, &derived.graph, &derived.tree, terms);
            let blocks = drawing_block(drawing, picture, &mut report.diagnostics);
            made.tree = blocks.into_iter().find_map(|block| match block {
                Block::Picture { text, .. } => Some(text),
                _ => None,
            });
        }
    }
    made
}

fn outcome(
    derived: &Derived,
    asked: &SymbolicTesting,
    concrete: bool,
    workspace: &Workspace<'_>,
) -> NamedResult {
    let terms = &workspace.terms;
    let sizes = derived.tree.sizes();
    let mut blocks = vec![Block::Evidence(Box::new(Evidence::Table(table(
        derived, terms,
    ))))];
    if concrete {
        for test in &derived.selection.tests {
            let mut trace = trace(test, &derived.tree, true, terms);
            trace.conclusion = format!("{}: {}", test.name, trace.conclusion);
            blocks.push(Block::Evidence(Box::new(Evidence::Trace(trace))));
        }
        for path in &derived.suite.paths {
            for edge in &path.edges {
                let sent: Vec<String> = edge.sent.iter().map(|it| it.text(terms)).collect();
                let condition = terms.print(edge.condition);
                let line = format!("{} where {condition}: {}", path.name, sent.join(", "));
                blocks.push(Block::Line(line));
            }
        }
    }
    blocks.push(Block::Line(format!(
        "tree: {}, {}, {} of them terminating",
        count(sizes.nodes, "node", "nodes"),
        count(sizes.leaves, "leaf", "leaves"),
        sizes.terminating
    )));
    if derived
        .selection
        .tests
        .iter()
        .any(|test| derived.tree.decisions(test.end) != derived.tree.solved_condition(test.end))
    {
        let note = "conditions are shown without what the types of messages ask for";
        blocks.push(Block::Line(note.to_owned()));
    }
    blocks.extend(covered(derived, asked.coverage).map(Block::Line));
    let edges = derived.suite.paths.iter().map(|path| path.edges.len());
    match edges.sum() {
        0 => {}
        edges => {
            let edges = count(edges, "set of values", "sets of values");
            blocks.push(Block::Line(format!("{edges} at the edges of guards")));
        }
    }
    NamedResult {
        name: derived.graph.name.clone(),
        sizes: Sizes {
            stats: Stats::default()
                .with(Stat::Nodes, sizes.nodes)
                .with(Stat::Leaves, sizes.leaves)
                .with(Stat::Terminating, sizes.terminating)
                .with(Stat::Tests, derived.selection.tests.len()),
            complete: derived.tree.is_complete(),
        },
        blocks,
        ..NamedResult::default()
    }
}

fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

/// How much of the criterion is covered, and what is not.
fn covered(derived: &Derived, criterion: CoverageCriterion) -> impl Iterator<Item = String> {
    let selection = &derived.selection;
    let words = match criterion {
        CoverageCriterion::States => "states",
        CoverageCriterion::Transitions => "transitions",
        CoverageCriterion::Branches => "branches",
        CoverageCriterion::Paths => "paths",
        CoverageCriterion::Purpose => "acceptances",
    };
    let reached = selection.items - selection.missing.len();
    let first = format!("covered: {reached} of {} {words}", selection.items);
    let missing: Vec<String> = selection
        .missing
        .iter()
        .map(|&item| item_text(item, derived))
        .collect();
    let second = (!missing.is_empty()).then(|| format!("not covered: {}", missing.join(", ")));
    std::iter::once(first).chain(second)
}

fn item_text(item: Item, derived: &Derived) -> String {
    let stg = &derived.orchestration.stg;
    let label = |node| stg.node(node).label.clone();
    match item {
        Item::State(node) => label(node),
        Item::Transition(Origin::Edge(id)) => {
            let edge = stg.edge(id);
            format!("{} -> {}", label(edge.source), label(edge.target))
        }
        Item::Transition(Origin::Termination(node, _)) => format!("{} -> √", label(node)),
        Item::Transition(Origin::Purpose) => "a step of the purpose".to_owned(),
        Item::Acceptance(index) => match &derived.purpose {
            Some(purpose) => {
                let edge = &purpose.edges[index];
                format!("# at {}", purpose.states[edge.source].name)
            }
            None => "#".to_owned(),
        },
        Item::Path(node) => format!("the path to node {}", node.0),
    }
}
