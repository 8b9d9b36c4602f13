use choros_model::evidence::{Binding, FaultStep, MessageFault, Step, StepEvent};
use choros_model::stg::Direction;

use super::*;

fn message(from: &str, to: &str, operation: &str, guard: Option<&str>) -> Step {
    Step {
        event: StepEvent::Message {
            operation: operation.to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
            direction: Direction::Interaction,
            fields: vec![(String::new(), "3".to_owned())],
        },
        guard: guard.map(str::to_owned),
        bindings: Vec::new(),
        states: None,
        origin: None,
    }
}

#[test]
fn messages_are_arrows_between_lifelines() {
    let mut first = message("b", "v", "req", None);
    first.bindings.push(Binding {
        variable: "x".to_owned(),
        value: "3".to_owned(),
    });
    let trace = Trace {
        steps: vec![
            first,
            message("v", "b", "ok", Some("x > 0")),
            Step {
                event: StepEvent::Termination,
                ..message("", "", "", None)
            },
        ],
        conclusion: "ends well".to_owned(),
        ..Trace::default()
    };
    let text = sequence_text(&trace, &Style::PLAIN).unwrap_or_default();
    let expected = [
        "    b              v",
        " 1  |-- req(3) --->|",
        "    |    x = 3     |",
        "    |   [x > 0]    |",
        " 2  |<-- ok(3) ----|",
        " 3  ===== end ======",
        "    |              |",
        "ends well",
        "",
    ];
    assert_eq!(text, expected.join("\n"));
}

#[test]
fn what_goes_wrong_has_signs_of_its_own() {
    let fault = |fault| Step {
        event: StepEvent::Fault(fault),
        ..message("", "", "", None)
    };
    let transit = |what| {
        fault(FaultStep::Message {
            what,
            operation: "req".to_owned(),
            from: "b".to_owned(),
            to: "v".to_owned(),
        })
    };
    let crash = FaultStep::Crash {
        role: "v".to_owned(),
    };
    let noticed = FaultStep::Noticed {
        crashed: "v".to_owned(),
        by: "b".to_owned(),
    };
    let trace = Trace {
        steps: vec![
            transit(MessageFault::Lost),
            transit(MessageFault::Doubled),
            transit(MessageFault::Overtakes),
            fault(crash),
            fault(noticed),
        ],
        ..Trace::default()
    };
    let text = sequence_text(&trace, &Style::PLAIN).unwrap_or_default();
    // The arrow that is lost ends before the lifeline, and the lifeline of who crashes ends there.
    let expected = [
        "    b                     v",
        " 1  |----- req lost ----x |",
        " 2  |---- req doubled -->>|",
        " 3  |.. req overtaking ..>|",
        " 4  |                     X crash",
        "[ v has crashed ]",
        "    |",
        "",
    ];
    assert_eq!(text, expected.join("\n"));
}
