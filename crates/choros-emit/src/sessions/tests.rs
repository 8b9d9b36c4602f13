//! What executable tests are made of.

use choros_base::{Name, Names};
use choros_testgen::{TestCase, TestMachine, TestSuite};

use super::Payloads;

/// A model as machines, and the tests of some of its roles.
#[derive(Debug, Clone, Copy)]
pub struct SessionTests<'a> {
    /// The name of the model, from which names of files are made.
    pub name: &'a str,
    /// The machines of all roles, and abstract tests, in which all choices are made.
    ///
    /// Besides these, one test with choices that are drawn is emitted for each role.
    pub suite: &'a TestSuite,
    /// The roles under test.
    pub roles: &'a [Name],
    /// What messages carry.
    pub payloads: &'a Payloads,
    /// The names in all of these.
    pub names: &'a Names,
}

impl SessionTests<'_> {
    /// The abstract tests of a role; none where there is nothing to choose, so that there is only one.
    pub(super) fn tests_of(&self, role: Name) -> Vec<&TestCase> {
        let tests: Vec<&TestCase> = self.suite.tests_of(role).collect();
        let chosen = |test: &TestCase| test.machines.iter().any(|it| !it.picks.is_empty());
        match tests.as_slice() {
            [only] if !chosen(only) => Vec::new(),
            _ => tests,
        }
    }

    /// What a test is called: its number, and its choices where it has some.
    pub(super) fn title(&self, test: &TestCase) -> String {
        let number = test.name.rsplit('/').next().unwrap_or(&test.name);
        let picks = test.picks_text(self.names);
        let about = test.about.iter().map(String::as_str);
        let parts: Vec<&str> = [number, picks.as_str()]
            .into_iter()
            .chain(about)
            .filter(|part| !part.is_empty())
            .collect();
        parts.join(": ")
    }

    /// The whole machines with every state in which some test of a role succeeds: for choices that are drawn.
    pub(super) fn undecided(&self, role: Name) -> Vec<TestMachine> {
        let others = self.suite.machines.iter();
        others
            .filter(|machine| machine.participant() != role)
            .map(|machine| {
                let mut texts: Vec<String> = Vec::new();
                for test in self.suite.tests_of(role) {
                    for player in &test.machines {
                        if player.machine.participant() == machine.participant() {
                            let success = player.success.iter();
                            texts.extend(
                                success.map(|&it| player.machine.state_text(it, self.names)),
                            );
                        }
                    }
                }
                let states = machine.states();
                let success = states.filter(|&it| {
                    // A final state that no test reaches is still an end.
                    texts.contains(&machine.state_text(it, self.names))
                        || (texts.is_empty() && machine.is_final(it))
                });
                TestMachine::from((machine.clone(), success.collect()))
            })
            .collect()
    }
}
