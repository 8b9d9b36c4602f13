//! Sessions of a choreography on a stream: what `choros audit` says of the same logs, whoever is killed meanwhile.

use std::fs;
use std::process::Output;

use choros_testkit::{Random, rounds, seed_from_env};

use super::runs::{Case, Running};
use super::servers::{Server, program};
use super::{HASTY, moment};

const MODEL: &str = "\
choreography Shop[c, s] {
    c -> s: ask(x: Int)
    if x < 5 { s -> c: answer(x) } else { s -> c: refuse }
}
";

/// Logs of a customer and a shop in so many sessions: some go wrong, and some never end.
fn logs(random: &mut Random, sessions: usize) -> [String; 2] {
    let mut logs = [String::new(), String::new()];
    let (mut open, mut at, mut id) = (Vec::new(), 0, 0);
    let mut tell = |operation: &str,
                    ends: [&str; 2],
                    x: Option<usize>,
                    session: usize,
                    random: &mut Random| {
        (at, id) = (at + random.below(5), id + 1);
        let data = x.map_or_else(String::new, |x| format!(",\"data\":{{\"x\":{x}}}"));
        for (log, by) in logs.iter_mut().zip(["c", "s"]) {
            let direction = if ends[0] == by { "send" } else { "recv" };
            log.push_str(&format!(
                "{{\"at\":{at},\"by\":\"{by}\",\"dir\":\"{direction}\",\"from\":\"{}\",\"to\":\"{}\",\
                 \"op\":\"{operation}\",\"id\":\"{id}\",\"session\":\"{session}\"{data}}}\n",
                ends[0], ends[1]
            ));
        }
    };
    for session in 0..sessions {
        let x = random.below(10);
        tell("ask", ["c", "s"], Some(x), session, random);
        let is_wrong = random.percent(8);
        match random.below(20) {
            0 => {}
            1 => open.extend([(session, x, x < 5), (session, x, x < 5)]),
            _ => open.push((session, x, (x < 5) != is_wrong)),
        }
        while !open.is_empty() && random.percent(60) {
            let (session, x, agrees) = open.swap_remove(random.below(open.len()));
            let (operation, x) = if agrees {
                ("answer", Some(x))
            } else {
                ("refuse", None)
            };
            tell(operation, ["s", "c"], x, session, random);
        }
    }
    logs
}

fn text(output: &Output) -> String {
    // A stream does not know the files that its logs had.
    let text = String::from_utf8_lossy(&output.stdout);
    text.replace("c.jsonl:", "c:").replace("s.jsonl:", "s:")
}

#[test]
fn sessions_of_a_stream_are_audited_as_logs_are() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let kills = rounds(3);
    let case = Case::of_sessions(MODEL, logs(&mut random, 200 * kills.min(20)));
    let audit = case.run("audit shop.chor --log c=c.jsonl --log s=s.jsonl");
    assert_eq!(audit.status.code(), Some(1), "{audit:?}");
    // In this process alone.
    let here = case
        .run("watch shop.chor --log c=c.jsonl --log s=s.jsonl --partitions 3 --verdicts m.jsonl");
    assert_eq!(text(&here), text(&audit));
    let server = Server::alone(&program, case.folder.path(), "");
    let url = server.url("shop");
    case.feed(&url, "--partitions 3");
    let workers = format!("watch shop.chor --stream {url} --workers 1 {HASTY}");
    let mut both = [
        Running::new(case.spawn(&workers)),
        Running::new(case.spawn(&workers)),
    ];
    for _ in 0..kills {
        moment(&mut random);
        let worker = random.below(2);
        both[worker].kill();
        both[worker] = Running::new(case.spawn(&workers));
    }
    let look = format!("watch shop.chor --stream {url} --workers 0 --until-end --verdicts w.jsonl");
    let found = case.run(&look);
    assert_eq!(text(&found), text(&audit), "{found:?}");
    let lines = |name: &str| {
        let text = fs::read_to_string(case.path(name)).expect("verdicts");
        let after = |line: &str| line.split_once(",\"property\"").map(|it| it.1.to_owned());
        let mut all: Vec<_> = text.lines().filter_map(after).collect();
        all.sort();
        all
    };
    assert_eq!(lines("w.jsonl"), lines("m.jsonl"));
    // Another model under the same name is refused.
    fs::write(case.path("other.chor"), MODEL.replace("x < 5", "x < 6")).expect("a file");
    let other = case.run(&format!("watch other.chor --stream {url} --until-end"));
    assert_eq!(other.status.code(), Some(2), "{other:?}");
}

/// What is quiet by the ticks of the stream is cut, although no worker looks at a clock.
#[test]
fn quiet_sessions_are_cut_by_ticks() {
    let Some(program) = program() else { return };
    let line = |by: &str, direction: &str| {
        format!(
            "{{\"at\":1,\"by\":\"{by}\",\"dir\":\"{direction}\",\"from\":\"c\",\"to\":\"s\",\"op\":\"ask\",\
             \"session\":\"1\",\"data\":{{\"x\":3}}}}\n"
        )
    };
    let case = Case::of_sessions(MODEL, [line("c", "send"), line("s", "recv")]);
    let server = Server::alone(&program, case.folder.path(), "");
    let url = server.url("shop");
    let words = format!(
        "feed --log c=c.jsonl --log s=s.jsonl --follow --tick 0.05 --stream {url} --partitions 2"
    );
    let mut feed = Running::new(case.spawn(&words));
    std::thread::sleep(std::time::Duration::from_secs(2));
    feed.interrupt();
    feed.output(&words);
    case.feed(&url, "");
    let found = case.run(&format!(
        "watch shop.chor --stream {url} --until-end --quiet-after 60"
    ));
    assert_eq!(found.status.code(), Some(4), "{found:?}");
    let said = text(&found);
    let reason = "session 1: nothing was seen of it for 60 s, so it was cut";
    assert!(said.contains(reason), "{said}");
}
