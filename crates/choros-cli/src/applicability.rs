//! Which options mean something for which contents of files.
//!
//! An option that is silently ignored looks as if it had been obeyed, so one that no given file has a use for is
//! refused before the run.
//! Every verb says beside its options what they are about ([`Uses`]); an option of which nothing is said is refused,
//! and a test knows all verbs and all their options.
//! Finer points, such as one file among several that an option does not fit, are for the verb to tell.

use choros::report::ExitStatus;
use choros::verbs::{UselessOption, refuse_options};
use choros::{Content, FileKind, PROJECT_FILE, Request};
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

use crate::caller::Caller;
use crate::format::Format;
use crate::shell::{Limits, Shell};

use Content::{Gchor, Graphs, Machines, Process};

/// What the options of a verb are about.
pub(crate) struct Uses {
    /// The verb.
    pub(crate) verb: &'static str,
    /// The arguments, by the names of their fields, that name models whose contents decide; none where they are not
    /// known by extensions.
    pub(crate) models: &'static [&'static str],
    /// The contents of which a part can be asked for, as `FILE#NAME`.
    pub(crate) parts: Parts,
    /// Options, by the names of their fields, that mean something for every file of the verb.
    pub(crate) always: &'static [&'static str],
    /// Options that are for some contents only.
    pub(crate) some: &'static [Use],
}

/// What can be asked for by name.
pub(crate) enum Parts {
    /// Components of files that hold these; otherwise the hint says what to do instead.
    Of(&'static [Content], &'static str),
    /// The verb tells what it makes of a name.
    AsTheVerbSays,
}

/// Options, by the names of their fields, that are for some kinds only.
pub(crate) struct Use {
    options: &'static [&'static str],
    holding: &'static [Content],
    /// Another option with which they mean something whatever the files are.
    unless: Option<&'static str>,
    hint: Option<&'static str>,
}

impl Use {
    pub(crate) const fn of(options: &'static [&'static str], holding: &'static [Content]) -> Use {
        Use {
            options,
            holding,
            unless: None,
            hint: None,
        }
    }

    pub(crate) const fn hint(mut self, hint: &'static str) -> Use {
        self.hint = Some(hint);
        self
    }

    pub(crate) const fn unless(mut self, option: &'static str) -> Use {
        self.unless = Some(option);
        self
    }
}

/// Graphs with data.
pub(crate) const GRAPHS: &[Content] = &[Graphs, Process];

/// Machines that talk over channels.
pub(crate) const MACHINES: &[Content] = &[Gchor, Machines];

/// The hint where a file has no parts that a verb could look at alone.
pub(crate) const ONE_WHOLE: &str = "the file is one whole";

/// Parameters, of verbs that look at graphs and at other things.
pub(crate) const PARAMETERS: Use = Use::of(&["parameters"], GRAPHS);

/// How processes are read.
pub(crate) const PROCESSES: Use = Use::of(
    &["event_handlers", "reading", "time_unit"],
    &[Content::Process],
);

/// Parameters, of verbs that look at nothing that has some.
pub(crate) const NO_PARAMETERS: Use = Use::of(&["parameters"], &[])
    .hint("models that are explored, checked, compared or tested may have parameters");

/// Options of [`crate::options::Shared`] that are about the run and not about what is examined.
const OF_THE_RUN: &[&str] = &[
    "format",
    "max_states",
    "solver_budget",
    "timeout",
    "max_memory",
    "include",
    "deny",
    "kind",
];

/// Refuses a run whose options no file has a use for; `None` if all are in order.
pub(crate) fn refuse(
    command: &Command,
    matches: &ArgMatches,
    uses: &Uses,
    caller: &Caller,
) -> Option<ExitStatus> {
    let verb = uses.verb;
    let files = files(matches, uses);
    if let Some(option) = only_for_files(verb, matches) {
        return Some(Shell::plain(caller).usage_error(&format!(
            "{option} needs files on the command line; without them, set it per item in {PROJECT_FILE}"
        )));
    }
    // What a document in XML holds, only its contents say.
    if files.is_empty() || files.iter().any(|it| it.known_kind().is_none()) {
        return None;
    }
    let mut refused: Vec<UselessOption<'_>> = uses
        .some
        .iter()
        .filter(|it| !it.unless.is_some_and(|option| is_given(matches, option)))
        .filter(|it| !files.iter().any(|file| file.holds(it.holding)))
        .flat_map(|it| {
            let given = it.options.iter().filter(|option| is_given(matches, option));
            given.map(|option| UselessOption {
                option: format!("--{}", long_name(option)),
                files: &files,
                kinds: FileKind::holding(it.holding),
                hint: it.hint,
            })
        })
        .collect();
    let ids = command.get_arguments().map(|it| it.get_id().as_str());
    let unheard = ids.filter(|id| !uses.knows(id) && is_given(matches, id));
    refused.extend(unheard.map(|id| UselessOption {
        option: format!("--{}", long_name(id)),
        files: &files,
        kinds: Vec::new(),
        hint: None,
    }));
    if let Parts::Of(contents, hint) = uses.parts {
        let whole = |file: &&Request| {
            let kind = file.known_kind().map(FileKind::content);
            file.component.is_some() && !kind.is_some_and(|it| contents.contains(&it))
        };
        refused.extend(files.iter().filter(whole).map(|file| UselessOption {
            option: format!("#{}", file.component.as_deref().unwrap_or_default()),
            files: std::slice::from_ref(file),
            kinds: Vec::new(),
            hint: Some(hint),
        }));
    }
    if refused.is_empty() {
        return None;
    }
    let report = refuse_options(verb, &refused);
    let format = matches.try_get_one::<Format>("format").ok().flatten();
    let format = format.copied().unwrap_or(Format::Text);
    let shell = Shell::new(format, Limits::default(), caller);
    let sources = choros::base::SourceMap::new();
    Some(shell.finish(&report, &sources))
}

impl Uses {
    /// Whether it is said what an argument is about.
    fn knows(&self, id: &str) -> bool {
        self.always.contains(&id)
            || self.models.contains(&id)
            || self.some.iter().any(|it| it.options.contains(&id))
            || OF_THE_RUN.contains(&id)
    }
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
        "certificate",
        "event_handlers",
        "reading",
        "time_unit",
        "parameters",
        "faults",
        "recovers",
        "sessions",
    ];
    let given = options.into_iter().find(|it| is_given(matches, it))?;
    let name = match given {
        "kind" => "as".to_owned(),
        other => long_name(other),
    };
    Some(format!("--{name}"))
}

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
fn files(matches: &ArgMatches, uses: &Uses) -> Vec<Request> {
    let kind = matches
        .try_get_one::<FileKind>("kind")
        .ok()
        .flatten()
        .copied();
    let given = uses.models.iter().flat_map(|id| {
        let values = matches.try_get_many::<String>(id).ok().flatten();
        values.into_iter().flatten()
    });
    given.map(|it| Request::parse(it, kind)).collect()
}

#[cfg(test)]
mod tests {
    use clap::ArgAction;

    use super::*;
    use crate::{CommandLine, Verb};

    /// A new verb, and a new option, come with what they are about.
    #[test]
    fn every_verb_says_of_every_option_what_it_is_about() {
        let command = CommandLine::whole();
        for verb in command.get_subcommands() {
            let name = verb.get_name();
            let (uses, _) = Verb::named(name).unwrap_or_else(|| panic!("{name} says nothing"));
            for argument in verb.get_arguments() {
                let id = argument.get_id().as_str();
                if matches!(
                    argument.get_action(),
                    ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong
                ) {
                    continue;
                }
                assert!(uses.knows(id), "{name} does not say what `{id}` is about");
            }
        }
    }

    #[test]
    fn what_is_said_is_about_options_that_there_are() {
        let command = CommandLine::whole();
        for verb in command.get_subcommands() {
            let Some((uses, _)) = Verb::named(verb.get_name()) else {
                continue;
            };
            let some = uses
                .some
                .iter()
                .flat_map(|it| it.options.iter().chain(&it.unless));
            for option in some.chain(uses.always).chain(uses.models) {
                let argument = verb.get_arguments().find(|it| it.get_id() == option);
                let argument =
                    argument.unwrap_or_else(|| panic!("{} has no {option}", verb.get_name()));
                if uses.some.iter().any(|it| it.options.contains(option)) {
                    assert_eq!(argument.get_long(), Some(&*long_name(option)));
                }
            }
        }
    }
}
