//! How fast the configurations of machines are found.
//!
//! Pairs of machines that have nothing to do with each other: `A` sends two messages to `B`, which answers when it has
//! both, and again; 7 configurations for each pair, so 7ⁿ, and 8n/7 steps from each.
//! The floor is the same system written out by hand: a configuration is one number, and a set of the standard library's
//! kind says which were seen; it knows no queue, no run to a configuration, and finds nothing wrong.
//! *Survey* looks for what is wrong in each configuration, *two* is the same with a crew of two, *safety* also looks for
//! who waits forever, which is what `choros explore` and `choros check` ask.
//! Where Linux tells it, time is that of the processor for the main thread, so that a busy machine does not spoil the
//! ratios; the members of a crew have equal parts, so for *two* it is the time that two idle processors take.
//! A second table has the same systems in Spin, without its reduction and looking for deadlocks only, plain and with
//! COLLAPSE, if `spin` and `gcc` are installed.
//! Prints tables; nothing is asserted.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use choros_base::{Budget, Crew, Job};
use choros_data::Terms;
use choros_model::cfsm::{Cfsm, Discipline, LocalAction, LocalState, Reduction, System, survey};
use choros_realize::safety;
use rustc_hash::FxHashSet;

#[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
fn line(text: &str) {
    println!("{text}");
}

fn main() {
    line(&format!(
        "{:<6} {:>10} {:>11} {:>11} {:>11} {:>11} {:>11} {:>9} {:>10} {:>10} {:>7}",
        "pairs",
        "states",
        "transitions",
        "floor/s",
        "survey/s",
        "two/s",
        "safety/s",
        "survey:floor",
        "two:survey",
        "safety:survey",
        "bytes"
    ));
    let ours: Vec<(usize, f64, f64)> = [4, 5, 6, 7].map(row).into();
    line(&format!(
        "\n{:<6} {:<9} {:>10} {:>11} {:>7} {:>18} {:>18}",
        "pairs", "Spin", "states", "states/s", "bytes", "survey, times fast", "bytes, times less"
    ));
    // Smaller ones end before Spin's clock has moved.
    for &(pairs, rate, bytes) in &ours[2..] {
        for collapse in [false, true] {
            match spin(pairs, collapse) {
                Some(found) => line(&format!(
                    "{pairs:<6} {:<9} {:>10} {:>11.0} {:>7.1} {:>18.1} {:>18.1}",
                    if collapse { "COLLAPSE" } else { "plain" },
                    found.states,
                    found.states / found.seconds,
                    found.bytes,
                    rate * found.seconds / found.states,
                    found.bytes / bytes
                )),
                None => line("       cannot be run: it takes the packages `spin` and `gcc`"),
            }
        }
    }
}

/// What Spin says of its search.
struct SpinSearch {
    states: f64,
    seconds: f64,
    /// For each state.
    bytes: f64,
}

/// Spin's search of the same system.
fn spin(pairs: usize, collapse: bool) -> Option<SpinSearch> {
    let folder = std::env::temp_dir().join(format!("choros-spin-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let found = spin_in(&folder, pairs, collapse);
    let _ = std::fs::remove_dir_all(&folder);
    found
}

fn spin_in(folder: &Path, pairs: usize, collapse: bool) -> Option<SpinSearch> {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/pairs.pml");
    let done = |command: &mut Command| {
        let output = command.current_dir(folder).output().ok()?;
        output.status.success().then_some(output.stdout)
    };
    done(
        Command::new("spin")
            .arg(format!("-DPAIRS={pairs}"))
            .arg("-a")
            .arg(model),
    )?;
    let mut compiler = Command::new("gcc");
    compiler.args(["-O2", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"]);
    compiler.args(collapse.then_some("-DCOLLAPSE"));
    done(&mut compiler)?;
    let before = children_time()?;
    let said = done(Command::new(folder.join("pan")).args(["-m3000000", "-w20"]))?;
    let seconds = children_time()? - before;
    let said = String::from_utf8_lossy(&said);
    let number = |words: &str| {
        let line = said.lines().find(|it| it.contains(words))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    let states = number("states, stored")?;
    Some(SpinSearch {
        states,
        seconds,
        bytes: number("actual memory usage for states")? * 1e6 / states,
    })
}

/// Seconds of processor time of programs that were run and have ended, in steps of a hundredth.
fn children_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(13);
    let own: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((own + system) / 100.0)
}

/// One line of the first table; the number of pairs, configurations per second and bytes of each.
fn row(pairs: usize) -> (usize, f64, f64) {
    let (by_hand, floor) = timed(|| floor(pairs));
    let mut terms = Terms::new();
    let machines = machines(pairs, &mut terms);
    let queues = Discipline::fifo(5);
    let mut system = System::new(&machines, queues, &terms);
    let (one, one_time) = timed(|| survey(&mut system, &Budget::unlimited()));
    let bytes = (system.bytes() + one.bytes()) as f64 / one.states as f64;
    let mut system = System::new(&machines, queues, &terms);
    let budget = Budget::unlimited().divided_among(Arc::new(Two));
    let (two, two_time) = timed(|| survey(&mut system, &budget));
    let mut system = System::new(&machines, queues, &terms);
    let (safe, safety_time) = timed(|| safety(&mut system, Reduction::None, &Budget::unlimited()));
    let states = one.states;
    let alike = [by_hand, two.states, safe.found.states] == [states; 3] && safe.proof.is_ok();
    let rate = |time: Duration| states as f64 / time.as_secs_f64();
    let ratio = |time: Duration, to: Duration| to.as_secs_f64() / time.as_secs_f64();
    line(&format!(
        "{pairs:<6} {states:>10} {:>11} {:>11.0} {:>11.0} {:>11.0} {:>11.0} {:>12.2} {:>10.2} {:>13.2} {bytes:>7.1}{}",
        one.transitions,
        rate(floor),
        rate(one_time),
        rate(two_time),
        rate(safety_time),
        ratio(one_time, floor),
        ratio(two_time, one_time),
        ratio(safety_time, one_time),
        if alike { "" } else { "  not the same" }
    ));
    (pairs, rate(one_time), bytes)
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let (start, processor) = (Instant::now(), processor_time());
    let found = run();
    let time = match (processor, processor_time()) {
        (Some(before), Some(after)) => Duration::from_nanos(after - before),
        _ => start.elapsed(),
    };
    (found, time)
}

/// Nanoseconds for which this thread had a processor.
fn processor_time() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}

#[derive(Debug)]
struct Two;

impl Crew for Two {
    fn members(&self) -> usize {
        2
    }

    fn worth_dividing(&self) -> usize {
        2_048
    }

    fn carry_out<'j>(&self, jobs: Vec<Job<'j>>) {
        std::thread::scope(|scope| {
            let mut jobs = jobs.into_iter();
            let own = jobs.next();
            for job in jobs {
                scope.spawn(job);
            }
            if let Some(own) = own {
                own();
            }
        });
    }
}

/// The places of a pair, three bits each; where each of them leads.
const NEXT: [&[u64]; 7] = [&[1], &[2, 3], &[4], &[4], &[5], &[6], &[0]];

fn floor(pairs: usize) -> usize {
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let mut open = vec![0_u64];
    seen.insert(0);
    let mut at = 0;
    while at < open.len() {
        let state = open[at];
        at += 1;
        for pair in 0..pairs {
            let shift = 3 * pair;
            let own = (state >> shift) & 7;
            for &next in NEXT[own as usize] {
                let target = state & !(7 << shift) | next << shift;
                if seen.insert(target) {
                    open.push(target);
                }
            }
        }
    }
    seen.len()
}

fn machines(pairs: usize, terms: &mut Terms) -> Vec<Cfsm> {
    let [a, b, c] = ["a", "b", "c"].map(|it| terms.names.intern(it));
    let mut all = Vec::new();
    for at in 0..pairs {
        let left = terms.names.intern(&format!("A{at}"));
        let right = terms.names.intern(&format!("B{at}"));
        let steps = [
            [
                LocalAction::output(right, a),
                LocalAction::output(right, b),
                LocalAction::input(right, c),
            ],
            [
                LocalAction::input(left, a),
                LocalAction::input(left, b),
                LocalAction::output(left, c),
            ],
        ];
        for (name, steps) in [left, right].into_iter().zip(steps) {
            let mut machine = Cfsm::new(name);
            machine.ensure_states(3);
            for (from, step) in steps.into_iter().enumerate() {
                let to = (from as u32 + 1) % 3;
                machine.add(LocalState(from as u32), step, LocalState(to), None);
            }
            all.push(machine);
        }
    }
    all
}
