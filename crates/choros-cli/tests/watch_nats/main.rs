//! Streams of a real broker, watched by several processes while workers, servers and the network fail.
//!
//! Whatever fails, the verdicts are those of `choros monitor` on the same logs: none lost, none doubled, none wrong.
//! `CHOROS_SOAK` multiplies how often; moments come from `CHOROS_SEED`, which is printed.

mod daily;
mod deployed;
mod mistakes;
mod runs;
mod servers;
mod sessions;

use std::time::Duration;

use choros_testkit::{Random, rounds, seed_from_env};
use runs::{Case, Running};
use servers::{Network, Server, cluster, cluster_url, program};

/// Workers that are not patient, and write how far they came often.
const HASTY: &str = "--takeover-after 0.4 --checkpoint-every 2";

/// A moment at which something fails.
fn moment(random: &mut Random) {
    std::thread::sleep(Duration::from_millis(20 + random.below(400) as u64));
}

#[test]
fn two_processes_say_what_one_says() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let case = Case::new(&mut random, 1_500);
    let server = Server::alone(&program, case.folder.path(), "");
    let url = server.url("shop");
    case.feed(&url, "--partitions 3");
    // What is there is not put there again.
    case.feed(&url, "");
    let workers = format!("watch p.prop --stream {url} --workers 2 --until-end {HASTY}");
    let mut both = [
        Running::new(case.spawn(&workers)),
        Running::new(case.spawn(&workers)),
    ];
    case.expect_same(&url);
    // Each says what all found, and shows the same failures, whatever it heard first.
    let [one, other] = both.each_mut().map(|it| it.output(&workers));
    assert_eq!(one.status.code(), Some(1), "{one:?}");
    // A stream does not know the files that its logs had.
    let text = |output: &[u8]| {
        let text = String::from_utf8_lossy(output);
        text.replace("c.jsonl:", "lines ")
            .replace("s.jsonl:", "lines ")
    };
    assert_eq!(text(&one.stdout), text(&other.stdout));
    let single = case.run("monitor p.prop --log c=c.jsonl --log s=s.jsonl");
    assert_eq!(text(&one.stdout), text(&single.stdout));
}

#[test]
fn workers_are_killed_at_any_moment() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let kills = rounds(3);
    let case = Case::new(&mut random, 600 * kills.min(20));
    let server = Server::alone(&program, case.folder.path(), "");
    let url = server.url("shop");
    // The feed is killed as well, and begins again.
    let words = format!("feed --log c=c.jsonl --log s=s.jsonl --stream {url} --partitions 3");
    for _ in 0..2 {
        let mut feed = Running::new(case.spawn(&words));
        moment(&mut random);
        feed.kill();
    }
    let workers = format!("watch p.prop --stream {url} --workers 2 {HASTY}");
    case.feed(&url, "--partitions 3");
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
    case.expect_same(&url);
}

#[test]
fn a_server_of_three_is_killed() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let kills = rounds(1);
    let case = Case::new(&mut random, 600 * kills.min(10));
    let mut servers = cluster(&program, case.folder.path());
    let url = cluster_url(&servers, "shop");
    servers::wait_for("a leader", || {
        let words = format!("feed --stream {url} --end --partitions 1 --replicas 3");
        let output = case.run(&words.replace("/shop", "/probe"));
        output.status.code() == Some(0)
    });
    let words = format!(
        "feed --log c=c.jsonl --log s=s.jsonl --stream {url} --partitions 2 --replicas 3 --end"
    );
    let mut feed = Running::new(case.spawn(&words));
    let workers = format!("watch p.prop --stream {url} --workers 1 {HASTY}");
    let mut both: Vec<Running> = Vec::new();
    for round in 0..kills {
        moment(&mut random);
        let number = random.below(3);
        servers[number].kill();
        if round == 0 {
            let output = feed.output(&words);
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            both.extend((0..2).map(|_| Running::new(case.spawn(&workers))));
        }
        moment(&mut random);
        servers[number].start();
        // A worker and a server at once.
        let worker = random.below(2);
        both[worker].kill();
        both[worker] = Running::new(case.spawn(&workers));
    }
    case.expect_same(&url);
}

#[test]
fn the_network_between_worker_and_server_is_cut() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let cuts = rounds(2);
    let case = Case::new(&mut random, 600 * cuts.min(20));
    let server = Server::alone(&program, case.folder.path(), "");
    let network = Network::to(&server);
    case.feed(&server.url("shop"), "--partitions 2");
    // The server must not tell its own address, or workers find a way around the network.
    let behind = format!(
        "watch p.prop --stream {} --workers 1 {HASTY}",
        network.url("shop")
    );
    let before = format!(
        "watch p.prop --stream {} --workers 1 {HASTY}",
        server.url("shop")
    );
    let _one = Running::new(case.spawn(&behind));
    let _other = Running::new(case.spawn(&before));
    for _ in 0..cuts {
        moment(&mut random);
        network.cut();
        moment(&mut random);
        moment(&mut random);
        network.heal();
    }
    case.expect_same(&server.url("shop"));
}
