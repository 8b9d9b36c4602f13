//! However many processors there are, the answer is the same to the byte.
//!
//! The commands are those of the specs about machines and g-choreographies, whose configurations a crew looks at; and a
//! system that is large enough to be divided without being told to.

use std::path::Path;
use std::process::{Command, Output};

#[path = "support/spec_commands.rs"]
mod spec_commands;
use spec_commands::{SpecCommand, commands_of_specs};

const VERBS: [&str; 5] = ["explore", "check", "realize", "certify", "comply"];

#[test]
fn specs_about_machines_say_the_same() {
    let mut commands = commands_of_specs();
    commands.retain(|it| {
        let about = |word: &String| word.contains(".fsa") || word.contains(".gc");
        let fits = |word: &String| !word.contains('/') && !word.starts_with("--timeout");
        VERBS.contains(&it.words[0].as_str())
            && it.words.iter().any(about)
            && it.words.iter().all(fits)
    });
    for command in &commands {
        let one = run(command, "1");
        // The smallest piece of work is divided.
        for cores in ["2:1", "3:1"] {
            let more = run(command, cores);
            let place = format!(
                "{}: {}",
                command.document.display(),
                command.words.join(" ")
            );
            assert_eq!(said(&more), said(&one), "{cores}: {place}");
        }
    }
    assert!(commands.len() > 40, "{}", commands.len());
}

#[test]
fn a_large_system_says_the_same() {
    let pairs: Vec<String> = (0..5)
        .map(|at| {
            let (left, right) = (2 * at, 2 * at + 1);
            format!(
                ".outputs A{at}\n0 {right} ! a 1\n1 {right} ! b 2\n2 {right} ? c 0\n.marking 0\n.end\n\
                 .outputs B{at}\n0 {left} ? a 1\n1 {left} ? b 2\n2 {left} ! c 0\n.marking 0\n.end\n"
            )
        })
        .collect();
    for verb in ["explore", "check"] {
        let command = SpecCommand {
            document: "pairs".into(),
            files: [("pairs.fsa".to_owned(), pairs.concat())].into(),
            words: [verb, "pairs.fsa", "--format", "json"]
                .map(str::to_owned)
                .into(),
            exit: 0,
        };
        let [one, two] = ["1", "2"].map(|cores| said(&run(&command, cores)));
        assert_eq!(one, two);
        // Seven configurations for each pair.
        assert!(one.contains("\"states\": 16807,"), "{one}");
    }
}

fn run(command: &SpecCommand, cores: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in &command.files {
        let path = folder.path().join(name);
        let parent = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(parent).expect("a folder");
        std::fs::write(path, text).expect("it is written");
    }
    Command::new(env!("CARGO_BIN_EXE_choros"))
        .args(&command.words)
        .current_dir(folder.path())
        .env("CHOROS_CORES", cores)
        .output()
        .expect("the command runs")
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!(
        "{:?}\n{}{}",
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr)
    )
}
