//! Formulas, and the system that they are asked about.

use std::collections::BTreeMap;

use choros_base::{Name, Names, has_errors};
use choros_model::lts::{Lts, OpenData};
use choros_model::stg::{Field, Stg};
use choros_query::abstraction::{Abstraction, StateLabels};
use choros_query::socl::Arity;
use choros_query::socl::diagnostics::{data_formula, unknown_field};
use choros_report::answers::{RunNotes, Stop};

use super::sessions::names_data;
use super::system::{Behaviour, HeldModel, Subject, open as open_system};
use crate::{
    PosedQuestion, QuestionSource, Questions, Request, Settings, Workspace, collect_questions,
};

/// What is asked about what.
#[derive(Debug, Clone, Default)]
pub struct VerifyRequest {
    pub model: Request,
    /// Further components, with which the model is put together.
    pub partners: Vec<Request>,
    /// Files of abstraction rules, which count together; without any, the rules in the model, or none.
    pub rules: Vec<String>,
    /// The questions, in their order.
    pub questions: Vec<QuestionSource>,
    /// Values of variables that messages bind: a name and `0..3` or `1, 2`.
    pub domains: Vec<(String, String)>,
    /// Whether actions of formulas name all arguments.
    pub strict: bool,
    /// How far from the start states are examined.
    pub depth: Option<u32>,
    /// Whether explanations are written as CMC does.
    pub cmc_style: bool,
    /// Says what abstraction rules make of each step.
    pub labels: bool,
    /// Steps that are assumed fair.
    pub fair: Vec<String>,
    /// Whether formulas are about one of many sessions by itself.
    pub per_session: bool,
    /// Whether sessions have identities of their own where any would do, so that runs show who does what.
    pub shows_identities: bool,
}

impl VerifyRequest {
    /// Whether formulas hold of a model.
    pub fn new<'f>(
        model: impl Into<Request>,
        formulas: impl IntoIterator<Item = &'f str>,
    ) -> VerifyRequest {
        let formulas = formulas.into_iter().map(str::to_owned);
        VerifyRequest {
            model: model.into(),
            questions: formulas.map(QuestionSource::Formula).collect(),
            ..VerifyRequest::default()
        }
    }

    /// How many arguments an action of a formula must name.
    pub fn arity(&self) -> Arity {
        if self.strict {
            Arity::Exact
        } else {
            Arity::Prefix
        }
    }
}

/// Questions and what they are read with.
pub struct PosedQuestions {
    /// The questions, in their order.
    pub asked: Vec<PosedQuestion>,
    /// The rules under which they are asked.
    pub rule_sets: Vec<Abstraction>,
    /// Where labels of states come from.
    pub state_labels: StateLabels,
    /// Names of rules and formulas.
    pub names: Names,
    /// Whether the data are samples that the user chose.
    pub samples: bool,
    /// The messages of a graph, whether or not samples reach them.
    pub messages: Vec<String>,
}

/// A graph whose data have no end, and the questions about it.
pub struct OpenGraph {
    pub stg: Stg,
    /// The variables that keep it from being unfolded.
    pub data: OpenData,
    pub posed: PosedQuestions,
}

/// Opens the model, reads the questions, and hands both on: as a system, or as a graph where its data have no end and
/// no samples of them are asked for; with `as_graph` also where they might have one.
pub fn questions_or_open<T>(
    workspace: &mut Workspace<'_>,
    (request, as_graph): (&VerifyRequest, bool),
    settings: &Settings,
    run: &mut RunNotes,
    then: impl FnOnce(&mut dyn Lts, &mut PosedQuestions, &mut RunNotes) -> T,
    open: impl FnOnce(&mut Workspace<'_>, OpenGraph, &mut RunNotes) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let Subject {
        mut behaviour,
        state_labels,
        own_rules,
        mut names,
    } = open_system(workspace, request, settings, run)?;
    let fields = fields(&behaviour);
    let is_graph = matches!(behaviour, Behaviour::HeldModel(HeldModel::Graph(..)));
    let data = behaviour
        .open_data()
        .or_else(|| (as_graph && is_graph).then(OpenData::default))
        .filter(|_| request.domains.is_empty());
    let mut questions = collect_questions(
        workspace,
        &request.rules,
        &request.questions,
        &request.fair,
        own_rules.as_deref(),
        &mut names,
        run,
    )?;
    place_fields(&mut questions, fields.as_ref(), &names, run)?;
    if let Behaviour::HeldModel(HeldModel::Sessions(held)) = &mut behaviour {
        held.shows_identities = request.shows_identities;
        held.names_identities = questions.asked.iter().any(|it| names_data(&it.formula));
    }
    let mut system = match behaviour {
        _ if data.is_some() => None,
        Behaviour::System(ref mut system) => Some(Unfolded::Own(&mut **system)),
        Behaviour::HeldModel(ref held) => {
            let system = held.system().map_err(|found| {
                run.findings.push(*found);
                Stop::Mistakes
            })?;
            Some(Unfolded::Held(system, held.note()))
        }
    };
    let mut posed = PosedQuestions {
        asked: questions.asked,
        rule_sets: questions.rule_sets,
        state_labels,
        names,
        samples: !request.domains.is_empty(),
        messages: fields.unwrap_or_default().into_keys().collect(),
    };
    let about_data = posed.asked.iter().find_map(|it| it.formula.about_data());
    if let Some(system) = &mut system
        && about_data.is_none()
    {
        return Ok(match system {
            Unfolded::Own(system) => then(&mut **system, &mut posed, run),
            Unfolded::Held(system, note) => {
                run.semantics.notes.extend(note.map(str::to_owned));
                then(&mut **system, &mut posed, run)
            }
        });
    }
    drop(system);
    match (behaviour, about_data) {
        (Behaviour::HeldModel(HeldModel::Graph(stg, ..)), _) if request.domains.is_empty() => {
            let (stg, data) = (*stg, data.unwrap_or_default());
            open(workspace, OpenGraph { stg, data, posed }, run)
        }
        (Behaviour::HeldModel(HeldModel::Sessions(held)), Some(_)) => {
            let stg = held.together(workspace, settings, run)?;
            let data = OpenData::default();
            open(workspace, OpenGraph { stg, data, posed }, run)
        }
        (_, Some(place)) => {
            run.findings.push(data_formula::explored(place));
            Err(Stop::Mistakes)
        }
        (_, None) => Err(Stop::Mistakes),
    }
}

/// Replaces the names of fields by their positions.
fn place_fields(
    questions: &mut Questions,
    fields: Option<&Fields>,
    names: &Names,
    run: &mut RunNotes,
) -> Result<(), Stop> {
    for asked in &mut questions.asked {
        let Some(place) = asked.formula.names_fields() else {
            continue;
        };
        match (fields, &questions.rule_sets[asked.rules]) {
            (Some(fields), Abstraction::Identity) => {
                let of = |kind: Name| fields.get(names.text(kind)).cloned().unwrap_or_default();
                let found = asked.formula.place_fields(names, &of);
                run.findings.extend(found);
            }
            _ => run.findings.push(unknown_field::nowhere(place)),
        }
    }
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    Ok(())
}

/// By name, the names of the fields of each message that is called so.
type Fields = BTreeMap<String, Vec<Vec<Option<String>>>>;

fn fields(behaviour: &Behaviour) -> Option<Fields> {
    let (stg, terms) = match behaviour {
        Behaviour::HeldModel(HeldModel::Graph(stg, terms, _)) => (&**stg, terms),
        Behaviour::HeldModel(HeldModel::Sessions(held)) => (&held.stg, &held.terms),
        _ => return None,
    };
    let mut found = Fields::new();
    for message in stg.messages() {
        let name = terms.names.text(message.operation.0);
        let text = |field: &Field| field.label.map(|it| terms.names.text(it).to_owned());
        let fields = message.fields.iter().map(text).collect();
        let known = found.entry(name.to_owned()).or_default();
        if !known.contains(&fields) {
            known.push(fields);
        }
    }
    Some(found)
}

/// A system that can be unfolded, and how its answers are to be read.
enum Unfolded<'s> {
    Own(&'s mut dyn Lts),
    Held(Box<dyn Lts + 's>, Option<&'static str>),
}
