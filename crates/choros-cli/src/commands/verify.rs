//! `choros verify`

use std::path::PathBuf;

use choros::report::{ExitStatus, Report};
use choros::verbs::{self, QuestionSource, VerifyRequest};
use choros::{Content, FileKind, Request};
use clap::{ArgGroup, Args, ValueEnum};

use crate::applicability::{GRAPHS, MACHINES, ONE_WHOLE, PARAMETERS, Parts, Use, Uses};
use crate::caller::Caller;
use crate::options::{
    CacheOption, ChannelsOption, FaultsOption, SESSIONS, ServicesOption, SessionsOption, Shared,
    kind,
};

/// Does the formula hold, and why?
///
/// Formulas are written in SocL, a branching-time logic for service interactions. They are about actions that
/// abstraction rules derive from the steps of the model. The model is explored only as far as the answer needs; the
/// answer shows the paths that settle it. A choreography or another graph whose data have no end is answered for all
/// data, with the weakest condition on its parameters.
#[derive(Args)]
#[command(group(ArgGroup::new("questions").required(true).multiple(true)))]
#[command(after_help = "\
Examples, in the folder examples:
  choros verify bank.cows --pattern responsive:charge
                                                    is every request answered?
  choros verify bank.cows --formula 'AG [request(charge,$v)] EF {responseOk(charge,$v)} true'
                                                    under the rules in the model, or --rules
  choros verify bank.cows --pattern all:charge      a table of the patterns
  choros verify automotive-one-car.cows --formulas automotive.socl
                                                    groups of formulas under their rules
  choros verify atm.gc --formula 'AG (EX true or not EX true)'
                                                    machines of a g-choreography
  choros verify online-shopping.chor#order --formula 'AG [Request($x) where $x<5] AF {Confirm} true'
                                                    a choreography, for all data
  choros verify online-shopping.chor#order --formula 'EF {Confirm} true' --domain x1=0..9
                                                    the same model, for some values of its data
  choros verify online-shopping.chor#order --formula 'always after Request eventually Abort'
                                                    a sentence instead of operators
  choros verify bank.cows --pattern one-shot:charge --style cmc
                                                    explained as CMC does
  choros verify bank.cows --pattern responsive:charge --certificate bank.json
                                                    for `choros certify bank.json bank.cows`

Patterns: available, weakly-available, parallel, sequential, one-shot, off-line, cancelable,
cancelable-service, revocable, revocable-strong, responsive, single-response, multiple-response,
no-response, reliable, single-responsive.")]
pub(crate) struct Verify {
    /// The model: FILE, FILE#COMPONENT, or several of them joined by `+`
    #[arg(value_name = "MODEL[#NAME]")]
    model: String,
    /// Reads the model as this format, whatever its extension
    #[arg(long = "as", value_name = "KIND", value_parser = kind)]
    kind: Option<FileKind>,
    /// Abstraction rules: a file (repeatable) [default: those in the model]
    #[arg(long, value_name = "FILE")]
    rules: Vec<String>,
    /// A formula (repeatable)
    #[arg(long, value_name = "FORMULA", group = "questions")]
    formula: Vec<String>,
    /// A file of formulas (repeatable)
    #[arg(long, value_name = "FILE", group = "questions")]
    formulas: Vec<String>,
    /// A pattern of service properties: NAME:INTERACTION, or all:INTERACTION (repeatable)
    #[arg(long, value_name = "NAME:INTERACTION", group = "questions")]
    pattern: Vec<String>,
    /// Values to try for a variable that messages bring: 0..3, or 1,5,9 (repeatable)
    #[arg(long = "domain", value_name = "NAME=VALUES", value_parser = domain)]
    domains: Vec<(String, String)>,
    /// Counts only endless runs that do not wait forever for a step like this that is always possible (repeatable)
    #[arg(long, value_name = "ACTION")]
    assume_fair: Vec<String>,
    /// Requires actions in formulas to name all arguments; by default the last ones can be left out
    #[arg(long)]
    strict: bool,
    /// Explores at most this many steps from the start
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Also explains a plain yes
    #[arg(long)]
    explain: bool,
    /// Format of explanations
    #[arg(long, value_enum, default_value_t = Style::Tree)]
    style: Style,
    /// Writes the answers and their proofs to this file, for `choros certify`
    #[arg(long, value_name = "PATH")]
    certificate: Option<PathBuf>,
    /// Formulas are about one session by itself; steps of other sessions are passed over
    #[arg(long, requires = "sessions")]
    per_session: bool,
    #[command(flatten)]
    sessions: SessionsOption,
    #[command(flatten)]
    cache: CacheOption,
    #[command(flatten)]
    services: ServicesOption,
    #[command(flatten)]
    channels: ChannelsOption,
    #[command(flatten)]
    faults: FaultsOption,
    #[command(flatten)]
    shared: Shared,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Style {
    /// Claims within claims
    Tree,
    /// Claims within claims, with the actions that rules make of each step
    Labels,
    /// As the model checker CMC prints them
    Cmc,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "verify",
    models: &["model"],
    parts: Parts::Of(GRAPHS, ONE_WHOLE),
    always: &[
        "rules",
        "formula",
        "formulas",
        "pattern",
        "assume_fair",
        "strict",
        "depth",
        "explain",
        "style",
        "certificate",
        "cache",
        "faults",
    ],
    some: &[
        Use::of(&["channels", "bound"], MACHINES).unless("faults"),
        Use::of(&["no_best_match"], &[Content::Service]),
        Use::of(&["domains"], GRAPHS),
        Use::of(SESSIONS, &[Content::Graphs]),
        Use::of(&["per_session"], &[Content::Graphs]),
        PARAMETERS,
    ],
};

impl Verify {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let mut settings = self.shared.settings(&shell);
        self.channels.apply(&mut settings);
        self.cache.apply(&mut settings);
        self.services.apply(&mut settings);
        self.faults.apply(&mut settings);
        self.sessions.apply(&mut settings);
        let mut workspace = shell.workspace();
        let mut questions: Vec<QuestionSource> = Vec::new();
        questions.extend(self.formula.into_iter().map(QuestionSource::Formula));
        questions.extend(self.formulas.into_iter().map(QuestionSource::File));
        questions.extend(self.pattern.into_iter().map(QuestionSource::Pattern));
        let mut models = self
            .model
            .split('+')
            .map(|it| Request::parse(it, self.kind));
        let request = VerifyRequest {
            model: models.next().unwrap_or_default(),
            partners: models.collect(),
            rules: self.rules,
            questions,
            domains: self.domains,
            fair: self.assume_fair,
            strict: self.strict,
            depth: self.depth,
            cmc_style: self.style == Style::Cmc,
            labels: self.style == Style::Labels,
            per_session: self.per_session,
            ..VerifyRequest::default()
        };
        let answered = verbs::verify(&mut workspace, &request, &settings);
        let mut report = Report {
            explain: self.explain,
            ..answered.report(&workspace.terms)
        };
        if let Some(path) = &self.certificate {
            let certificate = verbs::verify_certificate(&mut workspace, &request, &settings);
            shell.write_certificate(path, certificate, &mut report);
        }
        shell.finish(&report, &workspace.sources)
    }
}

fn domain(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, values)) if !name.trim().is_empty() && !values.trim().is_empty() => {
            Ok((name.trim().to_owned(), values.trim().to_owned()))
        }
        _ => Err("write it as NAME=VALUES, such as quantity=0..3".to_owned()),
    }
}
