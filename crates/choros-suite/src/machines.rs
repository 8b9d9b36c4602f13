//! Suites of machines in the form that is saved, and how they are read back.

use choros_base::{Budget, Name, Names};
use choros_data::Terms;
use choros_model::cfsm::{Cfsm, Discipline, LocalState};
use choros_report::answers::TestRun;
use choros_report::{NotASuite, SavedMachine, SavedSuite, SavedTest, SavedTestMachine};
use choros_testgen::{
    Compliance, Fairness, MachineSuite, TestCase, TestMachine, WatchedChannels, breaches, comply,
};

/// A test with what belongs to it.
#[derive(Debug, Clone)]
pub struct MachineTest {
    /// What is run against the component.
    pub test: TestCase,
    /// What is assumed about infinite runs.
    pub fairness: Fairness,
    /// Channels that must be empty in the end.
    pub watched: WatchedChannels,
}

impl MachineTest {
    /// The test that machines and success states make: the component under test is the one that has no such states.
    ///
    /// `oracle` is the file that names the states; the error is a sentence.
    pub fn of_states(
        name: &str,
        oracle: &str,
        machines: Vec<Cfsm>,
        states: &[(Name, Vec<LocalState>)],
        watched: WatchedChannels,
        names: &Names,
    ) -> Result<MachineTest, NoMachineTest> {
        let of = |it: &Cfsm| states.iter().find(|(who, _)| *who == it.participant());
        let without = machines.iter().filter(|it| of(it).is_none());
        let without: Vec<Name> = without.map(Cfsm::participant).collect();
        let &[under_test] = &without[..] else {
            let called: Vec<&str> = without.iter().map(|&it| names.text(it)).collect();
            let called = if called.is_empty() {
                "none".to_owned()
            } else {
                called.join(" and ")
            };
            return Err(NoMachineTest::WhoIsTested(format!(
                "the component under test is the one participant without success states in `{oracle}`; here it is {called}"
            )));
        };
        let players = machines.iter().filter_map(|machine| {
            let (_, own) = of(machine)?;
            Some(TestMachine::from((machine.clone(), own.clone())))
        });
        let test = TestCase {
            name: name.to_owned(),
            under_test,
            about: Some(format!("the states of `{oracle}`")),
            machines: players.collect(),
        };
        match breaches(test.under_test, &test.machines).first() {
            Some(breach) => {
                let text = breach.text(&test.machines, names);
                Err(NoMachineTest::Breach(text))
            }
            None => Ok(MachineTest {
                test,
                fairness: Fairness::None,
                watched,
            }),
        }
    }

    /// Whether a machine passes it, with what shows it.
    pub fn run(
        &self,
        candidate: &Cfsm,
        discipline: Discipline,
        terms: &Terms,
        budget: &Budget,
    ) -> TestRun {
        let (watched, fairness) = (&self.watched, self.fairness);
        let test = &self.test;
        let answer = comply(
            candidate, test, discipline, watched, fairness, terms, budget,
        );
        TestRun {
            name: test.name.clone(),
            verdict: answer.observed(&test.picks_text(&terms.names)),
        }
    }
}

/// Why machines and success states are no test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoMachineTest {
    /// It is not clear who is tested.
    WhoIsTested(String),
    /// They break the definition of a test.
    Breach(String),
}

/// The suite in words.
pub(crate) fn save(made: &MachineSuite, model: &str, names: &Names) -> SavedSuite {
    let machines = made.suite.machines.iter();
    let tests = made.suite.tests.iter().zip(&made.suitability);
    SavedSuite {
        schema: SavedSuite::SCHEMA,
        model: model.to_owned(),
        machines: machines.map(|it| SavedMachine::of(it, names)).collect(),
        tests: tests
            .map(|(test, answer)| save_test(test, answer, made, names))
            .collect(),
    }
}

fn save_test(
    test: &TestCase,
    answer: &Compliance,
    made: &MachineSuite,
    names: &Names,
) -> SavedTest {
    let text = |name| names.text(name).to_owned();
    let machines = test.machines.iter().map(|player| {
        let machine = &player.machine;
        let success = player.success.iter();
        SavedTestMachine {
            machine: SavedMachine::of(machine, names),
            success: success.map(|&it| machine.state_text(it, names)).collect(),
            decides: player.picks.clone(),
        }
    });
    SavedTest {
        name: test.name.clone(),
        role: text(test.under_test),
        about: test.about.clone(),
        suitable: is_suitable(answer),
        fairness: match made.fairness {
            Fairness::None => None,
            Fairness::Fair => Some("fair".to_owned()),
        },
        channels: match &made.watched {
            WatchedChannels::All => None,
            WatchedChannels::These(pairs) => {
                let pairs = pairs.iter();
                Some(pairs.map(|&(from, to)| (text(from), text(to))).collect())
            }
        },
        machines: machines.collect(),
    }
}

/// Whether the model's own machine passes; nothing where that was not decided.
pub(crate) fn is_suitable(answer: &Compliance) -> Option<bool> {
    match answer {
        Compliance::Passes(_) => Some(true),
        Compliance::Fails(_) => Some(false),
        Compliance::Inconclusive(_) => None,
    }
}

/// The tests of a suite that was saved: it holds all that they need, so there is no model from which they may differ.
pub fn read_tests(suite: &SavedSuite, names: &mut Names) -> Result<Vec<MachineTest>, NotASuite> {
    let tests = suite.tests.iter();
    tests.map(|saved| read_test(saved, names)).collect()
}

fn read_test(saved: &SavedTest, names: &mut Names) -> Result<MachineTest, NotASuite> {
    let mut machines = Vec::new();
    for player in &saved.machines {
        let success = player.success.iter();
        let success: Result<Vec<_>, _> = success.map(|it| player.machine.state(it)).collect();
        machines.push(TestMachine {
            machine: player.machine.machine(names)?,
            success: success?,
            picks: player.decides.clone(),
        });
    }
    let fairness = match saved.fairness.as_deref() {
        None | Some("none") => Fairness::None,
        Some("fair") => Fairness::Fair,
        Some(other) => {
            let reason = format!("`{other}` is not a fairness assumption");
            return Err(NotASuite { reason });
        }
    };
    let test = TestCase {
        name: saved.name.clone(),
        under_test: names.intern(&saved.role),
        about: saved.about.clone(),
        machines,
    };
    if fairness == Fairness::None
        && let Some(breach) = breaches(test.under_test, &test.machines).first()
    {
        let reason = format!("`{}`: {}", test.name, breach.text(&test.machines, names));
        return Err(NotASuite { reason });
    }
    let watched = match &saved.channels {
        None => WatchedChannels::All,
        Some(pairs) => {
            let pairs = pairs.iter();
            let pairs = pairs.map(|(from, to)| (names.intern(from), names.intern(to)));
            WatchedChannels::These(pairs.collect())
        }
    };
    Ok(MachineTest {
        test,
        fairness,
        watched,
    })
}
