//! `choros script`

use choros::report::ExitStatus;
use choros::verbs::{self, ScriptRequest};
use choros::{FileKind, Request};
use clap::Args;

use crate::applicability::{PARAMETERS, Parts, Uses};
use crate::caller::Caller;
use crate::clock;
use crate::options::Shared;

/// What do the commands of this SChorA script say?
///
/// Runs the commands at the end of a script in order, such as showStat and conformance. If one cannot be answered, it
/// says so, and the rest still run.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros script online-shopping.schora              pictures as text
  choros script online-shopping.schora --format json
                                                    one result per command, pictures in DOT")]
pub(crate) struct Script {
    /// The script
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "script",
    models: &["file"],
    parts: Parts::AsTheVerbSays,
    always: &[],
    some: &[PARAMETERS],
};

impl Script {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let settings = self.shared.settings(&shell);
        let mut workspace = shell.workspace();
        let request = ScriptRequest {
            file: Request {
                path: self.file,
                component: None,
                kind: FileKind::named("schora"),
            },
            now: clock::now(),
        };
        let answered = verbs::script(&mut workspace, &request, &settings);
        let report = answered.report(&workspace.terms);
        shell.finish(&report, &workspace.sources)
    }
}
