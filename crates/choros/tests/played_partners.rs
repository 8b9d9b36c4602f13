//! Partners that `drive` plays never leave the choreography, no matter which service they talk to; services that do their part are never
//! blamed, and those that say what no run of the choreography has never pass.
//!
//! Choreographies are random and small, so that what a role may see is found by trying all values (`LocalRuns`, which
//! shares nothing with the driver).
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use choros_base::{Budget, SourceMap};
use choros_data::{Terms, Value};
use choros_model::stg::{Operation, Role, Stg, read_stg};
use choros_query::purpose::interface_of;
use choros_realize::part;
use choros_symex::driver::{
    ConcreteMessage, ConversationRules, Driver, DriverAction, SearchBounds, Specification,
    TestVerdict, Timing, Unseen, ValueStrategy, View,
};
use choros_symex::{
    Candidates, CoverageCriterion, Execution, ExecutionRules, Graph, SymbolicSuite, execute, select,
};
use choros_testkit::{
    LocalRuns, Random, SeenMessage, Situations, random_data_choreography, rounds, seed_from_env,
};

const TEMPO: Timing = Timing {
    unit: 1_000_000,
    tolerance: 100_000,
    answer: 5_000_000,
    quiet: 300_000,
};

/// No run has this value unless it may have any.
const STRANGE: i64 = -999;

/// This many other sendings a message may have overtaken: as many as the driver follows.
const OVERTAKEN: usize = 4;

/// What a role has seen and said, and which runs of the choreography that may be.
struct History<'a> {
    stg: &'a Stg,
    role: Role,
    seen: Vec<SeenMessage>,
}

impl History<'_> {
    /// Where runs may be after this many messages; nowhere if no run has them.
    ///
    /// Guards compare with 0 and with each other, and messages carry `x` or `1 - x`: values around 0 and those of the
    /// history, turned and not, stand for all others.
    fn after(&self, count: usize, more: &[i64], terms: &mut Terms) -> (LocalRuns<'_>, Situations) {
        let said = self.seen.iter().flat_map(|message| &message.3);
        let mut domain: Vec<i64> = said.chain(more).flat_map(|&it| [it, 1 - it]).collect();
        domain.extend(-1..=2);
        domain.sort_unstable();
        domain.dedup();
        let runs = LocalRuns::new(self.stg, self.role, &domain, terms);
        let mut at = runs.start(terms);
        for message in &self.seen[..count] {
            let next = runs.next(&at, terms);
            let after = next.into_iter().find(|(letter, _)| letter == message);
            at = after.map(|(_, after)| after).unwrap_or_default();
        }
        (runs, at)
    }

    fn is_possible(&self, terms: &mut Terms) -> bool {
        !self.after(self.seen.len(), &[], terms).1.is_empty()
    }

    /// What the role may say now.
    fn sendings(&self, terms: &mut Terms) -> (Vec<SeenMessage>, bool) {
        let (runs, at) = self.after(self.seen.len(), &[], terms);
        let may_end = runs.may_end(&at, terms);
        let next = runs.next(&at, terms).into_iter().map(|(letter, _)| letter);
        let own = next.filter(|letter| letter.1 == self.role).collect();
        (own, may_end)
    }

    /// Whether a sending fits nowhere: not had it been on its way for long, and not had it overtaken others.
    fn is_strange(&self, message: &SeenMessage, terms: &mut Terms) -> bool {
        (0..=self.seen.len()).all(|count| {
            let (runs, mut at) = self.after(count, &message.3, terms);
            (0..=OVERTAKEN).all(|_| {
                let next = runs.next(&at, terms);
                let is_new = next.iter().all(|(letter, _)| letter != message);
                let own = next.into_iter().filter(|(letter, _)| letter.1 == self.role);
                at.extend(own.flat_map(|(_, after)| after));
                is_new
            })
        })
    }
}

/// A service that does its part, or says something strange now and then.
struct Service<'a> {
    history: History<'a>,
    is_wrong: bool,
    was_wrong: bool,
    has_ended: bool,
}

impl Service<'_> {
    /// What it says, as soon as it can say something.
    fn speak(&mut self, random: &mut Random, terms: &mut Terms) -> Option<SeenMessage> {
        let (sendings, may_end) = self.history.sendings(terms);
        if self.has_ended || self.was_wrong || sendings.is_empty() {
            return None;
        }
        if may_end && random.percent(20) {
            self.has_ended = true;
            return None;
        }
        let mut message = random.pick(&sendings).clone();
        if self.is_wrong && random.percent(60) {
            let mut other = random.pick(&sendings).clone();
            match other.3.first_mut() {
                Some(value) if random.percent(50) => *value = STRANGE,
                _ => other.0 = format!("{}{}", &other.0[..1], random.below(3)),
            }
            if self.history.is_strange(&other, terms) {
                self.was_wrong = true;
                message = other;
            }
        }
        self.history.seen.push(message.clone());
        Some(message)
    }
}

#[test]
fn partners_keep_the_choreography_and_services_are_judged_by_what_they_do() {
    let first = seed_from_env();
    let mut verdicts = [[0_usize; 3]; 2];
    let mut sent = 0;
    for number in 0..rounds(40) {
        let seed = first.wrapping_add(number as u64);
        for (row, is_wrong) in [false, true].into_iter().enumerate() {
            let (found, played) = drive(seed, is_wrong);
            sent += played;
            for verdict in found {
                verdicts[row][verdict as usize] += 1;
            }
        }
    }
    let [correct, wrong] = verdicts;
    assert!(sent > 30, "{sent}");
    assert!(correct[TestVerdict::Pass as usize] > 20, "{verdicts:?}");
    assert!(wrong[TestVerdict::Fail as usize] > 3, "{verdicts:?}");
}

/// Drives a random service of a random choreography; verdicts, and how many messages partners sent.
fn drive(seed: u64, is_wrong: bool) -> (Vec<TestVerdict>, usize) {
    let mut random = Random::new(seed);
    let text = random_data_choreography(&mut random);
    let (mut sources, mut terms) = (SourceMap::new(), Terms::new());
    let file = sources.add("random.stg", text.clone());
    let (stg, mistakes) = read_stg(file, &text, &mut terms);
    assert!(mistakes.is_empty(), "{text}{mistakes:?}");
    let mut solver = choros_smt::find().expect("tests have a solver");
    let role = *random.pick(&stg.roles());
    let budget = Budget::steps(200);
    let Ok(own) = part(&stg, role, &mut terms, &mut *solver, &budget) else {
        return Default::default();
    };
    let Some(interface) = interface_of(&own.stg, None, &mut terms) else {
        return Default::default();
    };
    let mut played = own.stg.roles();
    played.retain(|&partner| partner != role);
    let view = View {
        service: role,
        played,
        unseen: Unseen::ByPartners,
        identities: Vec::new(),
    };
    let graph = Graph::of_model(&own.stg, &mut terms);
    let execution = Execution {
        depth: 5,
        silent: 6,
        inclusion: false,
        merge: true,
        rules: ExecutionRules {
            interface: Some(&interface),
            words: &[],
        },
        budget: &Budget::steps(300),
    };
    let tree = execute(&graph, &execution, &mut *solver, &mut terms).expect("a solver that works");
    let candidates = Candidates {
        only_terminating: false,
        incomplete: true,
        only_accepted: false,
        played: &view.played,
    };
    let tests = select(
        &graph,
        &tree,
        CoverageCriterion::Transitions,
        candidates,
        &mut terms,
    )
    .tests;
    let mut suite = SymbolicSuite::of(&graph, &tree, &tests, &interface, &mut terms);
    suite.paths.truncate(3);
    let specification = Specification {
        stg: &own.stg,
        interface: &interface,
        view: &view,
        tempo: TEMPO,
        bounds: SearchBounds::default(),
    };
    let (mut found, mut sent) = (Vec::new(), 0);
    for number in 0..suite.paths.len() {
        let conduct = ConversationRules {
            is_adaptive: random.percent(50),
            on_timeout: TestVerdict::Fail,
            strategy: if random.percent(50) {
                ValueStrategy::Seeded(seed)
            } else {
                ValueStrategy::Smallest
            },
        };
        let driver = Driver::new(specification, &suite.paths, number, conduct, 0, &mut terms);
        let mut driver = driver.expect("a path");
        let mut service = Service {
            history: History {
                stg: &stg,
                role,
                seen: Vec::new(),
            },
            is_wrong,
            was_wrong: false,
            has_ended: false,
        };
        let told = |service: &Service<'_>, why: &str| {
            let history = &service.history.seen;
            format!("CHOROS_SEED={seed}, path {number}: {why}\n{history:?}\nfor {role:?} of {text}")
        };
        let mut now = 0;
        for _ in 0..40 {
            match driver
                .next(now, &mut terms, &mut *solver)
                .expect("a solver")
            {
                DriverAction::Stop => break,
                DriverAction::Send(message) => {
                    driver.arrived(message.operation, now);
                    service.history.seen.push(seen(&message, &terms));
                    sent += 1;
                    assert!(
                        service.was_wrong || service.history.is_possible(&mut terms),
                        "{}",
                        told(&service, "a partner has left the choreography")
                    );
                }
                DriverAction::Listen(until) => match service.speak(&mut random, &mut terms) {
                    Some(message) => {
                        now = (now + 1).min(until);
                        let message = concrete(&message, &mut terms);
                        let heard = driver.observe(message, now, &mut terms, &mut *solver);
                        heard.expect("a solver");
                    }
                    None => {
                        now = until;
                        let heard = driver.elapsed(now, &mut terms, &mut *solver);
                        heard.expect("a solver");
                    }
                },
            }
        }
        let outcome = driver.outcome();
        match (service.was_wrong, outcome.verdict) {
            (false, TestVerdict::Fail) => panic!("blamed: {}", told(&service, &outcome.reason)),
            (true, TestVerdict::Pass) => panic!("passed: {}", told(&service, &outcome.reason)),
            _ => found.push(outcome.verdict),
        }
    }
    (found, sent)
}

fn seen(message: &ConcreteMessage, terms: &Terms) -> SeenMessage {
    let values = message.values.iter().map(|value| match value {
        Value::Int(value) => i64::try_from(value).expect("small values were asked for"),
        other => panic!("no integer: {other:?}"),
    });
    let operation = terms.names.text(message.operation.0).to_owned();
    (operation, message.from, message.to, values.collect())
}

fn concrete(message: &SeenMessage, terms: &mut Terms) -> ConcreteMessage {
    ConcreteMessage {
        operation: Operation(terms.names.intern(&message.0)),
        from: message.1,
        to: message.2,
        fault: None,
        values: message.3.iter().map(|&value| Value::int(value)).collect(),
    }
}
