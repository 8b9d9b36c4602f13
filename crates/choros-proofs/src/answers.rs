//! Questions about a model, answered: by exploration, or for all data.

use choros_base::Diagnostic;
use choros_check::{AbstractLabels, UnfoldedLts, UnfoldingBounds, check, cmc_text, unused_rules};
use choros_forall::{Asked, answer};
use choros_model::lts::Lts;
use choros_query::socl::diagnostics::rule_never_matches;
use choros_query::socl::vacuity_warnings;
use choros_report::answers::{AnsweredQuestion, RunNotes, Stop, Verification};
use choros_workspace::{
    OpenGraph, PosedQuestions, Settings, VerifyRequest, Workspace, questions_or_open,
};

/// Opens the model, reads the questions and answers them; a graph whose data have no end is answered for all of them.
pub fn answered_questions(
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Verification, Stop> {
    let explored = |system: &mut dyn Lts, posed: &mut PosedQuestions, run: &mut RunNotes| {
        explored(system, posed, request, settings, &mut run.findings)
    };
    let for_all = |workspace: &mut Workspace<'_>, open: OpenGraph, run: &mut RunNotes| {
        for_all(workspace, open, request, settings, run)
    };
    questions_or_open(workspace, request, settings, run, explored, for_all)
}

/// Answers by exploration.
fn explored(
    system: &mut dyn Lts,
    posed: &mut PosedQuestions,
    request: &VerifyRequest,
    settings: &Settings,
    findings: &mut Vec<Diagnostic>,
) -> Verification {
    let bounds = UnfoldingBounds {
        max_states: settings.max_states,
        depth: request.depth,
        budget: settings.until_cancelled(),
    };
    let names = &mut posed.names;
    let mut graph = UnfoldedLts::new(system, bounds);
    let mut sets: Vec<AbstractLabels> = posed
        .rule_sets
        .iter()
        .map(|abstraction| AbstractLabels::new(abstraction.clone(), posed.state_labels))
        .collect();
    let mut verification = Verification::default();
    for asked in &posed.asked {
        settings.events.doing(format!("checking `{}`", asked.name));
        let labels = &mut sets[asked.rules];
        let checked = check(&mut graph, labels, names, &asked.formula, request.arity());
        let checked = checked.with_labels_if(request.labels, &graph);
        let warnings = vacuity_warnings(&asked.name, &asked.formula, &checked.vacuous, names);
        findings.extend(warnings);
        let explanation = checked.explanation.filter(|_| request.cmc_style);
        verification.questions.push(AnsweredQuestion {
            name: asked.name.clone(),
            verdict: checked.verdict,
            states: u64::from(checked.states),
            transitions: u64::from(checked.transitions),
            explanation: explanation.map(|it| cmc_text(&it, &mut graph)),
        });
    }
    for labels in &mut sets {
        for unused in unused_rules(&mut graph, labels, names) {
            let text = unused.rule.print(names);
            let found = rule_never_matches::diagnostic(unused.rule.span, &text, unused.hint);
            let known = |known: &Diagnostic| known.primary() == found.primary();
            if !findings.iter().any(known) {
                findings.push(found);
            }
        }
    }
    verification
}

/// Answers for all data.
fn for_all(
    workspace: &mut Workspace<'_>,
    open: OpenGraph,
    request: &VerifyRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Verification, Stop> {
    let mut solver = settings.solver();
    let OpenGraph { stg, mut posed, .. } = open;
    let mut verification = Verification::default();
    for asked in &posed.asked {
        settings.events.doing(format!("solving `{}`", asked.name));
        let mut question = Asked {
            formula: &asked.formula,
            abstraction: &posed.rule_sets[asked.rules],
            arity: request.arity(),
            names: &mut posed.names,
        };
        let found = answer(
            &stg,
            &mut question,
            &mut workspace.terms,
            &mut solver,
            // Of its own: what else is asked must not decide an answer.
            &settings.steps(1),
        )
        .map_err(|error| Stop::World(error.to_string()))?;
        let (name, names) = (asked.name.clone(), &posed.names);
        let warnings = vacuity_warnings(&name, &asked.formula, &found.vacuous, names);
        run.findings.extend(warnings);
        let sizes = (found.nodes, found.edges);
        let answered = AnsweredQuestion::for_all(name, found.verdict, sizes);
        verification.questions.push(answered);
    }
    settings.name_solver(&solver, &mut run.semantics);
    Ok(verification)
}
