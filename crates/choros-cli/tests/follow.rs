//! Logs that grow, are renamed, emptied or replaced while a monitor follows them.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ANSWERED: &str = "property p on s { context Request[c,s]?(any) with session within 2 messages expect Response[s,c]!(any) }\n";

/// A monitor that follows `s.jsonl` in a folder and writes its verdicts to `v.jsonl` there.
struct Follower(Child);

impl Follower {
    fn start(folder: &Path, options: &[&str]) -> Follower {
        fs::write(folder.join("p.prop"), ANSWERED).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_choros"))
            .current_dir(folder)
            .args(["monitor", "p.prop", "--log", "s=s.jsonl", "--follow"])
            .args(["--verdicts", "v.jsonl"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Follower(child)
    }

    /// Interrupts it and answers what it said.
    fn stop(mut self) -> String {
        let pid = self.0.id().to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status().unwrap();
        assert!(sent.success());
        let (stdout, stderr) = (self.0.stdout.take(), self.0.stderr.take());
        self.0.wait().unwrap();
        let out = std::io::read_to_string(stdout.unwrap()).unwrap();
        out + &std::io::read_to_string(stderr.unwrap()).unwrap()
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn exchange(session: u32) -> String {
    let line = |operation, direction, from, to| {
        format!(
            "{{\"by\":\"s\",\"dir\":\"{direction}\",\"from\":\"{from}\",\"to\":\"{to}\",\"op\":\"{operation}\",\"session\":{session}}}\n"
        )
    };
    line("Request", "recv", "c", "s") + &line("Response", "send", "s", "c")
}

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// The sessions that passed, in the order of their verdicts, once there are so many.
fn passed(folder: &Path, count: usize) -> Vec<u32> {
    let begun = Instant::now();
    loop {
        let text = fs::read_to_string(folder.join("v.jsonl")).unwrap_or_default();
        let sessions: Vec<u32> = text
            .lines()
            .filter_map(|line| {
                let (_, rest) = line.split_once("\"key\":\"")?;
                rest[..rest.find('"')?].parse().ok()
            })
            .collect();
        if sessions.len() >= count {
            return sessions;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "waited in vain for {count} verdicts: {sessions:?}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A renamed log is read to its end, what is written to it after the renaming included; then comes the new one.
#[test]
fn a_log_that_is_renamed() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("s.jsonl");
    let old = folder.path().join("s.jsonl.1");
    append(&log, &exchange(1));
    let follower = Follower::start(folder.path(), &[]);
    passed(folder.path(), 1);
    let mut writer = OpenOptions::new().append(true).open(&log).unwrap();
    fs::rename(&log, &old).unwrap();
    append(&log, &exchange(4));
    // The service has not noticed yet, and its last line has no line break.
    writer.write_all(exchange(2).as_bytes()).unwrap();
    writer.write_all(exchange(3).trim_end().as_bytes()).unwrap();
    assert_eq!(passed(folder.path(), 4), [1, 2, 3, 4]);
    append(&log, &exchange(5));
    assert_eq!(passed(folder.path(), 5), [1, 2, 3, 4, 5]);
    let said = follower.stop();
    assert!(!said.contains("CH1031"), "nothing was missed: {said}");
}

/// A window that is open when the log is renamed is answered by the new one.
#[test]
fn a_window_across_two_files() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("s.jsonl");
    let whole = exchange(7);
    let (request, response) = whole.split_at(whole.find('\n').unwrap() + 1);
    append(&log, &(exchange(6) + request));
    let follower = Follower::start(folder.path(), &[]);
    passed(folder.path(), 1);
    fs::rename(&log, folder.path().join("s.jsonl.1")).unwrap();
    append(&log, response);
    assert_eq!(passed(folder.path(), 2), [6, 7]);
    follower.stop();
}

/// A log that is emptied is read from its beginning, and the report says that something may have been missed.
#[test]
fn a_log_that_is_emptied() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("s.jsonl");
    append(&log, &(exchange(1) + &exchange(2)));
    let follower = Follower::start(folder.path(), &[]);
    passed(folder.path(), 2);
    fs::write(&log, exchange(3)).unwrap();
    assert_eq!(passed(folder.path(), 3), [1, 2, 3]);
    let said = follower.stop();
    assert!(
        said.contains("CH1031") && said.contains("became shorter"),
        "{said}"
    );
}

/// So is one that was emptied and had grown beyond what was read by the time that the monitor looked.
#[test]
fn a_log_that_is_emptied_and_grows_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("s.jsonl");
    append(&log, &exchange(1));
    let follower = Follower::start(folder.path(), &[]);
    passed(folder.path(), 1);
    // It has been examined since it was read.
    std::thread::sleep(Duration::from_millis(300));
    fs::write(&log, exchange(2) + &exchange(3) + &exchange(4)).unwrap();
    assert_eq!(passed(folder.path(), 4), [1, 2, 3, 4]);
    append(&log, &exchange(5));
    assert_eq!(passed(folder.path(), 5), [1, 2, 3, 4, 5]);
    let said = follower.stop();
    assert!(said.contains("CH1031"), "{said}");
}

/// A log that was replaced while the monitor was away is read from its beginning, even if it is longer by then.
#[test]
fn a_log_that_was_replaced_in_between() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("s.jsonl");
    append(&log, &exchange(1));
    let state = ["--state", "s.state", "--state-every", "20"];
    let follower = Follower::start(folder.path(), &state);
    passed(folder.path(), 1);
    follower.stop();
    fs::remove_file(&log).unwrap();
    append(&log, &(exchange(2) + &exchange(3)));
    let follower = Follower::start(folder.path(), &state);
    assert_eq!(passed(folder.path(), 3), [1, 2, 3]);
    let said = follower.stop();
    assert!(said.contains("CH1031"), "{said}");
    // The same file once more: it continues where it was, and says nothing.
    append(&log, &exchange(4));
    let follower = Follower::start(folder.path(), &state);
    assert_eq!(passed(folder.path(), 4), [1, 2, 3, 4]);
    let said = follower.stop();
    assert!(!said.contains("CH1031"), "{said}");
}
