//! Questions about a model, answered: by exploration, or for all data.

use choros_base::{Diagnostic, Names};
use choros_certify::AskedFormula;
use choros_check::{
    AbstractLabels, UnfoldedLts, UnfoldingBounds, check_fair, cmc_text, explored_alphabet,
    unused_rules,
};
use choros_data::Terms;
use choros_forall::{Asked, answer};
use choros_model::lts::Lts;
use choros_model::{Bound, Help, Verdict};
use choros_query::abstraction::{Abstraction, StateLabels};
use choros_query::questions::Alphabet;
use choros_query::socl::diagnostics::rule_never_matches;
use choros_query::socl::{NodeId, vacuity_warnings};
use choros_report::answers::{AnsweredQuestion, RunNotes, Stop, Verification};
use choros_workspace::{
    OpenGraph, PosedQuestion, PosedQuestions, Settings, VerifyRequest, Workspace, one_session,
    questions_or_open,
};

use crate::kept::{Kept, KeptQuestion};

/// Opens the model, reads the questions and answers them; a graph whose data have no end is answered for all of them.
///
/// `posed_to` is shown the questions.
pub(crate) fn answered(
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
    run: &mut RunNotes,
    posed_to: &mut dyn FnMut(&PosedQuestions, &Terms),
) -> Result<Verification, Stop> {
    let mut found = either(workspace, (request, false), settings, run, posed_to)?;
    tell_identities(&mut found, workspace, request, settings);
    let met_bound = |it: &AnsweredQuestion| matches!(&it.verdict, Verdict::Unknown(unknown) if matches!(unknown.help, Help::Raise(Bound::States(_))));
    let is_cut = |it: &AnsweredQuestion| met_bound(it) && request.depth.is_none();
    if !found.questions.iter().any(is_cut) || settings.is_cancelled() {
        return Ok(found);
    }
    // What counts without end cannot be explored, and may be answered for all values.
    let mut aside = settings.run();
    let Ok(others) = either(workspace, (request, true), settings, &mut aside, posed_to) else {
        return Ok(found);
    };
    let mut others = others.questions.into_iter();
    let mut all = found;
    for question in &mut all.questions {
        let settled = others.next().filter(|it| {
            is_cut(question)
                && it.name == question.name
                && !matches!(it.verdict, Verdict::Unknown(_))
        });
        if let Some(settled) = settled {
            *question = settled;
            let semantics = &mut run.semantics;
            semantics.solver = semantics.solver.take().or(aside.semantics.solver.take());
            semantics.checked.append(&mut aside.semantics.checked);
        }
    }
    Ok(all)
}

/// More states than this are not searched again for a run that is known to be there.
const MOST_SHOWN: u64 = 50_000;

/// Shows what fails with sessions that have identities of their own; where any would do, all had the same.
fn tell_identities(
    found: &mut Verification,
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
) {
    let fails = |it: &AnsweredQuestion| matches!(it.verdict, Verdict::Fails(_));
    if request.shows_identities || request.per_session || !found.questions.iter().any(fails) {
        return;
    }
    let one = one_session(workspace, request, settings);
    if one.is_none_or(|it| it.sessions.identity.is_none()) {
        return;
    }
    let shown = VerifyRequest {
        shows_identities: true,
        ..request.clone()
    };
    let few = Settings {
        max_states: settings.max_states.min(MOST_SHOWN),
        ..settings.clone()
    };
    let (mut aside, request) = (settings.run(), (&shown, false));
    let Ok(again) = either(workspace, request, &few, &mut aside, &mut |_, _| {}) else {
        return;
    };
    for (known, again) in found.questions.iter_mut().zip(again.questions) {
        if known.name == again.name && fails(known) && fails(&again) {
            (known.verdict, known.explanation) = (again.verdict, again.explanation);
        }
    }
}

/// By exploration, or as a graph.
fn either(
    workspace: &mut Workspace<'_>,
    (request, as_graph): (&VerifyRequest, bool),
    settings: &Settings,
    run: &mut RunNotes,
    posed_to: &mut dyn FnMut(&PosedQuestions, &Terms),
) -> Result<Verification, Stop> {
    let shown = std::cell::RefCell::new(posed_to);
    let explored = |system: &mut dyn Lts, posed: &mut PosedQuestions, run: &mut RunNotes| {
        (shown.borrow_mut())(posed, system.terms());
        explored(system, posed, request, settings, &mut run.findings)
    };
    let for_all = |workspace: &mut Workspace<'_>, open: OpenGraph, run: &mut RunNotes| {
        (shown.borrow_mut())(&open.posed, &workspace.terms);
        for_all(workspace, open, request, settings, run)
    };
    let request = (request, as_graph);
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
        let (formula, arity) = (&asked.formula, request.arity());
        let checked = check_fair(&mut graph, labels, names, formula, arity, &asked.fair);
        let checked = checked.with_labels_if(request.labels, &graph);
        let mut known = explored_alphabet(&mut graph, labels, names);
        if let (Some(known), Abstraction::Identity) = (&mut known, &posed.rule_sets[asked.rules]) {
            let messages = posed.messages.iter().map(|it| names.intern(it));
            known.actions.extend(messages);
        }
        warn(asked, known.as_ref(), &checked.vacuous, names, findings);
        let explanation = checked.explanation.filter(|_| request.cmc_style);
        verification.questions.push(AnsweredQuestion {
            name: asked.name.clone(),
            reading: asked.reading.clone(),
            proviso: proviso(asked, posed.samples, names),
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
    let OpenGraph { stg, mut posed, .. } = open;
    let mut verification = Verification::default();
    for asked in &posed.asked {
        settings.events.doing(format!("solving `{}`", asked.name));
        let mut question = Asked {
            formula: &asked.formula,
            abstraction: &posed.rule_sets[asked.rules],
            arity: request.arity(),
            names: &mut posed.names,
            fair: &asked.fair,
        };
        // Of their own: what else is asked must not decide an answer.
        let (mut solver, budget) = (settings.solver(), settings.steps(1));
        let terms = &mut workspace.terms;
        let kept = KeptQuestion {
            stg: &stg,
            asked: AskedFormula {
                formula: question.formula,
                abstraction: question.abstraction,
                state_labels: StateLabels::Steps,
                arity: question.arity,
                fair: question.fair,
            },
            settings,
        };
        let key = settings
            .cache
            .is_some()
            .then(|| kept.key(question.names, terms));
        let known = match &key {
            Some(key) => kept.recall(key, question.names, terms, &mut solver, &budget),
            None => Kept::Nothing,
        };
        let found = match known {
            Kept::Proved(found) => {
                run.note("the answer was taken from the cache, and what it rests on was checked");
                *found
            }
            known => {
                if let Kept::Wrong(reason) = known {
                    run.note(format!(
                        "the cached proof is not valid and was computed again: {reason}"
                    ));
                }
                let found = answer(&stg, &mut question, terms, &mut solver, &budget)
                    .map_err(|error| Stop::World(error.to_string()))?;
                let put = match &key {
                    Some(key) => kept.keep(key, &found, question.names, terms),
                    None => Ok(()),
                };
                if let Err(reason) = put {
                    run.note(format!("the answer was not kept: {reason}"));
                }
                found
            }
        };
        let (name, names) = (asked.name.clone(), &posed.names);
        let alphabet = match &posed.rule_sets[asked.rules] {
            Abstraction::Rules(rules) => Some(Alphabet::of_rules(rules)),
            Abstraction::Identity => found.alphabet,
        };
        warn(
            asked,
            alphabet.as_ref(),
            &found.vacuous,
            names,
            &mut run.findings,
        );
        let sizes = (found.nodes, found.edges);
        for (what, count) in [
            ("obligations", found.checked.obligations),
            ("questions", found.checked.questions),
            ("for-some-value", found.checked.for_some_value),
        ] {
            let checked = &mut run.semantics.checked;
            *checked.entry(what.to_owned()).or_default() += count;
        }
        verification.questions.push(AnsweredQuestion {
            reading: asked.reading.clone(),
            proviso: proviso(asked, false, names),
            ..AnsweredQuestion::for_all(name, found.verdict, sizes)
        });
        settings.name_solver(&solver, &mut run.semantics);
    }
    Ok(verification)
}

/// Warnings of names that the model does not have, and of formulas that hold because nothing happens.
fn warn(
    asked: &PosedQuestion,
    alphabet: Option<&Alphabet>,
    vacuous: &[NodeId],
    names: &Names,
    findings: &mut Vec<Diagnostic>,
) {
    let unknown = match alphabet {
        // Patterns name everything that a service may have.
        Some(alphabet) if !asked.is_pattern => alphabet.warnings(&asked.formula, names),
        _ => Vec::new(),
    };
    // A name that is not there says it all.
    if unknown.is_empty() {
        let vacuous = vacuity_warnings(&asked.name, &asked.formula, vacuous, names);
        findings.extend(vacuous);
    }
    for found in unknown {
        let known = |known: &Diagnostic| {
            known.primary() == found.primary() && known.code.code == found.code.code
        };
        if !findings.iter().any(known) {
            findings.push(found);
        }
    }
}

/// What an answer takes for granted.
fn proviso(asked: &PosedQuestion, samples: bool, names: &Names) -> Option<String> {
    let mut parts = Vec::new();
    if samples {
        parts.push("for samples of the data".to_owned());
    }
    if !asked.fair.is_empty() {
        let fair: Vec<String> = asked.fair.iter().map(|it| it.print(names)).collect();
        parts.push(format!("assuming fair {}", fair.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}
