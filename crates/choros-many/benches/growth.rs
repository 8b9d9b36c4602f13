//! What sessions cost: 1 to 12 that share nothing, and 1 to 6 that share a stock: one among others that interfere, and
//! the states of all, with and without their order.
//!
//! Prints three tables; nothing is asserted.

use std::time::Instant;

use choros_base::{Budget, SourceMap};
use choros_conform::{Setup, conformance};
use choros_data::{Terms, Value, Var};
use choros_many::{SessionsConformance, conformance_of_sessions};
use choros_model::lts::{Identities, SessionsSystem, ValuedGraph, explore};
use choros_model::stg::{SessionCount, Sessions, Stg, Told, fix_parameter, read_stg, side_by_side};
use rustc_hash::FxHashMap;

const ORDER: &str = "stg order explicit\ninitial 0\n0 -> 1: Place[c,s].(id = <id>, n = <n>)\n\
                     1 -> 2: [n > 0] Sold[s,c].(id = id)\n1 -> 2: [n <= 0] Refused[s,c].(id = id)\n2: end\n";

const STOCK: &str = "stg stock explicit\ninitial 0\n0 -> 1: Order[b,v].(id = <id>)\n\
                     1 -> 2: [s >= 1] Ask[v,w].(id = id)\n1 -> 3: [s < 1] Ask[v,w].(id = id)\n\
                     2 -> 4: Take[v,w].(id = id) / s := s - 1\n3 -> 5: Refused[v,b].(id = id)\n\
                     4 -> 5: Sold[v,b].(id = id)\n5: end\n";

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line("sessions that share nothing: conformance".to_owned());
    line(format!(
        "{:>9} {:>10} {:>12} {:>12}",
        "sessions", "states", "one, ms", "all, ms"
    ));
    for count in 1..=12 {
        line(independent(count));
    }
    line("sessions that share a stock: conformance".to_owned());
    line(format!(
        "{:>9} {:>14} {:>12}",
        "sessions", "disturbed, ms", "all, ms"
    ));
    for count in 1..=6 {
        line(disturbed(count));
    }
    line("sessions that share a stock: states".to_owned());
    line(format!(
        "{:>9} {:>12} {:>9} {:>14} {:>9}",
        "sessions", "up to order", "ms", "with order", "ms"
    ));
    for count in 1..=6 {
        line(sharing(count));
    }
}

fn read(text: &str, terms: &mut Terms) -> Stg {
    let file = SourceMap::new().add("model.stg", text);
    read_stg(file, text, terms).0
}

fn by_id(count: u32) -> Sessions {
    Sessions {
        identity: Some("id".to_owned()),
        distinct: true,
        ..Sessions::plain(SessionCount::Exactly(count))
    }
}

/// More states than this are not compared one by one.
const MOST: usize = 1_000;

fn independent(count: u32) -> String {
    let mut terms = Terms::new();
    let (left, right) = (
        read(ORDER, &mut terms),
        read(ORDER, &mut terms).renamed("other"),
    );
    let Ok(mut solver) = choros_smt::find() else {
        return "no solver".to_owned();
    };
    let setup = Setup {
        shared: Vec::new(),
        allow_fixed: false,
        most_changes: 24,
    };
    let (sessions, budget) = (by_id(count), Budget::unlimited());
    let started = Instant::now();
    let both = (&left, &right);
    let found = conformance_of_sessions(both, &sessions, &setup, &mut terms, &mut *solver, &budget);
    let one = started.elapsed();
    drop(found);
    let states = 3usize.pow(count);
    let all = (states <= MOST).then(|| {
        let started = Instant::now();
        let copies = [&left, &right]
            .map(|it| side_by_side(it, &sessions, Told::ByMessages, &budget, &mut terms));
        if let [Ok(left), Ok(right)] = &copies {
            drop(conformance(
                left,
                right,
                &setup,
                &mut terms,
                &mut *solver,
                &budget,
            ));
        }
        started.elapsed()
    });
    let all = all.map_or("-".to_owned(), |it| {
        format!("{:.1}", it.as_secs_f64() * 1e3)
    });
    format!(
        "{count:>9} {states:>10} {:>12.1} {all:>12}",
        one.as_secs_f64() * 1e3
    )
}

/// Sessions that are compared together up to this number.
const MOST_TOGETHER: u32 = 3;

fn disturbed(count: u32) -> String {
    let mut terms = Terms::new();
    let (left, right) = (
        read(STOCK, &mut terms),
        read(STOCK, &mut terms).renamed("other"),
    );
    let Ok(mut solver) = choros_smt::find() else {
        return "no solver".to_owned();
    };
    let setup = Setup {
        shared: vec!["s".to_owned()],
        allow_fixed: false,
        most_changes: 24,
    };
    let mut sessions = by_id(count);
    sessions.shared.push("s".to_owned());
    let (budget, both) = (Budget::unlimited(), (&left, &right));
    let started = Instant::now();
    let found = conformance_of_sessions(both, &sessions, &setup, &mut terms, &mut *solver, &budget);
    let one = started.elapsed().as_secs_f64() * 1e3;
    let is_shown = matches!(found, Ok(SessionsConformance::Disturbed(_)));
    drop(found);
    let started = Instant::now();
    let all = (count <= MOST_TOGETHER).then(|| {
        let copies = [&left, &right]
            .map(|it| side_by_side(it, &sessions, Told::ByMessages, &budget, &mut terms));
        if let [Ok(left), Ok(right)] = &copies {
            drop(conformance(
                left,
                right,
                &setup,
                &mut terms,
                &mut *solver,
                &budget,
            ));
        }
        format!("{:.1}", started.elapsed().as_secs_f64() * 1e3)
    });
    let all = all.unwrap_or_else(|| "-".to_owned());
    let shown = if is_shown { "" } else { "  not shown" };
    format!("{count:>9} {one:>14.1} {all:>12}{shown}")
}

fn sharing(count: u32) -> String {
    let mut terms = Terms::new();
    let stg = read(STOCK, &mut terms);
    let mut sessions = by_id(count);
    sessions.shared.push("s".to_owned());
    let budget = Budget::unlimited();
    let shared = sessions.shared_variables(&stg, &terms);
    let initial: Vec<(Var, Value)> = shared.iter().map(|&it| (it, Value::int(2))).collect();
    let started = Instant::now();
    let each = (&sessions, count);
    let system = SessionsSystem::new(
        &stg,
        &terms,
        FxHashMap::default(),
        each,
        &initial,
        Identities::Open,
    );
    let few = system.map(|mut it| explore(&mut it, &budget).counts().states);
    let first = started.elapsed().as_secs_f64() * 1e3;
    let started = Instant::now();
    let Ok(mut all) = side_by_side(&stg, &sessions, Told::Never, &budget, &mut terms) else {
        return String::new();
    };
    for &variable in &shared {
        let value = terms.int(2);
        all = fix_parameter(&all, variable, value, &mut terms);
    }
    let mut domains: FxHashMap<Var, Vec<Value>> = FxHashMap::default();
    for edge in all.edges() {
        domains.extend(
            edge.event
                .bound_variables()
                .map(|it| (it, vec![Value::int(0)])),
        );
    }
    let many = ValuedGraph::new(&all, &terms, domains);
    let many = many.map(|mut it| explore(&mut it, &budget).counts().states);
    let second = started.elapsed().as_secs_f64() * 1e3;
    format!(
        "{count:>9} {:>12} {first:>9.1} {:>14} {second:>9.1}",
        few.unwrap_or_default(),
        many.unwrap_or_default()
    )
}
