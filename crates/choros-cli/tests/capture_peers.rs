//! The proxy between programs that are not ours: curl, and the SOAP stacks zeep and spyne.
//!
//! A machine without them skips these tests, unless CI says that everything must be there.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A program that says on its first line where it listens; it is stopped at the end.
struct Listening {
    process: Child,
    url: String,
}

impl Listening {
    fn start(command: &mut Command, says_so_on_standard_error: bool) -> Listening {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        if says_so_on_standard_error {
            command.stderr(Stdio::piped());
        }
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        if says_so_on_standard_error {
            BufReader::new(process.stderr.as_mut().unwrap())
                .read_line(&mut line)
                .unwrap();
        } else {
            BufReader::new(process.stdout.as_mut().unwrap())
                .read_line(&mut line)
                .unwrap();
        }
        let url = line
            .split_whitespace()
            .nth(2)
            .unwrap_or_default()
            .to_owned();
        assert!(url.starts_with("http://"), "{line}");
        Listening { process, url }
    }

    fn capture(forward: &str, log: &Path, more: &[&str]) -> Listening {
        let mut command = Command::new(env!("CARGO_BIN_EXE_choros"));
        command.args([
            "capture",
            "--listen",
            ":0",
            "--as",
            "c,s",
            "--forward",
            forward,
            "-o",
        ]);
        command.arg(log).args(more);
        Listening::start(&mut command, true)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/shipping")
        .join(name)
}

/// The Python of the repository's virtual environment, or the system's, if it has these packages.
fn python(packages: &str) -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/python");
    let found = [own, PathBuf::from("python3")].into_iter().find(|python| {
        let output = Command::new(python)
            .args(["-c", &format!("import {packages}")])
            .output();
        output.is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        assert!(
            std::env::var_os("CHOROS_REQUIRE_PYTHON").is_none(),
            "Python with {packages} is required and not there"
        );
    }
    found
}

fn lines(log: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(log).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn zeep_and_spyne_do_not_notice() {
    let Some(python) = python("spyne, zeep, lxml") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("s.jsonl");
    let service = Listening::start(
        Command::new(&python)
            .arg(example("soap/soap_quote.py"))
            .stderr(Stdio::null()),
        false,
    );
    let mapping = folder.path().join("map.json");
    std::fs::write(
        &mapping,
        r#"{"messages": {"GET /**": {"request": null, "response": null}}}"#,
    )
    .unwrap();
    let proxy = Listening::capture(
        &service.url,
        &log,
        &["--keep-host", "--mapping", mapping.to_str().unwrap()],
    );
    let client = |url: &str| {
        let mut command = Command::new(&python);
        command
            .arg(example("soap/soap_client.py"))
            .args([url, "4.96", "5", "-1"]);
        text(&command.output().unwrap())
    };
    let directly = client(&service.url);
    assert_eq!(directly, "fee 14.88\nfee 10\nfault a weight is positive\n");
    assert_eq!(client(&proxy.url), directly);
    drop(proxy);
    let lines = lines(&log);
    let told: Vec<(&str, &str, String)> = lines
        .iter()
        .map(|line| {
            let field = |name: &str| line[name].as_str().unwrap();
            (field("dir"), field("op"), line["data"].to_string())
        })
        .collect();
    assert_eq!(told[0], ("recv", "Request", "{\"weight\":4.96}".to_owned()));
    assert_eq!(
        told[1],
        ("send", "RequestResponse", "{\"fee\":14.88}".to_owned())
    );
    assert_eq!(told[3].2, "{\"fee\":10}");
    assert_eq!((told[5].0, told[5].1), ("send", "Fault"));
    assert_eq!(lines[5]["data"]["faultstring"], "a weight is positive");
    assert_eq!(told.len(), 6);
}

#[test]
fn curl_gets_the_same_bytes() {
    let curl = Command::new("curl").arg("--version").output();
    let Some(python) = python("http.server") else {
        return;
    };
    if !curl.is_ok_and(|output| output.status.success()) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let served = folder.path().join("www");
    std::fs::create_dir(&served).unwrap();
    let noise: Vec<u8> = (0..3_000_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    std::fs::write(served.join("noise.bin"), &noise).unwrap();
    let script = "import functools,http.server as h,sys\n\
         k=functools.partial(h.SimpleHTTPRequestHandler,directory=sys.argv[1])\n\
         s=h.ThreadingHTTPServer(('127.0.0.1',0),k)\n\
         print(f'listening on http://127.0.0.1:{s.server_port}',flush=True)\n\
         s.serve_forever()";
    let mut command = Command::new(&python);
    command
        .args(["-c", script])
        .arg(&served)
        .stderr(Stdio::null());
    let service = Listening::start(&mut command, false);
    let log = folder.path().join("s.jsonl");
    let proxy = Listening::capture(&service.url, &log, &[]);
    let fetch = |path: &str, more: &[&str]| {
        let url = format!("{}/{path}", proxy.url);
        let output = Command::new("curl")
            .args(["-sS", "--max-time", "30"])
            .args(more)
            .arg(url)
            .output();
        output.unwrap().stdout
    };
    assert_eq!(fetch("noise.bin", &[]), noise);
    assert!(!fetch("noise.bin", &["-I"]).is_empty());
    assert!(String::from_utf8_lossy(&fetch("none", &["-i"])).contains("404"));
    drop(proxy);
    let lines = lines(&log);
    let operations: Vec<&str> = lines
        .iter()
        .map(|line| line["op"].as_str().unwrap())
        .collect();
    assert_eq!(
        operations,
        [
            "noise.bin",
            "noise.binResponse",
            "noise.bin",
            "none",
            "noneFault"
        ]
    );
    assert_eq!(lines[1]["truncated"], true);
}
