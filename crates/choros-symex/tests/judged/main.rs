//! Every verdict of the driver on random models, against a naive inquiry that follows all runs of the model.
//!
//! A service that runs the model, however it chooses and whatever time it takes within the tolerance, is never blamed.
//! A service that runs a mutant is blamed only for what no run of the model explains, and passes only with what some
//! run explains.
//! `CHOROS_DRIVE_MODELS=20000` looks at this many models.

mod inquiry;
mod models;
mod naive;

use choros_base::Budget;
use choros_data::{Terms, Value};
use choros_model::stg::{Operation, Stg, write_stg};
use choros_smt::Solver;
use choros_symex::driver::{
    ConcreteMessage, ConversationEntry, ConversationRules, Driver, DriverAction, Moment,
    SearchBounds, Specification, SymbolicPath, TestOutcome, TestVerdict, Timing, Unseen,
    ValueStrategy, View,
};
use choros_symex::{Execution, ExecutionRules, Graph, TestCase, execute};
use choros_testkit::{Random, seed_from_env};

use inquiry::{Found, inquire};
use models::{Model, model, mutant};
use naive::{Given, Naive, State};

const TEMPO: Timing = Timing {
    unit: 6,
    tolerance: 1,
    answer: 20,
    quiet: 2,
};

/// How a service takes its time.
#[derive(Clone, Copy, Debug)]
enum Haste {
    Prompt,
    Mixed,
    Lazy,
}

/// What was found, for a look at the figures.
#[derive(Default, Debug)]
struct Figures {
    models: usize,
    /// Pass, inconclusive and fail of services that run the model.
    correct: [usize; 3],
    /// The same of mutants.
    mutants: [usize; 3],
    /// Verdicts that the inquiry confirmed.
    confirmed: usize,
    /// Verdicts of which it could not say.
    unchecked: usize,
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "a run over many models prints its figures"
)]
fn every_verdict_is_right() {
    let first = seed_from_env();
    let count = std::env::var("CHOROS_DRIVE_MODELS");
    let count: u64 = count.ok().and_then(|it| it.parse().ok()).unwrap_or(60);
    let mut figures = Figures::default();
    for seed in (0..count).map(|number| first.wrapping_add(number)) {
        look(seed, &mut figures);
    }
    eprintln!("{figures:?}");
    let [pass, inconclusive, fail] = figures.mutants;
    assert!(figures.correct[0] as u64 > count / 2, "{figures:?}");
    assert!(
        pass.min(inconclusive).min(fail) as u64 > count / 20,
        "{figures:?}"
    );
    assert!(figures.unchecked < figures.confirmed / 4, "{figures:?}");
}

fn look(seed: u64, figures: &mut Figures) {
    let mut random = Random::new(seed);
    let mut terms = Terms::new();
    let model = model(&mut random, &mut terms);
    let mutant = mutant(&model, &mut random, &mut terms);
    let view = View {
        service: model.interface.orchestrator,
        played: if random.percent(50) {
            vec![model.interface.user, model.bank]
        } else {
            vec![model.interface.user]
        },
        unseen: Unseen::ByService,
        identities: Vec::new(),
    };
    // A solver serves one store of terms.
    let mut solver =
        choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
    let paths = paths(&model, &view, &mut terms, &mut solver);
    figures.models += 1;
    for number in 0..paths.len() {
        for is_mutant in [false, true] {
            let haste = *random.pick(&[Haste::Prompt, Haste::Mixed, Haste::Lazy]);
            let strategy = if random.percent(50) {
                ValueStrategy::Smallest
            } else {
                ValueStrategy::Seeded(seed)
            };
            let test = Test {
                model: &model,
                service: if is_mutant { &mutant } else { &model.stg },
                view: &view,
                paths: &paths,
                haste,
                conduct: ConversationRules {
                    is_adaptive: random.percent(50),
                    on_timeout: TestVerdict::Fail,
                    strategy,
                },
            };
            let (outcome, told, now) = test.run(number, random.number(), &mut terms, &mut solver);
            let row = if is_mutant {
                &mut figures.mutants
            } else {
                &mut figures.correct
            };
            row[outcome.verdict as usize] += 1;
            let tell = || {
                format!(
                    "CHOROS_SEED={seed} CHOROS_DRIVE_MODELS=1, path {number}, {haste:?}, played {}, mutant {is_mutant}: \
                     {:?}: {}\nat {now}, arrivals {told:?}\n{}\n{}\nservice: {}",
                    view.played.len(),
                    outcome.verdict,
                    outcome.reason,
                    log(&outcome, &terms),
                    write_stg(&model.stg, &terms),
                    write_stg(test.service, &terms),
                )
            };
            if !is_mutant {
                assert_ne!(outcome.verdict, TestVerdict::Fail, "{}", tell());
            }
            let wanted = match outcome.verdict {
                TestVerdict::Pass => Found::Explained,
                TestVerdict::Inconclusive => continue,
                TestVerdict::Fail => Found::Unexplained,
            };
            let naive = Naive {
                stg: &model.stg,
                interface: &model.interface,
                view: &view,
                terms: &terms,
                tempo: TEMPO,
                variables: &model.variables,
                // Who follows a path need not have been in time.
                is_timed: outcome.verdict == TestVerdict::Fail,
            };
            match inquire(&naive, &outcome.log, &told, now) {
                Found::Unknown => figures.unchecked += 1,
                found => {
                    assert_eq!(found, wanted, "{}", tell());
                    figures.confirmed += 1;
                }
            }
        }
    }
}

fn paths(
    model: &Model,
    view: &View,
    terms: &mut Terms,
    solver: &mut impl Solver,
) -> Vec<SymbolicPath> {
    let graph = Graph::of_model(&model.stg, terms);
    let budget = Budget::steps(250);
    let execution = Execution {
        depth: 5,
        silent: 5,
        inclusion: false,
        merge: true,
        rules: ExecutionRules {
            interface: Some(&model.interface),
            words: &[],
        },
        budget: &budget,
    };
    let tree = execute(&graph, &execution, solver, terms).expect("a solver that works");
    let mut paths: Vec<SymbolicPath> = tree
        .ids()
        .filter(|&id| tree.is_leaf(id))
        .map(|id| {
            let name = format!("test_{}", id.0);
            SymbolicPath::of(&TestCase::of(&tree, id, name, &view.played))
        })
        .collect();
    paths.truncate(4);
    paths
}

struct Test<'t> {
    model: &'t Model,
    service: &'t Stg,
    view: &'t View,
    paths: &'t [SymbolicPath],
    haste: Haste,
    conduct: ConversationRules,
}

impl Test<'_> {
    /// Runs a test; the outcome, when each input was known to have arrived, and when it was over.
    fn run(
        &self,
        number: usize,
        seed: u64,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> (TestOutcome, Vec<Option<Moment>>, Moment) {
        let specification = Specification {
            stg: &self.model.stg,
            interface: &self.model.interface,
            view: self.view,
            tempo: TEMPO,
            bounds: SearchBounds {
                hidden: 40,
                branches: 300,
                outbox: 3,
            },
        };
        let mut driver =
            Driver::new(specification, self.paths, number, self.conduct, 0, terms).expect("a path");
        let mut life = Life {
            random: Random::new(seed),
            haste: self.haste,
            given: Vec::new(),
            state: None,
            late: 0,
            is_stuck: false,
        };
        let mut acknowledgements: Vec<(Moment, usize)> = Vec::new();
        let mut now = 0;
        // No one says more than so much at a moment.
        let mut said_now = 0;
        loop {
            match driver.next(now, terms, solver).expect("a solver") {
                DriverAction::Stop => break,
                DriverAction::Send(message) => {
                    let delay = life.random.between(0, TEMPO.tolerance as i64) as Moment;
                    let input = life.given.len();
                    match life.random.below(3) {
                        0 => driver.unacknowledged(message.operation),
                        _ => acknowledgements.push((now + delay, input)),
                    }
                    life.receive(message, now, now + delay);
                }
                DriverAction::Listen(until) => {
                    let naive = Naive {
                        stg: self.service,
                        interface: &self.model.interface,
                        view: self.view,
                        terms,
                        tempo: TEMPO,
                        variables: &self.model.variables,
                        is_timed: true,
                    };
                    let due = |&(at, _): &(Moment, usize)| at <= now;
                    if let Some(position) = acknowledgements.iter().position(due) {
                        let (_, input) = acknowledgements.remove(position);
                        let operation = life.given[input].message.operation;
                        // Messages of one operation keep their order: the first of which no one knew is there.
                        let first = life
                            .given
                            .iter_mut()
                            .find(|given| {
                                given.message.operation == operation && given.told.is_none()
                            })
                            .expect("it was sent");
                        first.told = Some(now);
                        first.there = first.there.map(|there| there.min(now));
                        driver.arrived(operation, now);
                        continue;
                    }
                    let said = if said_now < 6 {
                        life.live(&naive, now)
                    } else {
                        None
                    };
                    if let Some(said) = said {
                        said_now += 1;
                        driver.observe(said, now, terms, solver).expect("a solver");
                    } else if now >= until {
                        driver.elapsed(now, terms, solver).expect("a solver");
                    } else {
                        now += 1;
                        said_now = 0;
                    }
                }
            }
        }
        let told = life.given.iter().map(|given| given.told).collect();
        (driver.outcome(), told, now)
    }
}

/// A service that chooses at random.
struct Life {
    random: Random,
    haste: Haste,
    given: Vec<Given>,
    state: Option<State>,
    /// For how long it has been late since someone saw something.
    late: Moment,
    /// Whether it goes round forever.
    is_stuck: bool,
}

impl Life {
    fn receive(&mut self, message: ConcreteMessage, sent: Moment, there: Moment) {
        let input = self.given.len();
        // Messages of one operation keep their order.
        let operation: Operation = message.operation;
        let before = self
            .given
            .iter()
            .filter(|given| given.message.operation == operation)
            .filter_map(|given| given.there)
            .max();
        self.given.push(Given {
            message,
            sent,
            there: Some(there.max(before.unwrap_or(0))),
            told: None,
        });
        if let Some(state) = &mut self.state {
            state.queue.push(input);
        }
    }

    /// Lives through a moment; what it says then, or nothing when the moment is over.
    fn live(&mut self, naive: &Naive<'_>, now: Moment) -> Option<ConcreteMessage> {
        let mut state = self.state.take().unwrap_or_else(|| {
            let mut state = naive.start(vec![0; naive.variables.len()]);
            state.queue = (0..self.given.len()).collect();
            state
        });
        let mut said = None;
        for round in 0.. {
            let number = self.random.between(-1, 5);
            let steps = if self.is_stuck {
                Vec::new()
            } else {
                naive.steps(&state, now, &self.given, &[number, number + 1])
            };
            let is_obliged = naive.is_obliged(&state, now, &self.given);
            let may_wait = !is_obliged || self.late + 1 < TEMPO.answer;
            if round > 40 && state.outbox.is_empty() {
                self.is_stuck = true;
            }
            let waits = match self.haste {
                Haste::Prompt => !is_obliged && self.random.percent(60),
                Haste::Mixed => self.random.percent(40),
                Haste::Lazy => self.random.percent(90),
            };
            if self.is_stuck || may_wait && (waits || steps.is_empty() && state.outbox.is_empty()) {
                self.late += Moment::from(is_obliged);
                break;
            }
            if !state.outbox.is_empty() && (steps.is_empty() || self.random.percent(40)) {
                let position = self.random.below(state.outbox.len());
                let operation = state.outbox[position].operation;
                let first = state
                    .outbox
                    .iter()
                    .position(|said| said.operation == operation)
                    .expect("it is there");
                let gone = state.outbox.remove(first);
                said = Some(ConcreteMessage {
                    operation: gone.operation,
                    from: naive.view.service,
                    to: gone.to,
                    fault: gone.fault,
                    values: vec![Value::int(gone.value)],
                });
                self.late = 0;
                break;
            }
            if steps.is_empty() {
                // Its partner has nothing to say that it could take.
                self.late += 1;
                break;
            }
            state = self.random.pick(&steps).clone();
        }
        self.state = Some(state);
        said
    }
}

fn log(outcome: &TestOutcome, terms: &Terms) -> String {
    let lines: Vec<String> = outcome
        .log
        .iter()
        .map(|entry| match entry {
            ConversationEntry::Sent { at, message } => format!("{at} > {}", message.text(terms)),
            ConversationEntry::Seen { at, message } => format!("{at} < {}", message.text(terms)),
            other => format!("{other:?}"),
        })
        .collect();
    lines.join("\n")
}
