//! From a model and what is asked of it to a tree and a suite.

use std::sync::Arc;

use choros_base::has_errors;
use choros_query::purpose::Purpose;
use choros_report::Report;
use choros_symex::diagnostics::{silent_loop, undecided_path};
use choros_symex::{
    Candidates, CoverageCriterion, Derived, Execution, Graph, Orchestration, PurposeActions, Rules,
    Selection, Suite, Tree, execute, product, prune, select,
};

use super::load::{Service, load_contracts, load_orchestration, load_purpose, load_words};
use crate::diagnostics::{state_bound, symbolic_option};
use crate::{Request, Settings, Workspace};

/// What is asked of a model by symbolic execution.
#[derive(Debug, Clone)]
pub struct SymbolicTesting {
    /// The role of a choreography that is under test.
    pub role: Option<String>,
    /// The partner who is the user.
    pub user: Option<String>,
    /// The partners whom the tester plays; where none are named, the user, or all where there is no user.
    pub play: Vec<String>,
    /// All partners are played, whoever is named.
    pub play_all: bool,
    /// The file of a test purpose.
    pub purpose: Option<String>,
    /// Whose actions come first where model and purpose take a step together.
    pub actions: PurposeActions,
    /// Files of contracts.
    pub contracts: Vec<String>,
    /// A file of words: strings from outside are among them.
    pub words: Option<String>,
    /// How many events a path may have, silent ones not counted.
    pub depth: u32,
    /// What the suite has to cover.
    pub coverage: CoverageCriterion,
    /// Only paths that end with termination.
    pub only_terminating: bool,
    /// Paths that end before the service has ended are tests too.
    pub incomplete: bool,
    /// Nodes that are included in earlier ones are not followed.
    pub inclusion: bool,
}

/// So many silent steps in a row are followed; nothing but a loop has more.
const SILENT: u32 = 256;

impl Default for SymbolicTesting {
    fn default() -> Self {
        SymbolicTesting {
            role: None,
            user: None,
            play: Vec::new(),
            play_all: false,
            purpose: None,
            actions: PurposeActions::First,
            contracts: Vec::new(),
            words: None,
            depth: 10,
            coverage: CoverageCriterion::Transitions,
            only_terminating: false,
            incomplete: false,
            inclusion: false,
        }
    }
}

/// Reads everything, makes the product, executes it, and chooses a suite: the tests of `tests` and of `drive`.
///
/// `None` where something is wrong, which the report says.
pub fn derive(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &SymbolicTesting,
    settings: &Settings,
    report: &mut Report,
) -> Option<Derived> {
    let prepared = prepare(workspace, request, asked, settings, report)?;
    let (orchestration, graph) = (&prepared.orchestration, &prepared.graph);
    let mut solver = settings.solver();
    settings
        .events
        .doing(format!("executing `{}`", orchestration.name));
    let budget = settings.states();
    let execution = Execution {
        depth: asked.depth,
        silent: SILENT,
        inclusion: asked.inclusion,
        rules: prepared.rules(),
        budget: &budget,
    };
    let tree = execute(graph, &execution, &mut solver, &mut workspace.terms);
    settings.name_solver(&solver, &mut report.semantics);
    let tree = match tree {
        Ok(tree) => tree,
        Err(error) => {
            report.world_failed = Some(error.to_string());
            return None;
        }
    };
    tell_cuts(&orchestration.name, graph, &tree, workspace, report);
    let candidates = Candidates {
        only_terminating: asked.only_terminating,
        incomplete: asked.incomplete,
        only_accepted: prepared.purpose.is_some(),
        played: &orchestration.played,
    };
    let selection = select(graph, &tree, asked.coverage, candidates);
    let terms = &mut workspace.terms;
    let tests = &selection.tests;
    let mut suite = Suite::of(graph, &tree, tests, &orchestration.interface, terms);
    let added = suite.add_edges(&tree, tests, terms, &mut solver);
    settings.name_solver(&solver, &mut report.semantics);
    if let Err(error) = added {
        report.world_failed = Some(error.to_string());
        return None;
    }
    report.interrupted = settings.is_cancelled();
    Some(prepared.derived(tree, selection, suite))
}

/// A model and a purpose that were read, and their product.
pub(super) struct Prepared {
    pub(super) orchestration: Orchestration,
    purpose: Option<Purpose>,
    pub(super) graph: Graph,
    unpruned: Option<Graph>,
    words: Vec<Arc<str>>,
}

impl Prepared {
    pub(super) fn rules(&self) -> Rules<'_> {
        Rules {
            interface: Some(&self.orchestration.interface),
            words: &self.words,
        }
    }

    pub(super) fn derived(self, tree: Tree, selection: Selection, suite: Suite) -> Derived {
        Derived {
            orchestration: self.orchestration,
            purpose: self.purpose,
            graph: self.graph,
            unpruned: self.unpruned,
            tree,
            selection,
            suite,
            words: self.words,
        }
    }
}

/// Reads everything and makes the product; nothing is searched yet.
pub(super) fn prepare(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &SymbolicTesting,
    settings: &Settings,
    report: &mut Report,
) -> Option<Prepared> {
    let service = Service {
        role: asked.role.as_deref(),
        user: asked.user.as_deref(),
        play: &asked.play,
    };
    let mut orchestration = load_orchestration(workspace, request, &service, settings, report)?;
    if asked.play_all {
        orchestration.play_all();
    }
    let purpose = match &asked.purpose {
        Some(path) => Some(load_purpose(workspace, path, &mut orchestration, report)?),
        None => None,
    };
    for path in &asked.contracts {
        load_contracts(workspace, path, &mut orchestration, report);
    }
    let words = match &asked.words {
        Some(path) => load_words(workspace, path, report),
        None => Vec::new(),
    };
    if asked.coverage == CoverageCriterion::Purpose && purpose.is_none() {
        let message = "`--coverage purpose` needs a purpose: `--purpose FILE.tp`";
        report
            .diagnostics
            .push(symbolic_option::diagnostic(message));
    }
    if has_errors(&report.diagnostics) {
        return None;
    }
    report
        .semantics
        .bounds
        .insert("depth".to_owned(), u64::from(asked.depth));
    let model = Graph::of_model(&orchestration.stg, &mut workspace.terms);
    let (graph, unpruned) = match &purpose {
        None => (model, None),
        Some(purpose) => {
            let whole = product(&model, purpose, asked.actions, &mut workspace.terms);
            // Where no path contains `#`, the tree is a root without tests.
            let pruned = prune(&whole).unwrap_or_else(|| whole.root());
            (pruned, Some(whole))
        }
    };
    Some(Prepared {
        orchestration,
        purpose,
        graph,
        unpruned,
        words,
    })
}

/// Warns of everything that was left out for another reason than the bound that was asked for.
fn tell_cuts(
    name: &str,
    graph: &Graph,
    tree: &Tree,
    workspace: &Workspace<'_>,
    report: &mut Report,
) {
    if let Some(doubt) = tree.doubts.first() {
        let edge = graph.edge(doubt.edge);
        let label = |state: choros_symex::StateId| graph.state(state).label.clone();
        let first = format!(
            "`{} -> {}` under `{}`",
            label(edge.source),
            label(edge.target),
            workspace.terms.print(edge.guard)
        );
        report.diagnostics.push(undecided_path::diagnostic(
            name,
            tree.doubts.len(),
            &first,
            &doubt.reason.to_string(),
        ));
    }
    if tree.silent_cut {
        report
            .diagnostics
            .push(silent_loop::diagnostic(name, SILENT));
    }
    if let Some(spent) = tree.stopped {
        let what = format!("the tree of {name}");
        report
            .diagnostics
            .push(state_bound::cut(&what, &spent.to_string()));
    }
}
