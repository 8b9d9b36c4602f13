//! How fast services are explored, and how it grows: the automotive case study with one, two and three cars.
//!
//! Three cars have nine million states; without `CHOROS_BENCH_ALL=1` the first million of them are explored.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::time::Instant;

use choros_base::{Budget, SourceMap};
use choros_cows::{CowsLts, Options, read};
use choros_model::lts::census;

fn main() {
    let two = include_str!("../../../examples/automotive.cows");
    let car = |number: usize| {
        format!(
            "Car(car{number},gpsCar{number},id{number},ccNum{number},diagnosticData{number},carLocation{number})"
        )
    };
    let is_all = std::env::var_os("CHOROS_BENCH_ALL").is_some();
    println!(
        "services: the automotive case study (CMC explored two cars with about 173 states per second)"
    );
    println!(
        "{:>4} {:>10} {:>12} {:>9} {:>9} {:>12} {:>12}",
        "cars", "states", "transitions", "deadlocks", "seconds", "states/s", "bytes/state"
    );
    for cars in 1..=3 {
        let all: Vec<String> = (1..=cars).map(car).collect();
        let text = two
            .replace(&car(2), "nil")
            .replace(&car(1), &all.join(" | "));
        let file = SourceMap::new().add("automotive.cows", text.clone());
        let (_, program, _) = read(file, &text);
        let Some(program) = program else {
            println!("the case study cannot be read");
            return;
        };
        let most = if cars == 3 && !is_all {
            1_000_000
        } else {
            u64::MAX
        };
        let start = Instant::now();
        let mut system = CowsLts::new(&program, Options::default());
        let found = census(&mut system, &Budget::steps(most), |_| {});
        let seconds = start.elapsed().as_secs_f64();
        let states = found.counts.states;
        println!(
            "{cars:>4} {states:>10} {:>12} {:>9} {seconds:>9.3} {:>12.0} {:>12.1}{}",
            found.counts.transitions,
            found.counts.deadlocks,
            states as f64 / seconds,
            system.bytes() as f64 / states as f64,
            if !found.extent.is_whole() {
                "  (cut)"
            } else {
                ""
            }
        );
    }
}
