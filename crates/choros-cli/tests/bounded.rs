//! Every run ends in its time and within its memory.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod support;

use std::io::Read;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use choros_testkit::{Random, seed_from_env};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn choros() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_choros"));
    command.current_dir(examples()).stdin(Stdio::null());
    command
}

const LIST: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:o" xmlns="urn:o" elementFormDefault="qualified">
<xs:complexType name="T"><xs:sequence><xs:element name="a" type="xs:int" maxOccurs="unbounded"/></xs:sequence></xs:complexType>
<xs:element name="x" type="T"/></xs:schema>
"#;

/// A solver and a reader cannot be asked to stop in the middle; the run ends all the same.
#[test]
fn what_does_not_stop_by_itself_is_stopped() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut text = "type T0 = {a: Int}\n".to_owned();
    for level in 1..40 {
        let below = level - 1;
        text += &format!("type T{level} = {{a: T{below}, b: T{below}}}\n");
    }
    text += "var x: T39\n";
    let file = folder.path().join("doubling.solve");
    std::fs::write(&file, text).expect("it is written");

    let started = Instant::now();
    let output = choros()
        .args(["solve", "--timeout", "1", "--format", "json"])
        .arg(&file)
        .output()
        .expect("it runs");
    assert!(started.elapsed() < Duration::from_secs(3));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(4), "{text}");
    assert!(text.contains("the time limit was reached"), "{text}");

    let child = choros()
        .args(["solve", "--format", "json"])
        .arg(&file)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    std::thread::sleep(Duration::from_millis(300));
    let signalled = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(signalled.is_ok_and(|status| status.success()));
    let started = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert!(started.elapsed() < Duration::from_millis(1_500));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("\"interrupted\": true"), "{text}");

    std::fs::write(folder.path().join("list.xsd"), LIST).expect("it is written");
    let file = folder.path().join("list.solve");
    let text = "import \"list.xsd\"\nnamespace o = \"urn:o\"\nvar x: o:x\nxpath \"$x/o:a[999999999] = 1\"\n";
    std::fs::write(&file, text).expect("it is written");
    let output = choros()
        .args(["solve", "--max-memory", "150M", "--timeout", "60"])
        .arg(&file)
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(4), "{text}");
    assert!(text.contains("--max-memory"), "{text}");
}

/// What every verb may be asked about a model, `@`; where it needs a log, there is one.
const VERBS: [&str; 37] = [
    "check @",
    "explore @",
    "explore @ --minimize branching",
    "draw @",
    "project @",
    "realize @",
    "realize @ --repair",
    "realize @ --criterion semantic",
    "tests @",
    "mutate @",
    "verify @ --formula AG(EF(true))",
    "script @",
    "solve @",
    "fmt --check @",
    "conform @ @",
    "conform @ @ --mode sender",
    "comply @ @",
    "audit @ --log a=log.jsonl",
    "monitor @ --log a=log.jsonl",
    "watch @ --log a=log.jsonl",
    "drive @ --target http://127.0.0.1:1",
    "replay @",
    "certify @ @",
    "check @ --deny warnings",
    "verify @ --formula true --max-states 1000000",
    "realize @ --mode peers",
    "realize @ --mode sender --certificate @.proof",
    "conform @ @ --certificate @.proof",
    "tests @ --emit json -o @.tests",
    "explore @ --minimize strong --format json",
    "check @ --model ask.stg",
    "audit ask.stg --log S=@",
    "monitor some.prop --log s=@",
    "drive ask.stg --mapping @ --target http://127.0.0.1:1",
    "import @",
    "bind ask.stg --log S=@",
    "bind @ --log a=log.jsonl",
];

const ASK: &str =
    "stg ask explicit\ninitial 0\n0 -> 1: Ask[USER,S]?<x>\n1 -> 2: Big[S,USER]!\n2: end\n";
const PROPERTY: &str =
    "property p on s { context Request[c,s]?(any) within 1 messages expect Response[s,c]!(any) }\n";

/// What the lines need beside the file they are about.
fn prepare(folder: &Path) {
    for (name, text) in [
        ("log.jsonl", LOG),
        ("ask.stg", ASK),
        ("some.prop", PROPERTY),
    ] {
        std::fs::write(folder.join(name), text).expect("it is written");
    }
}

const LOG: &str =
    "{\"at\":1,\"by\":\"a\",\"dir\":\"recv\",\"from\":\"b\",\"to\":\"a\",\"op\":\"m\"}\n";

/// Verbs that read no model: what they do does not depend on one.
const OTHERS: [&str; 7] = ["capture", "explain", "feed", "help", "init", "lsp", "serve"];

#[test]
fn no_verb_is_left_out() {
    for verb in support::verbs() {
        let is_asked = VERBS
            .iter()
            .any(|line| line.split(' ').next() == Some(&verb));
        assert!(
            is_asked || OTHERS.contains(&&*verb),
            "`{verb}` is asked nothing here"
        );
    }
}

/// What is read beside models: logs, mappings, suites, schemas, projects.
const OTHER_KINDS: [&str; 11] = [
    "solve", "xsd", "wsdl", "xml", "json", "jsonl", "csv", "har", "log", "toml", "yaml",
];

/// Every file of the examples and every block of the specs and of the corpora that some verb reads; copies, since a run
/// may write beside them.
fn corpus(folder: &Path) -> Vec<PathBuf> {
    let kinds = choros::FileKind::ALL
        .into_iter()
        .map(choros::FileKind::extension);
    let kinds: Vec<&str> = kinds.chain(OTHER_KINDS).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    let mut folders = vec![
        root.join("examples"),
        root.join("specs"),
        root.join("docs/schema/fixtures"),
        root.join("editors/tree-sitter-chor/test/corpus"),
    ];
    while let Some(place) = folders.pop() {
        for entry in std::fs::read_dir(place).expect("it can be listed") {
            let path = entry.expect("an entry").path();
            let extension = path.extension().and_then(|it| it.to_str());
            if path.is_dir() {
                folders.push(path);
            } else if extension.is_some_and(|it| kinds.contains(&it)) {
                // Files that refer to each other stay together.
                let within = path.strip_prefix(&root).expect("it is in there");
                let copy = folder.join(within);
                std::fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
                std::fs::copy(&path, &copy).expect("it is copied");
                files.push(copy);
            } else if extension == Some("txt") {
                let text = std::fs::read_to_string(&path).expect("it can be read");
                let place = folder.join(files.len().to_string());
                files.extend(sections(&text, &place));
            } else if extension == Some("md") {
                let text = std::fs::read_to_string(&path).expect("it can be read");
                let place = folder.join(files.len().to_string());
                files.extend(blocks(&text, &place, &kinds));
            }
        }
    }
    files.sort();
    files
}

/// The named blocks of a spec, as files beside each other; those that are models.
fn blocks(text: &str, place: &Path, kinds: &[&str]) -> Vec<PathBuf> {
    let mut models = Vec::new();
    for block in text.split("\n```").skip(1).step_by(2) {
        let (head, body) = block.split_once('\n').unwrap_or((block, ""));
        let Some((_, name)) = head.split_once(' ') else {
            continue;
        };
        if name.contains(['/', ' ']) {
            continue;
        }
        std::fs::create_dir_all(place).expect("a folder");
        let path = place.join(name);
        std::fs::write(&path, format!("{body}\n")).expect("it is written");
        if kinds.iter().any(|kind| name.ends_with(&format!(".{kind}"))) {
            models.push(path);
        }
    }
    models
}

/// The texts of a corpus of tree-sitter: each stands between a line of `=` signs and one of dashes.
fn sections(text: &str, place: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for section in text.split("\n===").skip(1).step_by(2) {
        let body = section.split("\n---").next().unwrap_or(section);
        let body = body.trim_start_matches('=');
        std::fs::create_dir_all(place).expect("a folder");
        let path = place.join(format!("{}.chor", files.len()));
        std::fs::write(&path, body).expect("it is written");
        files.push(path);
    }
    files
}

fn line_about(verb: &str, file: &Path) -> Vec<String> {
    let file = file.to_string_lossy();
    verb.split(' ')
        .map(|word| word.replace('@', &file))
        .collect()
}

/// A run with a second of time may take so much memory, and so much more until that is noticed.
const MEMORY: &str = "400M";
const MAX_MEMORY: u64 = 750_000_000;

/// One run with a second of time: how much of a processor and of memory it took; damaged texts too.
///
/// How long it took by the clock.
fn within_its_time(verb: &str, file: &Path, folder: &Path) -> Duration {
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_choros"))
        .args(line_about(verb, file))
        .args(["--timeout", "1", "--max-memory", MEMORY])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut told = child.stderr.take().expect("a pipe");
    let told = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = told.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let (spent, peak) = used(child.id());
    let took = started.elapsed();
    let status = child.wait().expect("it ends");
    let told = told.join().expect("it is read");
    assert!(
        spent < 3.0
            && peak < MAX_MEMORY
            && status.code().is_some_and(|it| it <= 5)
            && !told.contains("panicked"),
        "{verb:?} {}: {spent} s of a processor, {peak} bytes, {status}\n{told}",
        file.display(),
    );
    took
}

/// Seconds of a processor and the most bytes that a process held, once it has ended and before someone waits for it.
///
/// The system tells the former to the end; the latter is looked up again and again, and is the highest mark so far.
fn used(process: u32) -> (f64, u64) {
    let mut peak = 0;
    let started = Instant::now();
    loop {
        let status = std::fs::read_to_string(format!("/proc/{process}/status"));
        let mark = status.as_deref().unwrap_or_default().lines();
        let mark = mark.filter_map(|line| line.strip_prefix("VmHWM:")).next();
        let kilobytes = mark.and_then(|it| it.trim().strip_suffix("kB"));
        let kilobytes: Option<u64> = kilobytes.and_then(|it| it.trim().parse().ok());
        peak = kilobytes.map_or(peak, |it| peak.max(it * 1024));
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("a process");
        // The name, in parentheses, may have anything in it.
        let (_, fields) = stat.rsplit_once(") ").expect("fields");
        let fields: Vec<&str> = fields.split(' ').collect();
        if fields[0] == "Z" {
            let ticks: u64 = [fields[11], fields[12]]
                .iter()
                .map(|it| it.parse::<u64>().expect("ticks"))
                .sum();
            // A hundred in a second, wherever Linux runs.
            return (ticks as f64 / 100.0, peak);
        }
        let waited = started.elapsed();
        assert!(waited < Duration::from_secs(120), "it does not end");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// How long a run may be at work before it is signalled.
const MOMENT: Duration = Duration::from_millis(300);

/// A signal after a moment; it may be over by then.
fn ended_by_a_signal(verb: &str, file: &Path, folder: &Path) {
    let mut child = choros()
        .current_dir(folder)
        .args(line_about(verb, file))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let started = Instant::now();
    while started.elapsed() < MOMENT {
        if child.try_wait().expect("it is known").is_some() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    let started = Instant::now();
    child.wait().expect("it ends");
    // A second, and what a busy machine takes to end a process.
    let took = started.elapsed();
    assert!(
        took < Duration::from_millis(1_900),
        "{verb:?} {}: {took:?} after the signal",
        file.display()
    );
}

/// A text with a piece left out, doubled, or repeated fifty times.
fn damaged(file: &Path, folder: &Path, random: &mut Random) -> PathBuf {
    let bytes = std::fs::read(file).expect("it can be read");
    let text = String::from_utf8_lossy(&bytes);
    let letters: Vec<char> = text.chars().collect();
    let start = random.below(letters.len() + 1);
    let end = start + random.below(letters.len() - start + 1);
    let piece: String = letters[start..end].iter().collect();
    let mut out: String = letters[..start].iter().collect();
    out.push_str(&piece.repeat(*random.pick(&[0, 2, 50])));
    out.extend(&letters[end..]);
    let name = file.file_name().expect("a name");
    let path = folder.join(name);
    std::fs::write(&path, out).expect("it is written");
    path
}

/// The law: every verb on every model there is, with `--timeout 1`, takes less than three seconds of a processor and no
/// more memory than it may; with a signal it ends within one.
#[test]
fn a_sample_of_runs_ends_in_its_time() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    prepare(folder.path());
    let files = corpus(folder.path());
    assert!(files.len() > 500, "{} models", files.len());
    let mut random = Random::new(seed_from_env());
    for round in 0..60 {
        let verb = random.pick(&VERBS);
        let file = random.pick(&files);
        match round % 3 {
            0 => ended_by_a_signal(verb, file, folder.path()),
            1 => drop(within_its_time(verb, file, folder.path())),
            _ => {
                let file = damaged(file, folder.path(), &mut random);
                within_its_time(verb, &file, folder.path());
            }
        }
    }
}

/// All of them, on two processors.
///
/// A run that is over before the signal would come is not run again to be signalled, and of the damaged texts each
/// third is tried, drawn from the seed.
/// `CHOROS_SHARD=2/5` takes the second of five parts of the models; violations are listed at the end.
#[test]
#[ignore = "takes an hour; `make soak` runs it"]
fn every_run_ends_in_its_time() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path();
    prepare(place);
    let (part, parts) = shard();
    let files: Vec<PathBuf> = corpus(place)
        .into_iter()
        .skip(part - 1)
        .step_by(parts)
        .collect();
    let seed = seed_from_env();
    let (next, runs) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let number = files.iter().position(|it| it == file).unwrap_or(0);
                    let mut random = Random::new(seed.wrapping_add(number as u64));
                    let own = place.join(format!("damaged-{number}"));
                    std::fs::create_dir_all(&own).expect("a folder");
                    for verb in VERBS {
                        let tried = std::panic::catch_unwind(AssertUnwindSafe(|| {
                            runs.fetch_add(1, Ordering::Relaxed);
                            if within_its_time(verb, file, place) >= MOMENT {
                                runs.fetch_add(1, Ordering::Relaxed);
                                ended_by_a_signal(verb, file, place);
                            }
                            if random.below(3) == 0 {
                                runs.fetch_add(1, Ordering::Relaxed);
                                within_its_time(verb, &damaged(file, &own, &mut random), place);
                            }
                        }));
                        if let Err(payload) = tried {
                            let text = payload.downcast_ref::<String>().cloned();
                            let text = text.unwrap_or_else(|| "it panics".to_owned());
                            eprintln!("{text}");
                            wrong.lock().expect("a list").push(text);
                        }
                    }
                }
            });
        }
    });
    let runs = runs.into_inner();
    println!(
        "{} models, {runs} runs, CHOROS_SEED={seed}, part {part} of {parts}",
        files.len()
    );
    let wrong = wrong.into_inner().expect("a list");
    assert!(
        wrong.is_empty(),
        "{} violations:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(runs > files.len() * VERBS.len());
}

/// Which part of how many.
fn shard() -> (usize, usize) {
    let text = std::env::var("CHOROS_SHARD").unwrap_or_else(|_| "1/1".to_owned());
    let numbers = text.split_once('/').and_then(|(part, parts)| {
        let (part, parts) = (part.parse().ok()?, parts.parse().ok()?);
        (1 <= part && part <= parts).then_some((part, parts))
    });
    numbers.expect("CHOROS_SHARD is written 2/5")
}

/// Files of thousands of mistakes, in every language that has some of its own: pages, not megabytes.
#[test]
fn errors_of_a_file_are_capped() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let many = |line: &dyn Fn(usize) -> String| (0..5_000).map(line).collect::<String>();
    let signs = |_: usize| ";".to_owned();
    let lines = |_: usize| "x ) y\n".to_owned();
    let mut files = vec![
        (
            "double.prop".to_owned(),
            many(&|_| {
                "property p on s { context A[c,s]?(any) within 1 messages expect B[s,c]!(f = g) where h == 1 }\n".to_owned()
            }),
        ),
        (
            "sorts.stg".to_owned(),
            format!(
                "stg m explicit\ninitial 0\n{}",
                many(&|at| format!("{at} -> {}: [\"a\" + 1 == 2] M[a,b]!\n", at + 1))
            ),
        ),
        (
            "names.solve".to_owned(),
            many(&|at| format!("assert u{at} == 1\n")),
        ),
        (
            "machines.fsa".to_owned(),
            format!(
                ".outputs A\n.state graph\n{}.marking q0\n.end\n",
                many(&|at| format!("q0 Z{at} ! m q1\n"))
            ),
        ),
        (
            "self.gc".to_owned(),
            many(&|at| format!("A -> A : m{at} ; ")) + "A -> B : m",
        ),
    ];
    for kind in [
        "prop", "socl", "chor", "schora", "pact", "gc", "fsa", "cows", "stg", "dot", "aut", "bpel",
        "solve", "stga", "abs",
    ] {
        files.push((format!("signs.{kind}"), many(&signs)));
        files.push((format!("lines.{kind}"), many(&lines)));
    }
    for (name, text) in files {
        std::fs::write(folder.path().join(&name), text).expect("it is written");
        let formats = if name.contains("lines") || name.contains("signs") {
            1
        } else {
            2
        };
        let verb = if name.ends_with(".solve") {
            "solve"
        } else {
            "check"
        };
        for format in ["text", "json"].into_iter().take(formats) {
            let output = choros()
                .current_dir(folder.path())
                .args([verb, &name, "--timeout", "20", "--format", format])
                .output()
                .expect("it runs");
            assert!(
                output.status.code().is_some_and(|it| it < 4),
                "{name}: {:?}",
                output.status
            );
            assert!(
                output.stderr.len() < 100_000,
                "{name}: {}",
                output.stderr.len()
            );
            assert!(
                output.stdout.len() < 1_500_000,
                "{name}: {}",
                output.stdout.len()
            );
        }
    }
}
