//! `choros import`

use std::path::PathBuf;

use choros::FileSet;
use choros::report::ExitStatus;
use choros::verbs::{self, ImportRequest};
use clap::Args;

use crate::applicability::{NO_PARAMETERS, Parts, Uses};
use crate::caller::Caller;
use crate::options::Shared;
use crate::output_folder::write_files;

/// What does this API say as a model? Messages, choreographies and a binding from OpenAPI
///
/// Reads descriptions of OpenAPI 3.0 and 3.1 (YAML or JSON), one per service. Every operation becomes a request and an
/// answer per status, with types, guards from the limits of the schemas, and a choreography of its own; another
/// choreography has all calls in any order, to be replaced by what your services do. The binding has methods, paths,
/// statuses, places of fields, formats and examples. What cannot be carried over is listed.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros import openapi/order.yaml                  shows the model and the binding
  choros import openapi/order.yaml -o order         writes both files to the folder order
  choros import openapi/order.yaml openapi/payment.yaml -o shop
                                                    two services in one model: shop/shop.chor")]
pub(crate) struct Import {
    /// The descriptions, one per service
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// The role of the service; several in the order of the files (repeatable) [default: by the file or its title]
    #[arg(long, value_name = "ROLE")]
    role: Vec<String>,
    /// The role that calls the services
    #[arg(long, value_name = "ROLE", default_value = "client")]
    client: String,
    /// Takes optional fields along, as if every message had them
    #[arg(long)]
    optional: bool,
    /// Lists every detail that is not carried over, not only the first of each kind
    #[arg(long)]
    all: bool,
    /// Writes the files to this folder; files in it that were edited are never replaced
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "import",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &["files", "role", "client", "optional", "all", "output"],
    some: &[NO_PARAMETERS],
};

impl Import {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let settings = self.shared.settings(&shell);
        let mut workspace = shell.workspace();
        if self.role.len() > self.files.len() {
            return shell.usage_error(
                "--role names the service of a file: there are more roles than files",
            );
        }
        // Several services are called as their folder.
        let folder = self.output.as_ref().filter(|_| self.files.len() > 1);
        let name = folder
            .and_then(|it| it.file_name())
            .and_then(|it| it.to_str());
        let request = ImportRequest {
            name: name.map(str::to_owned),
            paths: self.files,
            roles: self.role,
            client: self.client,
            optional: self.optional,
            lists_all: self.all,
        };
        let mut answered = verbs::import(&mut workspace, &request, &settings);
        let mut files = FileSet::new();
        if let (Some(_), Ok(importing)) = (&self.output, &mut answered.answer) {
            files = std::mem::take(&mut importing.files);
        }
        let mut report = answered.report(&workspace.terms);
        if let Some(folder) = &self.output {
            write_files(folder, &files, &mut report, &shell);
        }
        shell.finish(&report, &workspace.sources)
    }
}
