//! Runs a program with a time limit and catches what it prints.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProcessOutput {
    /// What it wrote to standard output, then what it wrote to standard error.
    pub(crate) output: String,
    pub(crate) end: End,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// With an exit status.
    Status(i32),
    /// By a signal: it crashed, or someone killed it.
    Signal,
    /// It took longer than the limit, and was killed.
    TimeLimit(Duration),
}

/// Runs `binary` in `folder`, without input, and with output as no one's terminal would have it.
///
/// Standard output goes to the file `target` of that folder, if one is given, and is then no part of the outcome.
pub(crate) fn run(
    binary: &Path,
    arguments: &[String],
    environment: &[(String, String)],
    folder: &Path,
    target: Option<&str>,
    limit: Duration,
) -> io::Result<ProcessOutput> {
    // Files instead of pipes: a child of the program that outlives it could keep a pipe open forever.
    let mut output = match target {
        Some(name) => File::create(folder.join(name))?,
        None => tempfile::tempfile()?,
    };
    let mut errors = tempfile::tempfile()?;
    let mut command = Command::new(binary);
    command
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .env("TERM", "dumb")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(errors.try_clone()?);
    for name in [
        "CLICOLOR_FORCE",
        "FORCE_COLOR",
        "CHOROS_BLESS",
        "CHOROS_SEED",
        "RUST_BACKTRACE",
        "RUST_LOG",
    ] {
        command.env_remove(name);
    }
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    let mut child = command.spawn()?;
    let end = match wait(&mut child, limit)? {
        Some(status) => status.code().map_or(End::Signal, End::Status),
        None => {
            child.kill()?;
            child.wait()?;
            End::TimeLimit(limit)
        }
    };
    let mut text = match target {
        Some(_) => String::new(),
        None => read_back(&mut output)?,
    };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&read_back(&mut errors)?);
    Ok(ProcessOutput { output: text, end })
}

fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let now = Instant::now();
        if now >= deadline {
            return Ok(None);
        }
        std::thread::sleep(pause.min(deadline - now));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn read_back(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> ProcessOutput {
        let arguments = ["-c".to_owned(), script.to_owned()];
        let environment = [("CHOROS_EXTRA".to_owned(), "extra".to_owned())];
        run(
            Path::new("/bin/sh"),
            &arguments,
            &environment,
            Path::new("/"),
            None,
            limit,
        )
        .expect("a shell")
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn output_comes_before_errors() {
        let outcome = shell("echo b >&2; printf a; echo c >&2; exit 3", LONG);
        assert_eq!(outcome.output, "a\nb\nc\n");
        assert_eq!(outcome.end, End::Status(3));
    }

    #[test]
    fn the_surroundings_are_fixed() {
        let outcome = shell("echo $NO_COLOR $COLUMNS $CHOROS_EXTRA; pwd; cat", LONG);
        assert_eq!(outcome.output, "1 100 extra\n/\n");
    }

    #[test]
    fn a_signal_is_no_exit_status() {
        assert_eq!(shell("kill -9 $$", LONG).end, End::Signal);
    }

    #[test]
    fn a_program_that_does_not_end_is_killed() {
        let limit = Duration::from_millis(50);
        let outcome = shell("echo a; while :; do :; done", limit);
        assert_eq!(outcome.output, "a\n");
        assert_eq!(outcome.end, End::TimeLimit(limit));
    }

    #[test]
    fn grandchildren_are_not_waited_for() {
        let start = Instant::now();
        shell("sleep 5 &", LONG);
        assert!(start.elapsed() < Duration::from_secs(4));
    }
}
