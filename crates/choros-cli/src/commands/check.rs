//! `choros check`

use std::path::{Path, PathBuf};

use choros::report::ExitStatus;
use choros::verbs::{self, CheckProject, CheckRequest};
use choros::{Content, FileKind, PROJECT_FILE, Request, Settings, Workspace};
use clap::Args;
use jiff::civil::Date;

use crate::applicability::{GRAPHS, ONE_WHOLE, PROCESSES, Parts, Use, Uses};
use crate::caller::Caller;
use crate::options::{
    CacheOption, ChannelsOption, ProcessOption, RecoveryOptions, ReduceOption, SESSIONS,
    SessionsOption, Shared, kind, models,
};
use crate::shell::Shell;
use crate::{clock, project_folder};

/// Is the model sound? Mistakes, types of data, parameters, steps that can never happen
///
/// Reads models, infers the types (sorts) of their data, lists their parameters, and finds transitions that can never
/// fire, whatever the data. A mistake in the text gives exit code 2; a transition that can never fire is a warning.
///
/// Without files, it checks what `choros.toml` lists, in this folder or the nearest one above it.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros check online-shopping.schora               all components of a script
  choros check online-shopping.chor#shop            one of them
  choros check online-shopping.chor#order --deny warnings
                                                    fail on warnings too (for CI)
  choros check atm.fsa --channels bag               machines whose messages overtake
  choros check atm.gc --strict                      the form of a g-choreography
  choros check xloan/xloan.bpel                     a process with its WSDL and schemas
  choros check online-shopping.chor --format json   for programs
  choros check shipping/s.prop --model shipping/sq.stg
                                                    do the properties fit the model of a service?
  choros check xloan/select.tp --model xloan/xloan.bpel
                                                    can the service reach the test purpose?
  choros check bank.socl                            formulas, and the rules that they name
  choros check                                      what choros.toml names (for CI)")]
pub(crate) struct Check {
    #[arg(value_name = "FILE[#NAME]", help = format!("{}; without any, what choros.toml names", models()))]
    files: Vec<String>,
    /// Reads the files as this format, whatever their extensions
    #[arg(long = "as", value_name = "KIND", value_parser = kind)]
    kind: Option<FileKind>,
    /// Adds every new warning and verdict to the baseline of choros.toml
    #[arg(long, conflicts_with = "files")]
    update_baseline: bool,
    /// Compares dates of the baseline with this day instead of today: 2027-01-31
    #[arg(long, value_name = "DATE", conflicts_with = "files")]
    today: Option<Date>,
    /// Checks whether properties fit this model (no run fails, some run passes), whether it can reach a test purpose,
    /// or whether contracts are about operations it uses
    #[arg(long, value_name = "FILE[#NAME]")]
    model: Option<String>,
    /// Follows runs of that model for at most this many messages
    #[arg(long, value_name = "N", default_value_t = 16, requires = "model")]
    depth: usize,
    /// For a g-choreography: reports steps that do not wait for the step written before them
    #[arg(long)]
    strict: bool,
    /// For a g-choreography: a participant that does the same in all branches need not know which one was chosen
    #[arg(long)]
    tolerate_equal_branches: bool,
    /// For machines: writes the answer and its proof to this file, for `choros certify`
    #[arg(long, value_name = "PATH", requires = "files")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    cache: CacheOption,
    #[command(flatten)]
    channels: ChannelsOption,
    #[command(flatten)]
    reduce: ReduceOption,
    #[command(flatten)]
    process: ProcessOption,
    #[command(flatten)]
    faults: RecoveryOptions,
    #[command(flatten)]
    sessions: SessionsOption,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "check",
    models: &["files"],
    parts: Parts::Of(GRAPHS, ONE_WHOLE),
    always: &["update_baseline", "today", "cache", "faults", "recovers"],
    some: &[
        Use::of(
            &["model", "depth"],
            &[Content::Properties, Content::Purpose, Content::Contracts],
        )
        .hint(
            "`choros verify MODEL --formulas FILE` asks formulas, `choros conform` compares models",
        ),
        Use::of(&["strict", "tolerate_equal_branches"], &[Content::Gchor]),
        Use::of(&["channels", "bound", "reduce"], &[Content::Machines])
            .unless("faults")
            .hint("`choros realize atm.gc --channels bag` judges the machines of a g-choreography"),
        Use::of(SESSIONS, &[Content::Graphs]),
        Use::of(&["certificate"], &[Content::Machines])
            .hint("`choros conform IMPL SPEC --certificate FILE` writes one about conformance"),
        Use::of(&["parameters"], &[Content::Graphs]).unless("model"),
        PROCESSES.unless("model"),
    ],
};

impl Check {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let mut settings = self.shared.settings(&shell);
        self.cache.apply(&mut settings);
        self.channels.apply(&mut settings);
        self.process.apply(&mut settings);
        self.sessions.apply(&mut settings);
        self.reduce.apply(&mut settings);
        self.faults.apply(&mut settings);
        settings.gchor.strict = self.strict;
        settings.gchor.tolerate_equal_branches = self.tolerate_equal_branches;
        let mut workspace = shell.workspace();
        if self.files.is_empty() {
            return self.run_project(&shell, workspace, &settings);
        }
        let files = self.files.iter();
        let request = CheckRequest {
            files: files.map(|it| Request::parse(it, self.kind)).collect(),
            model: self.model.as_deref().map(|it| Request::parse(it, None)),
            depth: self.depth,
        };
        let answered = verbs::check(&mut workspace, &request, &settings);
        let mut report = answered.report(&workspace.terms);
        if let Some(path) = &self.certificate {
            let [request] = &request.files[..] else {
                return shell.usage_error(
                    "a certificate is about one file\n\nFor more information, try '--help'.",
                );
            };
            let certificate = verbs::check_certificate(&mut workspace, request, &settings);
            shell.write_certificate(path, certificate, &mut report);
        }
        shell.finish(&report, &workspace.sources)
    }

    /// What the nearest project file names.
    fn run_project(
        &self,
        shell: &Shell,
        mut workspace: Workspace<'_>,
        settings: &Settings,
    ) -> ExitStatus {
        let Some(root) = project_folder::root() else {
            return shell.usage_error(&format!(
                "name files to check, or write a {PROJECT_FILE} that does\n\nFor more information, try '--help'."
            ));
        };
        let request = CheckProject {
            files: &|| project_folder::files(&root),
            root: root.clone(),
            today: self.today.unwrap_or_else(clock::today),
            update_baseline: self.update_baseline,
        };
        let checked = verbs::check_project(&mut workspace, &request, settings);
        let (mut report, rewritten) = checked.report(&mut workspace, &request);
        if let Some((path, text)) = &rewritten {
            shell.write_beside(Path::new(path), text, &mut report);
        }
        shell.finish(&report, &workspace.sources)
    }
}
