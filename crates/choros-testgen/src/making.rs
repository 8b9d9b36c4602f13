//! All tests that are asked for: the machines as loops need them, then the tests.

use choros_base::{Budget, Diagnostic, Name, Names, StopReason};
use choros_model::cfsm::Cfsm;

use crate::diagnostics::{loops_undecided, too_many_tests};
use crate::{
    Compliance, Fairness, Generation, Loops, Oracle, Splitting, TestCase, TestSuite, TooManyTests,
    WatchedChannels, can_always_end, generate, has_loops, unfold_machine,
};

/// How tests are made.
#[derive(Debug, Clone)]
pub struct TestMaking {
    /// The components to be tested; all participants where none is named.
    pub roles: Vec<Name>,
    /// How machines are split, where no run goes round forever.
    pub splitting: Splitting,
    /// What is done about loops.
    pub loops: Loops,
    /// When a test has succeeded.
    pub oracle: Oracle,
    /// Channels that must be empty in the end.
    pub watched: WatchedChannels,
}

/// The tests of a model of machines, and what is known about them.
#[derive(Debug, Clone)]
pub struct MachineSuite {
    /// The tests.
    pub suite: TestSuite,
    /// What is assumed about infinite runs.
    pub fairness: Fairness,
    /// Channels that must be empty in the end.
    pub watched: WatchedChannels,
    /// For each test, whether the model's own machine passes it, as far as that was asked.
    pub suitability: Vec<Compliance>,
    /// Whether these are all tests; not if the user stopped the work.
    pub is_complete: bool,
}

/// Makes the tests of machines; what is wrong with them where there are none.
pub fn make(
    machines: Vec<Cfsm>,
    making: &TestMaking,
    names: &mut Names,
    budget: &dyn Fn() -> Budget,
) -> Result<MachineSuite, Vec<Diagnostic>> {
    let machines = making.prepared(machines, names, budget)?;
    let oracle = making.oracle.clone();
    let (tests, is_complete) = making.tests(&machines, oracle, names, budget)?;
    Ok(making.suite(TestSuite { machines, tests }, is_complete))
}

impl TestMaking {
    /// A suite whose tests are not judged yet.
    pub(crate) fn suite(&self, suite: TestSuite, is_complete: bool) -> MachineSuite {
        MachineSuite {
            suite,
            fairness: match self.loops {
                Loops::Fair => Fairness::Fair,
                Loops::None | Loops::UpTo(_) => Fairness::None,
            },
            watched: self.watched.clone(),
            suitability: Vec::new(),
            is_complete,
        }
    }

    /// The tests of prepared machines, and whether they are all.
    pub(crate) fn tests(
        &self,
        machines: &[Cfsm],
        oracle: Oracle,
        names: &mut Names,
        budget: &dyn Fn() -> Budget,
    ) -> Result<(Vec<TestCase>, bool), Vec<Diagnostic>> {
        let generation = Generation {
            roles: self.roles.clone(),
            splitting: match self.loops {
                // Where runs are fair, choices in loops stay open.
                Loops::Fair => Splitting::Fair,
                Loops::None | Loops::UpTo(_) => self.splitting,
            },
            oracles: vec![oracle],
        };
        match generate(machines, &generation, names, &budget()) {
            Ok(suite) => Ok((suite.tests, true)),
            Err(TooManyTests {
                spent: StopReason::Cancelled,
                tests,
                ..
            }) => Ok((tests, false)),
            Err(too_many) => {
                let name = names.text(too_many.participant);
                let reason = too_many.spent.to_string();
                Err(vec![too_many_tests::diagnostic(name, &reason)])
            }
        }
    }

    /// Machines without loops, or with loops that are no trouble.
    pub(crate) fn prepared(
        &self,
        machines: Vec<Cfsm>,
        names: &mut Names,
        budget: &dyn Fn() -> Budget,
    ) -> Result<Vec<Cfsm>, Vec<Diagnostic>> {
        let all = machines.iter();
        let found: Vec<Diagnostic> = match self.loops {
            Loops::UpTo(times) => {
                let unfolded = all.map(|machine| {
                    unfold_machine(machine, times, names, &budget()).map_err(|spent| {
                        let name = names.text(machine.participant());
                        vec![too_many_tests::diagnostic(name, &spent.to_string())]
                    })
                });
                return unfolded.collect();
            }
            // With states of success of one's own, a machine that goes round may succeed on the way.
            _ if self.has_own_success() => Vec::new(),
            Loops::None => all
                .filter(|it| has_loops(it))
                .map(|it| loops_undecided::diagnostic(names.text(it.participant())))
                .collect(),
            Loops::Fair => all
                .filter(|it| !can_always_end(it))
                .map(|it| loops_undecided::endless(names.text(it.participant())))
                .collect(),
        };
        if found.is_empty() {
            Ok(machines)
        } else {
            Err(found)
        }
    }

    fn has_own_success(&self) -> bool {
        matches!(self.oracle, Oracle::States { .. })
    }
}

impl MachineSuite {
    /// The components that are tested, in the order of the model.
    pub fn roles(&self) -> Vec<Name> {
        let mut roles: Vec<Name> = Vec::new();
        for test in &self.suite.tests {
            if !roles.contains(&test.under_test) {
                roles.push(test.under_test);
            }
        }
        roles
    }
}
