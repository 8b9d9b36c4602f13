//! From a model and what is asked of it to a tree and a suite.

use choros_base::has_errors;
use choros_report::answers::{RunNotes, Stop};
use choros_suite::SymbolicTestOptions;
use choros_symex::{CoverageCriterion, DerivedTests, Prepared};

use super::load::{load_contracts, load_orchestration, load_purpose, load_words};
use crate::diagnostics::{state_bound, symbolic_option};
use crate::{Request, Settings, Workspace};

/// Reads everything, makes the product, executes it, and chooses a suite: the tests of `tests` and of `drive`.
pub fn derive(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &SymbolicTestOptions,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<DerivedTests, Stop> {
    let prepared = prepare(workspace, request, asked, settings, run)?;
    let name = prepared.orchestration.name.clone();
    let mut solver = settings.solver();
    settings.events.doing(format!("executing `{name}`"));
    let (budget, terms) = (settings.states(), &mut workspace.terms);
    let derived = prepared.derive(&asked.derivation, &budget, &mut solver, terms);
    settings.name_solver(&solver, &mut run.semantics);
    let derived = derived.map_err(|error| Stop::World(error.to_string()))?;
    run.findings.append(&mut derived.cuts(terms));
    if let Some(spent) = derived.tree.stopped {
        let what = format!("the tree of {name}");
        run.findings
            .push(state_bound::cut(&what, &spent.to_string()));
    }
    run.interrupted = settings.is_cancelled();
    Ok(derived)
}

/// Reads everything and makes the product; nothing is searched yet.
pub(super) fn prepare(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &SymbolicTestOptions,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Prepared, Stop> {
    let mut orchestration = load_orchestration(workspace, request, asked, settings, run)?;
    if asked.play_all {
        orchestration.play_all();
    }
    let purpose = match &asked.purpose {
        Some(path) => {
            let purpose = (&path[..], asked.role.as_deref());
            Some(load_purpose(workspace, purpose, &mut orchestration, run)?)
        }
        None => None,
    };
    for path in &asked.contracts {
        load_contracts(workspace, path, &mut orchestration, run);
    }
    let words = match &asked.words {
        Some(path) => load_words(workspace, path, run),
        None => Vec::new(),
    };
    if asked.derivation.coverage == CoverageCriterion::Purpose && purpose.is_none() {
        let message = "`--coverage purpose` needs a purpose: `--purpose FILE.tp`";
        run.findings.push(symbolic_option::diagnostic(message));
    }
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    let depth = ("depth".to_owned(), u64::from(asked.derivation.depth));
    run.semantics.bounds.extend([depth]);
    let terms = &mut workspace.terms;
    Ok(Prepared::new(
        orchestration,
        purpose,
        asked.actions,
        words,
        terms,
    ))
}
