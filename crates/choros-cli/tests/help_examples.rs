//! The examples in the help of each verb: they are run, as a newcomer would, in a copy of the folder `examples`.

use std::path::Path;
use std::process::{Command, Stdio};

/// What the help of a verb shows.
fn help(verb: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_choros"))
        .args(["help", verb])
        .output()
        .unwrap();
    assert!(output.status.success(), "{verb}");
    String::from_utf8(output.stdout).unwrap()
}

/// The verbs that `choros --help` lists.
fn verbs() -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_choros"))
        .arg("--help")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().skip_while(|line| *line != "Questions:");
    lines
        .skip(1)
        .map_while(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|verb| !verb.is_empty() && *verb != "help")
        .map(str::to_owned)
        .collect()
}

/// The commands under `Examples`, without the words beside them.
fn examples(help: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in help
        .lines()
        .skip_while(|line| !line.starts_with("Examples"))
    {
        let command = match line.strip_prefix("  ") {
            Some(command) if command.starts_with("choros ") => command,
            Some(rest) if goes_on => rest.trim_start(),
            _ => continue,
        };
        let command = command.split("  ").next().unwrap_or_default();
        let (part, more) = match command.strip_suffix('\\') {
            Some(part) => (part, true),
            None => (command, false),
        };
        match (goes_on, commands.last_mut()) {
            (true, Some(last)) => last.push_str(part),
            _ => commands.push(part.to_owned()),
        }
        goes_on = more;
    }
    commands
}

/// Whether a command waits for others, or is about files that each user has to bring.
fn is_sketch(command: &str, folder: &Path) -> bool {
    let waits = [
        "capture",
        "lsp",
        "serve",
        "drive",
        "--listen",
        "--follow",
        "--verdicts-from",
        "--stream",
        "--interactive",
    ];
    if waits.iter().any(|word| command.contains(word)) {
        return true;
    }
    // The first file of `choros VERB FILE …`.
    let words = command.split_whitespace().skip(2);
    let file = words
        .filter(|word| !word.starts_with('-'))
        .find(|word| word.contains('.'));
    file.is_some_and(|file| {
        let file = file.split('#').next().unwrap_or(file);
        !folder.join(file).exists()
    })
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target)
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn every_example_runs() {
    let folder = tempfile::tempdir().unwrap();
    let examples_folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    copy(Path::new(examples_folder), folder.path());
    let binary = Path::new(env!("CARGO_BIN_EXE_choros"));
    let programs = binary.parent().unwrap().display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut run = 0;
    for verb in verbs() {
        let commands = examples(&help(&verb));
        assert!(!commands.is_empty(), "{verb} has no examples");
        for command in commands {
            if is_sketch(&command, folder.path()) {
                continue;
            }
            let output = Command::new("sh")
                .args(["-c", &command])
                .env("PATH", format!("{programs}:{path}"))
                .current_dir(folder.path())
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code().unwrap_or(-1);
            // 1, 3 and 4 are answers too: no, under a condition, unknown.
            assert!(matches!(code, 0 | 1 | 3 | 4), "{command}: {code}\n{errors}");
            run += 1;
        }
    }
    assert!(run > 60, "only {run} examples can be run");
}

/// Lines that are too long for a terminal are broken by the terminal, which tears examples apart.
#[test]
fn no_line_of_the_examples_is_broken() {
    for verb in verbs().iter().filter(|verb| *verb != "drive") {
        let help = help(verb);
        let lines = help
            .lines()
            .skip_while(|line| !line.starts_with("Examples"));
        for line in lines.skip(1).take_while(|line| !line.is_empty()) {
            let is_whole = line.starts_with("  choros ") || line.starts_with("      ");
            assert!(is_whole, "help of {verb}: {line}");
        }
    }
}
