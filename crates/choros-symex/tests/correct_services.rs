//! Services that do what their model says, and that a hasty tester would blame: one model for each way of being right.
//!
//! Time is that of the test: nothing waits.

use choros_base::SourceMap;
use choros_data::{Op, Terms, Value};
use choros_model::interface::{Contract, Interface, MessageType, Side, Signature};
use choros_model::stg::{Operation, Role, Stg, read_stg};
use choros_query::purpose::interface_of;
use choros_symex::driver::{
    ConcreteMessage, ConversationRules, Driver, DriverAction, PathMessage, SearchBounds,
    Specification, SymbolicPath, SymbolicStep, TestOutcome, TestVerdict, Timing, Unseen,
    ValueStrategy, View,
};

const TEMPO: Timing = Timing {
    unit: 1_000,
    tolerance: 100,
    answer: 3_000,
    quiet: 50,
};

/// A model, and the roles that the tester plays.
struct Study {
    terms: Terms,
    stg: Stg,
    interface: Interface,
    view: View,
}

/// What a test does and sees, at a moment.
enum Do {
    /// The driver sends this by itself, and it arrives.
    Send,
    /// The driver sends this by itself, and no one says whether it has arrived.
    SendUnheard,
    /// The service says this.
    Say(u64, &'static str, &'static str, i64),
    /// The service refuses this operation.
    Refuse(u64, &'static str),
    /// Nothing comes until the driver stops listening.
    Silence,
}

impl Study {
    fn new(text: &str, played: &[&str]) -> Study {
        let mut terms = Terms::new();
        let mut sources = SourceMap::new();
        let file = sources.add("m.stg", text);
        let (stg, found) = read_stg(file, text, &mut terms);
        assert!(found.is_empty(), "{found:?}");
        let interface = interface_of(&stg, None, &mut terms).expect("one role talks to USER");
        let played = played
            .iter()
            .map(|name| Role(terms.names.intern(name)))
            .collect();
        let view = View {
            service: interface.orchestrator,
            played,
            unseen: Unseen::ByService,
            identities: Vec::new(),
        };
        Study {
            terms,
            stg,
            interface,
            view,
        }
    }

    fn message(&mut self, operation: &str, from: Role, to: Role, value: i64) -> ConcreteMessage {
        ConcreteMessage {
            operation: Operation(self.terms.names.intern(operation)),
            from,
            to,
            fault: None,
            values: vec![Value::int(value)],
        }
    }

    /// `>ask USER` sends, `<told USER` expects, `tick` waits; all values are free.
    fn path(&mut self, steps: &[&str]) -> SymbolicPath {
        let service = self.view.service;
        let mut made = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            if *step == "tick" {
                made.push(SymbolicStep::Tick);
                continue;
            }
            let (operation, partner) = step[1..].split_once(' ').expect("an operation and a role");
            let partner = Role(self.terms.names.intern(partner));
            let symbol = self
                .terms
                .named(&format!("path'{number}"), choros_data::Sort::INT);
            let (from, to) = if step.starts_with('>') {
                (partner, service)
            } else {
                (service, partner)
            };
            let message = PathMessage {
                operation: Operation(self.terms.names.intern(operation)),
                from,
                to,
                fault: None,
                values: vec![symbol],
            };
            made.push(if step.starts_with('>') {
                SymbolicStep::Send(message)
            } else {
                SymbolicStep::Expect(message)
            });
        }
        SymbolicPath {
            edges: Vec::new(),
            name: "test".to_owned(),
            steps: made,
            conditions: Vec::new(),
            is_complete: true,
        }
    }

    /// Drives the path; what the service does comes at its moments.
    fn drive(&mut self, steps: &[&str], script: &[Do]) -> TestOutcome {
        let paths = [self.path(steps)];
        let mut solver =
            choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
        let (stg, interface, view) = (self.stg.clone(), self.interface.clone(), self.view.clone());
        let specification = Specification {
            stg: &stg,
            interface: &interface,
            view: &view,
            tempo: TEMPO,
            bounds: SearchBounds::default(),
        };
        let conduct = ConversationRules {
            is_adaptive: false,
            on_timeout: TestVerdict::Fail,
            strategy: ValueStrategy::Smallest,
        };
        let mut driver =
            Driver::new(specification, &paths, 0, conduct, 0, &mut self.terms).expect("a path");
        let mut now = 0;
        let mut script = script.iter();
        loop {
            let action = driver
                .next(now, &mut self.terms, &mut solver)
                .expect("a solver that works");
            match action {
                DriverAction::Stop => break,
                DriverAction::Send(message) => match script.next() {
                    Some(Do::Send) => driver.arrived(message.operation, now),
                    Some(Do::SendUnheard) => {}
                    _ => panic!("it sends {message:?}"),
                },
                DriverAction::Listen(until) => match script.next() {
                    Some(&Do::Say(at, operation, partner, value)) => {
                        assert!(at <= until, "it listens only until {until}");
                        now = at;
                        let partner = Role(self.terms.names.intern(partner));
                        let message = self.message(operation, view.service, partner, value);
                        driver
                            .observe(message, now, &mut self.terms, &mut solver)
                            .expect("a solver that works");
                    }
                    Some(&Do::Refuse(at, operation)) => {
                        now = at;
                        let operation = Operation(self.terms.names.intern(operation));
                        driver
                            .refused(operation, "no", now, &mut self.terms, &mut solver)
                            .expect("a solver that works");
                    }
                    Some(Do::Send | Do::SendUnheard) => panic!("it listens until {until}"),
                    Some(Do::Silence) | None => {
                        now = until;
                        driver
                            .elapsed(now, &mut self.terms, &mut solver)
                            .expect("a solver that works");
                    }
                },
            }
        }
        driver.outcome()
    }
}

/// An alarm, and a message that the service takes for large numbers alone.
const PICKY: &str = "\
stg picky explicit
variables x: Int, y: Int
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: [x > 5] more[USER,S]?<y>
1 -> 3: tick
3 -> 4: alarm[S,USER]!x
2 -> 4: told[S,USER]!y
4: end
";

#[test]
fn time_passes_over_a_message_that_the_service_need_not_take() {
    let mut study = Study::new(PICKY, &["USER"]);
    let outcome = study.drive(
        &[">ask USER", ">more USER", "<alarm USER"],
        &[Do::Send, Do::Send, Do::Say(1_000, "alarm", "USER", 0)],
    );
    assert_eq!(outcome.verdict, TestVerdict::Pass, "{}", outcome.reason);
}

/// A stop that is told to another partner, while the user's next question is refused.
const GONE: &str = "\
stg gone explicit
variables x: Int
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: more[USER,S]?<x>
2 -> 5: told[S,USER]!x
1 -> 3: tau
3 -> 4: gone[S,BK]!x
4: end
5: end
";

#[test]
fn who_has_stopped_may_refuse_before_its_last_word_arrives() {
    let mut study = Study::new(GONE, &["USER", "BK"]);
    let outcome = study.drive(
        &[">ask USER", ">more USER", "<told USER"],
        &[
            Do::Send,
            Do::Send,
            Do::Refuse(20, "more"),
            Do::Say(30, "gone", "BK", 0),
        ],
    );
    assert_eq!(
        outcome.verdict,
        TestVerdict::Inconclusive,
        "{}",
        outcome.reason
    );
}

/// A question that must come within a unit.
const TOO_LATE: &str = "\
stg late explicit
variables x: Int
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: more[USER,S]?<x>
2 -> 4: told[S,USER]!x
1 -> 3: tick
3: end
4: end
";

#[test]
fn a_timer_may_be_faster_than_a_call_that_took_its_time() {
    for (refused, verdict) in [(500, TestVerdict::Fail), (1_500, TestVerdict::Inconclusive)] {
        let mut study = Study::new(TOO_LATE, &["USER"]);
        let outcome = study.drive(
            &[">ask USER", ">more USER", "<told USER"],
            &[Do::Send, Do::SendUnheard, Do::Refuse(refused, "more")],
        );
        assert_eq!(outcome.verdict, verdict, "{refused}: {}", outcome.reason);
    }
}

/// Two questions to a bank at the same time, answered in any order; the bank adds one.
const TWICE: &str = "\
stg twice explicit
variables x: Int, y: Int, a: Int, b: Int
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: lend[S,BK]!x / y := x + 10
2 -> 3: lend[S,BK]!y
3 -> 4: lend[BK,S]?<a>
4 -> 5: lend[BK,S]?<b>
5 -> 6: told[S,USER]!a
6: end
";

#[test]
fn the_answer_of_a_partner_may_belong_to_either_of_two_calls() {
    for (told, verdict) in [
        (1, TestVerdict::Pass),
        (11, TestVerdict::Pass),
        (7, TestVerdict::Fail),
    ] {
        let mut study = Study::new(TWICE, &["USER"]);
        let terms = &mut study.terms;
        let mut name = |text: &str| terms.names.intern(text);
        let (bank, lend) = (Role(name("BK")), Operation(name("lend")));
        let (input, output) = (name("in'"), name("out'"));
        let input = terms.variable(input, choros_data::Sort::INT);
        let output = terms.variable(output, choros_data::Sort::INT);
        let (asked, one) = (terms.var(input), terms.int(1));
        let more = terms.arithmetic(Op::Add, asked, one);
        let answer = terms.var(output);
        let formula = terms.equal(answer, more);
        let carries = MessageType {
            name: terms.names.intern("number"),
            sort: choros_data::Sort::INT,
            constraint: None,
        };
        study
            .interface
            .operations
            .retain(|one| one.operation != lend);
        study.interface.operations.push(Signature {
            partner: bank,
            operation: lend,
            side: Side::Used,
            input: carries.clone(),
            output: Some(carries),
            faults: Vec::new(),
            contract: Some(Contract {
                input,
                output,
                formula,
            }),
        });
        let outcome = study.drive(
            &[">ask USER", "<told USER"],
            &[Do::Send, Do::Say(10, "told", "USER", told)],
        );
        assert_eq!(outcome.verdict, verdict, "{told}: {}", outcome.reason);
    }
}

/// The bank's answer is divided by: with nothing, the service is stuck.
const DIVIDED: &str = "\
stg divided explicit
variables x: Int, y: Int
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: lend[S,BK]!x
2 -> 3: lend[BK,S]?<y> / x := 10 div y
3 -> 4: told[S,USER]!x
4: end
";

#[test]
fn a_service_that_cannot_compute_may_be_silent() {
    let mut study = Study::new(DIVIDED, &["USER"]);
    let outcome = study.drive(&[">ask USER", "<told USER"], &[Do::Send, Do::Silence]);
    assert_eq!(
        outcome.verdict,
        TestVerdict::Inconclusive,
        "{}",
        outcome.reason
    );
}

/// A deadline that continues while the service answers in between.
const SCOPE: &str = "\
stg scope explicit
variables x: Int
initial 0
0 -> 6: ask[USER,S]?<x>
6 -> 1: told[S,USER]!x
1 -> 2: tick
2 -> 5: alarm[S,USER]!x
1 -> 3: ping[USER,S]?<x>
3 -> 4: pong[S,USER]!x
4 -> 2: tick
5: end
";

#[test]
fn a_timer_goes_on_while_the_service_speaks() {
    let mut study = Study::new(SCOPE, &["USER"]);
    let outcome = study.drive(
        &[
            ">ask USER",
            "<told USER",
            ">ping USER",
            "<pong USER",
            "tick",
            "<alarm USER",
        ],
        &[
            Do::Send,
            Do::Say(500, "told", "USER", 0),
            Do::Send,
            Do::Say(600, "pong", "USER", 0),
            // A unit after the question, not after the second answer.
            Do::Say(1_000, "alarm", "USER", 0),
        ],
    );
    assert_eq!(outcome.verdict, TestVerdict::Pass, "{}", outcome.reason);
}

#[test]
fn an_alarm_that_is_too_early_fails() {
    let mut study = Study::new(SCOPE, &["USER"]);
    let outcome = study.drive(
        &[">ask USER", "<told USER", "tick", "<alarm USER"],
        &[
            Do::Send,
            Do::Say(10, "told", "USER", 0),
            Do::Say(700, "alarm", "USER", 0),
        ],
    );
    assert_eq!(outcome.verdict, TestVerdict::Fail, "{}", outcome.reason);
}

/// A bank that may call, or else an alarm.
const EITHER: &str = "\
stg either explicit
variables x: Int
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: call[BK,S]?<x>
2 -> 4: told[S,USER]!x
1 -> 3: tick
3 -> 4: alarm[S,USER]!x
4: end
";

#[test]
fn what_follows_a_tick_has_its_own_time_to_arrive() {
    // It listens for `told` until 3000; the tick comes at 1100, and the alarm may take until 4100.
    let mut study = Study::new(EITHER, &["USER"]);
    let late = study.drive(
        &[">ask USER", "<told USER"],
        &[Do::Send, Do::Silence, Do::Say(4_000, "alarm", "USER", 0)],
    );
    assert_eq!(late.verdict, TestVerdict::Inconclusive, "{}", late.reason);
    let never = study.drive(
        &[">ask USER", "<told USER"],
        &[Do::Send, Do::Silence, Do::Silence],
    );
    assert_eq!(never.verdict, TestVerdict::Fail, "{}", never.reason);
}

/// An answer that takes its time, and an alarm a unit after it.
const SLOW: &str = "\
stg slow explicit
variables x: Int
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: told[S,USER]!x
2 -> 3: tick
3 -> 4: alarm[S,USER]!x
4: end
";

#[test]
fn a_timer_begins_when_a_slow_answer_was_sent() {
    let mut study = Study::new(SLOW, &["USER"]);
    let outcome = study.drive(
        &[">ask USER", "<told USER", "tick", "<alarm USER"],
        &[
            Do::Send,
            Do::Say(2_900, "told", "USER", 0),
            Do::Silence,
            Do::Silence,
            Do::Say(6_990, "alarm", "USER", 0),
        ],
    );
    assert_eq!(outcome.verdict, TestVerdict::Pass, "{}", outcome.reason);
    let forgotten = study.drive(
        &[">ask USER", "<told USER", "tick", "<alarm USER"],
        &[
            Do::Send,
            Do::Say(2_900, "told", "USER", 0),
            Do::Silence,
            Do::Silence,
            Do::Silence,
        ],
    );
    assert_eq!(forgotten.verdict, TestVerdict::Fail, "{}", forgotten.reason);
}
