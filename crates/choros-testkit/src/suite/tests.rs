use super::*;

/// Documents on disk.
struct Documents {
    folder: tempfile::TempDir,
}

impl Documents {
    fn new(files: &[(&str, &str)]) -> Documents {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join("specs").join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        Documents { folder }
    }

    fn tests(&self, mode: Mode) -> Vec<Test> {
        let examples = self.folder.path().join("examples");
        let subject = Subject {
            examples: examples.is_dir().then_some(examples),
            ..program("/bin/sh")
        };
        tests(&subject, &[self.folder.path().join("specs")], mode)
    }

    /// The name of each test and what it says.
    fn results(&self) -> Vec<(String, Result<(), String>)> {
        self.tests(Mode::Check)
            .into_iter()
            .map(|test| (test.name, (test.run)()))
            .collect()
    }

    /// The only result of the only test.
    fn result(&self) -> Result<(), String> {
        let mut results = self.results();
        assert_eq!(results.len(), 1, "{results:?}");
        results.remove(0).1
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join("specs").join(name)).expect("a file")
    }
}

fn program(path: &str) -> Subject {
    Subject {
        binary: PathBuf::from(path),
        examples: None,
    }
}

fn only(text: &str) -> Documents {
    Documents::new(&[("a.md", text)])
}

#[test]
fn every_section_with_commands_is_a_test() {
    let documents = Documents::new(&[
        (
            "b/c.md",
            "# T\n## It is `so`!\n```console\n$ choros -c true\n```\n## It is so\n```console\n$ choros -c true\n```\n",
        ),
        (
            "a.md",
            "```console\n$ choros -c true\n```\n# Prose\n```text\nx\n```\n",
        ),
        ("a.txt", "no document"),
    ]);
    assert_eq!(
        documents.results(),
        [
            ("specs/a::beginning".to_owned(), Ok(())),
            ("specs/b/c::it-is-so".to_owned(), Ok(())),
            ("specs/b/c::it-is-so-2".to_owned(), Ok(())),
        ]
    );
}

#[test]
fn files_accumulate_and_are_replaced() {
    let documents = only(
        "# One\n```text a/x.txt\none\n```\n```console\n$ choros -c 'cat a/x.txt; echo > here; ls'\none\na\nhere\n```\n\
         # Two\n```text y.txt\ntwo\n```\n```console\n$ choros -c 'cat a/x.txt y.txt; ls'\none\ntwo\na\ny.txt\n```\n\
         ```text y.txt\nthree\n```\n```console\n$ cat y.txt\nthree\n```\n",
    );
    let results = documents.results();
    assert_eq!(results.len(), 2);
    assert!(
        results.iter().all(|(_, result)| result.is_ok()),
        "{results:?}"
    );
}

#[test]
fn the_examples_are_there() {
    let documents = Documents::new(&[
        ("../examples/deep/x.txt", "hello\n"),
        (
            "deep/a.md",
            "```console\n$ cat examples/deep/x.txt\nhello\n```\n",
        ),
    ]);
    assert_eq!(documents.result(), Ok(()));
}

#[test]
fn output_can_be_caught() {
    let documents =
        only("```console\n$ choros -c 'echo a; echo b >&2' > x.txt\nb\n$ cat x.txt\na\n```\n");
    assert_eq!(documents.result(), Ok(()));
}

#[test]
fn another_output_fails() {
    let result =
        only("# Top\n\n```console\n$ choros -c 'echo a; echo b >&2'\na\nc\n```\n").result();
    assert_eq!(
        result,
        Err("specs/a.md:4: in \"Top\", `choros -c 'echo a; echo b >&2'` does something else:\n    a\n  - c\n  + b".to_owned())
    );
}

#[test]
fn every_difference_of_a_section_is_told() {
    let message = only(
        "```console\n$ choros -c 'echo a'\n$ choros -c 'echo b'\nb\n$ choros -c 'exit 2'\n```\n",
    )
    .result()
    .expect_err("a difference");
    assert!(
        message.contains("specs/a.md:2:") && message.contains("specs/a.md:5:"),
        "{message}"
    );
    assert!(!message.contains("specs/a.md:3:"), "{message}");
}

#[test]
fn another_exit_status_fails() {
    assert!(
        only("```console\n$ choros -c 'exit 1'\n```\n")
            .result()
            .is_err()
    );
    assert!(
        only("```console\n$ choros -c 'exit 1'\n? 2\n```\n")
            .result()
            .is_err()
    );
    assert!(
        only("```console\n$ choros -c true\n? 1\n```\n")
            .result()
            .is_err()
    );
    assert_eq!(
        only("```console\n$ choros -c 'exit 1'\n? 1\n```\n").result(),
        Ok(())
    );
}

#[test]
fn a_suite_that_asserts_nothing_fails() {
    let without = |text: &str| only(text).result().expect_err("a defect");
    assert!(without("# Only prose\n").contains("nothing is tested"));
    assert!(without("```schora a.schora\n```\n").contains("nothing is tested"));
    assert!(without("```console\n```\n").contains("no command"));
    assert!(
        without("<!-- no commands -->\n```console\n$ choros -c true\n```\n").contains("but it has")
    );
    assert!(only("<!-- no commands -->\n").results().is_empty());
    assert!(
        Documents::new(&[("a.txt", "")])
            .result()
            .expect_err("a defect")
            .contains("no documents")
    );
}

#[test]
fn what_cannot_be_run_fails() {
    for text in [
        "```console\n$ ls\n```\n",
        "```console\n$ cat missing\n```\n",
        "```console\n$ choros -c 'kill -9 $$'\n```\n",
        "```console\n",
    ] {
        assert!(only(text).result().is_err(), "{text}");
    }
    let nowhere = [PathBuf::from("/nowhere/specs")];
    let mut tests = tests(&program("/bin/sh"), &nowhere, Mode::Check);
    assert_eq!(tests.len(), 1);
    assert!((tests.remove(0).run)().is_err());
}

#[test]
fn a_binary_that_is_not_there_fails() {
    let documents = only("```console\n$ choros\n```\n");
    let mut tests = tests(
        &program("/nowhere/choros"),
        &[documents.folder.path().join("specs")],
        Mode::Check,
    );
    let message = (tests.remove(0).run)().expect_err("no binary");
    assert!(message.contains("cannot run /nowhere/choros"), "{message}");
}

#[test]
fn blessing_writes_what_came() {
    let documents = only(
        "# One\n```console\n$ choros -c 'echo a; echo bc; exit 3'\nb[..]\n\n$ choros -c true\nx\n```\nprose\n\
         # Two\n```console\n$ choros -c 'printf \"\\140\\140\\140\"'\n```\nend\n```console\n$ choros -c 'echo d'\n```\n",
    );
    let workers: Vec<_> = documents
        .tests(Mode::Bless)
        .into_iter()
        .map(|test| std::thread::spawn(move || (test.run)()))
        .collect();
    for worker in workers {
        assert_eq!(worker.join().expect("no panic"), Ok(()));
    }
    assert_eq!(
        documents.text("a.md"),
        "# One\n```console\n$ choros -c 'echo a; echo bc; exit 3'\na\nb[..]\n? 3\n\n$ choros -c true\n```\nprose\n\
         # Two\n````console\n$ choros -c 'printf \"\\140\\140\\140\"'\n```\n````\nend\n```console\n$ choros -c 'echo d'\nd\n```\n"
    );
    assert!(documents.results().iter().all(|(_, result)| result.is_ok()));
}

#[test]
fn a_crash_is_not_blessed() {
    let text = "```console\n$ choros -c 'kill -9 $$'\na\n? 2\n```\n";
    let documents = only(text);
    for test in documents.tests(Mode::Bless) {
        assert!((test.run)().is_err());
    }
    assert_eq!(documents.text("a.md"), text);
}
