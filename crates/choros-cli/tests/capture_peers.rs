//! The proxy between programs that are not ours: curl, and the SOAP stacks zeep and spyne.
//!
//! A machine without them skips these tests, unless CHOROS_REQUIRE_PYTHON says that everything must be there.

mod support;

use std::path::Path;
use std::process::Command;

use support::{Program, choros, example, python};

/// A proxy in front of a service.
fn capture(forward: &str, log: &Path, more: &[&str]) -> Program {
    let mut command = choros();
    command.args([
        "capture",
        "--listen",
        ":0",
        "--as",
        "c,s",
        "--forward",
        forward,
    ]);
    Program::start(command.arg("-o").arg(log).args(more))
}

fn lines(log: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(log).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

#[test]
fn zeep_and_spyne_do_not_notice() {
    let Some(python) = python("spyne, zeep, lxml") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("s.jsonl");
    let service = Program::start(Command::new(&python).arg(example("soap/soap_quote.py")));
    let service_url = service.url();
    let mapping = folder.path().join("map.json");
    let descriptions_are_no_messages =
        r#"{"messages": {"GET /**": {"request": null, "response": null}}}"#;
    std::fs::write(&mapping, descriptions_are_no_messages).unwrap();
    let proxy = capture(
        &service_url,
        &log,
        &["--mapping", mapping.to_str().unwrap()],
    );
    let client = |url: &str| {
        let mut command = Command::new(&python);
        command.arg(example("soap/soap_client.py"));
        let output = command.args([url, "4.96", "5", "-1"]).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let directly = client(&service_url);
    assert_eq!(directly, "fee 14.88\nfee 10\nfault a weight is positive\n");
    assert_eq!(client(&proxy.url()), directly);
    proxy.interrupt();
    let lines = lines(&log);
    let told: Vec<(&str, &str, String)> = lines
        .iter()
        .map(|line| {
            let field = |name: &str| line[name].as_str().unwrap();
            (field("dir"), field("op"), line["data"].to_string())
        })
        .collect();
    assert_eq!(told.len(), 6);
    assert_eq!(told[0], ("recv", "Request", "{\"weight\":4.96}".to_owned()));
    assert_eq!(
        told[1],
        ("send", "RequestResponse", "{\"fee\":14.88}".to_owned())
    );
    assert_eq!(told[3].2, "{\"fee\":10}");
    assert_eq!((told[5].0, told[5].1), ("send", "Fault"));
    assert_eq!(lines[5]["data"]["faultstring"], "a weight is positive");
}

#[test]
fn curl_gets_the_same_bytes() {
    let curl = Command::new("curl").arg("--version").output();
    let (Some(python), true) = (python("http.server"), curl.is_ok()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let served = folder.path().join("www");
    std::fs::create_dir(&served).unwrap();
    let byte = |number: u32| (number.wrapping_mul(2_654_435_761) >> 24) as u8;
    let noise: Vec<u8> = (0..3_000_000).map(byte).collect();
    std::fs::write(served.join("noise.bin"), &noise).unwrap();
    let script = "import functools,http.server as h,sys\n\
         k=functools.partial(h.SimpleHTTPRequestHandler,directory=sys.argv[1])\n\
         s=h.ThreadingHTTPServer(('127.0.0.1',0),k)\n\
         print(f'listening on http://127.0.0.1:{s.server_port}',flush=True)\n\
         s.serve_forever()";
    let service = Program::start(Command::new(&python).args(["-c", script]).arg(&served));
    let log = folder.path().join("s.jsonl");
    let proxy = capture(&service.url(), &log, &[]);
    let address = proxy.url();
    let fetch = |path: &str, more: &[&str]| {
        let mut command = Command::new("curl");
        command.args(["-sS", "--max-time", "30"]).args(more);
        command
            .arg(format!("{address}/{path}"))
            .output()
            .unwrap()
            .stdout
    };
    assert_eq!(fetch("noise.bin", &[]), noise);
    assert!(String::from_utf8_lossy(&fetch("noise.bin", &["-I"])).contains("3000000"));
    assert!(String::from_utf8_lossy(&fetch("none", &["-i"])).contains("404"));
    proxy.interrupt();
    let lines = lines(&log);
    let operations: Vec<&str> = lines
        .iter()
        .map(|line| line["op"].as_str().unwrap())
        .collect();
    // The answer to HEAD has no body, and is an acknowledgement.
    let expected = [
        "noise.bin",
        "noise.binResponse",
        "noise.bin",
        "none",
        "noneFault",
    ];
    assert_eq!(operations, expected);
    assert_eq!(lines[1]["truncated"], true);
}
