//! Every query of the facts about conformance, realizability and projection, with the solver loaded.
//!
//! The queries are those of the specification (`specs/conformance/fact-…`, `specs/realizability/fact-…`): models and
//! commands are read from there, so that none is left out.
//! A time is the best of five and includes reading the model.
//! Prints a table against the aim of 50 ms, and fails where a query does not end as the specification says: a time for
//! a model that was not read, or for another answer, is worth nothing.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use choros::base::MemorySources;
use choros::report::{ExitStatus, Report};
use choros::verbs::{
    self, ComparisonRules, ConformRequest, Criterion, Memory, Picture, ProjectRequest,
    RealizeRequest, RealizeRules, ScriptRequest,
};
use choros::{Mode, Request, Settings, Workspace};

const AIM: Duration = Duration::from_millis(50);
const ROUNDS: usize = 5;

fn main() -> ExitCode {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line("queries of the facts, solver loaded, reading included".to_owned());
    line(format!(
        "{:<10} {:>9}  {:<12} query",
        "fact", "ms", "verdict"
    ));
    let (mut count, mut slow, mut wrong, mut whole) = (0, 0, 0, Duration::ZERO);
    let mut longest = (Duration::ZERO, String::new());
    for document in documents() {
        let mut files = MemorySources::default();
        for part in parts(&document.text) {
            match part {
                Part::File(name, text) => {
                    files.add(name, text);
                }
                Part::Command { words, status } => {
                    let ask = match query(&words) {
                        Query::Ask(ask) => ask,
                        Query::NotHere => continue,
                        Query::NotUnderstood(word) => {
                            wrong += 1;
                            line(format!("not understood: `{word}` in {}", words.join(" ")));
                            continue;
                        }
                    };
                    // The first round loads the solver and warms the caches.
                    let report = ask(&files);
                    let word = word(&report);
                    let ended = ExitStatus::of(&report).code();
                    if ended != status {
                        wrong += 1;
                        line(format!(
                            "ends with {ended} and not {status}: {}",
                            words.join(" ")
                        ));
                    }
                    let best = (0..ROUNDS)
                        .map(|_| {
                            let start = Instant::now();
                            let _ = std::hint::black_box(ask(&files));
                            start.elapsed()
                        })
                        .min()
                        .unwrap_or_default();
                    let text = words.join(" ");
                    let mark = if best > AIM { "  over the aim" } else { "" };
                    line(format!(
                        "{:<10} {:>9.2}  {word:<12} {text}{mark}",
                        document.name,
                        best.as_secs_f64() * 1e3
                    ));
                    count += 1;
                    slow += usize::from(best > AIM);
                    whole += best;
                    if best > longest.0 {
                        longest = (best, text);
                    }
                }
            }
        }
    }
    line(format!(
        "{count} queries, {slow} over {} ms; {:.1} ms together, the longest {:.1} ms: {}",
        AIM.as_millis(),
        whole.as_secs_f64() * 1e3,
        longest.0.as_secs_f64() * 1e3,
        longest.1
    ));
    if wrong > 0 {
        line(format!("{wrong} do not end as the specification says"));
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

struct Document {
    name: String,
    text: String,
}

fn documents() -> Vec<Document> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
    let mut found = Vec::new();
    for folder in ["conformance", "realizability"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
            continue;
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Some(rest) = name.strip_prefix("fact-")
                && let Ok(text) = std::fs::read_to_string(entry.path())
            {
                let number = rest.split('-').next().unwrap_or_default();
                let name = format!("fact {number}");
                found.push(Document { name, text });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

enum Part {
    File(String, String),
    Command { words: Vec<String>, status: u8 },
}

/// The files and commands of a document, in order.
fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(head) = line.strip_prefix("```").filter(|head| !head.is_empty()) else {
            continue;
        };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match head.split_once(' ') {
            Some((_, name)) => parts.push(Part::File(name.to_owned(), body.join("\n") + "\n")),
            None if head == "console" => {
                for line in body {
                    if let Some(command) = line.strip_prefix("$ choros ") {
                        let words = command.split(' ').map(str::to_owned).collect();
                        parts.push(Part::Command { words, status: 0 });
                    } else if let Some(Part::Command { status, .. }) = parts.last_mut()
                        && let Some(code) = line.strip_prefix("? ")
                    {
                        *status = code.parse().unwrap_or(u8::MAX);
                    }
                }
            }
            None => {}
        }
    }
    parts
}

type Ask = Box<dyn Fn(&MemorySources) -> Report>;

/// What a command asks.
enum Query {
    Ask(Ask),
    /// A verb that is not measured here, or one whose end is up to the command line.
    NotHere,
    /// The option that this reader of commands does not know.
    NotUnderstood(String),
}

fn query(words: &[String]) -> Query {
    let measured = ["conform", "realize", "project", "script"];
    let here = words
        .first()
        .is_some_and(|verb| measured.contains(&verb.as_str()));
    if !here || words.iter().any(|word| word == "-o") {
        return Query::NotHere;
    }
    let known = [
        "--mode",
        "--repair",
        "--criterion",
        "--joint-ending",
        "--bound",
        "--role",
        "--allow-fixed",
        "--show-equations",
        "--param",
        "--format",
    ];
    let option = words
        .iter()
        .find(|word| word.starts_with('-') && !known.contains(&word.as_str()));
    match (option, ask(words)) {
        (None, Some(ask)) => Query::Ask(ask),
        (option, _) => Query::NotUnderstood(option.cloned().unwrap_or_default()),
    }
}

fn ask(words: &[String]) -> Option<Ask> {
    let (verb, rest) = words.split_first()?;
    let mut files = Vec::new();
    let mut settings = Settings::default();
    let mut mode = None;
    let (mut repair, mut criterion, mut bound) = (false, Criterion::Semantic, RealizeRules::BOUND);
    let mut joint_ending = false;
    let (mut role, mut rules) = (None, ComparisonRules::default());
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--mode" => {
                mode = Some(match words.next()?.as_str() {
                    "sender" => Mode::Sender,
                    "receiver" => Mode::Receiver,
                    "disjoint" => Mode::Disjoint,
                    "peers" => Mode::Peers,
                    _ => Mode::Synchronous,
                })
            }
            "--repair" => repair = true,
            "--criterion" => {
                if words.next()? == "conditions" {
                    criterion = Criterion::Conditions;
                }
            }
            "--bound" => bound = words.next()?.parse().ok()?,
            "--role" => role = words.next().cloned(),
            "--joint-ending" => joint_ending = true,
            "--allow-fixed" => rules.allow_fixed = true,
            "--show-equations" => rules.show_equations = true,
            "--param" => {
                let (name, value) = words.next()?.split_once('=')?;
                settings
                    .parameters
                    .push((name.to_owned(), value.to_owned()));
            }
            "--format" => {
                words.next()?;
            }
            file => files.push(file.to_owned()),
        }
    }
    let first = files.first()?.clone();
    let realize_rules = RealizeRules {
        mode,
        criterion: Some(criterion),
        bound,
        services: Vec::new(),
        joint_ending,
    };
    Some(match verb.as_str() {
        "conform" => {
            let comparison = ConformRequest {
                implementation: first
                    .split('+')
                    .map(|it| Request::parse(it, None))
                    .collect(),
                specification: Request::parse(files.get(1)?, None),
                roles: Vec::new(),
                role,
                rules,
            };
            Box::new(move |files| {
                let workspace = &mut Workspace::new(files);
                let answered = verbs::conform(workspace, &comparison, &settings);
                answered.report(&workspace.terms)
            })
        }
        "realize" => {
            let request = RealizeRequest {
                files: vec![Request::parse(&first, None)],
                rules: realize_rules,
                repair,
                channels: None,
            };
            Box::new(move |files| {
                let workspace = &mut Workspace::new(files);
                let answered = verbs::realize(workspace, &request, &settings);
                answered.report(&workspace.terms)
            })
        }
        "project" => {
            let request = ProjectRequest {
                file: Request::parse(&first, None),
                role,
                repair,
                rules: realize_rules,
                memory: Memory::Natural,
                picture: Picture::Stg,
            };
            Box::new(move |files| {
                let workspace = &mut Workspace::new(files);
                let answered = verbs::project(workspace, &request, &settings);
                answered.report(&workspace.terms)
            })
        }
        "script" => {
            let request = ScriptRequest {
                file: Request::parse(&first, None),
                now: "now".to_owned(),
            };
            Box::new(move |files| {
                let workspace = &mut Workspace::new(files);
                let answered = verbs::script(workspace, &request, &settings);
                answered.report(&workspace.terms)
            })
        }
        _ => return None,
    })
}

fn word(report: &Report) -> &'static str {
    match report.answer() {
        Some(answer) => answer.word.text(),
        None if report.world_failed.is_some() => "no solver",
        None if ExitStatus::of(report) == ExitStatus::BadInput => "rejected",
        None => "produced",
    }
}
