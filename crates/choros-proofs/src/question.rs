//! What a certificate is about: its question asked again, and its evidence checked.

use choros_base::{Choice, has_errors};
use choros_certify::{
    AskedFormula, Flaw, check_conformance, check_judgements, check_realization, check_words, sides,
    verdict,
};
use choros_model::cfsm::{Channels, Discipline};
use choros_model::lts::Lts;
use choros_realize::gchor::{GchorLanguage, project_all};
use choros_realize::{Assembly, Criterion, Mode};
use choros_report::answers::{Certification, RunNotes, Stop};
use choros_report::{
    ProofMistake, SavedAnswer, SavedCertificate, SavedClaim, SavedProof, SavedQuestion,
};
use choros_smt::SolverError;

use crate::models::Given;
use crate::proof::{beyond_judgements, choreography};
use crate::{Refusal, STEPS_PER_STATE, all_data, malformed};
use choros_codes::FileKind;
use choros_workspace::{
    ComparisonRules, ConformRequest, Model, OpenGraph, PosedQuestions, QuestionSource,
    RealizeRules, Request, Settings, VerifyRequest, Workspace, compared_graphs, questions_or_open,
};

/// Checks one answer of a certificate about the models that are given.
pub(crate) fn check(
    workspace: &mut Workspace<'_>,
    certificate: &SavedCertificate,
    answer: &SavedAnswer,
    given: &Given,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Certification, Refusal> {
    let SavedAnswer { question, proof } = answer;
    let models = Models {
        given,
        certificate,
        question,
    };
    let mut settings = settings.clone();
    match question {
        SavedQuestion::Conform { param, .. } => {
            settings.parameters.clone_from(param);
            let request = models.conform_request()?;
            conform(workspace, &request, proof, &settings, run)
        }
        SavedQuestion::Check {
            model,
            kind,
            channels,
            bound,
        } => {
            settings.discipline = discipline(channels, *bound)?;
            safety(workspace, &models.find(model, kind)?, proof, &settings, run)
        }
        SavedQuestion::Verify {
            best_match,
            channels,
            bound,
            param,
            ..
        } => {
            settings.parameters.clone_from(param);
            settings.best_match = *best_match;
            settings.discipline = discipline(channels, *bound)?;
            let request = models.verify_request()?;
            formulas(workspace, &request, proof, &settings, run)
        }
        SavedQuestion::Realize {
            model,
            kind,
            mode,
            bound,
            service,
            joint_ending,
            param,
        } => {
            settings.parameters.clone_from(param);
            let unknown = || malformed(format!("there is no mode called `{mode}`"));
            let rules = RealizeRules {
                mode: Some(Mode::chosen(mode).ok_or_else(unknown)?),
                criterion: Some(Criterion::Semantic),
                bound: *bound,
                services: service.clone(),
                joint_ending: *joint_ending,
            };
            let request = models.find(model, kind)?;
            realization(workspace, &request, &rules, proof, &settings, run)
        }
        SavedQuestion::RealizeMachines {
            model,
            kind,
            channels,
            bound,
        } => {
            settings.discipline = discipline(channels, *bound)?;
            let request = models.find(model, kind)?;
            words(workspace, &request, proof, &settings, run)
        }
    }
}

/// What a certificate calls its models, and what was given.
struct Models<'a> {
    given: &'a Given,
    certificate: &'a SavedCertificate,
    question: &'a SavedQuestion,
}

impl Models<'_> {
    fn find(&self, text: &str, kind: &Option<String>) -> Result<Request, Refusal> {
        let kind = kind.as_deref().map(|name| {
            let unknown = || malformed(format!("there is no kind of file called `{name}`"));
            FileKind::named(name).ok_or_else(unknown)
        });
        let found = self
            .given
            .request(text, kind.transpose()?, self.certificate);
        found.map_err(|reason| Refusal::Mistake(ProofMistake::Foreign(reason)))
    }

    fn conform_request(&self) -> Result<ConformRequest, Refusal> {
        let SavedQuestion::Conform {
            implementation,
            specification,
            kind,
            map,
            share,
            allow_fixed,
            ..
        } = self.question
        else {
            return Err(malformed("it is not about conformance".to_owned()));
        };
        let services = implementation.iter().map(|it| self.find(it, kind));
        Ok(ConformRequest {
            implementation: services.collect::<Result<_, _>>()?,
            specification: self.find(specification, kind)?,
            roles: map.clone(),
            role: None,
            rules: ComparisonRules {
                shared: share.clone(),
                allow_fixed: *allow_fixed,
                ..ComparisonRules::default()
            },
        })
    }

    fn verify_request(&self) -> Result<VerifyRequest, Refusal> {
        let SavedQuestion::Verify {
            model,
            kind,
            partners,
            rules,
            questions,
            domain,
            strict,
            fair,
            ..
        } = self.question
        else {
            return Err(malformed("it is not about formulas".to_owned()));
        };
        let path = |text: &String| self.find(text, &None).map(|it| it.path);
        let sources = questions.iter().map(|(kind, text)| match kind.as_str() {
            "formula" => Ok(QuestionSource::Formula(text.clone())),
            "pattern" => Ok(QuestionSource::Pattern(text.clone())),
            "file" => path(text).map(QuestionSource::File),
            _ => Err(malformed(format!("there are no questions from a `{kind}`"))),
        });
        let partners = partners.iter().map(|it| self.find(it, kind));
        Ok(VerifyRequest {
            model: self.find(model, kind)?,
            partners: partners.collect::<Result<_, _>>()?,
            questions: sources.collect::<Result<_, _>>()?,
            rules: rules.iter().map(path).collect::<Result<_, _>>()?,
            domains: domain.clone(),
            strict: *strict,
            fair: fair.clone(),
            ..VerifyRequest::default()
        })
    }
}

fn discipline(channels: &str, bound: u32) -> Result<Discipline, Refusal> {
    let unknown = || malformed(format!("there are no channels called `{channels}`"));
    let channels = Channels::named(channels).ok_or_else(unknown)?;
    Ok(Discipline { channels, bound })
}

fn world(error: SolverError) -> Refusal {
    Refusal::Stop(Stop::World(error.to_string()))
}

fn safety(
    workspace: &mut Workspace<'_>,
    request: &Request,
    proof: &SavedProof,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Certification, Refusal> {
    let discipline = settings.discipline;
    let loaded = workspace.load(request, settings, &mut run.findings);
    let machines = match loaded {
        Some((_, Model::Machines(machines))) if !has_errors(&run.findings) => machines,
        Some((_, Model::Machines(_))) | None => return Err(Refusal::Stop(Stop::Mistakes)),
        Some(_) => {
            let text = format!("there are no machines in `{}`", request.path);
            return Err(Refusal::Mistake(ProofMistake::Foreign(text)));
        }
    };
    let not = match proof.claim {
        SavedClaim::Fails => "not ",
        _ => "",
    };
    let path = &request.path;
    let found = proof.machines(&machines, discipline, &workspace.terms.names);
    let found = found.map_err(Refusal::Mistake)?;
    let checker = choros_certify::Machines::new(&machines, discipline);
    let checked = checker.check(found.claim()).map_err(Flaw::Wrong);
    Ok(Certification {
        number: None,
        claim: format!("the machines of `{path}` are {not}safe ({discipline})"),
        verdict: verdict(checked, "every configuration was explored"),
    })
}

fn words(
    workspace: &mut Workspace<'_>,
    request: &Request,
    proof: &SavedProof,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Certification, Refusal> {
    let discipline = settings.discipline;
    let path = &request.path;
    let gchor = match workspace.load(request, settings, &mut run.findings) {
        Some((_, Model::Gchor(gchor))) if !has_errors(&run.findings) => gchor,
        Some((_, Model::Gchor(_))) | None => return Err(Refusal::Stop(Stop::Mistakes)),
        Some(_) => {
            let text = format!("`{path}` is not a g-choreography");
            return Err(Refusal::Mistake(ProofMistake::Foreign(text)));
        }
    };
    let found = proof.words(&workspace.terms.names);
    let found = found.map_err(Refusal::Mistake)?;
    let do_what = match proof.claim {
        SavedClaim::Fails => "have a run that it forbids, or that gets stuck",
        _ => "do only what it allows and never get stuck",
    };
    let machines = project_all(&gchor, &settings.states()).map_err(|spent| {
        Refusal::Stop(Stop::Unsettled {
            name: path.clone(),
            reason: spent.to_string(),
        })
    })?;
    let checker = choros_certify::Machines::new(&machines, discipline);
    let mut language = GchorLanguage::new(&gchor);
    let checked = check_words(&found, &checker, &mut language, &settings.states());
    Ok(Certification {
        number: None,
        claim: format!("the machines of `{path}` {do_what} ({discipline})"),
        verdict: verdict(checked, "each word is as it should be"),
    })
}

fn conform(
    workspace: &mut Workspace<'_>,
    request: &ConformRequest,
    proof: &SavedProof,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Certification, Refusal> {
    let (left, right) =
        compared_graphs(workspace, request, settings, run).map_err(Refusal::Stop)?;
    let claim = match &proof.claim {
        SavedClaim::Holds => format!("`{}` conforms to `{}`", left.name(), right.name()),
        SavedClaim::Conditional { condition } => {
            format!(
                "`{}` conforms to `{}` if {condition}",
                left.name(),
                right.name()
            )
        }
        SavedClaim::Fails => format!("`{}` does not conform to `{}`", left.name(), right.name()),
    };
    settings.events.doing("checking the certificate");
    let terms = &mut workspace.terms;
    let sides = sides(&left, &right, &request.rules.shared, terms);
    let found = proof.conformance(&sides, terms).map_err(Refusal::Mistake)?;
    let mut solver = settings.solver();
    let budget = settings.steps(STEPS_PER_STATE);
    let fixed = request.rules.allow_fixed;
    let checked = check_conformance(&found, &sides, fixed, terms, &mut solver, &budget);
    settings.name_solver(&solver, &mut run.semantics);
    let checked = checked.map_err(world)?;
    note_parameters(proof, &sides, &workspace.terms, run);
    Ok(Certification {
        number: None,
        claim,
        verdict: verdict(checked, "each pair or position is as it should be"),
    })
}

/// What a claim with parameters leaves open.
fn note_parameters(
    proof: &SavedProof,
    sides: &choros_certify::Sides<'_>,
    terms: &choros_data::Terms,
    run: &mut RunNotes,
) {
    if matches!(proof.claim, SavedClaim::Conditional { .. }) {
        run.note("that the condition is the weakest one is not part of the claim");
    }
    let open =
        !sides.left.parameters(terms).is_empty() || !sides.right.parameters(terms).is_empty();
    if open && matches!(proof.claim, SavedClaim::Fails) {
        run.note("the claim is about the values of the parameters with which the attack starts");
    }
}

fn formulas(
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    proof: &SavedProof,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Certification, Refusal> {
    let budget = settings.until_cancelled();
    let check = |system: &mut dyn Lts,
                 posed: &mut PosedQuestions,
                 _: &mut RunNotes|
     -> Result<_, ProofMistake> {
        let saved = proof.formulas(posed.asked.len())?;
        let mut claims = Vec::new();
        let mut checked = Ok(());
        for (asked, saved) in posed.asked.iter().zip(saved) {
            if let Some(reason) = beyond_judgements(asked) {
                return Err(ProofMistake::Foreign(reason.to_owned()));
            }
            let judged = saved.read(&asked.formula, &mut posed.names)?;
            let question = AskedFormula {
                formula: &asked.formula,
                abstraction: &posed.rule_sets[asked.rules],
                state_labels: posed.state_labels,
                arity: request.arity(),
                fair: &[],
            };
            let names = &mut posed.names;
            claims.push(if saved.holds {
                format!("`{}` holds", asked.name)
            } else {
                format!("`{}` does not hold", asked.name)
            });
            let one = check_judgements(system, &question, saved.holds, &judged, names, &budget);
            checked = checked.and(one);
        }
        Ok(Certification {
            number: None,
            claim: claims.join(", "),
            verdict: verdict(checked, "each judgement is as it should be"),
        })
    };
    let check_all = |workspace: &mut Workspace<'_>, open: OpenGraph, run: &mut RunNotes| {
        let OpenGraph { stg, mut posed, .. } = open;
        all_data::check(workspace, &stg, &mut posed, proof, request, settings, run)
    };
    let asked = (request, proof.is_of_all_data());
    let found = questions_or_open(workspace, asked, settings, run, check, check_all);
    let found = found.map_err(Refusal::Stop)?;
    found.map_err(Refusal::Mistake)
}

fn realization(
    workspace: &mut Workspace<'_>,
    request: &Request,
    rules: &RealizeRules,
    proof: &SavedProof,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Certification, Refusal> {
    let found = choreography(workspace, request, rules, settings, run);
    let (stg, asked) = found.map_err(|reason| {
        if has_errors(&run.findings) {
            Refusal::Stop(Stop::Mistakes)
        } else {
            Refusal::Mistake(ProofMistake::Foreign(reason))
        }
    })?;
    let terms = &mut workspace.terms;
    let mut solver = settings.solver();
    let budget = settings.steps(STEPS_PER_STATE);
    let assembly = Assembly::of(&stg, &asked, terms, &mut solver, &budget).map_err(malformed)?;
    let sides = assembly.sides(&stg, terms);
    let found = proof.realization(&sides, terms).map_err(Refusal::Mistake)?;
    let (assembled, fixed) = (&assembly.assembled, assembly.allow_fixed);
    let checked = check_realization(
        &found,
        &sides,
        assembled,
        fixed,
        terms,
        &mut solver,
        &budget,
    );
    settings.name_solver(&solver, &mut run.semantics);
    let checked = checked.map_err(world)?;
    note_parameters(proof, &sides, &workspace.terms, run);
    let name = stg.name();
    let does = match proof.claim {
        SavedClaim::Fails => "do not do",
        _ => "do",
    };
    let condition = match &proof.claim {
        SavedClaim::Conditional { condition } => format!(" if {condition}"),
        _ => String::new(),
    };
    Ok(Certification {
        number: None,
        claim: format!(
            "the projections of `{name}`, put together, {does} what it says{condition} ({})",
            asked.mode.words()
        ),
        verdict: verdict(checked, "each part is as it should be"),
    })
}
