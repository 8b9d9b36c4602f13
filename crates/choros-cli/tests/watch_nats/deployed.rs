//! What `deploy/` starts is what this program is: its words are run here, its metrics are looked for; and TLS.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use choros_testkit::{Random, seed_from_env};

use crate::daily::page;
use crate::runs::{Case, Running};
use crate::servers::{Server, program, wait_for};

fn deploy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy")
}

fn text(name: &str) -> String {
    fs::read_to_string(deploy().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The words with which each file starts a watch.
fn started() -> Vec<(&'static str, Vec<String>)> {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    let quoted = |text: &str| -> Vec<String> {
        let parts = text.split('"').skip(1).step_by(2);
        parts.map(str::to_owned).collect()
    };
    let compose = text("compose.yaml");
    let compose = compose
        .lines()
        .find(|it| it.contains("command: [\"watch\""));
    let unit = text("systemd/choros-watch.service");
    let unit = unit
        .lines()
        .find_map(|it| it.strip_prefix("ExecStart=/usr/local/bin/choros "));
    let pod = text("kubernetes/watch.yaml");
    let (_, pod) = pod.split_once("args:\n").expect("arguments");
    let pod = pod.lines().map_while(|it| it.trim().strip_prefix("- "));
    vec![
        ("compose.yaml", quoted(compose.expect("a command"))),
        ("choros-watch.service", words(unit.expect("a command"))),
        ("watch.yaml", pod.map(str::to_owned).collect()),
    ]
}

#[test]
fn what_is_deployed_can_be_started() {
    let Some(program) = program() else { return };
    let case = Case::new(&mut Random::new(seed_from_env()), 60);
    let server = Server::alone(&program, case.folder.path(), "");
    let url = server.url("shop");
    case.feed(&url, "--partitions 2");
    let help = case.run("watch --help");
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    for (name, words) in started() {
        assert_eq!(words[0], "watch", "{name}");
        let mut run = vec!["watch".to_owned()];
        let mut words = words[1..].iter().flat_map(|it| it.splitn(2, '='));
        while let Some(word) = words.next() {
            // Its place there, and here.
            let file = word.rsplit('/').next().filter(|it| it.ends_with(".prop"));
            match (word, file) {
                (_, Some(file)) => {
                    let path = deploy().join("properties").join(file);
                    fs::copy(path, case.path(file)).expect("properties");
                    run.push(file.to_owned());
                }
                ("--stream", _) => {
                    assert!(
                        words.next().is_some_and(|it| it.ends_with("/shop")),
                        "{name}"
                    );
                    run.extend(["--stream".to_owned(), url.clone()]);
                }
                ("--metrics", _) => {
                    words.next();
                    run.extend(["--metrics".to_owned(), "127.0.0.1:0".to_owned()]);
                }
                ("--credentials", _) => {
                    words.next();
                    assert!(help.contains("--credentials <FILE>"));
                }
                _ => panic!("{name}: {word}"),
            }
        }
        let output = case.run(&format!("{} --until-end", run.join(" ")));
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{name}: {output:?}"
        );
    }
}

#[test]
fn metrics_that_are_shown_exist() {
    let Some(program) = program() else { return };
    let case = Case::new(&mut Random::new(seed_from_env()), 60);
    let server = Server::alone(&program, case.folder.path(), "");
    let url = server.url("shop");
    case.feed(&url, "--partitions 2");
    let log = fs::File::create(case.path("said.txt")).expect("a file");
    let words = format!("watch p.prop --stream {url} --workers 1 --metrics 127.0.0.1:0");
    let _watch = Running::new(case.spawn_saying(&words, log));
    let mut metrics = String::new();
    wait_for("metrics", || {
        let said = fs::read_to_string(case.path("said.txt")).unwrap_or_default();
        let address = said.split_once("metrics on http://").map(|it| it.1);
        let address = address
            .and_then(|it| it.split('/').next())
            .unwrap_or_default();
        metrics = page(address, "/metrics");
        metrics.contains("choros_members")
    });
    let is_of_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let book = fs::read_to_string(deploy().join("../docs/book/src/watching-at-scale.md"));
    for (name, text) in [
        ("the dashboard", text("grafana/choros.json")),
        ("the book", book.expect("the book")),
    ] {
        let words = text.split(|it| !is_of_name(it));
        let named: BTreeSet<&str> = words.filter(|it| it.starts_with("choros_")).collect();
        assert!(named.len() > 5, "{name}: {named:?}");
        for metric in named {
            assert!(
                metrics.contains(&format!("# TYPE {metric} ")),
                "{name}: {metric}"
            );
        }
    }
}

/// The broker has a certificate that only this test knows, and wants one of everybody.
#[test]
fn over_tls() {
    let Some(program) = program() else { return };
    let case = Case::new(&mut Random::new(seed_from_env()), 60);
    for name in ["server", "client"] {
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
        fs::write(case.path(&format!("{name}.pem")), made.cert.pem()).expect("a file");
        let key = made.signing_key.serialize_pem();
        fs::write(case.path(&format!("{name}.key")), key).expect("a file");
    }
    let file = |name: &str| case.path(name).display().to_string();
    let lines = format!(
        "tls {{ cert_file: \"{}\", key_file: \"{}\", ca_file: \"{}\", verify: true }}",
        file("server.pem"),
        file("server.key"),
        file("client.pem")
    );
    let server = Server::alone(&program, case.folder.path(), &lines);
    let url = server.url("shop").replace("nats://", "tls://");
    let identity = "--ca server.pem --cert client.pem --key client.key";
    case.feed(&url, &format!("--partitions 2 {identity}"));
    let words = format!("watch p.prop --stream {url} {identity} --workers 1");
    let _worker = Running::new(case.spawn(&words));
    case.expect_same(&format!("{url} {identity}"));
    // Who does not know the authority, or does not introduce himself, is told so.
    for few in ["", "--ca server.pem"] {
        let output = case.run(&format!("watch p.prop --stream {url} {few} --until-end"));
        assert_eq!(output.status.code(), Some(5), "{few}: {output:?}");
    }
}
