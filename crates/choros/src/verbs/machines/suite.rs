//! Making a test suite of a model, the ground of `tests`, `comply` and `mutate`.

use choros_base::{Name, has_errors};
use choros_model::cfsm::Cfsm;
use choros_report::Report;
use choros_testgen::diagnostics::{loops_undecided, no_test_case, too_many_tests, unsuitable_test};
use choros_testgen::{
    Compliance, Fairness, Generation, Loops, Oracle, Splitting, TestSuite, Watched, breaches,
    can_always_end, comply, generate, has_loops, read_oracle, unfold_machine,
};

use super::load::{load_machines, participant};
use super::subtrees::subtree_tests;
use crate::diagnostics::unreadable;
use crate::{Request, Settings, Workspace};

/// How tests are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Testing {
    /// The component under test; all where none is named.
    pub role: Option<String>,
    /// How machines are split.
    pub splitting: Splitting,
    /// A file that says which states are success states; where there is none, those that nothing leaves.
    pub oracle: Option<String>,
    /// Whether there are tests for each part of a g-choreography, and not only for the whole.
    pub subtrees: bool,
    /// What is done about loops.
    pub loops: Loops,
    /// Whether tests are made from a choreography that is not well-formed, too.
    pub force: bool,
    /// A model with data that says what messages carry, for executable tests.
    pub payloads: Option<String>,
}

impl Default for Testing {
    fn default() -> Self {
        Testing {
            role: None,
            splitting: Splitting::Once,
            oracle: None,
            subtrees: false,
            loops: Loops::None,
            force: false,
            payloads: None,
        }
    }
}

impl Testing {
    /// How machines are split: where runs are fair, choices in loops stay open.
    pub(super) fn splitting(&self) -> Splitting {
        match self.loops {
            Loops::Fair => Splitting::Fair,
            Loops::None | Loops::UpTo(_) => self.splitting,
        }
    }
}

/// A suite, and what is known about it.
#[derive(Debug, Clone)]
pub(in crate::verbs) struct Made {
    /// The suite.
    pub(in crate::verbs) suite: TestSuite,
    /// What is assumed about infinite runs.
    pub(in crate::verbs) fairness: Fairness,
    /// Channels that must be empty in the end.
    pub(in crate::verbs) watched: Watched,
    /// For each test, whether the model's own machine passes it.
    pub(in crate::verbs) suitability: Vec<Compliance>,
}

/// All tests that are asked for; `None` when none can be made, and the report is told why.
pub(in crate::verbs) fn make_suite(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &Testing,
    settings: &Settings,
    report: &mut Report,
) -> Option<Made> {
    if !asked.force {
        crate::verbs::gchor::refuse_ill_formed(workspace, request, settings, report)?;
    }
    let machines = load_machines(workspace, request, settings, report)?;
    let roles = match &asked.role {
        None => Vec::new(),
        Some(role) => vec![participant(
            role,
            &request.path,
            &machines,
            workspace,
            report,
        )?],
    };
    settings.events.doing("making tests".to_owned());
    let fairness = match asked.loops {
        Loops::Fair => Fairness::Fair,
        Loops::None | Loops::UpTo(_) => Fairness::None,
    };
    if asked.subtrees {
        let gchor =
            crate::verbs::gchor::only_gchor(workspace, request, "--subtrees", settings, report)?;
        let tests = subtree_tests(request, &gchor, &roles, asked, workspace, settings, report)?;
        let machines = without_loops(machines, asked, workspace, settings, report)?;
        let mut made = Made {
            suite: TestSuite { machines, tests },
            fairness,
            watched: Watched::All,
            suitability: Vec::new(),
        };
        made.judge(workspace, settings, report);
        return Some(made);
    }
    let machines = without_loops(machines, asked, workspace, settings, report)?;
    let (oracle, watched) = oracle(&machines, asked, workspace, report)?;
    let generation = Generation {
        roles,
        splitting: asked.splitting(),
        oracles: vec![oracle],
    };
    let names = &mut workspace.terms.names;
    let suite = match generate(&machines, &generation, names, &settings.states()) {
        Ok(suite) => suite,
        Err(too_many) => {
            let name = names.text(too_many.participant);
            let reason = too_many.spent.to_string();
            let finding = too_many_tests::diagnostic(name, &reason);
            report.diagnostics.push(finding);
            return None;
        }
    };
    let mut made = Made {
        suite,
        fairness,
        watched,
        suitability: Vec::new(),
    };
    made.judge(workspace, settings, report);
    Some(made)
}

/// Machines as `--loops` wants them.
pub(super) fn without_loops(
    machines: Vec<Cfsm>,
    asked: &Testing,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    report: &mut Report,
) -> Option<Vec<Cfsm>> {
    let names = &mut workspace.terms.names;
    match asked.loops {
        Loops::None => {
            // With an oracle of one's own, a machine that goes round may succeed on the way.
            if asked.oracle.is_some() {
                return Some(machines);
            }
            for machine in machines.iter().filter(|it| has_loops(it)) {
                let finding = loops_undecided::diagnostic(names.text(machine.participant()));
                report.diagnostics.push(finding);
            }
            (!has_errors(&report.diagnostics)).then_some(machines)
        }
        Loops::Fair => {
            for machine in machines.iter().filter(|it| !can_always_end(it)) {
                if asked.oracle.is_none() {
                    let finding = loops_undecided::endless(names.text(machine.participant()));
                    report.diagnostics.push(finding);
                }
            }
            let note = "infinite runs are fair: what stays possible happens in the end";
            report.semantics.notes.push(note.to_owned());
            (!has_errors(&report.diagnostics)).then_some(machines)
        }
        Loops::UpTo(times) => {
            report
                .semantics
                .bounds
                .insert("loops".to_owned(), u64::from(times));
            let mut unfolded = Vec::new();
            for machine in &machines {
                match unfold_machine(machine, times, names, &settings.states()) {
                    Ok(machine) => unfolded.push(machine),
                    Err(spent) => {
                        let name = names.text(machine.participant());
                        let finding = too_many_tests::diagnostic(name, &spent.to_string());
                        report.diagnostics.push(finding);
                        return None;
                    }
                }
            }
            Some(unfolded)
        }
    }
}

/// The oracle that is asked for, and the channels that must be empty.
fn oracle(
    machines: &[Cfsm],
    asked: &Testing,
    workspace: &mut Workspace<'_>,
    report: &mut Report,
) -> Option<(Oracle, Watched)> {
    let Some(path) = &asked.oracle else {
        return Some((Oracle::FinalStates, Watched::All));
    };
    let text = match workspace.read(path) {
        Ok(text) => text,
        Err(error) => {
            report.diagnostics.push(unreadable::diagnostic(&error));
            return None;
        }
    };
    let file = workspace.sources.add(path.clone(), text.clone());
    let (oracle, mut found) = read_oracle(file, &text);
    let names = &workspace.terms.names;
    let (states, mut wrong) = oracle.resolve(machines, names);
    let (watched, mut no_channel) = oracle.watched(names);
    report
        .semantics
        .inputs
        .insert(path.clone(), "oracle".to_owned());
    report.diagnostics.append(&mut found);
    report.diagnostics.append(&mut wrong);
    report.diagnostics.append(&mut no_channel);
    if has_errors(&report.diagnostics) {
        return None;
    }
    let about = format!("the states of `{path}`");
    Some((Oracle::States { about, states }, watched))
}

impl Made {
    /// Checks that every test is one (Definition 3.5) and that the model itself passes it (Definition 3.7).
    fn judge(&mut self, workspace: &Workspace<'_>, settings: &Settings, report: &mut Report) {
        let names = &workspace.terms.names;
        let mut complaints = 0;
        for test in &self.suite.tests {
            settings
                .events
                .doing(format!("is `{}` suitable?", test.name));
            if self.fairness == Fairness::None
                && let Some(breach) = breaches(test.under_test, &test.machines).first()
            {
                let text = breach.text(&test.machines, names);
                let finding = no_test_case::diagnostic(&test.name, &text);
                report.diagnostics.push(finding);
            }
            let Some(own) = self.suite.machine(test.under_test) else {
                continue;
            };
            let answer = comply(
                own,
                test,
                settings.discipline,
                &self.watched,
                self.fairness,
                &workspace.terms,
                &settings.states(),
            );
            let finding = match &answer {
                Compliance::Passes(_) => None,
                Compliance::Fails(failure) => {
                    let role = names.text(test.under_test);
                    let reason = &failure.run.conclusion;
                    Some(unsuitable_test::diagnostic(&test.name, role, reason))
                }
                Compliance::Inconclusive(unknown) => Some(unsuitable_test::undecided(
                    &test.name,
                    &choros_report::unknown_text(unknown),
                )),
            };
            if let Some(finding) = finding {
                complaints += 1;
                if complaints <= MOST_COMPLAINTS {
                    report.diagnostics.push(finding);
                }
            }
            self.suitability.push(answer);
        }
        if complaints > MOST_COMPLAINTS {
            report.semantics.notes.push(format!(
                "{} further tests are not suitable either, or that was not decided",
                complaints - MOST_COMPLAINTS
            ));
        }
    }

    /// The components that are tested, in the order of the model.
    pub(in crate::verbs) fn roles(&self) -> Vec<Name> {
        let mut roles: Vec<Name> = Vec::new();
        for test in &self.suite.tests {
            if !roles.contains(&test.under_test) {
                roles.push(test.under_test);
            }
        }
        roles
    }
}

/// More complaints about tests tell nothing new.
const MOST_COMPLAINTS: usize = 5;
