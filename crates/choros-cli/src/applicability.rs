//! Which options mean something for which contents of files.
//!
//! An option that is silently ignored looks as if it had been obeyed, so one that no given file has a use for is
//! refused before the run. What is not in the table means something for every file of its verb; finer points, such as
//! one file among several that an option does not fit, are for the verb to tell.

use choros::verbs::{Meaningless, refuse_options};
use choros::{Content, FileKind, PROJECT_FILE, Request};
use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::options::Format;
use crate::shell::{Limits, Shell};

use Content::{Contracts, Gchor, Graphs, Machines, Process, Properties, Purpose, Service};

/// Options, by the names of their fields, that are for some kinds only.
struct Use {
    verbs: &'static [&'static str],
    options: &'static [&'static str],
    holding: &'static [Content],
    /// Another option with which they mean something whatever the files are.
    unless: Option<&'static str>,
    hint: Option<&'static str>,
}

impl Use {
    const fn of(
        verbs: &'static [&'static str],
        options: &'static [&'static str],
        holding: &'static [Content],
    ) -> Use {
        Use {
            verbs,
            options,
            holding,
            unless: None,
            hint: None,
        }
    }

    const fn hint(mut self, hint: &'static str) -> Use {
        self.hint = Some(hint);
        self
    }

    const fn unless(mut self, option: &'static str) -> Use {
        self.unless = Some(option);
        self
    }
}

/// Graphs with data.
const GRAPHS: &[Content] = &[Graphs, Process];

/// Machines that talk over channels.
const MACHINES: &[Content] = &[Gchor, Machines];

const TABLE: &[Use] = &[
    Use::of(
        &["check"],
        &["model", "depth"],
        &[Properties, Purpose, Contracts],
    )
    .hint("`choros verify MODEL --formulas FILE` asks formulas, `choros conform` compares models"),
    Use::of(&["check"], &["strict", "tolerate_equal_branches"], &[Gchor]),
    Use::of(&["check"], &["channels", "bound", "reduce"], &[Machines])
        .hint("`choros realize atm.gc --channels bag` judges the machines of a g-choreography"),
    Use::of(&["check"], &["parameters"], &[Graphs]).unless("model"),
    Use::of(
        &["check", "explore", "draw"],
        &["event_handlers", "time_unit"],
        &[Process],
    ),
    Use::of(&["explore"], &["traces"], GRAPHS)
        .hint("`--pomsets` counts the linearisations of a g-choreography"),
    Use::of(&["explore"], &["cut", "reduce"], MACHINES),
    Use::of(&["explore", "verify"], &["channels", "bound"], MACHINES),
    Use::of(&["explore", "verify"], &["no_best_match"], &[Service]),
    Use::of(
        &[
            "explore", "draw", "realize", "project", "verify", "tests", "script",
        ],
        &["parameters"],
        GRAPHS,
    ),
    Use::of(
        &["fmt", "comply", "mutate", "monitor", "solve"],
        &["parameters"],
        &[],
    )
    .hint("models that are explored, checked, compared or tested may have parameters"),
    Use::of(&["realize", "project"], &["mode", "repair"], &[Graphs]),
    Use::of(&["realize"], &["channels"], &[Gchor])
        .hint("`--mode sender` and `--mode receiver` are about messages that wait in queues"),
    Use::of(&["verify"], &["domains"], GRAPHS),
    Use::of(
        &["tests"],
        &[
            "trim", "split", "oracle", "subtrees", "loops", "force", "payloads", "channels",
            "bound",
        ],
        MACHINES,
    ),
    Use::of(&["tests", "mutate"], &["force"], &[Gchor]),
    Use::of(
        &["tests"],
        &[
            "purpose",
            "purpose_actions",
            "contracts",
            "words",
            "depth",
            "coverage",
            "only_terminating",
            "inclusion",
            "user",
            "play",
            "concrete",
            "tree",
            "smt2",
            "mapping",
        ],
        GRAPHS,
    ),
];

/// Refuses a run whose options no file has a use for; `None` if all are in order.
pub(crate) fn refuse(matches: &ArgMatches) -> Option<std::process::ExitCode> {
    let (verb, matches) = matches.subcommand()?;
    let files = files(matches);
    if let Some(option) = only_for_files(verb, matches) {
        return Some(Shell::plain().usage_error(&format!(
            "{option} is about files that are named; {PROJECT_FILE} says it for each item"
        )));
    }
    // What a document in XML holds, only its contents say.
    if files.is_empty() || files.iter().any(|it| it.known_kind().is_none()) {
        return None;
    }
    let mut refused: Vec<Meaningless<'_>> = TABLE
        .iter()
        .filter(|it| it.verbs.contains(&verb))
        .filter(|it| !it.unless.is_some_and(|option| is_given(matches, option)))
        .filter(|it| !files.iter().any(|file| file.holds(it.holding)))
        .flat_map(|it| {
            let given = it.options.iter().filter(|option| is_given(matches, option));
            given.map(|option| Meaningless {
                option: format!("--{}", long_name(option)),
                files: &files,
                kinds: FileKind::holding(it.holding),
                hint: it.hint,
            })
        })
        .collect();
    let parts = files.iter().filter(|it| names_no_part(verb, it));
    refused.extend(parts.map(|file| Meaningless {
        option: format!("#{}", file.component.as_deref().unwrap_or_default()),
        files: std::slice::from_ref(file),
        kinds: Vec::new(),
        hint: Some(match verb {
            "project" | "tests" | "mutate" => "`--role` names a participant",
            _ => "the file is one whole",
        }),
    }));
    if refused.is_empty() {
        return None;
    }
    let mut known = TABLE.iter().flat_map(|it| it.verbs).chain(VERBS);
    let verb = known.find(|known| **known == verb)?;
    let report = refuse_options(verb, &refused);
    let format = matches.get_one::<Format>("format").copied();
    let shell = Shell::new(format.unwrap_or(Format::Text), Limits::default());
    let sources = choros::base::SourceMap::new();
    Some(shell.finish(&report, &sources))
}

/// An option that means nothing where a project file says what is checked.
fn only_for_files(verb: &str, matches: &ArgMatches) -> Option<String> {
    let named = || matches.try_get_many::<String>("files").ok().flatten();
    if verb != "check" || named().is_some() {
        return None;
    }
    let options = [
        "kind",
        "model",
        "depth",
        "strict",
        "tolerate_equal_branches",
        "channels",
        "bound",
        "reduce",
        "event_handlers",
        "time_unit",
        "parameters",
    ];
    let given = options.into_iter().find(|it| is_given(matches, it))?;
    let name = match given {
        "kind" => "as".to_owned(),
        other => long_name(other),
    };
    Some(format!("--{name}"))
}

/// Whether a file is asked for a part by name although such files are looked at as a whole.
fn names_no_part(verb: &str, file: &Request) -> bool {
    let has_parts = match file.known_kind().map(FileKind::content) {
        Some(Machines) => matches!(verb, "draw" | "comply"),
        Some(content) => GRAPHS.contains(&content),
        None => true,
    };
    file.component.is_some() && !has_parts && VERBS.contains(&verb)
}

/// The verbs of which this file knows how they read their models.
const VERBS: &[&str] = &[
    "check", "explore", "draw", "realize", "project", "verify", "tests", "mutate",
];

/// How the user writes the option of a field.
fn long_name(field: &str) -> String {
    match field {
        "parameters" => "param".to_owned(),
        "domains" => "domain".to_owned(),
        other => other.replace('_', "-"),
    }
}

fn is_given(matches: &ArgMatches, option: &str) -> bool {
    let known = matches.ids().any(|id| id.as_str() == option);
    known && matches.value_source(option) == Some(ValueSource::CommandLine)
}

/// The models of a run.
fn files(matches: &ArgMatches) -> Vec<Request> {
    let kind = matches
        .try_get_one::<FileKind>("kind")
        .ok()
        .flatten()
        .copied();
    let inputs = ["files", "file", "model", "machine", "properties"];
    // `check` has models of its own, and names one to compare with.
    let given = inputs.into_iter().find_map(|id| {
        let values = matches.try_get_many::<String>(id).ok().flatten()?;
        Some(values.map(|it| Request::parse(it, kind)).collect())
    });
    given.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::CommandLine;

    #[test]
    fn the_table_is_about_options_that_there_are() {
        let command = CommandLine::command();
        for row in TABLE {
            for verb in row.verbs {
                let verb = command.find_subcommand(verb).expect(verb);
                for option in row.options.iter().chain(&row.unless) {
                    let argument = verb.get_arguments().find(|it| it.get_id() == option);
                    let argument =
                        argument.unwrap_or_else(|| panic!("{} has no {option}", verb.get_name()));
                    assert_eq!(argument.get_long(), Some(&*long_name(option)));
                }
            }
        }
    }
}
