//! Runs documents as test suites: every section with a transcript is a test.
//!
//! A section is run in a new folder, into which the files of the document up to that point are written; the commands
//! of other sections are not run, so that each can be run alone.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::command_line::{Addresses, CommandLine};
use crate::free_address;
use crate::markdown::{Document, Item, Section, WITHOUT_COMMANDS};
use crate::process::{End, ProcessOutput, run};
use crate::service::{Running, Service};
use crate::transcript::Transcript;

/// Runs all documents under `roots` (files, or folders with `.md` files at any depth) against `binary`, as the main
/// function of a test target without the standard harness.
///
/// The commands of every section find the folder `examples`, if there is one, under that name.
/// With `CHOROS_BLESS=1` expected outputs are rewritten where they differ.
#[must_use = "the exit code says whether the tests passed"]
pub fn run_suites(binary: &Path, roots: &[PathBuf], examples: Option<&Path>) -> ExitCode {
    let arguments = Arguments::from_args();
    let mode = match std::env::var_os("CHOROS_BLESS") {
        Some(value) if value == "1" => Mode::Bless,
        _ => Mode::Check,
    };
    let subject = Subject {
        binary: binary.to_owned(),
        examples: examples.map(Path::to_owned),
    };
    let trials = tests(&subject, roots, mode)
        .into_iter()
        .map(|test| Trial::test(test.name, || (test.run)().map_err(Failed::from)))
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// What the commands of a document run, and what they find.
#[derive(Clone)]
struct Subject {
    binary: PathBuf,
    examples: Option<PathBuf>,
}

/// What to do with an output that differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Fail.
    Check,
    /// Write it into the document.
    Bless,
}

struct Test {
    name: String,
    run: Box<dyn FnOnce() -> Result<(), String> + Send>,
}

impl Test {
    /// A test that fails: something is wrong with the suite itself.
    fn defect(name: String, message: String) -> Test {
        Test {
            name,
            run: Box::new(|| Err(message)),
        }
    }
}

/// No command of a document may take longer.
const TIME_LIMIT: Duration = Duration::from_secs(60);

fn tests(subject: &Subject, roots: &[PathBuf], mode: Mode) -> Vec<Test> {
    let mut tests = Vec::new();
    for root in roots {
        let shown = root.file_name().map_or_else(
            || root.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        );
        let mut documents = Vec::new();
        match find_documents(root, &shown, &mut documents) {
            Ok(()) if documents.is_empty() => {
                tests.push(Test::defect(shown, "no documents".to_owned()));
            }
            Ok(()) => {
                for (path, shown) in documents {
                    tests.extend(tests_of_document(subject, &path, &shown, mode));
                }
            }
            Err(error) => {
                tests.push(Test::defect(shown, format!("{}: {error}", root.display())));
            }
        }
    }
    tests
}

/// The documents under a path, sorted, each with the name it is shown by.
fn find_documents(
    path: &Path,
    shown: &str,
    documents: &mut Vec<(PathBuf, String)>,
) -> io::Result<()> {
    if fs::metadata(path)?.is_file() {
        if path.extension().is_some_and(|extension| extension == "md") {
            documents.push((path.to_owned(), shown.to_owned()));
        }
        return Ok(());
    }
    let mut entries: Vec<_> = fs::read_dir(path)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let shown = format!("{shown}/{}", entry.file_name().to_string_lossy());
        find_documents(&entry.path(), &shown, documents)?;
    }
    Ok(())
}

fn tests_of_document(subject: &Subject, path: &Path, shown: &str, mode: Mode) -> Vec<Test> {
    let stem = shown.strip_suffix(".md").unwrap_or(shown);
    let defect = |message: String| vec![Test::defect(stem.to_owned(), message)];
    let document = match read_document(path, shown) {
        Ok(document) => document,
        Err(message) => return defect(message),
    };
    let names = section_names(&document.sections);
    let mut tests = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        if document.sections[index].transcripts().next().is_none() {
            continue;
        }
        let place = Place {
            subject: subject.clone(),
            path: path.to_owned(),
            shown: shown.to_owned(),
            section: index,
        };
        tests.push(Test {
            name: format!("{stem}::{name}"),
            run: Box::new(move || match mode {
                Mode::Check => place.check(),
                Mode::Bless => place.bless(),
            }),
        });
    }
    match (tests.is_empty(), document.without_commands) {
        (true, false) => defect(format!(
            "{shown}: no command is run, so nothing is tested; if that is meant, write {WITHOUT_COMMANDS}"
        )),
        (false, true) => defect(format!(
            "{shown}: it says that it has no commands, but it has"
        )),
        _ => tests,
    }
}

fn read_document(path: &Path, shown: &str) -> Result<Document, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
    parse_document(&text, shown)
}

fn parse_document(text: &str, shown: &str) -> Result<Document, String> {
    Document::read(text)
        .map_err(|malformed| format!("{shown}:{}: {}", malformed.line, malformed.message))
}

/// A name for each section, made of its title and unique in the document.
fn section_names(sections: &[Section]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for section in sections {
        let words: Vec<String> = section
            .title
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let base = if words.is_empty() {
            "beginning".to_owned()
        } else {
            words.join("-")
        };
        let mut name = base.clone();
        let mut number = 1;
        while names.contains(&name) {
            number += 1;
            name = format!("{base}-{number}");
        }
        names.push(name);
    }
    names
}

/// A section of a document on disk, and the program it is about.
struct Place {
    subject: Subject,
    path: PathBuf,
    shown: String,
    section: usize,
}

impl Place {
    fn check(&self) -> Result<(), String> {
        let document = read_document(&self.path, &self.shown)?;
        let section = self.section_of(&document)?;
        let mut differences = Vec::new();
        for (transcript, outcomes) in self.play(&document)? {
            for (step, outcome) in transcript.steps.iter().zip(outcomes) {
                if let Some(difference) = step.difference(&outcome) {
                    differences.push(format!(
                        "{}:{}: in \"{}\", `{}` does something else:\n{difference}",
                        self.shown, step.line, section.title, step.command
                    ));
                }
            }
        }
        if differences.is_empty() {
            Ok(())
        } else {
            Err(differences.join("\n\n"))
        }
    }

    /// Rewrites the transcripts of the section.
    fn bless(&self) -> Result<(), String> {
        let cannot = |error: io::Error| format!("{}: {error}", self.shown);
        // Sections of one document are blessed at the same time, perhaps by several processes: the lock makes each
        // read what the others wrote.
        let mut file = File::options()
            .read(true)
            .write(true)
            .open(&self.path)
            .map_err(cannot)?;
        file.lock().map_err(cannot)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(cannot)?;
        let document = parse_document(&text, &self.shown)?;
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut crashed = Vec::new();
        for (transcript, outcomes) in self.play(&document)?.into_iter().rev() {
            for (step, outcome) in transcript.steps.iter().zip(&outcomes) {
                if !matches!(outcome.end, End::Status(_)) {
                    crashed.push(format!(
                        "{}:{}: `{}` did not end by itself",
                        self.shown, step.line, step.command
                    ));
                }
            }
            let blessed = transcript.blessed(&lines[transcript.opening], &outcomes);
            lines.splice(
                transcript.opening..transcript.opening + transcript.length + 2,
                blessed,
            );
        }
        let mut blessed = lines.join("\n");
        blessed.push('\n');
        if blessed != text {
            file.rewind().map_err(cannot)?;
            file.set_len(0).map_err(cannot)?;
            file.write_all(blessed.as_bytes()).map_err(cannot)?;
        }
        if crashed.is_empty() {
            Ok(())
        } else {
            Err(crashed.join("\n"))
        }
    }

    fn section_of<'d>(&self, document: &'d Document) -> Result<&'d Section, String> {
        document
            .sections
            .get(self.section)
            .ok_or_else(|| format!("{}: changed while it was tested", self.shown))
    }

    /// Writes the files and runs the commands.
    fn play<'d>(
        &self,
        document: &'d Document,
    ) -> Result<Vec<(&'d Transcript, Vec<ProcessOutput>)>, String> {
        let cannot = |error: io::Error| format!("{}: {error}", self.shown);
        let folder = tempfile::tempdir().map_err(cannot)?;
        if let Some(examples) = &self.subject.examples {
            copy_folder(examples, &folder.path().join("examples")).map_err(cannot)?;
        }
        self.section_of(document)?;
        let mut services = Services::default();
        let mut played = Vec::new();
        for (index, section) in document.sections[..=self.section].iter().enumerate() {
            for item in &section.items {
                match item {
                    Item::File { name, content } => {
                        let path = folder.path().join(name);
                        if let Some(parent) = path.parent() {
                            fs::create_dir_all(parent).map_err(cannot)?;
                        }
                        fs::write(path, content.bytes()).map_err(cannot)?;
                    }
                    Item::Service { name, service } => {
                        services.start(name, service).map_err(cannot)?;
                    }
                    Item::Transcript(transcript) if index == self.section => {
                        let outcomes = transcript
                            .steps
                            .iter()
                            .map(|step| {
                                self.perform(&step.command, folder.path(), &services.addresses)
                                    .map_err(|message| {
                                        format!("{}:{}: {message}", self.shown, step.line)
                                    })
                            })
                            .collect::<Result<_, _>>()?;
                        played.push((transcript, outcomes));
                    }
                    Item::Transcript(_) => {}
                }
            }
        }
        match services.problems() {
            problems if problems.is_empty() => Ok(played),
            problems => Err(format!("{}: {}", self.shown, problems.join("; "))),
        }
    }

    fn perform(
        &self,
        command: &str,
        folder: &Path,
        addresses: &Addresses,
    ) -> Result<ProcessOutput, String> {
        let mut outcome = self.run(command, folder, addresses)?;
        for (name, address) in addresses {
            outcome.output = outcome
                .output
                .replace(&address.to_string(), &format!("${name}"));
        }
        Ok(outcome)
    }

    fn run(
        &self,
        command: &str,
        folder: &Path,
        addresses: &Addresses,
    ) -> Result<ProcessOutput, String> {
        match CommandLine::read(command, addresses)? {
            CommandLine::Choros {
                environment,
                arguments,
                target,
            } => {
                let binary = &self.subject.binary;
                let target = target.as_deref();
                run(binary, &arguments, &environment, folder, target, TIME_LIMIT)
                    .map_err(|error| format!("cannot run {}: {error}", binary.display()))
            }
            CommandLine::Show(file) => match fs::read(folder.join(&file)) {
                Ok(bytes) => Ok(ProcessOutput {
                    output: String::from_utf8_lossy(&bytes).into_owned(),
                    end: End::Status(0),
                }),
                Err(error) => Err(format!("cannot show {file}: {error}")),
            },
        }
    }
}

/// The pretended services of a section; they end with it.
#[derive(Default)]
struct Services {
    running: BTreeMap<String, Running>,
    addresses: Addresses,
}

impl Services {
    /// Starts a service; one with that name before it ends.
    fn start(&mut self, name: &str, service: &Service) -> io::Result<()> {
        let mut partners = Addresses::new();
        for partner in &service.partners {
            partners.insert(partner.clone(), free_address()?);
        }
        let running = Running::start(service.clone(), partners.clone())?;
        self.addresses.append(&mut partners);
        self.addresses.insert(name.to_owned(), running.address());
        self.running.insert(name.to_owned(), running);
        Ok(())
    }

    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for (name, running) in &self.running {
            let of_this = running.problems();
            problems.extend(of_this.iter().map(|it| format!("service {name}: {it}")));
        }
        problems
    }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The program under test is a shell here: `choros -c 'echo a'` makes it say whatever a test needs.
#[cfg(all(test, unix))]
mod tests;
