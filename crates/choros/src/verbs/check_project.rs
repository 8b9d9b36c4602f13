//! Is the project sound? Everything that its `choros.toml` names, in one report.

use choros_base::{Choice, Diagnostic, Severity, nearest};
use choros_model::cfsm::{Channels, Discipline};
use choros_project::{PROJECT_FILE, ProjectFile, Row, Verb, baseline, glob, read};
use choros_realize::{Criterion, Mode};
use choros_report::{NamedResult, Report};
use jiff::civil::Date;

use super::check::{CheckRequest, check};
use super::conform::{ConformRequest, Rules, conform};
use super::realize::{RealizeRequest, RealizeRules, realize};
use super::verify::{QuestionSource, VerifyRequest, verify};
use crate::diagnostics::{nothing_named, unreadable};
use crate::{Request, Settings, Workspace};

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
    report = settings.report("check");
    report.deny_codes = described.deny_codes.clone();
    run(
        workspace,
        request,
        &described,
        &path,
        &settings,
        &mut report,
    );
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
            let note = format!("the baseline of `{path}` stays as it is");
            report.semantics.notes.push(note);
        }
    }
    baseline::apply(&known_now, &mut report, &workspace.sources, root, today);
    CheckedProject { report, rewritten }
}

/// Asks everything that a project file names.
fn run(
    workspace: &mut Workspace<'_>,
    request: &CheckProject<'_>,
    described: &ProjectFile,
    path: &str,
    settings: &Settings,
    report: &mut Report,
) {
    if described.items.is_empty() {
        report.diagnostics.push(nothing_named::no_items(path));
    }
    let mut expander = Expander {
        request,
        listed: None,
    };
    for (verb, row) in &described.items {
        if settings.is_cancelled() {
            report.interrupted = true;
            break;
        }
        let part = item(workspace, *verb, row, &mut expander, settings);
        let label = row.text("name").unwrap_or(verb.name());
        add(report, part, label);
        settings.events.report(report, &workspace.sources);
    }
}

/// One item.
fn item(
    workspace: &mut Workspace<'_>,
    verb: Verb,
    row: &Row,
    expander: &mut Expander<'_>,
    settings: &Settings,
) -> Report {
    if let Err(report) = expander.open(workspace, row, settings) {
        return *report;
    }
    let mut settings = settings.clone();
    settings.events = settings.events.of_a_part();
    settings.parameters = row.pairs("param").to_vec();
    if let Some(discipline) = discipline(row) {
        settings.discipline = discipline;
    }
    match verb {
        Verb::Check => {
            settings.gchor.strict = row.flag("strict");
            settings.gchor.tolerate_equal_branches = row.flag("tolerate-equal-branches");
            let mut asked = CheckRequest {
                model: row.text("model").map(|it| expander.request(it)),
                ..CheckRequest::default()
            };
            asked.files = match expander.requests(row, &settings) {
                Ok(requests) => requests,
                Err(report) => return *report,
            };
            if let Some(depth) = row.number("depth") {
                asked.depth = depth as usize;
            }
            let answered = check(workspace, &asked, &settings);
            answered.report(&workspace.terms)
        }
        Verb::Realize => {
            let requests = match expander.requests(row, &settings) {
                Ok(requests) => requests,
                Err(report) => return *report,
            };
            let asked = RealizeRequest {
                files: requests,
                rules: realize_rules(row),
                repair: false,
                channels: row.text("channels").map(|word| match word {
                    "bag" => Channels::Bag,
                    _ => Channels::Fifo,
                }),
            };
            let answered = realize(workspace, &asked, &settings);
            answered.report(&workspace.terms)
        }
        Verb::Conform => {
            let asked = ConformRequest {
                implementation: row
                    .texts("implementation")
                    .iter()
                    .flat_map(|it| it.split('+'))
                    .map(|it| expander.request(it))
                    .collect(),
                specification: expander.request(row.text("specification").unwrap_or_default()),
                roles: row.pairs("map").to_vec(),
                role: row.text("role").map(str::to_owned),
                rules: Rules {
                    shared: row.texts("share").to_vec(),
                    allow_fixed: row.flag("allow-fixed"),
                    ..Rules::default()
                },
            };
            let answered = conform(workspace, &asked, &settings);
            answered.report(&workspace.terms)
        }
        Verb::Verify => {
            let file = |it: &String| QuestionSource::File(expander.path(it));
            let mut questions: Vec<QuestionSource> =
                row.texts("formulas").iter().map(file).collect();
            let formulas = row.texts("formula").iter().cloned();
            questions.extend(formulas.map(QuestionSource::Formula));
            let patterns = row.texts("pattern").iter().cloned();
            questions.extend(patterns.map(QuestionSource::Pattern));
            if questions.is_empty() {
                let mut report = settings.report("verify");
                report
                    .diagnostics
                    .push(nothing_named::no_question(row.span));
                return report;
            }
            let asked = VerifyRequest {
                model: expander.request(row.text("model").unwrap_or_default()),
                rules: row
                    .texts("rules")
                    .iter()
                    .map(|it| expander.path(it))
                    .collect(),
                questions,
                domains: row.pairs("domain").to_vec(),
                strict: row.flag("strict"),
                depth: row.number("depth").and_then(|it| u32::try_from(it).ok()),
                cmc_style: false,
            };
            let answered = verify(workspace, &asked, &settings);
            answered.report(&workspace.terms)
        }
    }
}

fn realize_rules(row: &Row) -> RealizeRules {
    let mode = row.text("mode").and_then(Mode::chosen);
    let criterion = row.text("criterion").and_then(Criterion::chosen);
    let bound = row.number("bound").map(|it| it as usize);
    RealizeRules {
        mode: mode.unwrap_or_default(),
        criterion: criterion.unwrap_or_default(),
        bound: bound.unwrap_or(RealizeRules::BOUND),
        services: row.texts("service").to_vec(),
        joint_ending: row.flag("joint-ending"),
    }
}

fn discipline(row: &Row) -> Option<Discipline> {
    let bound = row.number("bound");
    let known = bound.map(|it| u32::try_from(it).unwrap_or(u32::MAX));
    let usual = Settings::default().discipline.bound;
    let bound = known.unwrap_or(usual);
    match row.text("channels") {
        None if known.is_none() => None,
        Some("sync") => Some(Discipline::synchronous()),
        _ if bound == 0 => Some(Discipline::synchronous()),
        Some("bag") => Some(Discipline::bag(bound)),
        _ => Some(Discipline::fifo(bound)),
    }
}

/// From the words of the file to requests.
struct Expander<'a> {
    request: &'a CheckProject<'a>,
    /// The files below the folder.
    listed: Option<Vec<String>>,
}

impl Expander<'_> {
    fn path(&self, text: &str) -> String {
        format!("{}{text}", self.request.root)
    }

    fn request(&self, text: &str) -> Request {
        Request::parse(&self.path(text), None)
    }

    /// Reads what an item names.
    ///
    /// The project file may come from elsewhere, as a model may: it refers to files, and it is not the user who names
    /// them, so that nothing outside its folder is read and quoted.
    fn open(
        &mut self,
        workspace: &mut Workspace<'_>,
        row: &Row,
        settings: &Settings,
    ) -> Result<(), Box<Report>> {
        let mut paths: Vec<String> = Vec::new();
        for key in ["model", "implementation", "specification"] {
            let texts = row.texts(key).iter().flat_map(|it| it.split('+'));
            paths.extend(texts.map(|it| self.request(it).path));
        }
        for key in ["formulas", "rules"] {
            paths.extend(row.texts(key).iter().map(|it| self.path(it)));
        }
        if !row.texts("files").is_empty() {
            let requests = self.requests(row, settings)?;
            paths.extend(requests.into_iter().map(|it| it.path));
        }
        let mut report = settings.report("check");
        for path in paths {
            if let Err(error) = workspace.referred(&path) {
                report.diagnostics.push(unreadable::diagnostic(&error));
            }
        }
        match report.diagnostics.is_empty() {
            true => Ok(()),
            false => Err(Box::new(report)),
        }
    }

    /// The files of an item; a report where a pattern fits none.
    fn requests(&mut self, row: &Row, settings: &Settings) -> Result<Vec<Request>, Box<Report>> {
        let refused = |found: Diagnostic| {
            let mut report = settings.report("check");
            report.diagnostics.push(found);
            Box::new(report)
        };
        if row.texts("files").is_empty() {
            return Err(refused(nothing_named::no_files(row.place("files"))));
        }
        let mut requests = Vec::new();
        for text in row.texts("files") {
            let wanted = Request::parse(text, None);
            if !glob::is_pattern(&wanted.path) {
                requests.push(self.request(text));
                continue;
            }
            let list = self.request.files;
            let listed = self.listed.get_or_insert_with(list);
            let mut found: Vec<&String> = listed
                .iter()
                .filter(|path| glob::fits(&wanted.path, path))
                .collect();
            found.sort_unstable();
            if found.is_empty() {
                let similar = nearest(&wanted.path, listed.iter().map(String::as_str));
                let found = nothing_named::no_file(text, similar, row.place("files"));
                return Err(refused(found));
            }
            for path in found {
                requests.push(Request {
                    path: format!("{}{path}", self.request.root),
                    component: wanted.component.clone(),
                    kind: None,
                });
            }
        }
        Ok(requests)
    }
}

/// Adds the report of an item.
fn add(whole: &mut Report, part: Report, label: &str) {
    let named = part.outcomes.into_iter().map(|outcome| NamedResult {
        name: format!("{label}: {}", outcome.name),
        ..outcome
    });
    whole.outcomes.extend(named);
    for diagnostic in part.diagnostics {
        // Two items may read the same file.
        if !whole.diagnostics.contains(&diagnostic) {
            whole.diagnostics.push(diagnostic);
        }
    }
    whole.interrupted |= part.interrupted;
    whole.world_failed = whole.world_failed.take().or(part.world_failed);
    let relation = part.semantics.relation.clone();
    let semantics = &mut whole.semantics;
    semantics.absorb(part.semantics);
    if let (Some(relation), Some(known)) = (relation, &mut semantics.relation)
        && !known.split("; ").any(|it| it == relation)
    {
        *known = format!("{known}; {relation}");
    }
    whole
        .diagnostics
        .sort_by_key(|it| it.severity != Severity::Error);
}
