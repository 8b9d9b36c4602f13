//! Is the project sound? Everything that its `choros.toml` names, in one report.

mod requests;

use choros_base::Diagnostic;
use choros_project::baseline::{self, BaselineEntry};
use choros_project::{PROJECT_FILE, ProjectFile, Row, Verb, read};
use choros_report::Report;
use choros_report::answers::{Answered, ItemAnswer, ProjectAnswers, ProjectItem, RunNotes, Stop};
use jiff::civil::Date;

use self::requests::Expander;
use super::check::check;
use super::conform::conform;
use super::realize::realize;
use super::verify::verify;
use crate::diagnostics::{nothing_named, unreadable};
use crate::{Settings, Workspace};

/// Which project, and what is done about its baseline.
pub struct CheckProject<'f> {
    /// Where the folder of the file is, as a prefix of paths: empty, or with a `/` at the end.
    pub root: String,
    /// The files below the folder, relative to it; asked for only where the file has patterns.
    pub files: &'f dyn Fn() -> Vec<String>,
    /// The day on which entries of the baseline are judged.
    pub today: Date,
    /// Entries are added for everything that counts and is not known.
    pub update_baseline: bool,
}

/// The answers to what a project asks, and what it knows already.
pub struct CheckedProject {
    pub answered: Answered<ProjectAnswers>,
    /// The findings that are known.
    baseline: Vec<BaselineEntry>,
}

pub fn check_project(
    workspace: &mut Workspace<'_>,
    request: &CheckProject<'_>,
    settings: &Settings,
) -> CheckedProject {
    let mut run = settings.run();
    let Some(described) = open(workspace, request, &mut run.findings) else {
        let answer = Err(Stop::Mistakes);
        return CheckedProject {
            answered: Answered { answer, run },
            baseline: Vec::new(),
        };
    };
    let settings = Settings {
        max_states: described.max_states.unwrap_or(settings.max_states),
        solver_budget: described.solver_budget.unwrap_or(settings.solver_budget),
        deny_warnings: settings.deny_warnings || described.deny_warnings,
        ..settings.clone()
    };
    let mut run = settings.run();
    let answers = ask(workspace, request, &described, &settings, &mut run);
    CheckedProject {
        answered: Answered {
            answer: Ok(answers),
            run,
        },
        baseline: described.baseline,
    }
}

impl CheckProject<'_> {
    fn path(&self) -> String {
        format!("{}{PROJECT_FILE}", self.root)
    }
}

impl CheckedProject {
    /// The report without what is known, and the new text of the file with its path where the baseline changed.
    pub fn report(
        self,
        workspace: &mut Workspace<'_>,
        request: &CheckProject<'_>,
    ) -> (Report, Option<(String, String)>) {
        let is_asked = self.answered.answer.is_ok();
        let mut report = self.answered.report(&workspace.terms);
        if !is_asked {
            return (report, None);
        }
        let mut known = self.baseline;
        let mut rewritten = None;
        let (path, root, today) = (request.path(), &request.root, request.today);
        if request.update_baseline
            && let Ok((_, text)) = workspace.source(&path)
        {
            let sources = &workspace.sources;
            let (new, note) = baseline::update(&text, &known, &report, sources, root, today);
            report.semantics.notes.push(note);
            if let Some(new) = new {
                workspace.set_text(path.clone(), new.clone());
                let again = open(workspace, request, &mut report.diagnostics);
                known = again.map_or(known, |it| it.baseline);
                rewritten = Some((path, new));
            }
        }
        let report = baseline::apply(&known, report, &workspace.sources, root, today);
        (report, rewritten)
    }
}

/// What the file of a project says.
fn open(
    workspace: &mut Workspace<'_>,
    request: &CheckProject<'_>,
    findings: &mut Vec<Diagnostic>,
) -> Option<ProjectFile> {
    match workspace.source(&request.path()) {
        Ok((file, text)) => read(file, &text, crate::code, findings),
        Err(error) => {
            findings.push(unreadable::diagnostic(&error));
            None
        }
    }
}

/// Asks everything that a project file names.
fn ask(
    workspace: &mut Workspace<'_>,
    request: &CheckProject<'_>,
    described: &ProjectFile,
    settings: &Settings,
    run: &mut RunNotes,
) -> ProjectAnswers {
    let mut answers = ProjectAnswers {
        items: Vec::new(),
        deny_codes: described.deny_codes.clone(),
    };
    if described.items.is_empty() {
        run.findings.push(nothing_named::no_items(&request.path()));
    }
    let mut told = run.clone();
    let mut expander = Expander::new(request);
    for (verb, row) in &described.items {
        if settings.is_cancelled() {
            run.interrupted = true;
            break;
        }
        let answer = answer(workspace, *verb, row, &mut expander, settings);
        let answer = answer.unwrap_or_else(|findings| {
            let run = settings.run();
            ItemAnswer::NotAsked(RunNotes { findings, ..run })
        });
        told.absorb(answer.run());
        let name = row.text("name").unwrap_or(verb.name()).to_owned();
        let item = ProjectItem { name, answer };
        let news = ProjectAnswers {
            items: vec![item.clone()],
            deny_codes: Vec::new(),
        };
        let (terms, sources) = (&workspace.terms, &workspace.sources);
        settings.events.answer(news, &told, terms, sources);
        answers.items.push(item);
    }
    answers
}

/// The answer to one item, or why it is not asked.
fn answer(
    workspace: &mut Workspace<'_>,
    verb: Verb,
    row: &Row,
    expander: &mut Expander<'_>,
    settings: &Settings,
) -> Result<ItemAnswer, Vec<Diagnostic>> {
    expander.open(workspace, row)?;
    let mut settings = settings.clone();
    settings.events = settings.events.of_a_part();
    settings.parameters = row.pairs("param").to_vec();
    settings.sessions = row.sessions(requests::has_no_graphs)?;
    if let Some(discipline) = requests::discipline(row) {
        settings.discipline = discipline;
    }
    Ok(match verb {
        Verb::Check => {
            settings.gchor.strict = row.flag("strict");
            settings.gchor.tolerate_equal_branches = row.flag("tolerate-equal-branches");
            let asked = expander.check(row)?;
            ItemAnswer::Check(check(workspace, &asked, &settings))
        }
        Verb::Realize => {
            let asked = expander.realize(row)?;
            ItemAnswer::Realize(realize(workspace, &asked, &settings))
        }
        Verb::Conform => {
            let asked = expander.conform(row);
            ItemAnswer::Conform(Box::new(conform(workspace, &asked, &settings)))
        }
        Verb::Verify => {
            let asked = expander.verify(row)?;
            ItemAnswer::Verify(verify(workspace, &asked, &settings))
        }
    })
}
