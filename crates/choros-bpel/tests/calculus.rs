//! The calculus against the worked examples of the thesis and against sizes derived by hand.

mod support;

use choros_bpel::calculus::*;
use choros_data::Op;
use support::Maker;

#[test]
fn fact_1_the_addition_service() {
    let mut make = Maker::new();
    let receive = make.receive("addition", "x");
    let increase = make.increase("x");
    let reply = make.send("addition", "x");
    let root = make.sequence(&[receive, increase, reply]);
    let (states, transitions, lines) = make.drawn(root);
    assert_eq!((states, transitions), (6, 5));
    assert_eq!(
        lines,
        [
            "0 -addition[USER,P]?<x_a> / x := x_a-> 1",
            "1 -tau / x := x + 1-> 2",
            "2 -tau / x_a := x-> 3",
            "3 -addition[P,USER]!x_a-> 4",
        ]
    );
}

/// Time may pass while a message is awaited and while one stands ready: two loops that are not drawn.
#[test]
fn fact_1_with_idling_there_are_seven() {
    let mut make = Maker::new();
    let receive = make.receive("addition", "x");
    let increase = make.increase("x");
    let reply = make.send("addition", "x");
    make.process.root = make.sequence(&[receive, increase, reply]);
    let budget = choros_base::Budget::unlimited();
    let unfolding = unfold(&mut make.terms, &make.process, "P", &budget).expect("small");
    assert_eq!(
        unfolding.graph.counts().transitions + unfolding.idle.len(),
        7
    );
}

#[test]
fn fact_2_a_choice_joins_again() {
    let mut make = Maker::new();
    let receive = make.receive("o", "x");
    let (small, large) = (make.assign("y", 0), make.assign("y", 1));
    let x = make.int("x");
    let (x, ten) = (make.terms.var(x), make.terms.int(10));
    let guard = make.terms.compare(Op::Less, x, ten);
    let choice = make.either(guard, small, large);
    let reply = make.send("o", "y");
    let root = make.sequence(&[receive, choice, reply]);
    let (states, transitions, lines) = make.drawn(root);
    assert_eq!((states, transitions), (8, 8));
    assert_eq!(lines[1], "1 -[x < 10] tau-> 2");
    assert_eq!(lines[2], "1 -[x >= 10] tau-> 6");
}

#[test]
fn fact_3_loops() {
    let mut make = Maker::new();
    let body = make.increase("x");
    let condition = make.flag("c");
    let root = make.while_(condition, body, false);
    assert_eq!(
        make.drawn(root),
        (
            4,
            4,
            vec![
                "0 -[c] tau-> 1".to_owned(),
                "0 -[not c] tau-> 2".to_owned(),
                "1 -tau / x := x + 1-> 0".to_owned(),
            ]
        )
    );
    // repeat … until c: the body comes first, and c is the way out.
    let body = make.increase("x");
    let again = make.terms.complement(condition);
    let root = make.while_(again, body, true);
    assert_eq!(
        make.drawn(root),
        (
            4,
            4,
            vec![
                "0 -tau / x := x + 1-> 1".to_owned(),
                "1 -[not c] tau-> 0".to_owned(),
                "1 -[c] tau-> 2".to_owned(),
            ]
        )
    );
}

/// One `√`, as erratum 3 repairs it: 2ⁿ interleavings of n receptions and the state after `√`.
#[test]
fn fact_4_flows_interleave() {
    for (branches, expected) in [(2, (5, 5)), (3, (9, 13))] {
        let mut make = Maker::new();
        let parts: Vec<ActivityId> = (0..branches)
            .map(|it| make.receive(&format!("o{it}"), "x"))
            .collect();
        let root = make.flow(&parts);
        let (states, transitions, _) = make.drawn(root);
        assert_eq!((states, transitions), expected);
    }
    // A call of two ways has four places and three steps: 4·4 + 1 states and 2·3·4 + 1 steps.
    let mut make = Maker::new();
    let parts = [make.invoke("a", "x"), make.invoke("b", "y")];
    let root = make.flow(&parts);
    let (states, transitions, _) = make.drawn(root);
    assert_eq!((states, transitions), (17, 25));
}

#[test]
fn fact_5_a_pick_waits_for_messages_and_for_its_alarm() {
    let mut make = Maker::new();
    let body = make.time();
    let mut scope = Scope::around(body);
    scope.style = Style::Disabling;
    for operation in ["a", "b"] {
        let reception = make.receive(operation, "x");
        let body = make.empty();
        scope.events.push(OnMessage { reception, body });
    }
    let late = make.assign("x", 0);
    scope.alarms.push(OnAlarm {
        after: 2,
        every: None,
        body: late,
    });
    let root = make.add(Activity::Scope(scope));
    let (states, transitions, lines) = make.drawn(root);
    assert_eq!((states, transitions), (5, 8));
    assert_eq!(
        lines,
        [
            "0 -a[USER,P]?<x_a> / x := x_a-> 1",
            "0 -b[USER,P]?<x_a> / x := x_a-> 1",
            "0 -tick-> 2",
            "2 -a[USER,P]?<x_a> / x := x_a-> 1",
            "2 -b[USER,P]?<x_a> / x := x_a-> 1",
            "2 -tick-> 3",
            "3 -tau / x := 0-> 1",
        ]
    );
}

#[test]
fn fact_6_waiting_is_ticking() {
    let mut make = Maker::new();
    let root = make.wait(3);
    let (states, transitions, lines) = make.drawn(root);
    assert_eq!((states, transitions), (5, 4));
    assert_eq!(lines, ["0 -tick-> 1", "1 -tick-> 2", "2 -tick-> 3"]);
}

#[test]
fn fact_7_faults_are_caught_or_end_the_process() {
    let mut make = Maker::new();
    let parts = [make.assign("x", 1), make.throw("f")];
    let body = make.sequence(&parts);
    let handler = make.assign("y", 1);
    let root = make.catch(body, Some("f"), handler);
    let (states, transitions, lines) = make.drawn(root);
    assert_eq!((states, transitions), (5, 4));
    assert_eq!(
        lines,
        ["0 -tau / x := 1-> 1", "1 -tau-> 2", "2 -tau / y := 1-> 3"]
    );

    let mut make = Maker::new();
    let parts = [make.assign("x", 1), make.throw("g")];
    let body = make.sequence(&parts);
    let handler = make.assign("y", 1);
    let root = make.catch(body, Some("f"), handler);
    let (states, transitions, lines) = make.drawn(root);
    assert_eq!((states, transitions), (3, 2));
    assert_eq!(lines, ["0 -tau / x := 1-> 1", "1 -raise g-> 2"]);
}

fn interruptible(style: Style) -> (usize, usize, Vec<String>) {
    let mut make = Maker::new();
    let receive = make.receive("start", "s");
    let body = make.invoke("work", "x");
    let mut scope = Scope::around(body);
    scope.style = style;
    let reception = make.receive("stop", "y");
    let handler = make.send("stop", "y");
    scope.events.push(OnMessage {
        reception,
        body: handler,
    });
    let scope = make.add(Activity::Scope(scope));
    let root = make.sequence(&[receive, scope]);
    make.drawn(root)
}

/// Nodes 2 and 3 wait for the partner: there `stop` interrupts; not at 1, where the call is still being filled.
#[test]
fn fact_8_in_the_thesis_an_event_takes_the_place_of_the_body() {
    let (states, transitions, lines) = interruptible(Style::Disabling);
    assert_eq!((states, transitions), (8, 9));
    let stops: Vec<&String> = lines.iter().filter(|it| it.contains("stop[USER")).collect();
    assert_eq!(stops.len(), 2);
    assert!(stops[0].starts_with("2 -") && stops[1].starts_with("3 -"));
}

/// Beside each other: the body has places 0 to 2 and its end, the handler waits, is at its first step or at its second.
/// When the body has ended, a waiting handler is not enabled any more, so that its place there is the end of both:
/// 1 + 3·3 + 2 + 1 (the end) + 1 (after `√`) = 14 states.
/// Steps: start, 3·3 of the body, 3 of receiving `stop`, 4·2 of the handler, `√`.
#[test]
fn fact_8_as_the_standard_says_an_event_runs_beside_the_body() {
    let (states, transitions, lines) = interruptible(Style::Concurrent);
    assert_eq!((states, transitions), (14, 22));
    let stops = lines.iter().filter(|it| it.contains("stop[USER")).count();
    assert_eq!(stops, 3);
}

#[test]
fn fact_9_correlation_is_checked_after_receiving_and_before_sending() {
    let mut make = Maker::new();
    let correlation = make.correlation();
    let receive = make.receive_with("o", "x", Some(correlation), &[]);
    let reply = make.send("o", "x");
    let root = make.sequence(&[receive, reply]);
    let (states, transitions, lines) = make.drawn(root);
    assert_eq!((states, transitions), (7, 7));
    assert_eq!(lines[1], "1 -[G] tau-> 2");
    assert_eq!(lines[2], "1 -[not G] tau / vcs := 1-> 4");
    assert_eq!(lines[3], "2 -raise \"bpel:correlationViolation\"-> 3");

    let mut make = Maker::new();
    let receive = make.receive("o", "x");
    let correlation = make.correlation();
    let reply = make.send_with("o", "x", Some(correlation), None);
    let root = make.sequence(&[receive, reply]);
    let (states, transitions, lines) = make.drawn(root);
    assert_eq!((states, transitions), (6, 6));
    assert_eq!(lines[2], "2 -[G] tau-> 3");
    assert_eq!(lines[3], "2 -[not G] o[P,USER]!x_a / vcs := 1-> 5");
}

#[test]
fn fact_11_the_first_step_carries_what_begins() {
    let mut make = Maker::new();
    let receive = make.receive("o", "x");
    let updates = vec![make.set("init", 0)];
    let root = make.add(Activity::Begin {
        updates,
        body: receive,
    });
    let (_, _, lines) = make.drawn(root);
    assert_eq!(lines, ["0 -o[USER,P]?<x_a> / init := 0; x := x_a-> 1"]);
}

/// The first step sees what it assigns, and a loop that comes back does not begin again.
#[test]
fn beginning_happens_once() {
    let mut make = Maker::new();
    let n = make.int("n");
    let (n, two) = (make.terms.var(n), make.terms.int(2));
    let enter = make.terms.compare(Op::Less, n, two);
    let body = make.increase("n");
    let body = make.while_(enter, body, false);
    let updates = vec![make.set("n", 0)];
    let root = make.add(Activity::Begin { updates, body });
    let (states, _, lines) = make.drawn(root);
    assert_eq!(states, 5);
    assert_eq!(lines[0], "0 -[0 < 2] tau / n := 0-> 1");
    assert_eq!(lines[2], "1 -tau / n := n + 1-> 2");
    assert_eq!(lines[3], "2 -[n < 2] tau-> 1");
}

#[test]
fn fact_12_a_fault_that_comes_back_is_raised_and_caught() {
    let mut make = Maker::new();
    let send = make.send("o", "x");
    let receive = make.receive_with("o", "y", None, &["fn"]);
    let body = make.sequence(&[send, receive]);
    let handler = make.assign("z", 1);
    let root = make.catch(body, Some("fn"), handler);
    let (_, _, lines) = make.drawn(root);
    assert!(
        lines.contains(&"2 -o[USER,P]#fn?-> 4".to_owned()),
        "{lines:?}"
    );
    assert!(lines.contains(&"4 -tau-> 5".to_owned()), "{lines:?}");
    assert!(
        lines.contains(&"5 -tau / z := 1-> 3".to_owned()),
        "{lines:?}"
    );
}

#[test]
fn fact_13_a_reply_may_be_a_fault() {
    let mut make = Maker::new();
    let root = make.send_with("o", "x", None, Some("fn"));
    let (_, _, lines) = make.drawn(root);
    assert_eq!(lines[1], "1 -o[P,USER]#fn!x_a-> 2");
}

#[test]
fn an_exit_ends_everything_and_no_handler_sees_it() {
    let mut make = Maker::new();
    let parts = [make.receive("a", "x"), make.add(Activity::Exit)];
    let left = make.sequence(&parts);
    let right = make.receive("b", "x");
    let body = make.flow(&[left, right]);
    let handler = make.assign("z", 1);
    let root = make.catch(body, None, handler);
    let graph = make.graph(root);
    let stopped = graph.stopped().expect("0");
    assert!(graph.edges().iter().any(|edge| edge.target == stopped));
    let (_, _, lines) = make.drawn(root);
    assert!(lines.iter().all(|line| !line.contains("z := 1")));
}

/// catchAll { z := 1; rethrow } around throw f: the same fault continues.
#[test]
fn a_fault_may_be_raised_again() {
    let mut make = Maker::new();
    let body = make.throw("f");
    let parts = [make.assign("z", 1), make.add(Activity::Rethrow)];
    let handler = make.sequence(&parts);
    let mut scope = Scope::around(body);
    scope.handlers.push(Handling {
        fault: None,
        variable: None,
        body: handler,
        rethrows: true,
    });
    let root = make.add(Activity::Scope(scope));
    let (states, transitions, lines) = make.drawn(root);
    assert_eq!((states, transitions), (4, 3));
    assert_eq!(
        lines,
        ["0 -tau-> 1", "1 -tau / z := 1-> 2", "2 -raise f-> 3"]
    );
}

/// flow(throw f, scope(receive a; termination inner := 1)) in a scope that catches f: the open scope is ended first.
#[test]
fn a_fault_ends_the_scopes_beside_it_inner_ones_first() {
    let mut make = Maker::new();
    let inner = make.receive("a", "x");
    let mut scope = Scope::around(inner);
    scope.termination = Some(make.assign("inner", 1));
    let inner = make.add(Activity::Scope(scope));
    let mut scope = Scope::around(inner);
    scope.termination = Some(make.assign("outer", 1));
    let outer = make.add(Activity::Scope(scope));
    let throw = make.throw("f");
    let body = make.flow(&[throw, outer]);
    let handler = make.assign("handled", 1);
    let root = make.catch(body, Some("f"), handler);
    let (_, _, lines) = make.drawn(root);
    let at = |text: &str| {
        lines
            .iter()
            .position(|line| line.contains(text))
            .expect("there")
    };
    assert!(at("inner := 1") < at("outer := 1"));
    assert!(at("outer := 1") < at("handled := 1"));
}

/// A repeating alarm runs beside the body: after 2 ticks, then after each tick.
#[test]
fn alarms_repeat_beside_the_body() {
    let mut make = Maker::new();
    let body = make.receive("done", "x");
    let mut scope = Scope::around(body);
    let bell = make.increase("n");
    scope.alarms.push(OnAlarm {
        after: 2,
        every: Some(1),
        body: bell,
    });
    let root = make.add(Activity::Scope(scope));
    let (_, _, lines) = make.drawn(root);
    // Waiting with 2, 1 and again 1 tick left; the bell at work, with the body waiting or ended.
    let ticks = lines.iter().filter(|line| line.contains("-tick->")).count();
    assert_eq!(ticks, 2);
    assert!(lines.iter().any(|line| line.contains("n := n + 1")));
}

/// Nesting as deep as memory allows costs no stack.
#[test]
fn deep_nesting_is_no_recursion() {
    let mut make = Maker::new();
    let mut root = make.receive("o", "x");
    for _ in 0..20_000 {
        let other = make.empty();
        root = make.flow(&[root, other]);
        root = make.add(Activity::Scope(Scope::around(root)));
    }
    let (states, transitions, _) = make.drawn(root);
    assert_eq!((states, transitions), (3, 2));
}
