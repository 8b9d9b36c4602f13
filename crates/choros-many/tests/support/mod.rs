//! Random sessions, and formulas about them.

use choros_base::{Budget, Names, SourceMap};
use choros_check::{AbstractLabels, UnfoldedLts, UnfoldingBounds, check};
use choros_data::{Sort, Terms, Value, Var};
use choros_model::Verdict;
use choros_model::lts::Lts;
use choros_model::stg::{SessionCount, Sessions, Stg, read_stg};
use choros_query::abstraction::{Abstraction, StateLabels};
use choros_query::socl::{Arity, Formula, parse_formula};
use choros_testkit::Random;
use rustc_hash::FxHashMap;

/// Which side condition a session violates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Independent,
    Shared,
    Nameless,
    WithoutIdentity,
    OtherValue,
    Rebound,
}

impl Kind {
    pub(crate) const ALL: [Kind; 6] = [
        Kind::Independent,
        Kind::Shared,
        Kind::Nameless,
        Kind::WithoutIdentity,
        Kind::OtherValue,
        Kind::Rebound,
    ];
}

const OPERATIONS: [&str; 4] = ["Ask", "Bid", "Cut", "Due"];

/// Sessions that differ by `id`, each in its own queues.
pub(crate) fn by_id(count: SessionCount) -> Sessions {
    Sessions {
        identity: Some("id".to_owned()),
        distinct: true,
        ..Sessions::plain(count)
    }
}

/// Lines of a session: it begins with its identity, and goes on with messages that carry it.
pub(crate) fn random_session(random: &mut Random, kind: Kind) -> String {
    let nodes = 2 + random.below(3);
    let mut lines = vec!["0 -> 1: Begin[a,b].(id = <id>, x = <x>)".to_owned()];
    if kind == Kind::Shared {
        lines[0] = "0 -> 1: Begin[a,b].(id = <id>, x = <x>) / s := s + 0".to_owned();
    }
    for node in 1..=nodes {
        for step in 0..=random.below(2) {
            // The first one comes to where the session can end.
            let forward = node < nodes && (step == 0 || random.percent(75));
            let target = if forward {
                node + 1
            } else {
                1 + random.below(nodes)
            };
            let operation = OPERATIONS[random.below(OPERATIONS.len())];
            let (guard, update) = match kind {
                Kind::Shared => match random.below(6) {
                    0 => ("[s >= 1] ", " / s := s - 1"),
                    1 => ("[s > 1] ", ""),
                    2 => ("[s <= 2] ", " / s := s + 1"),
                    3 => ("[x and s >= 1] ", " / s := s - 1"),
                    4 => ("[s <= 0] ", ""),
                    _ => ("", ""),
                },
                _ => match random.below(4) {
                    0 => ("[x] ", ""),
                    1 => ("[!x] ", ""),
                    _ => ("", ""),
                },
            };
            lines.push(format!(
                "{node} -> {target}: {guard}{operation}[b,a].(id = id, y = x){update}"
            ));
        }
    }
    let last = nodes + 1;
    lines.push(match kind {
        Kind::WithoutIdentity => format!("{nodes} -> {last}: Last[a,b].(y = x)"),
        Kind::OtherValue => format!("{nodes} -> {last}: Last[a,b].(id = id + 1)"),
        Kind::Rebound => format!("{nodes} -> {last}: Last[a,b].(id = <id>)"),
        _ => format!("{nodes} -> {last}: Last[a,b].(id = id)"),
    });
    lines.push(format!("{last}: end"));
    if random.percent(30) {
        lines.push(format!("{nodes}: end"));
    }
    format!("stg session explicit\ninitial 0\n{}\n", lines.join("\n"))
}

/// Two sessions of which the second often does the same as the first.
pub(crate) fn two_sides(random: &mut Random) -> [String; 2] {
    let one = random_session(random, Kind::Independent);
    let other = match random.below(3) {
        0 => random_session(random, Kind::Independent),
        1 => one.replace("[x] ", "[x and true] "),
        _ => one.replacen("Cut[b,a]", "Due[b,a]", 1),
    };
    [one, other.replace("stg session", "stg other")]
}

pub(crate) fn read(text: &str, terms: &mut Terms) -> Stg {
    let mut sources = SourceMap::new();
    let file = sources.add("session.stg", text);
    let (stg, found) = read_stg(file, text, terms);
    assert!(found.is_empty(), "{text}: {found:?}");
    stg
}

/// One value for numbers, which nothing compares; both for what is true or false.
pub(crate) fn domains(graphs: &[&Stg], terms: &Terms) -> FxHashMap<Var, Vec<Value>> {
    let mut domains = FxHashMap::default();
    for edge in graphs.iter().flat_map(|it| it.edges()) {
        for variable in edge.event.bound_variables() {
            if terms.variable_sort(variable) == Sort::INT {
                domains.insert(variable, vec![Value::int(0)]);
            }
        }
    }
    domains
}

/// A formula, whose actions have an ending after their names.
pub(crate) fn formula(text: &str, ending: &str, names: &mut Names) -> Formula {
    let mut text = text.to_owned();
    for operation in OPERATIONS.iter().chain(&["Begin", "Last"]) {
        text = text.replace(&format!("#{operation}"), &format!("{operation}{ending}"));
    }
    let mut sources = SourceMap::new();
    let file = sources.add("<formula>", text.clone());
    parse_formula(file, &text, names).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

/// Whether a formula holds of a system.
pub(crate) fn holds(system: &mut dyn Lts, text: &str, ending: &str) -> bool {
    let mut names = Names::new();
    let formula = formula(text, ending, &mut names);
    let bounds = UnfoldingBounds {
        max_states: 1_000_000,
        depth: None,
        budget: Budget::unlimited(),
    };
    let mut graph = UnfoldedLts::new(system, bounds);
    let mut labels = AbstractLabels::new(Abstraction::Identity, StateLabels::Steps);
    let found = check(&mut graph, &mut labels, &mut names, &formula, Arity::Prefix);
    match found.verdict {
        Verdict::Holds(_) => true,
        Verdict::Fails(_) => false,
        other => panic!("{text}: {other:?}"),
    }
}

fn action(random: &mut Random) -> String {
    let all = ["Ask", "Bid", "Cut", "Due", "Begin", "Last"];
    format!("#{}", all[random.below(all.len())])
}

/// A formula whose actions are marked, so that they can be renamed.
pub(crate) fn random_formula(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        let value = if random.percent(50) { "true" } else { "false" };
        return value.to_owned();
    }
    let inner = random_formula(random, depth - 1);
    match random.below(9) {
        0 => format!("AG ({inner})"),
        1 => format!("EF ({inner})"),
        2 => format!("EF {{{}}} ({inner})", action(random)),
        3 => format!("[{}] ({inner})", action(random)),
        4 => format!("<{}> ({inner})", action(random)),
        5 => format!("not ({inner})"),
        6 => format!("AF {{{}}} ({inner})", action(random)),
        7 => format!("({inner} and {})", random_formula(random, depth - 1)),
        _ => format!("({inner} or {})", random_formula(random, depth - 1)),
    }
}

/// A formula that forbids that some actions come one after the other.
pub(crate) fn random_safety(random: &mut Random) -> String {
    let steps = 1 + random.below(3);
    let mut text = "false".to_owned();
    for _ in 0..steps {
        text = match random.below(3) {
            0 => format!("not EF {{{}}} not ({text})", action(random)),
            1 => format!("AG [{}] ({text})", action(random)),
            _ => format!(
                "AG ([{}] ({text}) and [{}] ({text}))",
                action(random),
                action(random)
            ),
        };
    }
    text
}
