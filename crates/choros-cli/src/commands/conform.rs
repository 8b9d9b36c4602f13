//! `choros conform`

use std::path::PathBuf;

use choros::report::ExitStatus;
use choros::verbs::{self, ComparisonRules, ConformRequest};
use choros::{FileKind, Request};
use clap::Args;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::options::{CacheOption, RecoveryOptions, SessionsOption, Shared, kind};

/// Does the implementation conform, and for which data?
///
/// Hides messages that the specification does not mention and compares the two for all data at once. The answer is yes,
/// no with a run that shows the difference, or the weakest condition on the parameters under which it is yes.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros conform tss.schora#tss_services tss.schora#tss
                                                    services together against their choreography
  choros conform online-shopping.schora#order_buyer+online-shopping.schora#order_vendor \\
      online-shopping.schora#order
                                                    services that are composed first
  choros conform online-shopping.schora#shop_vendor online-shopping.schora#shop --role v
                                                    one service alone
  choros conform tss.schora#tss_services tss.schora#tss --show-equations
                                                    with the predicate equations
  choros conform a.schora#impl b.schora#spec --map warehouse=w --share limit
                                                    names and values that differ")]
pub(crate) struct Conform {
    /// The implementation: FILE, FILE#COMPONENT, or several of them joined by `+`
    #[arg(value_name = "IMPL[#NAME]")]
    implementation: String,
    /// The specification: FILE, or FILE#COMPONENT
    #[arg(value_name = "SPEC[#NAME]")]
    specification: String,
    /// Reads the files as this format, whatever their extensions: schora, stg, dot
    #[arg(long = "as", value_name = "KIND", value_parser = kind)]
    kind: Option<FileKind>,
    /// Maps a service of the implementation to a role of the specification (repeatable)
    #[arg(long = "map", value_name = "SERVICE=ROLE", value_parser = mapping)]
    roles: Vec<(String, String)>,
    /// Treats the parameter with this name as the same one on both sides (repeatable)
    #[arg(long = "share", value_name = "NAME")]
    shared: Vec<String>,
    /// Lets the implementation send any value it knows where the specification leaves the value open
    #[arg(long)]
    allow_fixed: bool,
    /// Prints the predicate equations, one per pair of states
    #[arg(long)]
    show_equations: bool,
    /// Compares one service with what the specification asks of this role (its projection)
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Writes the predicate equations to a file, for any solver that reads SMT-LIB
    #[arg(long, value_name = "FILE")]
    smt2: Option<PathBuf>,
    /// Writes the proof of the answer to a file, for `choros certify`
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    sessions: SessionsOption,
    #[command(flatten)]
    cache: CacheOption,
    #[command(flatten)]
    faults: RecoveryOptions,
    #[command(flatten)]
    shared_options: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "conform",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &[
        "implementation",
        "specification",
        "roles",
        "shared",
        "allow_fixed",
        "show_equations",
        "role",
        "smt2",
        "certificate",
        "cache",
        "faults",
        "recovers",
        "parameters",
        "sessions",
        "by",
        "distinct",
        "sharing",
        "own_queues",
    ],
    some: &[],
};

impl Conform {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared_options.shell(caller);
        let mut settings = self.shared_options.settings(&shell);
        self.cache.apply(&mut settings);
        self.faults.apply(&mut settings);
        self.sessions.apply(&mut settings);
        let mut workspace = shell.workspace();
        let request = ConformRequest {
            implementation: self
                .implementation
                .split('+')
                .map(|part| Request::parse(part, self.kind))
                .collect(),
            specification: Request::parse(&self.specification, self.kind),
            roles: self.roles,
            role: self.role,
            rules: ComparisonRules {
                shared: self.shared,
                allow_fixed: self.allow_fixed,
                show_equations: self.show_equations,
                smt2: self.smt2.is_some(),
                certificate: self.certificate.is_some(),
            },
        };
        let answered = verbs::conform(&mut workspace, &request, &settings);
        let certificate = answered.answer.as_ref().ok();
        let certificate = certificate.and_then(|it| it.certificate.clone());
        let mut report = answered.report(&workspace.terms);
        if let (Some(path), Some(certificate)) = (&self.certificate, certificate) {
            shell.write_beside(path, &certificate.to_json(), &mut report);
        }
        if let Some(path) = &self.smt2 {
            shell.write_scripts(path, &mut report);
        }
        shell.finish(&report, &workspace.sources)
    }
}

fn mapping(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((service, role)) if !service.trim().is_empty() && !role.trim().is_empty() => {
            Ok((service.trim().to_owned(), role.trim().to_owned()))
        }
        _ => Err("write it as SERVICE=ROLE, such as warehouse=w".to_owned()),
    }
}
