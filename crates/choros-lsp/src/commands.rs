//! Verbs as commands of an editor.

use std::ops::Range;
use std::sync::Arc;

use choros::base::{SourceMap, Span};
use choros::model::Evidence;
use choros::report::{Block, ExitStatus, Report, Style, evidence_svg, to_json, to_text};
use choros::verbs::{
    self, CheckRequest, DrawRequest, DriveOptions, DriveRequest, ExploreRequest, Picture,
    QuestionSource, RealizeRequest, RealizeRules, SymbolicTestOptions, VerifyRequest,
};
use choros::{Mode, Request, Secrets, Settings, Workspace};
use serde_json::{Value, json};

use crate::answer::VerbAnswer;
use crate::documents::Snapshot;
use crate::findings::{Change, Edit, Finding, Places, Repairs};
use crate::position::Encoding;
use crate::repairs;
use crate::verbs::{VerbContext, Verbs};

/// The verbs that can be asked for, each as `choros.VERB`.
///
/// With the words of a command line (`args`) every verb of the command can be asked for that the server is a part of.
pub(crate) const VERBS: [&str; 8] = [
    "check", "explore", "realize", "draw", "tests", "drive", "verify", "explain",
];

/// A model that has tests.
#[derive(Debug, Clone)]
pub(crate) struct Tested {
    pub(crate) component: Option<String>,
    pub(crate) role: Option<String>,
    pub(crate) name: Option<Span>,
}

/// A question about a buffer.
pub(crate) struct Question {
    pub(crate) verb: String,
    pub(crate) request: Request,
    /// What else the client says, as the README lists it.
    pub(crate) options: Value,
    pub(crate) encoding: Encoding,
    /// What must not be shown; driving adds to it.
    pub(crate) secrets: Secrets,
    /// How the client calls open files.
    pub(crate) uris: Vec<(String, String)>,
    /// The names of components, and where they stand.
    pub(crate) names: Vec<(String, Span)>,
    /// The models whose tests are asked for: each with its place, and with a role where it is a choreography.
    pub(crate) tested: Vec<Tested>,
    /// The command that the server is a part of.
    pub(crate) verbs: Option<Arc<dyn Verbs>>,
}

/// Answers a question.
pub(crate) fn answer(
    question: &Question,
    snapshot: &Snapshot,
    settings: &Settings,
) -> Result<VerbAnswer, String> {
    let answer = match (question.options["args"].as_array(), &question.verbs) {
        (None, _) if VERBS.contains(&question.verb.as_str()) => snapshot.with(|workspace| {
            let (report, more) = ask(question, workspace, settings)?;
            let sources = &workspace.sources;
            let text = to_text(&report, sources, &Style::PLAIN);
            let repairs = match question.verb.as_str() {
                "realize" if question.repairs() => {
                    let request = realizing(question, question.request.clone())?;
                    repairs::proved(&request, &report, sources, snapshot, settings)
                }
                _ => Repairs::default(),
            };
            let mut answer = shown(question, &report, sources, &repairs, &text, more);
            if question.verb == "check" {
                answer.conditions = conditions(question, workspace, settings);
            }
            Ok::<_, String>(answer)
        })?,
        (words, Some(verbs)) => {
            let words = words.map_or(&[][..], Vec::as_slice);
            run(question, words, &**verbs, snapshot, settings)
        }
        (_, None) => return Err(format!("there is no command `choros.{}`", question.verb)),
    };
    Ok(masked(answer, &question.secrets))
}

/// The conditions of the messages in the buffer.
fn conditions(
    question: &Question,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
) -> Vec<(Range<usize>, String)> {
    let found = workspace.message_conditions(&question.request, settings);
    let is_own = |span: &Span| {
        let file = workspace.sources.file(span.file());
        file.name() == question.request.path
    };
    let own = found.into_iter().filter(|(span, _)| is_own(span));
    own.map(|(span, condition)| (span.range(), condition))
        .collect()
}

/// Runs a verb with the words of a command line; the buffer, if there is one, comes first.
fn run(
    question: &Question,
    args: &[Value],
    verbs: &dyn Verbs,
    snapshot: &Snapshot,
    settings: &Settings,
) -> VerbAnswer {
    let mut words = vec![question.verb.clone()];
    let Request {
        path,
        component,
        kind,
    } = &question.request;
    if !path.is_empty() {
        let component = component.as_ref().map(|it| format!("#{it}"));
        words.push(format!("{path}{}", component.unwrap_or_default()));
        words.extend(kind.iter().map(|it| format!("--as={}", it.name())));
    }
    words.extend(args.iter().filter_map(Value::as_str).map(str::to_owned));
    let sources = snapshot.clone();
    let ran = verbs.run(
        &words,
        VerbContext {
            sources: Arc::new(move |more| sources.sources(more)),
            cancel: settings.cancel.clone(),
            events: settings.events.clone(),
            secrets: question.secrets.clone(),
        },
    );
    let more = json!({"exit": ran.status});
    match &ran.report {
        Some((report, sources)) => {
            let repairs = Repairs::default();
            shown(question, report, sources, &repairs, &ran.text, more)
        }
        None => {
            let (report, sources) = Default::default();
            shown(
                question,
                &report,
                &sources,
                &Repairs::default(),
                &ran.text,
                more,
            )
        }
    }
}

/// An answer without secrets: a mapping may hold keys, and an editor keeps logs.
fn masked(mut answer: VerbAnswer, secrets: &Secrets) -> VerbAnswer {
    let clean = |value: &Value| {
        let text = value.to_string();
        // What is not JSON any more is not shown at all.
        serde_json::from_str(&secrets.masked(&text)).unwrap_or(Value::Null)
    };
    answer.result = clean(&answer.result);
    for finding in &mut answer.findings {
        finding.json = clean(&finding.json);
    }
    answer.findings.retain(|it| !it.json.is_null());
    answer.summary = secrets.masked(&answer.summary).to_string();
    answer
}

fn ask(
    question: &Question,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
) -> Result<(Report, Value), String> {
    let request = question.request.clone();
    let mut more = Value::Null;
    let report = match question.verb.as_str() {
        "check" => {
            let request = CheckRequest {
                files: vec![request],
                ..CheckRequest::default()
            };
            let answered = verbs::check(workspace, &request, settings);
            answered.report(&workspace.terms)
        }
        "explore" => {
            let request = ExploreRequest::of(request);
            let answered = verbs::explore(workspace, &request, settings);
            answered.report(&workspace.terms)
        }
        "realize" => {
            let request = realizing(question, request)?;
            let answered = verbs::realize(workspace, &request, settings);
            answered.report(&workspace.terms)
        }
        "draw" => {
            let request = DrawRequest {
                file: request,
                form: Picture::Svg.into(),
                ..DrawRequest::default()
            };
            let answered = verbs::draw(workspace, &request, settings);
            answered.report(&workspace.terms)
        }
        "tests" => {
            let (report, tests) = question.tests(workspace, settings);
            more = tests;
            report
        }
        "drive" => {
            let request = driving(question, request)?;
            let answered = verbs::drive(workspace, &request, settings);
            answered.report(&workspace.terms)
        }
        "verify" => {
            let request = verifying(question, request)?;
            let answered = verbs::verify(workspace, &request, settings);
            answered.report(&workspace.terms)
        }
        "explain" => {
            let code = question.text("code").unwrap_or_default();
            let Ok(code) = choros::code(code) else {
                return Err(format!("there is no code `{code}`"));
            };
            verbs::explain(code).report(&workspace.terms)
        }
        other => return Err(format!("there is no command `choros.{other}`")),
    };
    Ok((report, more))
}

fn realizing(question: &Question, file: Request) -> Result<RealizeRequest, String> {
    let mode = match question.text("mode") {
        None => None,
        Some(word) => {
            let known = <Mode as choros::base::Choice>::CHOICES;
            let found = known.iter().find(|it| it.0 == word);
            let found = found.map(|it| it.1);
            Some(found.ok_or_else(|| format!("there is no mode `{word}`"))?)
        }
    };
    Ok(RealizeRequest {
        files: vec![file],
        rules: RealizeRules {
            mode,
            ..RealizeRules::default()
        },
        repair: question.repairs(),
        channels: None,
    })
}

fn driving(question: &Question, model: Request) -> Result<DriveRequest, String> {
    let Some(target) = question.text("target") else {
        return Err("say where the service is: `target`, and `mapping` if it needs one".to_owned());
    };
    let mapping = question.text("mapping").map(crate::uri::path_of);
    Ok(DriveRequest {
        model,
        tests: SymbolicTestOptions {
            role: question.text("role").map(str::to_owned),
            ..SymbolicTestOptions::default()
        },
        options: DriveOptions {
            target: Some(target.to_owned()),
            mapping,
            tests: question.texts("test"),
            ..DriveOptions::default()
        },
        secrets: question.secrets.clone(),
    })
}

fn verifying(question: &Question, model: Request) -> Result<VerifyRequest, String> {
    let mut questions: Vec<QuestionSource> = Vec::new();
    for formula in question.texts("formula") {
        questions.push(QuestionSource::Formula(formula));
    }
    for file in question.texts("formulas") {
        questions.push(QuestionSource::File(crate::uri::path_of(&file)));
    }
    if questions.is_empty() {
        return Err("say what to verify: `formula`, or `formulas` with files".to_owned());
    }
    let rules = question.texts("rules");
    Ok(VerifyRequest {
        model,
        rules: rules.iter().map(|it| crate::uri::path_of(it)).collect(),
        questions,
        ..VerifyRequest::default()
    })
}

impl Question {
    /// A view asks, which shows the answer by itself.
    pub(crate) fn is_quiet(&self) -> bool {
        self.options["quiet"] == true
    }

    /// Whether a repair is asked for.
    fn repairs(&self) -> bool {
        self.options["repair"] == true
    }

    /// How the client calls a file.
    pub(crate) fn uri(&self, path: &str) -> String {
        let open = self.uris.iter().find(|it| it.0 == path);
        open.map_or_else(|| crate::uri::uri_of(path), |it| it.1.clone())
    }

    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.options.get(key).and_then(Value::as_str)
    }

    /// A text, or a list of texts.
    fn texts(&self, key: &str) -> Vec<String> {
        match self.options.get(key) {
            Some(Value::String(text)) => vec![text.clone()],
            Some(Value::Array(list)) => {
                let texts = list.iter().filter_map(Value::as_str);
                texts.map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// All edits that repairs make.
fn edits_of(findings: &[Finding]) -> Vec<Edit> {
    let of_verdicts = findings.iter().filter(|it| it.json["code"] == "realize");
    let fixes = of_verdicts.filter_map(|it| it.fix.as_ref());
    let edits = fixes.filter_map(|it| match &it.change {
        Change::Edits(edits) => Some(edits),
        Change::Repair(_) => None,
    });
    edits.flatten().cloned().collect()
}

fn shown(
    question: &Question,
    report: &Report,
    sources: &SourceMap,
    repairs: &Repairs,
    text: &str,
    more: Value,
) -> VerbAnswer {
    let uri = |path: &str| question.uri(path);
    let mut places = Places::new(sources, question.encoding, &question.request.path, &uri);
    // The names were looked up in another reading: only their bytes count.
    let own = sources
        .files()
        .find(|(_, file)| file.name() == question.request.path)
        .map(|(file, _)| file);
    let name_of = |name: &str| {
        let (_, span) = question.names.iter().find(|it| it.0 == name)?;
        let range = span.range();
        Some(Span::new(own?, range.start as u32, range.end as u32))
    };
    let findings = places.answers(report, repairs, name_of);
    let change = (question.options["apply"] == true).then(|| edits_of(&findings));
    let pictures = report.outcomes.iter().flat_map(|it| &it.blocks);
    let picture = pictures
        .filter_map(|it| match it {
            Block::Picture { format, text } if *format == "svg" => Some(text.clone()),
            _ => None,
        })
        .next();
    let runs = report.outcomes.iter().filter_map(|it| it.answer.as_ref());
    let run = runs
        .filter_map(|it| match &it.evidence {
            Some(evidence @ Evidence::Trace(trace)) => Some((evidence, trace)),
            _ => None,
        })
        .next();
    let chart = run.map(|it| evidence_svg(it.0, sources));
    let steps = run.map(|it| places.steps(it.1));
    let verdict = report.answer().map(|it| it.word.text());
    let status = ExitStatus::of(report);
    let target = match &question.request.component {
        Some(component) => format!("`{component}`"),
        None => format!("`{}`", question.request.path),
    };
    let said = match (verdict, status) {
        (_, ExitStatus::BadInput) => "not answered: there are mistakes",
        (_, ExitStatus::World) => report.world_failed.as_deref().unwrap_or("not answered"),
        (_, ExitStatus::Interrupted) => "stopped",
        (Some(verdict), _) => verdict,
        (None, _) => "done",
    };
    let saved: Value = serde_json::from_str(&to_json(report, sources)).unwrap_or(Value::Null);
    let mut result = json!({
        "verb": question.verb,
        "component": question.request.component,
        "verdict": verdict,
        "exit": status.code(),
        "text": text,
        "picture": picture,
        "chart": chart,
        "steps": steps,
        "report": saved,
    });
    if change.as_ref().is_some_and(|it| !it.is_empty()) {
        result["applies"] = json!(true);
    }
    for (key, value) in more.as_object().into_iter().flatten() {
        result[key] = value.clone();
    }
    let files = sources.files();
    VerbAnswer {
        result,
        findings,
        summary: format!("{} {target}: {said}", question.verb),
        is_cut: report.interrupted || report.world_failed.is_some(),
        is_quiet: question.is_quiet(),
        change,
        conditions: Vec::new(),
        read: files
            .map(|(_, file)| (file.name().to_owned(), file.text().clone()))
            .collect(),
    }
}
