//! `choros project`

use std::path::PathBuf;

use choros::report::ExitStatus;
use choros::verbs::{
    self, Criterion, Memory, Picture, ProjectRequest, RealizeRules, SkeletonRequest,
};
use choros::{Content, FileSet, TargetLanguage};
use clap::Args;

use crate::applicability::{GRAPHS, PARAMETERS, Parts, Use, Uses};
use crate::caller::Caller;
use crate::choice::choice;
use crate::options::{EndingOptions, KindOption, ModeOption, Shared};
use crate::output_folder::write_files;
use crate::picture_file::PictureFile;
use crate::shell::Shell;

/// What does each role do? Its part of the choreography, without silent steps
///
/// Projects the runs of a choreography onto its roles. A role remembers: a value it knows stays as it was, and a value
/// it does not see stays the same for the whole run. Silent steps are absorbed, so no role has to guess one.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros project online-shopping.schora#shop        all roles, as trees
  choros project online-shopping.schora#shop --role v
                                                    the vendor
  choros project online-shopping.schora#shop --role v -o v.stg
                                                    as a graph that Choros reads back
  choros project online-shopping.schora#shop -o roles.chor
                                                    all roles, in the native language
  choros project online-shopping.schora#shop -o roles.schora
                                                    all roles, as a SChorA script
  choros project online-shopping.chor#order --skeleton rust -o services
                                                    a crate with a service per role, to fill in
  choros project atm.gc -o atm.fsa                  the machines of a g-choreography")]
pub(crate) struct ProjectVerb {
    /// The choreography: FILE, or FILE#COMPONENT
    #[arg(value_name = "FILE[#NAME]")]
    file: String,
    #[command(flatten)]
    kind: KindOption,
    /// The role [default: all]
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    #[command(flatten)]
    mode: ModeOption,
    /// First adds the messages that `realize --repair` proposes, so that the roles do what the choreography says
    #[arg(long)]
    repair: bool,
    /// The criterion that the added messages must meet [default: semantic]
    #[arg(long, value_parser = choice::<Criterion>())]
    criterion: Option<Criterion>,
    #[command(flatten)]
    ending: EndingOptions,
    /// Projects exactly as in the thesis: a received value replaces the one known before
    #[arg(long)]
    natural: bool,
    /// Writes a service per role in this language, with one method to fill in per message; `-o` is then a folder;
    /// edited files in it are never replaced
    #[arg(long, value_parser = choice::<TargetLanguage>(), value_name = "LANGUAGE")]
    skeleton: Option<TargetLanguage>,
    /// The binding: with --skeleton, the services also know how their messages look outside
    #[arg(long, value_name = "FILE", requires = "skeleton")]
    binding: Option<String>,
    /// Writes to a file; the extension sets the format: .chor, .stg, .dot, .schora, .svg, .mmd, .txt; .fsa for the
    /// machines of a g-choreography
    #[arg(short, long, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "project",
    models: &["file"],
    parts: Parts::Of(GRAPHS, "`--role` names a participant"),
    always: &["role", "natural", "skeleton", "binding", "output"],
    some: &[
        PARAMETERS,
        Use::of(
            &["mode", "repair", "criterion", "service", "joint_ending"],
            &[Content::Graphs],
        ),
    ],
};

impl ProjectVerb {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let settings = self.shared.settings(&shell);
        let mut workspace = shell.workspace();
        if !self.repair && (self.criterion.is_some() || self.ending.is_given()) {
            return shell.usage_error(
                "--criterion, --service and --joint-ending set what the additions of --repair must meet: add --repair",
            );
        }
        if let Some(language) = self.skeleton {
            return self.write_skeleton(language, &shell);
        }
        let forms = ["chor", "stg", "dot", "schora", "svg", "mmd", "txt", "fsa"];
        let output = match PictureFile::asked(self.output.as_deref(), &forms) {
            Ok(output) => output,
            Err(message) => return shell.usage_error(&message),
        };
        let picture = output.as_ref().map_or(Picture::Report, |file| file.picture);
        let request = ProjectRequest {
            picture,
            ..self.asked()
        };
        let answered = verbs::project(&mut workspace, &request, &settings);
        let mut report = answered.report(&workspace.terms);
        if let Some(file) = &output
            && let Err(message) = file.write(&request.file.path, &mut report, "--role", &shell)
        {
            return shell.usage_error(&message);
        }
        shell.finish(&report, &workspace.sources)
    }

    fn write_skeleton(&self, language: TargetLanguage, shell: &Shell) -> ExitStatus {
        let settings = self.shared.settings(shell);
        let mut workspace = shell.workspace();
        let request = SkeletonRequest {
            projection: self.asked(),
            language,
            binding: self.binding.clone(),
        };
        let mut answered = verbs::skeleton(&mut workspace, &request, &settings);
        let mut files = FileSet::new();
        if let (Some(_), Ok(skeleton)) = (&self.output, &mut answered.answer) {
            files = std::mem::take(&mut skeleton.files);
        }
        let mut report = answered.report(&workspace.terms);
        if let Some(folder) = &self.output {
            write_files(folder, &files, &mut report, shell);
        }
        shell.finish(&report, &workspace.sources)
    }

    fn asked(&self) -> ProjectRequest {
        ProjectRequest {
            file: self.kind.request(&self.file),
            role: self.role.clone(),
            repair: self.repair,
            rules: RealizeRules {
                mode: self.mode.mode(),
                criterion: self.criterion,
                services: self.ending.service.clone(),
                joint_ending: self.ending.joint_ending,
                ..RealizeRules::default()
            },
            memory: if self.natural {
                Memory::Natural
            } else {
                Memory::Part
            },
            picture: Picture::Report,
        }
    }
}
