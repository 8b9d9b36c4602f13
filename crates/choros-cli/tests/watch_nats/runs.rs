//! Logs, and runs of the command over them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use choros_testkit::Random;

pub(crate) const PROPERTIES: &str = "\
property answered on s { context ask[c,s]? (any) within 3 messages per session expect answer[s,c]! (any) }
property once on s { context ask[c,s]? (any) within 2 messages per session never ask[c,s]? (any) }
property heard on c { context ask[c,s]! (any) within 2 messages per session expect answer[s,c]? (any) }
";

/// A folder with properties, the logs of two services, and what a single process says about them.
pub(crate) struct Case {
    pub(crate) folder: tempfile::TempDir,
    expected: Vec<(String, Vec<String>)>,
}

impl Case {
    /// Logs of so many observations each; sessions come and go, and some never end.
    pub(crate) fn new(random: &mut Random, count: usize) -> Case {
        let folder = tempfile::tempdir().expect("a folder");
        let mut logs = [String::new(), String::new()];
        let mut clock = (0, 0);
        for _ in 0..count {
            let lines = both_ends(&random_message(random, &mut clock));
            for (log, line) in logs.iter_mut().zip(lines) {
                log.push_str(&line);
            }
        }
        fs::write(folder.path().join("p.prop"), PROPERTIES).expect("a file");
        for (log, name) in logs.iter().zip(["c.jsonl", "s.jsonl"]) {
            fs::write(folder.path().join(name), log).expect("a file");
        }
        let mut case = Case {
            folder,
            expected: Vec::new(),
        };
        let words = "monitor p.prop --log c=c.jsonl --log s=s.jsonl --verdicts m.jsonl";
        case.run(words);
        case.expected = case.verdicts("m.jsonl");
        assert!(case.expected.len() > count / 8, "{}", case.expected.len());
        case
    }

    /// A model and the logs of `c` and `s`.
    pub(crate) fn of_sessions(model: &str, logs: [String; 2]) -> Case {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("shop.chor"), model).expect("a file");
        for (log, name) in logs.iter().zip(["c.jsonl", "s.jsonl"]) {
            fs::write(folder.path().join(name), log).expect("a file");
        }
        Case {
            folder,
            expected: Vec::new(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the command to its end.
    pub(crate) fn run(&self, words: &str) -> Output {
        let child = self.spawn(words);
        finished(child, words)
    }

    pub(crate) fn spawn(&self, words: &str) -> Child {
        command(self.folder.path(), words)
            .spawn()
            .expect("choros runs")
    }

    /// The same, with what it says while it runs in a file.
    pub(crate) fn spawn_saying(&self, words: &str, log: fs::File) -> Child {
        let mut command = command(self.folder.path(), words);
        command.stdout(Stdio::null()).stderr(log);
        command.spawn().expect("choros runs")
    }

    /// Puts both logs into a stream, and its end.
    pub(crate) fn feed(&self, url: &str, more: &str) {
        let words = format!("feed --log c=c.jsonl --log s=s.jsonl --stream {url} --end {more}");
        let output = self.run(&words);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }

    /// Looks on until the stream was judged to its end; its verdicts must be those of the single process.
    pub(crate) fn expect_same(&self, url: &str) {
        let words =
            format!("watch p.prop --stream {url} --workers 0 --until-end --verdicts w.jsonl");
        let output = self.run(&words);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let found = self.verdicts("w.jsonl");
        assert_eq!(found.len(), self.expected.len());
        for ((line, window), (expected, kept)) in found.iter().zip(&self.expected) {
            assert_eq!(line, expected);
            // A part of a log keeps its last messages longer than the whole log does: it may show more of a window.
            let mut window = window.iter();
            let is_shown = kept.iter().all(|seen| window.any(|it| it == seen));
            assert!(is_shown, "{line}: {kept:?}");
        }
    }

    /// The verdicts of a file, sorted, without the numbers that their testers gave them; each with the window it shows.
    fn verdicts(&self, name: &str) -> Vec<(String, Vec<String>)> {
        let text = fs::read_to_string(self.path(name)).expect("verdicts");
        let verdict = |line: &str| {
            let (_, line) = line.split_once(",\"property\"")?;
            let (line, window) = line.split_once(",\"window\":[").unwrap_or((line, ""));
            let window = window.trim_end_matches("]}").split(",{").map(str::to_owned);
            Some((
                line.to_owned(),
                window.map(|it| it.replace('{', "")).collect(),
            ))
        };
        let mut all: Vec<_> = text.lines().filter_map(verdict).collect();
        all.sort();
        all
    }
}

/// A message: when, what, between whom, and in which session.
pub(crate) struct Told {
    at: usize,
    operation: &'static str,
    ends: [&'static str; 2],
    session: usize,
}

/// The next message, of one of some sessions that are open; `clock` is the time and the oldest of them.
pub(crate) fn random_message(random: &mut Random, clock: &mut (usize, usize)) -> Told {
    clock.0 += random.below(8);
    clock.1 += usize::from(random.percent(30));
    let (operation, ends) = *random.pick(&[("ask", ["c", "s"]), ("answer", ["s", "c"])]);
    Told {
        at: clock.0,
        operation,
        ends,
        session: clock.1 + random.below(12),
    }
}

/// What `c` and `s` write down of it.
pub(crate) fn both_ends(told: &Told) -> [String; 2] {
    let Told {
        at,
        operation,
        ends: [from, to],
        session,
    } = told;
    ["c", "s"].map(|by| {
        let direction = if *from == by { "send" } else { "recv" };
        format!(
            "{{\"at\":{at},\"by\":\"{by}\",\"dir\":\"{direction}\",\"from\":\"{from}\",\"to\":\"{to}\",\
             \"op\":\"{operation}\",\"session\":\"{session}\"}}\n"
        )
    })
}

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_choros"));
    command
        .args(words.split_whitespace())
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits for the end of a run, and not for ever.
pub(crate) fn finished(mut child: Child, words: &str) -> Output {
    let begun = Instant::now();
    loop {
        if child.try_wait().expect("a child").is_some() {
            return child.wait_with_output().expect("its output");
        }
        if begun.elapsed() > Duration::from_secs(240) {
            let _ = child.kill();
            panic!("`{words}` does not end: {:?}", child.wait_with_output());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A process that is killed at the end of a test at the latest.
pub(crate) struct Running(Option<Child>);

impl Running {
    pub(crate) fn new(child: Child) -> Running {
        Running(Some(child))
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Asks it to end, as Ctrl-C does.
    pub(crate) fn interrupt(&self) {
        let id = self.0.as_ref().expect("it runs").id();
        let done = Command::new("kill")
            .args(["-INT", &id.to_string()])
            .status();
        assert!(done.expect("kill runs").success());
    }

    /// Waits for its end.
    pub(crate) fn output(&mut self, words: &str) -> Output {
        finished(self.0.take().expect("it runs"), words)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}
