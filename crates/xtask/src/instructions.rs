//! How many instructions whole commands take, against the counts that are committed.
//!
//! Times differ from run to run and from machine to machine; instructions hardly do.
//! So this is the check that catches a slow-down: a case that takes more than a tenth more than the committed count
//! fails.
//! Another compiler or solver makes other instructions, so the file says which were used, and with others nothing is
//! judged.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::RepositoryError;

/// Whether counts are compared or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Compared with those that are committed.
    Compare,
    /// Written to the file.
    Bless,
}

/// The folder of the cases, in which the commands run.
const FOLDER: &str = "crates/choros-cli/benches/instructions";

/// A count may be this many hundredths of the committed one.
const MAX_PERCENT: u64 = 110;

/// Counts the instructions of every case and prints a table.
pub fn instructions(
    root: &Path,
    counting: Counting,
    line: &dyn Fn(String),
) -> Result<(), RepositoryError> {
    let folder = root.join(FOLDER);
    let path = folder.join("cases.txt");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| RepositoryError::new(format!("{}: {error}", path.display())))?;
    let mut cases = Cases::read(&text)?;
    let Some(valgrind) = output(Command::new("valgrind").arg("--version")) else {
        return Err(RepositoryError::new(
            "instructions cannot be counted: there is no valgrind (apt-get install valgrind)",
        ));
    };
    let binary = build(root)?;
    let tools = Tools {
        compiler: output(Command::new("rustc").arg("--version")).unwrap_or_default(),
        solver: solver(&binary, &folder),
    };
    let comparable = cases.tools == tools;
    line(format!(
        "instructions of whole commands, counted by {} ({}, {})",
        valgrind.trim(),
        tools.compiler,
        tools.solver
    ));
    line(format!(
        "{:<24} {:>15} {:>15} {:>6}",
        "case", "committed", "now", "ratio"
    ));
    let mut grown = Vec::new();
    for case in &mut cases.all {
        let now = count(&binary, &folder, case)?;
        let ratio = now as f64 / case.instructions as f64;
        line(format!(
            "{:<24} {:>15} {now:>15} {ratio:>6.2}",
            case.name, case.instructions
        ));
        if is_too_many(now, case.instructions) {
            grown.push(format!("{} ({ratio:.2})", case.name));
        }
        case.instructions = now;
    }
    if counting == Counting::Bless {
        cases.tools = tools;
        return std::fs::write(&path, cases.written(&text))
            .map_err(|error| RepositoryError::new(format!("{}: {error}", path.display())));
    }
    if !comparable {
        line(format!(
            "not judged: the committed counts are those of {}, {}",
            cases.tools.compiler, cases.tools.solver
        ));
        return Ok(());
    }
    if grown.is_empty() {
        Ok(())
    } else {
        Err(RepositoryError::new(format!(
            "more than a tenth more instructions than committed: {}; fix it, or say why and run `cargo xtask \
             instructions --bless`",
            grown.join(", ")
        )))
    }
}

fn is_too_many(now: u64, committed: u64) -> bool {
    now.saturating_mul(100) > committed.saturating_mul(MAX_PERCENT)
}

/// What the counts depend on beside our code.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Tools {
    compiler: String,
    solver: String,
}

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Case {
    name: String,
    exit: i32,
    instructions: u64,
    arguments: Vec<String>,
}

/// The file of cases.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cases {
    tools: Tools,
    all: Vec<Case>,
}

impl Cases {
    fn read(text: &str) -> Result<Cases, RepositoryError> {
        let mut cases = Cases {
            tools: Tools {
                compiler: String::new(),
                solver: String::new(),
            },
            all: Vec::new(),
        };
        for written in text.lines() {
            let written = written.trim();
            if written.is_empty() || written.starts_with('#') {
                continue;
            }
            if let Some(compiler) = written.strip_prefix("compiler: ") {
                cases.tools.compiler = compiler.to_owned();
            } else if let Some(solver) = written.strip_prefix("solver: ") {
                cases.tools.solver = solver.to_owned();
            } else {
                let case = Case::read(written).ok_or_else(|| {
                    RepositoryError::new(format!(
                        "not `name | exit code | instructions | arguments`: {written}"
                    ))
                })?;
                cases.all.push(case);
            }
        }
        Ok(cases)
    }

    /// The file with these tools and counts, and its comments as they were.
    fn written(&self, text: &str) -> String {
        let comments = text.lines().filter(|it| it.starts_with('#'));
        let mut lines: Vec<String> = comments.map(str::to_owned).collect();
        lines.push(format!("compiler: {}", self.tools.compiler));
        lines.push(format!("solver: {}", self.tools.solver));
        lines.extend(self.all.iter().map(|case| {
            format!(
                "{} | {} | {} | {}",
                case.name,
                case.exit,
                case.instructions,
                case.arguments.join(" ")
            )
        }));
        lines.join("\n") + "\n"
    }
}

impl Case {
    fn read(written: &str) -> Option<Case> {
        let mut fields = written.split('|').map(str::trim);
        let case = Case {
            name: fields.next()?.to_owned(),
            exit: fields.next()?.parse().ok()?,
            instructions: fields.next()?.parse().ok()?,
            arguments: fields
                .next()?
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
        };
        fields.next().is_none().then_some(case)
    }
}

/// Builds the command as users get it.
fn build(root: &Path) -> Result<PathBuf, RepositoryError> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).args([
        "build",
        "--release",
        "--locked",
        "--quiet",
        "--package",
        "choros-cli",
    ]);
    match command.status() {
        Ok(status) if status.success() => {}
        _ => return Err(RepositoryError::new(format!("failed: {command:?}"))),
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let binary = target.join("release/choros");
    std::fs::canonicalize(&binary)
        .map_err(|error| RepositoryError::new(format!("{}: {error}", binary.display())))
}

/// The solver that the command uses.
fn solver(binary: &Path, folder: &Path) -> String {
    let mut command = Command::new(binary);
    command.current_dir(folder).args(SOLVING);
    let report = output(&mut command).unwrap_or_default();
    let rest = report.split("\"solver\": \"").nth(1).unwrap_or("no solver");
    rest.split('"').next().unwrap_or(rest).to_owned()
}

/// A question that needs a solver.
const SOLVING: [&str; 5] = [
    "conform",
    "sessions.chor#Two",
    "sessions.chor#TwoAgain",
    "--format",
    "json",
];

/// Counts one case.
fn count(binary: &Path, folder: &Path, case: &Case) -> Result<u64, RepositoryError> {
    let mut command = Command::new("valgrind");
    command.current_dir(folder);
    command.args([
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        "--combine-dumps=yes",
    ]);
    command.arg(binary).args(&case.arguments);
    let done = command
        .output()
        .map_err(|error| RepositoryError::new(format!("cannot run valgrind: {error}")))?;
    let told = String::from_utf8_lossy(&done.stderr);
    if done.status.code() != Some(case.exit) {
        return Err(RepositoryError::new(format!(
            "`{}` ended with {}, not {}: {told}",
            case.name, done.status, case.exit
        )));
    }
    collected(&told).ok_or_else(|| {
        RepositoryError::new(format!("valgrind did not count `{}`: {told}", case.name))
    })
}

/// The number in valgrind's line `==1== Collected : 123`.
fn collected(told: &str) -> Option<u64> {
    let line = told.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(' ').next()?.parse().ok()
}

/// What a command prints, if it ends well.
fn output(command: &mut Command) -> Option<String> {
    let done = command.output().ok()?;
    let text = String::from_utf8(done.stdout).ok()?;
    done.status.success().then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# a comment\ncompiler: rustc 1\nsolver: z3 4\nconform it | 1 | 200 | conform a.chor b.chor\n";

    #[test]
    fn a_file_is_written_as_it_was_read() {
        let cases = Cases::read(TEXT).unwrap();
        assert_eq!(cases.all[0].arguments, ["conform", "a.chor", "b.chor"]);
        assert_eq!(cases.written(TEXT), TEXT);
    }

    #[test]
    fn a_line_with_a_field_too_few_is_refused() {
        assert!(Cases::read("conform it | 200 | conform a.chor b.chor").is_err());
    }

    #[test]
    fn a_tenth_more_is_the_limit() {
        assert!(!is_too_many(110, 100));
        assert!(is_too_many(111, 100));
    }

    #[test]
    fn the_count_is_read_from_what_valgrind_says() {
        assert_eq!(
            collected("==7== Events    : Ir\n==7== Collected : 2594630\n"),
            Some(2_594_630)
        );
        assert_eq!(collected("==7== nothing"), None);
    }
}
