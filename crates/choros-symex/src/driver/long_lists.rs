//! A test: lists that are longer than the conditions of a model look.

use choros_base::SourceMap;
use choros_data::{Sort, Terms, Value};
use choros_model::stg::{Operation, Role, read_stg};
use choros_query::purpose::interface_of;
use choros_smt::LazySolver;

use super::belief::{Allowed, Belief};
use super::{ConcreteMessage, SearchBounds, Specification, Timing, Unseen, View};

const MODEL: &str = "\
stg m stopped
variables x: List(Int), y: Int
initial 0
0 -> 1: ask[USER,M]?<x>
1 -> 2: [length(x) < 3] answer[M,USER]!<y>
2: end
";

/// Whether an answer to a list of this length is allowed.
fn answer_allowed(length: i64, list_bound: Option<usize>) -> Allowed {
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let file = sources.add("m.stg", MODEL);
    let (stg, found) = read_stg(file, MODEL, &mut terms);
    assert!(found.is_empty(), "{found:?}");
    let mut interface = interface_of(&stg, None, &mut terms).expect("one role talks to USER");
    interface.list_bound = list_bound;
    let service = interface.orchestrator;
    let user = interface.user;
    let view = View {
        service,
        played: vec![user],
        unseen: Unseen::ByService,
        identities: Vec::new(),
    };
    let specification = Specification {
        stg: &stg,
        interface: &interface,
        view: &view,
        tempo: Timing {
            unit: 1_000,
            tolerance: 100,
            answer: 5_000,
            quiet: 100,
        },
        bounds: SearchBounds::default(),
    };
    let sort = terms.list_sort(Sort::INT);
    let items = (0..length).map(Value::int).collect();
    let message =
        |operation: &str, from: Role, to: Role, value: Value, terms: &mut Terms| ConcreteMessage {
            operation: Operation(terms.names.intern(operation)),
            from,
            to,
            fault: None,
            values: vec![value],
        };
    let ask = message(
        "ask",
        user,
        service,
        Value::List { sort, items },
        &mut terms,
    );
    let answer = message("answer", service, user, Value::int(1), &mut terms);
    let mut belief = Belief::start(&specification, 0);
    belief.send(&ask, 0, &specification);
    belief
        .close(
            10,
            &specification,
            &mut terms,
            &mut LazySolver::without_any(),
        )
        .expect("nothing to solve");
    belief
        .observe(
            &answer,
            &specification,
            &mut terms,
            &mut LazySolver::without_any(),
        )
        .expect("nothing to solve")
}

#[test]
fn what_follows_a_list_beyond_the_bound_is_no_violation() {
    assert_eq!(answer_allowed(2, Some(4)), Allowed::Yes);
    assert_eq!(answer_allowed(4, Some(4)), Allowed::No);
    assert_eq!(answer_allowed(5, Some(4)), Allowed::Unknown);
    assert_eq!(answer_allowed(5, None), Allowed::No);
}
