//! Certificates of answers for all data.

use choros_base::Names;
use choros_certify::{AskedFormula, check_for_all, verdict};
use choros_forall::{Asked, answer};
use choros_model::Verdict;
use choros_model::stg::Stg;
use choros_query::abstraction::StateLabels;
use choros_report::answers::{Certification, RunNotes, Stop};
use choros_report::{ProofMistake, SavedForAll, SavedProof};
use choros_workspace::{
    OpenGraph, PosedQuestion, PosedQuestions, Settings, VerifyRequest, Workspace,
};

use crate::STEPS_PER_STATE;

/// What shows the answers to the questions about a graph, read back and checked once more; or why nothing does.
pub(crate) fn prove(
    workspace: &mut Workspace<'_>,
    open: OpenGraph,
    request: &VerifyRequest,
    settings: &Settings,
) -> Result<SavedProof, String> {
    let OpenGraph { stg, mut posed, .. } = open;
    let terms = &mut workspace.terms;
    let mut saved = Vec::new();
    for asked in &posed.asked {
        let mut question = Asked {
            formula: &asked.formula,
            abstraction: &posed.rule_sets[asked.rules],
            arity: request.arity(),
            names: &mut posed.names,
            fair: &asked.fair,
        };
        let (mut solver, budget) = (settings.solver(), settings.steps(1));
        let found = answer(&stg, &mut question, terms, &mut solver, &budget);
        let found = found.map_err(|it| it.to_string())?;
        let Some(proof) = found.proof else {
            return Err(format!("`{}` was not settled", asked.name));
        };
        saved.push(SavedForAll::of(&asked.formula, &proof, &posed.names, terms));
    }
    let saved = SavedProof::of_all_data(&stg, saved, terms);
    let mut run = settings.run();
    match check(
        workspace, &stg, &mut posed, &saved, request, settings, &mut run,
    ) {
        Ok(Ok(found)) if matches!(found.verdict, Verdict::Holds(_)) => Ok(saved),
        Ok(Err(mistake)) => Err(format!("it could not be read back: {mistake}")),
        Ok(Ok(_)) | Err(_) => {
            Err("what was written could not be confirmed after it was read back".to_owned())
        }
    }
}

/// Checks what a certificate says of the questions about a graph.
pub(crate) fn check(
    workspace: &mut Workspace<'_>,
    stg: &Stg,
    posed: &mut PosedQuestions,
    proof: &SavedProof,
    request: &VerifyRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Result<Certification, ProofMistake>, Stop> {
    let terms = &mut workspace.terms;
    let mut solver = settings.solver();
    let budget = settings.steps(STEPS_PER_STATE);
    let saved = match proof.all_data(stg, posed.asked.len(), terms) {
        Ok(saved) => saved,
        Err(mistake) => return Ok(Err(mistake)),
    };
    let mut claims = Vec::new();
    let mut checked = Ok(());
    let mut done = [0; 3];
    for (asked, saved) in posed.asked.iter().zip(saved) {
        let names = &mut posed.names;
        let proof = match saved.read(stg, &asked.formula, names, terms) {
            Ok(proof) => proof,
            Err(mistake) => return Ok(Err(mistake)),
        };
        let question = AskedFormula {
            formula: &asked.formula,
            abstraction: &posed.rule_sets[asked.rules],
            state_labels: StateLabels::Steps,
            arity: request.arity(),
            fair: &asked.fair,
        };
        claims.push(in_words(asked, &saved.condition, names));
        let one = check_for_all(stg, &question, &proof, names, terms, &mut solver, &budget);
        let one = one.map_err(|error| Stop::World(error.to_string()))?;
        if let Ok(one) = &one {
            let numbers = [one.obligations, one.questions, one.for_some_value];
            for (sum, number) in done.iter_mut().zip(numbers) {
                *sum += number;
            }
        }
        checked = checked.and(one.map(drop));
    }
    settings.name_solver(&solver, &mut run.semantics);
    let [obligations, questions, for_some] = done;
    if checked.is_ok() {
        run.note(format!(
            "{obligations} obligations, {questions} of them for the solver"
        ));
        if for_some > 0 {
            run.note(format!(
                "{for_some} choices of a step leave the value to the solver"
            ));
        }
    }
    Ok(Ok(Certification {
        number: None,
        claim: claims.join(", "),
        verdict: verdict(checked, "each set is as it should be"),
    }))
}

fn in_words(asked: &PosedQuestion, condition: &str, names: &Names) -> String {
    let name = &asked.name;
    let claim = match condition {
        "true" => format!("`{name}` holds for all data"),
        "false" => format!("`{name}` does not hold, whatever the parameters"),
        condition => format!("`{name}` holds if {condition}, and does not hold otherwise"),
    };
    if asked.fair.is_empty() {
        return claim;
    }
    let fair: Vec<String> = asked.fair.iter().map(|it| it.print(names)).collect();
    format!("{claim} assuming fair {}", fair.join(", "))
}
