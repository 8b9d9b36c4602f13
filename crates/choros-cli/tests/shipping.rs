//! The shipping example end to end: four services over HTTP, captured, and judged live by testers in three processes.
//!
//! The services are in Python and need its standard library alone.

mod support;

use std::process::Command;

use support::{Program, choros, example, free_address, python};

/// Plays one order of this weight; answers the verdicts of the testers of `s`, of `a`, and of the global one.
fn order(weight: &str, rounding: bool) -> Option<[Vec<(String, String)>; 3]> {
    let python = python("http.server")?;
    let folder = tempfile::tempdir().unwrap();
    let ways = [free_address(), free_address(), free_address()];
    let service = |script: &str, options: &[&str]| {
        let mut command = Command::new(&python);
        Program::start(command.arg(example(script)).args(options))
    };
    let bank = service("bank.py", &[]);
    let to_bank = format!("http://{}", ways[2]);
    let mut options = vec!["--bank", &to_bank];
    if rounding {
        options.push("--rounding");
    }
    let administration = service("administration.py", &options);
    let to_administration = format!("http://{}", ways[1]);
    let quote = service(
        "shipping_quote.py",
        &["--administration", &to_administration],
    );

    let tester = |properties: &str| {
        let mut command = choros();
        command.arg("monitor").arg(example(properties));
        command.args(["--listen", ":0", "--connections", "1", "--publish", ":0"]);
        let tester = Program::start(command.args(["--format", "json"]));
        let (listens, publishes) = (tester.url(), tester.says("publishing on "));
        (tester, listens, publishes)
    };
    let (of_s, s_listens, s_publishes) = tester("s.prop");
    let (of_a, a_listens, a_publishes) = tester("a.prop");
    let mut command = choros();
    command.arg("monitor").arg(example("global.prop"));
    command.args(["--verdicts-from", &format!("s={s_publishes}")]);
    command.args(["--verdicts-from", &format!("a={a_publishes}")]);
    let global = Program::start(command.args(["--format", "json"]));

    let mut command = choros();
    command
        .arg("capture")
        .arg("--binding")
        .arg(example("shipping.bind.toml"));
    for (way, (service, names)) in
        ways.iter()
            .zip([(&quote, "c,s"), (&administration, "s,a"), (&bank, "a,b")])
    {
        command.args(["--listen", way, "--forward", &service.url(), "--as", names]);
    }
    command.args([
        "--to",
        &format!("s={s_listens}"),
        "--to",
        &format!("a={a_listens}"),
    ]);
    let log = folder.path().join("s.jsonl");
    let capture = Program::start(command.arg("-o").arg(format!("s={}", log.display())));
    capture.url();

    let mut client = Command::new(&python);
    client.arg(example("client.py")).args(["--weight", weight]);
    let answer = client
        .args(["--quote", &format!("http://{}", ways[0])])
        .output()
        .unwrap();
    assert!(
        answer.status.success(),
        "{}",
        String::from_utf8_lossy(&answer.stderr)
    );
    // The end of the capture ends the streams of the testers, and those end the global tester's.
    capture.interrupt();
    Some([of_s, of_a, global].map(|tester| verdicts(&tester.rest())))
}

fn verdicts(report: &str) -> Vec<(String, String)> {
    let start = report.find('{').unwrap_or_default();
    let end = report.rfind('}').map_or(0, |end| end + 1);
    let report: serde_json::Value = serde_json::from_str(&report[start..end]).unwrap();
    let results = report["results"].as_array().unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let verdict = |result: &serde_json::Value| (text(&result["name"]), text(&result["verdict"]));
    results.iter().map(verdict).collect()
}

fn of<'v>(verdicts: &'v [(String, String)], name: &str) -> &'v str {
    let found = verdicts.iter().find(|(known, _)| known == name);
    found.map_or("absent", |(_, verdict)| verdict)
}

#[test]
fn only_the_global_property_sees_the_rounding_fault() {
    let Some([s, a, global]) = order("4.96", true) else {
        return;
    };
    for name in ["answered", "fee_is_weight_times_price", "answer_first"] {
        assert_eq!(of(&s, name), "holds", "{name}: {s:?}");
    }
    assert_eq!(of(&a, "withdrawn"), "holds", "{a:?}");
    // Sq quoted price 3, so that nothing follows for price 2.
    assert_eq!(of(&global, "price_2_is_charged"), "unknown");
    assert_eq!(of(&global, "price_3_is_charged"), "fails");
}

#[test]
fn without_the_fault_the_price_that_was_quoted_is_charged() {
    let Some([s, a, global]) = order("4.96", false) else {
        return;
    };
    assert_eq!(of(&s, "quoted_3"), "holds");
    assert_eq!(of(&a, "charged_3"), "holds");
    assert_eq!(of(&global, "price_3_is_charged"), "holds");
    assert_eq!(of(&global, "price_2_is_charged"), "unknown");
}
