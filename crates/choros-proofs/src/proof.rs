//! Certificates of answers, made from what the engines found and checked before anyone gets them.

use choros_base::{Budget, Choice, Diagnostic};
use choros_certify::{check_conformance, sides};
use choros_check::{AbstractLabels, UnfoldedLts, UnfoldingBounds, judgements};
use choros_conform::{Conformance, Setup, conformance_proof};
use choros_data::Terms;
use choros_model::cfsm::{Channels, Discipline, Reduction, System};
use choros_model::lts::Lts;
use choros_model::stg::Stg;
use choros_realize::gchor::{Strictness, ample_bound, project_all, well_formedness, word_proof};
use choros_realize::{AnswerProof, Criterion, Question, machine_proof, safety, settled};
use choros_report::answers::RunNotes;
use choros_report::{SavedAnswer, SavedCertificate, SavedJudgements, SavedProof, SavedQuestion};
use choros_smt::Solver;

use crate::models::read_models;
use crate::{STEPS_PER_STATE, all_data};
use choros_codes::diagnostics::no_certificate;
use choros_workspace::{
    Component, ConformRequest, Model, OpenGraph, PosedQuestion, PosedQuestions, QuestionSource,
    RealizeRequest, RealizeRules, Request, Settings, VerifyRequest, Workspace, choreographies,
    questions_or_open,
};

/// What a certificate of an answer of `conform` holds, or why there is none.
pub fn prove_conformance(
    found: &Conformance<'_>,
    graphs: (&Stg, &Stg),
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<SavedProof, String> {
    let proof = conformance_proof(found, graphs, setup, terms, solver, budget)?;
    let sides = sides(graphs.0, graphs.1, &setup.shared, terms);
    let saved = SavedProof::of_conformance(&proof, &sides, terms);
    let read = saved.conformance(&sides, terms);
    let fixed = setup.allow_fixed;
    let again = read.map_err(|it| it.to_string())?;
    match check_conformance(&again, &sides, fixed, terms, solver, budget) {
        Ok(Ok(())) => Ok(saved),
        _ => Err("what was written could not be confirmed after it was read back".to_owned()),
    }
}

fn name(request: &Request) -> String {
    match &request.component {
        Some(component) => format!("{}#{component}", request.path),
        None => request.path.clone(),
    }
}

fn kind(request: &Request) -> Option<String> {
    request.kind.map(|it| it.name().to_owned())
}

fn certificate(
    workspace: &Workspace<'_>,
    question: SavedQuestion,
    proof: SavedProof,
) -> SavedCertificate {
    of_answers(workspace, SavedAnswer { question, proof }, Vec::new())
}

fn of_answers(
    workspace: &Workspace<'_>,
    first: SavedAnswer,
    also: Vec<SavedAnswer>,
) -> SavedCertificate {
    SavedCertificate {
        tool: concat!("choros ", env!("CARGO_PKG_VERSION")).to_owned(),
        models: read_models(workspace),
        first,
        also,
    }
}

/// The certificate of an answer of `conform`.
pub fn of_conformance(
    workspace: &Workspace<'_>,
    request: &ConformRequest,
    settings: &Settings,
    proof: SavedProof,
) -> SavedCertificate {
    let question = SavedQuestion::Conform {
        implementation: request.implementation.iter().map(name).collect(),
        specification: name(&request.specification),
        kind: kind(&request.specification),
        map: request.roles.clone(),
        share: request.rules.shared.clone(),
        allow_fixed: request.rules.allow_fixed,
        param: settings.parameters.clone(),
    };
    certificate(workspace, question, proof)
}

/// What is said where there is no certificate; mistakes in files have been reported before.
type Without = Option<Box<Diagnostic>>;

fn without(request: &Request) -> impl Fn(String) -> Without {
    move |reason| {
        Some(Box::new(no_certificate::diagnostic(
            &name(request),
            &reason,
        )))
    }
}

/// The certificate of an answer of `check` about the machines of a file, or what is said where there is none.
pub fn check_certificate(
    workspace: &mut Workspace<'_>,
    request: &Request,
    settings: &Settings,
) -> Result<SavedCertificate, Without> {
    let without = without(request);
    let loaded = workspace.load(request, settings, &mut Vec::new());
    let (_, model) = loaded.ok_or(None)?;
    let Model::Machines(machines) = model else {
        let reason =
            "only answers about machines, and those of `conform`, `verify` and `realize`, have one";
        return Err(without(reason.to_owned()));
    };
    if settings.reduction != Reduction::None {
        let reason = "a reduced search does not see all configurations";
        return Err(without(reason.to_owned()));
    }
    let discipline = settings.discipline;
    let mut system = System::new(&machines, discipline, &workspace.terms);
    let found = safety(&mut system, settings.reduction, &settings.states());
    let found = machine_proof(&machines, &mut system, &found).map_err(without)?;
    let names = &workspace.terms.names;
    let proof = SavedProof::of_machines(&found, &machines, discipline, names);
    let question = SavedQuestion::Check {
        model: request.path.clone(),
        kind: kind(request),
        channels: discipline.channels.word().to_owned(),
        bound: discipline.bound,
    };
    Ok(certificate(workspace, question, proof))
}

/// The certificate of an answer of `verify`, or what is said where there is none.
pub fn verify_certificate(
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
) -> Result<SavedCertificate, Without> {
    let prove =
        |system: &mut dyn Lts, posed: &mut PosedQuestions, _: &mut RunNotes| -> Result<_, String> {
            let mut saved = Vec::new();
            for index in 0..posed.asked.len() {
                saved.push(judged(system, posed, index, request, settings)?);
            }
            Ok(SavedProof::of_formulas(saved))
        };
    let mut run = settings.run();
    let prove_all = |workspace: &mut Workspace<'_>, open: OpenGraph, _: &mut RunNotes| {
        Ok(all_data::prove(workspace, open, request, settings))
    };
    let mut proved = |as_graph: bool| {
        let asked = (request, as_graph);
        let proof = questions_or_open(workspace, asked, settings, &mut run, prove, prove_all);
        proof.map_err(|_| None)
    };
    let proof = match proved(false)? {
        Ok(proof) => proof,
        // What exploration cannot show (it has no end, or fairness is assumed) the graph may show for all data.
        Err(reason) => match proved(true) {
            Ok(Ok(proof)) if proof.is_of_all_data() => proof,
            _ => return Err(without(&request.model)(reason)),
        },
    };
    let sources = request.questions.iter().map(|it| match it {
        QuestionSource::Formula(text) => ("formula".to_owned(), text.clone()),
        QuestionSource::File(path) => ("file".to_owned(), path.clone()),
        QuestionSource::Pattern(text) => ("pattern".to_owned(), text.clone()),
    });
    let question = SavedQuestion::Verify {
        model: name(&request.model),
        kind: kind(&request.model),
        partners: request.partners.iter().map(name).collect(),
        rules: request.rules.clone(),
        questions: sources.collect(),
        domain: request.domains.clone(),
        strict: request.strict,
        best_match: settings.best_match,
        channels: settings.discipline.channels.word().to_owned(),
        bound: settings.discipline.bound,
        param: settings.parameters.clone(),
        fair: request.fair.clone(),
    };
    Ok(certificate(workspace, question, proof))
}

/// Why judgements do not prove the answer to a question, if they do not.
pub(crate) fn beyond_judgements(asked: &PosedQuestion) -> Option<&'static str> {
    if !asked.fair.is_empty() {
        return Some("answers under fairness have no certificates");
    }
    (!asked.formula.for_all().is_empty())
        .then_some("answers about all values of variables have no certificates")
}

/// What the answer to one formula rests on.
fn judged(
    system: &mut dyn Lts,
    posed: &mut PosedQuestions,
    index: usize,
    request: &VerifyRequest,
    settings: &Settings,
) -> Result<SavedJudgements, String> {
    let asked = &posed.asked[index];
    if let Some(reason) = beyond_judgements(asked) {
        return Err(reason.to_owned());
    }
    let abstraction = &posed.rule_sets[asked.rules];
    let bounds = UnfoldingBounds {
        max_states: settings.max_states,
        depth: request.depth,
        budget: settings.until_cancelled(),
    };
    let mut graph = UnfoldedLts::new(system, bounds);
    let mut labels = AbstractLabels::new(abstraction.clone(), posed.state_labels);
    let names = &mut posed.names;
    let found = judgements(
        &mut graph,
        &mut labels,
        names,
        &asked.formula,
        request.arity(),
    );
    let (holds, proof) = found.ok_or_else(|| format!("`{}` was not settled", asked.name))?;
    Ok(SavedJudgements::of(&asked.formula, holds, &proof, names))
}

/// The certificate of the answers of `realize` about the choreographies of a file, or what is said where there is none.
pub fn realize_certificate(
    workspace: &mut Workspace<'_>,
    asked: &RealizeRequest,
    settings: &Settings,
) -> Result<SavedCertificate, Without> {
    let request = asked.files.first().ok_or(None)?;
    let answers = if request.is_gchor() {
        let found = gchor_answers(workspace, request, asked, settings);
        found.map_err(|reason| reason.and_then(without(request)))?
    } else {
        graph_answers(workspace, request, &asked.rules, settings)?
    };
    let mut answers = answers.into_iter();
    let first = answers.next().ok_or(None)?;
    Ok(of_answers(workspace, first, answers.collect()))
}

/// One answer for each choreography of a file.
fn graph_answers(
    workspace: &mut Workspace<'_>,
    request: &Request,
    rules: &RealizeRules,
    settings: &Settings,
) -> Result<Vec<SavedAnswer>, Without> {
    let mut run = settings.run();
    let found = choreographies(workspace, std::slice::from_ref(request), settings, &mut run);
    let is_one = found.len() == 1;
    let mut answers = Vec::new();
    for component in found {
        let component = component.map_err(|_| None)?;
        let named = Request {
            component: Some(component.name.clone()),
            ..request.clone()
        };
        let named = if is_one { request.clone() } else { named };
        let found = graph_answer(workspace, &named, component, rules, settings);
        answers.push(found.map_err(without(&named))?);
    }
    Ok(answers)
}

fn graph_answer(
    workspace: &mut Workspace<'_>,
    request: &Request,
    component: Component,
    rules: &RealizeRules,
    settings: &Settings,
) -> Result<SavedAnswer, String> {
    let (stg, question) = posed(workspace, component, rules, settings)?;
    let terms = &mut workspace.terms;
    let budget = settings.steps(STEPS_PER_STATE);
    let found = settled(&stg, &question, terms, &mut settings.solver(), &budget);
    let AnswerProof {
        assembly,
        proof,
        bound,
    } = found?;
    let sides = assembly.sides(&stg, terms);
    let proof = SavedProof::of_realization(&proof, &sides, terms);
    let posed = SavedQuestion::Realize {
        model: name(request),
        kind: kind(request),
        mode: question.mode.word().to_owned(),
        bound,
        service: rules.services.clone(),
        joint_ending: rules.joint_ending,
        param: settings.parameters.clone(),
    };
    Ok(SavedAnswer {
        question: posed,
        proof,
    })
}

/// The graph of a choreography, and the question about it; roles that it declares as services count as such.
fn posed(
    workspace: &mut Workspace<'_>,
    component: Component,
    rules: &RealizeRules,
    settings: &Settings,
) -> Result<(Stg, Question), String> {
    let stg = component.stg.map_err(|_| "it has no graph".to_owned())?;
    let names = &mut workspace.terms.names;
    let question = rules.question(&stg, &component.services, false, settings, names);
    Ok((stg, question))
}

/// The one choreography that is asked for, and the question about it.
pub(crate) fn choreography(
    workspace: &mut Workspace<'_>,
    request: &Request,
    rules: &RealizeRules,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<(Stg, Question), String> {
    let found = choreographies(workspace, std::slice::from_ref(request), settings, run);
    let [component] =
        <[_; 1]>::try_from(found).map_err(|_| "the model has several choreographies".to_owned())?;
    let component = component.map_err(|_| "it is not a choreography".to_owned())?;
    posed(workspace, component, rules, settings)
}

/// One answer for each kind of channels; nothing is said where mistakes in the file have been reported before.
fn gchor_answers(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &RealizeRequest,
    settings: &Settings,
) -> Result<Vec<SavedAnswer>, Option<String>> {
    if asked.rules.criterion() == Criterion::Conditions {
        let reason =
            "the conditions are read off the choreography, so checking them is asking again";
        return Err(Some(reason.to_owned()));
    }
    let loaded = workspace.load(request, settings, &mut Vec::new());
    let Some((_, Model::Gchor(gchor))) = loaded else {
        return Err(None);
    };
    let some = |spent: choros_base::StopReason| Some(spent.to_string());
    let strictness = Strictness {
        tolerate_equal_branches: settings.gchor.tolerate_equal_branches,
        sequenced: settings.gchor.strict,
    };
    let form = well_formedness(&gchor, strictness, &settings.steps(10)).map_err(some)?;
    if form.misleads() {
        let reason = "the answer is about who decides, which no run of the machines shows";
        return Err(Some(reason.to_owned()));
    }
    let machines = project_all(&gchor, &settings.states()).map_err(some)?;
    let bound = ample_bound(&gchor).unwrap_or(asked.rules.bound.max(1) as u32);
    let disciplines = match asked.channels {
        Some(one) => vec![one],
        None => vec![Channels::Fifo, Channels::Bag],
    };
    let answers = disciplines.into_iter().map(|channels| {
        let discipline = Discipline { channels, bound };
        let found = word_proof(&gchor, &machines, discipline, &settings.states())?;
        let question = SavedQuestion::RealizeMachines {
            model: request.path.clone(),
            kind: kind(request),
            channels: channels.word().to_owned(),
            bound,
        };
        let proof = SavedProof::of_words(&found, &workspace.terms.names);
        Ok(SavedAnswer { question, proof })
    });
    answers.collect::<Result<_, _>>().map_err(Some)
}
