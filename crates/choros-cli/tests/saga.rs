//! The saga end to end: its services hold under `drive`, `capture` and `audit`, and each of ten faults is blamed on the
//! service that has it.

mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use support::{Program, choros, free_address, python};

/// The faults of `examples/saga/saga.py`, and who has them.
const FAULTS: [(&str, &str); 10] = [
    ("order", "zero"),
    ("order", "amount"),
    ("order", "no-release"),
    ("order", "total"),
    ("order", "unpaid"),
    ("order", "generous"),
    ("inventory", "other-id"),
    ("inventory", "no-stock"),
    ("payment", "overcharge"),
    ("payment", "other-id"),
];

const ROLES: [&str; 4] = ["client", "order", "inventory", "payment"];

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/saga")
}

/// Starts a service, with a fault if it is the one that has it; where it listens.
fn service(
    python: &Path,
    role: &str,
    fault: Option<(&str, &str)>,
    more: &[String],
) -> (Program, String) {
    let mut command = Command::new(python);
    command.arg(example().join("saga.py")).arg(role).args(more);
    if let Some((_, fault)) = fault.filter(|(of, _)| *of == role) {
        command.args(["--fault", fault]);
    }
    let program = Program::start(&mut command);
    let url = program.url();
    (program, url)
}

fn json(arguments: &[String]) -> (Option<i32>, serde_json::Value) {
    let output = choros()
        .current_dir(example())
        .args(arguments)
        .args(["--format", "json"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let told = serde_json::from_str(&text);
    (
        output.status.code(),
        told.unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr))),
    )
}

/// Drives one of the services; how it ended, and a transcript.
fn drive(python: &Path, role: &str, fault: Option<(&str, &str)>, transcript: &Path) -> Option<i32> {
    let (inventory, payment) = (free_address(), free_address());
    let places = [
        "--inventory".to_owned(),
        format!("http://{inventory}"),
        "--payment".to_owned(),
        format!("http://{payment}"),
    ];
    let (_service, url) = match role {
        "order" => service(python, role, fault, &places),
        _ => service(python, role, fault, &[]),
    };
    let mut arguments: Vec<String> = [
        "drive",
        "saga.chor",
        "--binding",
        "saga.bind.toml",
        "--role",
        role,
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.extend(["--target".to_owned(), url, "--adaptive".to_owned()]);
    arguments.extend(["--answer-within".to_owned(), "5000".to_owned()]);
    arguments.extend(["--transcript".to_owned(), transcript.display().to_string()]);
    if role == "order" {
        arguments.push("--mock-partners".to_owned());
        for (role, place) in [("inventory", inventory), ("payment", payment)] {
            arguments.extend(["--mock-at".to_owned(), format!("{role}={place}")]);
        }
    }
    json(&arguments).0
}

/// What became of four orders through a proxy between all services, as `audit` sees it.
fn capture_and_audit(
    python: &Path,
    fault: Option<(&str, &str)>,
) -> (Option<i32>, serde_json::Value) {
    let folder = tempfile::tempdir().unwrap();
    let (_inventory, inventory) = service(python, "inventory", fault, &[]);
    let (_payment, payment) = service(python, "payment", fault, &[]);
    let proxies = [free_address(), free_address(), free_address()];
    let places = [
        "--inventory".to_owned(),
        format!("http://{}", proxies[0]),
        "--payment".to_owned(),
        format!("http://{}", proxies[1]),
    ];
    let (_order, order) = service(python, "order", fault, &places);
    let mut capture = choros();
    capture.arg("capture");
    for (listen, (forward, ends)) in proxies.iter().zip([
        (&inventory, "order,inventory"),
        (&payment, "order,payment"),
        (&order, "client,order"),
    ]) {
        capture.args(["--listen", listen, "--forward", forward, "--as", ends]);
    }
    let log = |role: &str| {
        format!(
            "{role}={}",
            folder.path().join(role).with_extension("jsonl").display()
        )
    };
    capture
        .arg("--binding")
        .arg(example().join("saga.bind.toml"));
    for role in ROLES {
        capture.args(["-o", &log(role)]);
    }
    let capture = Program::start(&mut capture);
    for (number, (pieces, amount)) in [(1, 100), (0, 100), (101, 100), (2, 100_001)]
        .iter()
        .enumerate()
    {
        let body =
            format!(r#"{{"id": "o{number}", "sku": "pen", "qty": {pieces}, "amount": {amount}}}"#);
        place_order(&proxies[2], number, &body);
    }
    capture.interrupt();
    let mut arguments = vec!["audit".to_owned(), "saga.chor".to_owned()];
    for role in ROLES {
        arguments.extend(["--log".to_owned(), log(role)]);
    }
    json(&arguments)
}

/// Sends an order; waits until someone listens, and for the whole answer.
fn place_order(address: &str, number: usize, body: &str) {
    let start = Instant::now();
    let mut stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(error) => assert!(start.elapsed() < Duration::from_secs(60), "{error}"),
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    write!(
        stream,
        "POST /orders HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\nx-op: PlaceOrder\r\n\
         x-session: s{number}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 "), "{answer}");
}

#[test]
fn correct_services_hold_and_what_drive_writes_is_audited() {
    let Some(python) = python("http.server") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for role in &ROLES[1..] {
        let transcript = folder.path().join(role).with_extension("jsonl");
        assert_eq!(drive(&python, role, None, &transcript), Some(0), "{role}");
        let log = format!("{role}={}", transcript.display());
        let (code, told) = json(&["audit", "saga.chor", "--log", &log].map(str::to_owned));
        let own = told["results"]
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["name"] == **role);
        assert_eq!(own.unwrap()["verdict"], "holds", "{role}: {told:#}");
        assert_ne!(code, Some(1), "{role}: {told:#}");
    }
    let (code, told) = capture_and_audit(&python, None);
    assert_eq!(code, Some(0), "{told:#}");
}

#[test]
fn each_fault_is_found_by_drive() {
    let Some(python) = python("http.server") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for (role, fault) in FAULTS {
        let transcript = folder.path().join("run.jsonl");
        let code = drive(&python, role, Some((role, fault)), &transcript);
        assert_eq!(code, Some(1), "{role} --fault {fault}");
    }
}

/// One user at a time sees nothing of it; three at a time do.
#[test]
fn a_mix_up_of_two_users_is_found_by_several_at_once() {
    let Some(python) = python("http.server") else {
        return;
    };
    let drive = |fault: Option<&str>, more: &[&str]| {
        let fault = fault.map(|it| ("payment", it));
        let (_service, url) = service(&python, "payment", fault, &[]);
        let words = "drive saga.chor --binding saga.bind.toml --role payment --adaptive --target";
        let mut arguments: Vec<String> = words.split(' ').map(str::to_owned).collect();
        arguments.push(url);
        arguments.extend(more.iter().map(|&it| it.to_owned()));
        json(&arguments).0
    };
    let several = ["--sessions", "3", "--quiet", "100"];
    assert_eq!(drive(Some("mixed"), &[]), Some(0), "one at a time");
    assert_eq!(drive(Some("mixed"), &several), Some(1), "three at once");
    assert_eq!(drive(None, &several), Some(0), "a correct service");
}

/// A suite for two users at once says when each of them sends, and finds it with one run of each test.
#[test]
fn a_suite_for_several_users_finds_the_mix_up() {
    let Some(python) = python("http.server") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let words = "tests saga.chor --role payment --sessions 2 --by id --distinct --emit json -o";
    let mut arguments: Vec<String> = words.split(' ').map(str::to_owned).collect();
    arguments.push(out.clone());
    assert_eq!(json(&arguments).0, Some(0));
    let drive = |fault: Option<&str>| {
        let fault = fault.map(|it| ("payment", it));
        let (_service, url) = service(&python, "payment", fault, &[]);
        let suite = format!("{out}/suite.json");
        let words = format!("drive {suite} --binding saga.bind.toml --quiet 100 --target {url}");
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        json(&words).0
    };
    assert_eq!(drive(Some("mixed")), Some(1), "two users are mixed up");
    assert_eq!(drive(Some("other-id")), Some(1), "a fault of each session");
    assert_eq!(drive(None), Some(0), "a correct service");
}

#[test]
fn each_fault_is_blamed_on_who_has_it() {
    let Some(python) = python("http.server") else {
        return;
    };
    for (role, fault) in FAULTS {
        let (code, told) = capture_and_audit(&python, Some((role, fault)));
        assert_eq!(code, Some(1), "{role} --fault {fault}: {told:#}");
        let guilty = told["guilty"].to_string() + &told["semantics"]["notes"].to_string();
        assert!(
            guilty.contains(&format!("`{role}` alone")),
            "{fault}: {guilty}"
        );
    }
}

/// The charts of the book are those of the logs beside the example; `CHOROS_BLESS=1` draws them again.
#[test]
fn the_charts_of_the_book_show_what_the_logs_say() {
    let book = example().join("../../docs/book/src/saga");
    let folder = tempfile::tempdir().unwrap();
    let logs = std::fs::read_dir(example().join("logs")).unwrap();
    let mut count = 0;
    for log in logs {
        let name = log.unwrap().path().with_extension("");
        let name = name.file_name().unwrap().to_string_lossy().into_owned();
        if name == "correct" {
            continue;
        }
        let log = format!("logs/{name}.jsonl");
        let (_, told) = json(&["audit", "saga.chor", "--log", &log].map(str::to_owned));
        let (report, chart) = (folder.path().join("r.json"), folder.path().join("c.svg"));
        std::fs::write(&report, told.to_string()).unwrap();
        let drawn = choros()
            .args(["draw", &format!("{}#global", report.display()), "-o"])
            .arg(&chart)
            .output()
            .unwrap();
        assert!(drawn.status.success(), "{name}: {drawn:?}");
        let now = std::fs::read_to_string(&chart).unwrap();
        let place = book.join(&name).with_extension("svg");
        if std::env::var_os("CHOROS_BLESS").is_some() {
            std::fs::create_dir_all(&book).unwrap();
            std::fs::write(&place, &now).unwrap();
        }
        let before = std::fs::read_to_string(&place).unwrap_or_default();
        assert!(
            before == now,
            "{} is not what `draw` draws",
            place.display()
        );
        count += 1;
    }
    assert_eq!(count, FAULTS.len());
}
