//! Is the project sound? Everything that its `choros.toml` names, in one report.

mod requests;

use choros_base::Diagnostic;
use choros_project::{PROJECT_FILE, ProjectFile, Row, Verb, baseline, read};
use choros_report::Report;
use choros_report::answers::Run;
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

/// The report on a project, and the new text of its file where that changed.
pub struct CheckedProject {
    /// The report.
    pub report: Report,
    /// The path of the file and what it is to hold now.
    pub rewritten: Option<(String, String)>,
}

/// Checks a project.
pub fn check_project(
    workspace: &mut Workspace<'_>,
    request: &CheckProject<'_>,
    settings: &Settings,
) -> CheckedProject {
    let mut report = settings.report("check");
    let path = format!("{}{PROJECT_FILE}", request.root);
    let (file, text) = match workspace.source(&path) {
        Ok(source) => source,
        Err(error) => {
            report.diagnostics.push(unreadable::diagnostic(&error));
            return CheckedProject {
                report,
                rewritten: None,
            };
        }
    };
    let Some(described) = read(file, &text, crate::code, &mut report.diagnostics) else {
        return CheckedProject {
            report,
            rewritten: None,
        };
    };
    let settings = Settings {
        max_states: described.max_states.unwrap_or(settings.max_states),
        solver_budget: described.solver_budget.unwrap_or(settings.solver_budget),
        deny_warnings: settings.deny_warnings || described.deny_warnings,
        ..settings.clone()
    };
    report = ask(workspace, request, &described, &path, &settings);
    let mut known_now = described.baseline;
    let mut rewritten = None;
    let (root, today) = (&request.root, request.today);
    if request.update_baseline {
        let sources = &workspace.sources;
        let updated = baseline::update(&text, &known_now, &report, sources, root, today);
        if let Some((new, count)) = updated.filter(|(_, count)| *count > 0) {
            workspace.set_text(path.clone(), new.clone());
            let known = workspace.source(&path).ok();
            let again = known
                .and_then(|(file, text)| read(file, &text, crate::code, &mut report.diagnostics));
            known_now = again.map_or(known_now, |it| it.baseline);
            let entries = match count {
                1 => "1 entry was".to_owned(),
                more => format!("{more} entries were"),
            };
            let note = format!("{entries} added to the baseline of `{path}`");
            report.semantics.notes.push(note);
            rewritten = Some((path, new));
        } else {
            let note = format!("the baseline of `{path}` is left unchanged");
            report.semantics.notes.push(note);
        }
    }
    baseline::apply(&known_now, &mut report, &workspace.sources, root, today);
    CheckedProject { report, rewritten }
}

/// Asks everything that a project file names.
fn ask(
    workspace: &mut Workspace<'_>,
    request: &CheckProject<'_>,
    described: &ProjectFile,
    path: &str,
    settings: &Settings,
) -> Report {
    let mut report = settings.report("check");
    report.deny_codes = described.deny_codes.clone();
    if described.items.is_empty() {
        report.diagnostics.push(nothing_named::no_items(path));
    }
    let mut expander = Expander::new(request);
    for (verb, row) in &described.items {
        if settings.is_cancelled() {
            report.interrupted = true;
            break;
        }
        let part = item(workspace, *verb, row, &mut expander, settings);
        let part = part.unwrap_or_else(|findings| {
            let run = Run {
                findings,
                ..settings.run()
            };
            run.report("check")
        });
        report.add_part(part, row.text("name").unwrap_or(verb.name()));
        settings.events.report(&report, &workspace.sources);
    }
    report
}

/// One item, or why it is not asked.
fn item(
    workspace: &mut Workspace<'_>,
    verb: Verb,
    row: &Row,
    expander: &mut Expander<'_>,
    settings: &Settings,
) -> Result<Report, Vec<Diagnostic>> {
    expander.open(workspace, row)?;
    let mut settings = settings.clone();
    settings.events = settings.events.of_a_part();
    settings.parameters = row.pairs("param").to_vec();
    if let Some(discipline) = requests::discipline(row) {
        settings.discipline = discipline;
    }
    Ok(match verb {
        Verb::Check => {
            settings.gchor.strict = row.flag("strict");
            settings.gchor.tolerate_equal_branches = row.flag("tolerate-equal-branches");
            let asked = expander.check(row)?;
            check(workspace, &asked, &settings).report(&workspace.terms)
        }
        Verb::Realize => {
            let asked = expander.realize(row)?;
            realize(workspace, &asked, &settings).report(&workspace.terms)
        }
        Verb::Conform => {
            let asked = expander.conform(row);
            conform(workspace, &asked, &settings).report(&workspace.terms)
        }
        Verb::Verify => {
            let asked = expander.verify(row)?;
            verify(workspace, &asked, &settings).report(&workspace.terms)
        }
    })
}
