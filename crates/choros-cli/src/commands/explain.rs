//! `choros explain`

use choros::data::Terms;
use choros::report::ExitStatus;
use clap::Args;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::format::Format;
use crate::options::Shared;

/// What does this diagnostic mean?
///
/// Prints what a check looks for, why it matters, and an example. Without a code, it lists all codes.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros explain CH0301                         or 301
  choros explain dead-transition                by name
  choros explain                                all codes with their names")]
pub(crate) struct Explain {
    /// The code or the name of a diagnostic
    #[arg(value_name = "CODE")]
    code: Option<String>,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "explain",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &["code", "parameters"],
    some: &[],
};

impl Explain {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let Some(code) = &self.code else {
            for info in choros::codes() {
                shell.print(&format!("{}  {}\n", info.code, info.name));
            }
            return ExitStatus::Success;
        };
        match choros::code(code) {
            Ok(info) => {
                let report = choros::verbs::explain(info).report(&Terms::new());
                match self.shared.format {
                    Format::Json | Format::Junit | Format::Sarif | Format::Html => {
                        shell.finish(&report, &choros::base::SourceMap::new())
                    }
                    Format::Text => {
                        shell.print(&format!("{}: {}\n\n", info.code, info.name));
                        shell.print(info.documentation);
                        ExitStatus::Success
                    }
                }
            }
            Err(similar) => {
                let hint = match similar {
                    Some(info) => format!("; did you mean {} ({})?", info.code, info.name),
                    None => "; codes look like CH0301".to_owned(),
                };
                shell.usage_error(&format!("there is no diagnostic `{code}`{hint}"))
            }
        }
    }
}
