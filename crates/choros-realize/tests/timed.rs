//! Choreographies in which roles measure time.

use choros_base::{Budget, SourceMap, has_errors};
use choros_data::Terms;
use choros_lang::chor::read;
use choros_model::Verdict;
use choros_model::stg::{Role, Stg};
use choros_realize::{
    Closing, Criterion, Effort, Memory, Mode, ProjectionAnswer, Question, Realizability,
    projections, realizability,
};
use choros_smt::LazySolver;

struct Read {
    terms: Terms,
    stg: Stg,
    services: Vec<Role>,
}

fn choreography(text: &str) -> Read {
    let mut sources = SourceMap::new();
    let file = sources.add("timed.chor", text);
    let mut terms = Terms::new();
    let (model, found) = read(file, text, &mut terms);
    assert!(!has_errors(&found), "{found:?}");
    let id = model.ids().next().expect("there is a choreography");
    let services: Vec<String> = model.services(id, &terms).map(str::to_owned).collect();
    let services = services
        .iter()
        .map(|name| Role(terms.names.intern(name)))
        .collect();
    let stg = model
        .lower(id, &mut terms, &Budget::unlimited())
        .expect("it has a graph")
        .stg;
    Read {
        terms,
        stg,
        services,
    }
}

fn judged(text: &str, mode: Mode) -> Realizability {
    let Read {
        mut terms,
        stg,
        services,
    } = choreography(text);
    let asked = Question {
        mode,
        criterion: Criterion::Semantic,
        repair: false,
        closing: Closing::Alone { services },
        effort: Effort {
            bound: 4,
            states: 50_000,
        },
    };
    let mut solver = LazySolver::without_any();
    realizability(&stg, &asked, &mut terms, &mut solver, &Budget::unlimited())
        .expect("it is judged")
}

fn word(found: &Realizability) -> &'static str {
    match found.semantic.verdict {
        Verdict::Holds(_) => "holds",
        Verdict::HoldsIf(..) => "holds if",
        Verdict::Fails(_) => "fails",
        Verdict::Unknown(_) => "unknown",
    }
}

const RACE: &str = "
choreography Pay[client, order, payment] {
    client -> order: Buy
    order -> payment: Charge
    choice {
        payment -> order: Charged
        order -> client: Paid
    } or {
        wait 3
        order -> payment: Void
        order -> client: TimedOut
    }
}
";

const WITHOUT_LATE: &str = "
choreography Pay[client, service order, service payment] {
    client -> order: Buy
    order -> payment: Charge
    timeout 3 {
        payment -> order: Charged
        order -> client: Paid
    } else {
        order -> payment: Void
        order -> client: TimedOut
    }
}
";

const ANSWERED: &str = "
choreography Pay[client, service order, service payment] {
    client -> order: Buy
    order -> payment: Charge
    timeout 3 {
        payment -> order: Charged
        order -> client: Paid
    } else {
        order -> payment: Void
        order -> client: TimedOut
    } late Charged {
        order -> payment: Refund
    }
}
";

#[test]
fn a_race_fails_over_queues_and_is_named() {
    for text in [RACE, WITHOUT_LATE] {
        let found = judged(text, Mode::Sender);
        assert_eq!(word(&found), "fails", "{}", found.semantic.reason);
        assert_eq!(found.conditions.violations.len(), 1);
        assert_eq!(found.conditions.violations[0].condition(), "time");
    }
}

#[test]
fn an_answered_late_message_holds() {
    for mode in [Mode::Synchronous, Mode::Sender] {
        let found = judged(ANSWERED, mode);
        assert_eq!(word(&found), "holds", "{mode:?}: {}", found.semantic.reason);
        assert!(found.conditions.violations.is_empty());
    }
}

#[test]
fn an_ignored_late_message_holds() {
    let text = ANSWERED.replace("order -> payment: Refund", "");
    let found = judged(&text, Mode::Sender);
    assert_eq!(word(&found), "holds", "{}", found.semantic.reason);
}

#[test]
fn who_never_learns_that_nothing_comes_has_to_be_a_service() {
    let text = ANSWERED.replace("service ", "");
    let found = judged(&text, Mode::Sender);
    assert_eq!(word(&found), "fails", "{}", found.semantic.reason);
    assert_eq!(found.semantic.would_serve.len(), 2);
}

#[test]
fn the_roles_have_their_timers() {
    let Read { mut terms, stg, .. } = choreography(ANSWERED);
    let mut solver = LazySolver::without_any();
    let found = projections(
        &stg,
        (Mode::Sender, Memory::Natural),
        None,
        10_000,
        &mut terms,
        &mut solver,
        &Budget::unlimited(),
    );
    let Ok(ProjectionAnswer::Roles(roles)) = found else {
        panic!("it has projections");
    };
    for role in roles {
        let text = choros_model::stg::write_stg(&role.stg, &terms);
        let ticks = role.stg.edges().iter().filter(|it| it.event.is_tick());
        let expected = if terms.names.text(role.role.0) == "order" {
            3
        } else {
            0
        };
        assert_eq!(ticks.count(), expected, "{text}");
    }
}

#[test]
fn two_roles_do_not_know_each_others_clocks() {
    // b waits longer than a, and would have to know that a has given up.
    let text = "
choreography Both[service a, service b, c] {
    c -> a: Start
    a -> b: Ask
    par {
        timeout 3 at a { b -> a: Answer } else { a -> c: GaveUp } late Answer {}
    } and {
        wait 5 at b
        b -> c: Over
    }
}
";
    let found = judged(text, Mode::Sender);
    assert_ne!(word(&found), "unknown", "{}", found.semantic.reason);
}
