//! From a model and logs to verdicts.

use choros_base::{Budget, Spent};
use choros_data::{Term, Terms};
use choros_model::Evidence;
use choros_model::evidence::Tree;
use choros_model::observation::Datum;
use choros_model::stg::{Direction, Role, Stg};
use choros_smt::Solver;

use super::alphabet::{Alphabet, LetterId};
use super::automaton::{Automaton, View};
use super::clock::merge;
use super::commuting::Commuting;
use super::run::{At, Exchange, Run, Tied, apart, tie};
use super::search::search;
use super::sorted::{Logged, sort};
use super::sorts::{with_fractions, without_opaque_integers};
use super::tale::{alternatives, of_messages, of_role, place};
use super::tally::{Outcome, Tally};
use super::walk::{Ground, SetId, Stopped, Walk};
use super::{
    Audit, Auditing, Crossing, Integers, Judged, Log, NotAudited, Order, Reading, Runs, Torn,
};

/// Judges logs by a model: the graph of a choreography, or of one role.
pub fn audit(
    model: &Stg,
    logs: &[Log],
    how: &Auditing,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Audit, NotAudited> {
    let model = match how.integers {
        Integers::Declared => model.clone(),
        Integers::WhereComputed => {
            let model = without_opaque_integers(model, terms);
            let observations = logs.iter().flat_map(|log| &log.observations);
            with_fractions(&model, observations, terms).unwrap_or(model)
        }
    };
    let alphabet = Alphabet::of(&model);
    let sorted = sort(&model, logs, how, &alphabet, terms);
    let mut auditor = Auditor {
        model: &model,
        roles: &sorted.roles,
        how,
        alphabet: &alphabet,
        runs: &sorted.runs,
        ground: Ground {
            terms,
            solver,
            budget,
            limit: how.limit,
        },
        notes: Vec::new(),
    };
    let results = match auditor.results(&sorted.filtered_by_role) {
        Ok(results) => results,
        Err(Stopped::Solver(error)) => return Err(NotAudited::Solver(error)),
        Err(Stopped::Spent(_)) => return Err(NotAudited::Cancelled),
    };
    let mut notes = auditor.notes;
    if sorted.without_key > 0 {
        notes.insert(
            0,
            format!(
                "{} not say to which session it belongs: all such are judged as one",
                counted(
                    sorted.without_key as usize,
                    "observation does",
                    "observations do"
                )
            ),
        );
    }
    Ok(Audit {
        results,
        sessions: sorted.runs.len(),
        told_apart: sorted.key.words(terms),
        torn: sorted
            .runs
            .iter()
            .flat_map(|run| torn(run, &sorted.roles))
            .collect(),
        filtered: sorted.filtered.into_iter().collect(),
        notes,
    })
}

/// What a model is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// What one role sends and receives.
    OneRole,
    /// Whole messages between roles.
    Messages,
    /// Sendings and receptions of several roles, each on its own.
    Events,
}

impl Subject {
    fn of(model: &Stg) -> Subject {
        let whole = |direction| direction == Direction::Interaction;
        if model.messages().all(|message| whole(message.direction)) {
            return Subject::Messages;
        }
        let mut subjects = model.messages().map(|message| match message.direction {
            Direction::Receive => message.to,
            Direction::Send | Direction::Interaction => message.from,
        });
        let first = subjects.next();
        match subjects.all(|it| Some(it) == first) {
            true => Subject::OneRole,
            false => Subject::Events,
        }
    }
}

struct Auditor<'a, 'o, 'g> {
    model: &'a Stg,
    roles: &'a [Logged<'o>],
    how: &'a Auditing,
    alphabet: &'a Alphabet,
    runs: &'a [Run<'o>],
    ground: Ground<'g>,
    notes: Vec<String>,
}

impl<'o> Auditor<'_, 'o, '_> {
    fn results(&mut self, filtered: &[usize]) -> Result<Vec<Judged>, Stopped> {
        let subject = Subject::of(self.model);
        let mut results = Vec::new();
        for (number, logged) in self.roles.iter().enumerate() {
            let Some(name) = self.ground.terms.names.get(logged.role) else {
                continue;
            };
            let role = Role(name);
            if !self.model.roles().contains(&role) {
                continue;
            }
            let view = match subject {
                Subject::OneRole => View::Whole,
                Subject::Messages | Subject::Events => View::Of(role),
            };
            let result = self.local(number, view)?;
            results.push(Judged {
                filtered: filtered[number],
                ..result
            });
        }
        if subject != Subject::OneRole {
            let result = self.global(subject)?;
            results.push(Judged {
                filtered: filtered.iter().sum(),
                ..result
            });
        }
        Ok(results)
    }

    fn walk(&self, view: View<'_>) -> Walk<'o> {
        let terms = &*self.ground.terms;
        Walk::new(Automaton::of(self.model, view, self.alphabet, terms))
    }

    /// Local conformance of one role.
    fn local(&mut self, number: usize, view: View<'_>) -> Result<Judged, Stopped> {
        let mut walk = self.walk(view);
        let mut tally = Tally::new();
        let mut observations = 0;
        for run in self.runs {
            observations += run.logs[number].len();
            let outcome = match run.torn.iter().find(|(role, _)| *role == number) {
                Some((_, sources)) => Ok(torn_outcome(run, number, *sources)),
                None => self.role_in_session(&mut walk, run, number),
            };
            let outcome = settled(outcome)?;
            tally.add(&run.name, outcome, &mut self.ground)?;
        }
        self.judged(self.roles[number].role.to_owned(), tally, observations)
    }

    fn role_in_session(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        log: usize,
    ) -> Result<Outcome, Stopped> {
        let sightings = &run.logs[log];
        let mut set = walk.start(&mut self.ground)?;
        for (position, sighting) in sightings.iter().enumerate() {
            self.ground.budget.spend()?;
            let observation = sighting.observation;
            let seen = walk.see(
                sighting.letter,
                observation.direction,
                vec![observation],
                self.alphabet,
            );
            let after = walk.after(set, seen, &mut self.ground)?;
            if after == SetId::EMPTY {
                let expected = self.expected(walk, set)?;
                let conclusion = format!(
                    "{}: {} is not allowed here; expected {expected}",
                    place(sighting.source, observation, &run.name),
                    observation.text()
                );
                let trace = of_role(run, log, position + 1, conclusion);
                return Ok(Outcome::Wrong(Evidence::Trace(trace)));
            }
            set = after;
        }
        let finished = walk.may_end(set, &mut self.ground)?;
        let condition = walk.condition(set, &mut self.ground)?;
        let ending = match finished {
            true => String::new(),
            false => format!(", unfinished: expected {}", self.expected(walk, set)?),
        };
        if !finished && self.how.runs == Runs::MustBeFinished {
            let place = match sightings.last() {
                Some(last) => place(last.source, last.observation, &run.name),
                None => self.roles[log].sources.join(", "),
            };
            let conclusion = format!("{place}: the log ends here{ending}");
            let trace = of_role(run, log, sightings.len(), conclusion);
            return Ok(Outcome::Wrong(Evidence::Trace(trace)));
        }
        let conclusion = conforms(condition, &ending, self.ground.terms);
        Ok(Outcome::Conforms {
            condition,
            finished,
            evidence: Some(of_role(run, log, sightings.len(), conclusion)),
        })
    }

    /// Global conformance.
    fn global(&mut self, subject: Subject) -> Result<Judged, Stopped> {
        let names = &self.ground.terms.names;
        let observed: Vec<Role> = self
            .roles
            .iter()
            .filter_map(|logged| names.get(logged.role).map(Role))
            .collect();
        let mut walk = self.walk(View::Observed(&observed));
        let mut commuting = None;
        let ends = self.ends();
        let mut tally = Tally::new();
        let (mut observations, mut loose, mut parted, mut crossed) = (0, 0, 0, 0);
        for run in self.runs {
            observations += run.logs.iter().map(Vec::len).sum::<usize>();
            if let Some((role, sources)) = run.torn.first() {
                let outcome = torn_outcome(run, *role, *sources);
                tally.add(&run.name, outcome, &mut self.ground)?;
                continue;
            }
            let mut tied = tie(run, &ends);
            if subject == Subject::Events {
                tied = apart(run, &tied);
            }
            loose += tied.loose.len();
            let outcome = match self.how.order {
                Order::Local => {
                    self.interleavings(&mut walk, run, &tied, &mut commuting, &mut crossed)
                }
                Order::Time => self.by_time(&mut walk, run, &tied, &mut parted),
            };
            let outcome = settled(outcome)?;
            tally.add(&run.name, outcome, &mut self.ground)?;
        }
        if loose > 0 {
            self.notes.push(format!(
                "{} no counterpart at the other end, although it was observed, and no place in the global order",
                counted(loose, "observation has", "observations have")
            ));
        }
        if parted > 0 {
            self.notes.push(format!(
                "{} no place in the global order, because something was observed between sending and reception",
                counted(parted, "message has", "messages have")
            ));
        }
        if crossed > 0 {
            self.notes.push(format!(
                "messages cross on their way in {}: judged by the order of sendings",
                counted(crossed, "session", "sessions")
            ));
        }
        self.judged("global".to_owned(), tally, observations)
    }

    /// For each message the logs of its ends.
    fn ends(&self) -> Vec<(Option<usize>, Option<usize>)> {
        let terms = &*self.ground.terms;
        let log = |name| {
            let role = terms.names.text(name);
            self.roles.iter().position(|logged| logged.role == role)
        };
        let letters = 0..self.alphabet.len() as u32;
        letters
            .map(|index| {
                let letter = self.alphabet.letter(LetterId(index));
                (log(letter.from), log(letter.to))
            })
            .collect()
    }

    /// All orders that the logs allow.
    fn interleavings(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        tied: &Tied,
        commuting: &mut Option<Commuting>,
        crossed: &mut usize,
    ) -> Result<Outcome, Stopped> {
        let exchanges = &tied.exchanges;
        let mut look = |reading, ground: &mut Ground<'_>| {
            let alphabet = self.alphabet;
            search(walk, run, exchanges, reading, alphabet, commuting, ground)
        };
        let mut found = look(self.how.reading, &mut self.ground)?;
        if found.crossing.is_some() && self.how.crossing == Crossing::JudgedBySendings {
            *crossed += 1;
            found = look(Reading::Sendings, &mut self.ground)?;
        }
        if let Some((order, waiting)) = &found.crossing {
            let waiting: Vec<String> = waiting
                .iter()
                .map(|&index| {
                    self.alphabet
                        .text(exchanges[index].letter, self.ground.terms)
                })
                .collect();
            let conclusion = format!(
                "{}no order of whole messages agrees with the logs: {} wait for each other; if messages may cross, \
                 choose --mode sender or receiver",
                session_words(&run.name),
                waiting.join(" and ")
            );
            let trace = of_messages(run, exchanges, order, conclusion);
            return Ok(Outcome::Wrong(Evidence::Trace(trace)));
        }
        let wrong = match &found.wrong {
            None => None,
            Some((order, set)) => Some(self.wrong_order(walk, run, exchanges, order, *set)?),
        };
        let Some((_, order)) = found.ends.first() else {
            // Every order is wrong somewhere, so one of them was seen to be.
            return Ok(Outcome::Wrong(wrong.unwrap_or_else(|| {
                Evidence::Trace(of_messages(run, exchanges, &[], String::new()))
            })));
        };
        let good = |conclusion: String| of_messages(run, exchanges, order, conclusion);
        if let Some(wrong) = wrong {
            let reason = format!(
                "{}whether the choreography was followed depends on the order in which services that share no \
                 message acted, which the logs do not tell",
                session_words(&run.name)
            );
            let because = |claim: &str, evidence: Evidence| Tree {
                claim: claim.to_owned(),
                origin: None,
                evidence: Some(Box::new(evidence)),
                because: Vec::new(),
            };
            let evidence = Evidence::Tree(Tree {
                claim: "the logs allow several orders".to_owned(),
                origin: None,
                evidence: None,
                because: vec![
                    because("this one conforms", Evidence::Trace(good(String::new()))),
                    because("this one does not", wrong),
                ],
            });
            return Ok(Outcome::Either(reason, evidence));
        }
        let (mut conditions, mut finished, mut ending) = (Vec::new(), true, String::new());
        for (set, _) in &found.ends {
            conditions.push(walk.condition(*set, &mut self.ground)?);
            if !walk.may_end(*set, &mut self.ground)? {
                finished = false;
                ending = format!(", unfinished: expected {}", self.expected(walk, *set)?);
            }
        }
        let condition = self.ground.terms.and(conditions);
        let condition = self.ground.terms.simplify(condition);
        Ok(self.whole(run, exchanges, order, condition, finished, &ending))
    }

    /// The one order that a global clock gives.
    fn by_time(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        tied: &Tied,
        parted: &mut usize,
    ) -> Result<Outcome, Stopped> {
        let exchanges = &tied.exchanges;
        let merged = merge(run, exchanges, self.how.reading);
        if let Some(&(log, position)) = merged.timeless.first() {
            let sighting = &run.logs[log][position];
            let reason = format!(
                "{}: the observation has no time, so the logs cannot be merged by time",
                place(sighting.source, sighting.observation, &run.name)
            );
            let trace = of_role(run, log, position + 1, String::new());
            return Ok(Outcome::Either(reason, Evidence::Trace(trace)));
        }
        *parted += merged.parted.len();
        let mut set = walk.start(&mut self.ground)?;
        for (count, &index) in merged.order.iter().enumerate() {
            self.ground.budget.spend()?;
            let exchange = &exchanges[index];
            let reports = [exchange.sent, exchange.received]
                .iter()
                .flatten()
                .map(|&(log, position)| run.logs[log][position].observation)
                .collect();
            let seen = walk.see(exchange.letter, exchange.direction, reports, self.alphabet);
            let after = walk.after(set, seen, &mut self.ground)?;
            if after == SetId::EMPTY {
                let order = &merged.order[..=count];
                let wrong = self.wrong_order(walk, run, exchanges, order, set)?;
                return Ok(Outcome::Wrong(wrong));
            }
            set = after;
        }
        let finished = walk.may_end(set, &mut self.ground)?;
        let condition = walk.condition(set, &mut self.ground)?;
        let ending = match finished {
            true => String::new(),
            false => format!(", unfinished: expected {}", self.expected(walk, set)?),
        };
        Ok(self.whole(run, exchanges, &merged.order, condition, finished, &ending))
    }

    /// An order that conforms as far as it goes.
    fn whole(
        &mut self,
        run: &Run<'o>,
        exchanges: &[Exchange],
        order: &[usize],
        condition: Term,
        finished: bool,
        ending: &str,
    ) -> Outcome {
        if !finished && self.how.runs == Runs::MustBeFinished {
            let conclusion = format!("{}the logs end here{ending}", session_words(&run.name));
            let trace = of_messages(run, exchanges, order, conclusion);
            return Outcome::Wrong(Evidence::Trace(trace));
        }
        let conclusion = conforms(condition, ending, self.ground.terms);
        Outcome::Conforms {
            condition,
            finished,
            evidence: Some(of_messages(run, exchanges, order, conclusion)),
        }
    }

    /// What is wrong with an order whose last message is wrong.
    fn wrong_order(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        exchanges: &[Exchange],
        order: &[usize],
        before: SetId,
    ) -> Result<Evidence, Stopped> {
        let expected = self.expected(walk, before)?;
        let conclusion = match order.last() {
            None => String::new(),
            Some(&last) => {
                let exchange = &exchanges[last];
                let places: Vec<String> = [exchange.sent, exchange.received]
                    .iter()
                    .flatten()
                    .map(|&(log, position)| {
                        let sighting = &run.logs[log][position];
                        place(sighting.source, sighting.observation, "")
                    })
                    .collect();
                let judgement = match self.ends_differ(run, exchange) {
                    true => "was received with other values than it was sent with".to_owned(),
                    false => format!("is not allowed here; expected {expected}"),
                };
                format!(
                    "{}{}: {} {judgement}",
                    session_words(&run.name),
                    places.join(", "),
                    self.alphabet.text(exchange.letter, self.ground.terms)
                )
            }
        };
        let trace = of_messages(run, exchanges, order, conclusion);
        Ok(Evidence::Trace(trace))
    }

    /// Whether both ends tell of the data of a message, and differently.
    fn ends_differ(&self, run: &Run<'o>, exchange: &Exchange) -> bool {
        let (Some(sent), Some(received)) = (exchange.sent, exchange.received) else {
            return false;
        };
        let data = |(log, position): At| &run.logs[log][position].observation.data;
        let (sent, received) = (data(sent), data(received));
        let differs = |(path, value): &(_, Datum<'_>)| {
            let other = received.iter().find(|(known, _)| known == path);
            other.is_some_and(|(_, other)| !value.agrees(other))
        };
        self.alphabet.letter(exchange.letter).carries && sent.iter().any(differs)
    }

    /// What the model allows next, in words.
    fn expected(&mut self, walk: &mut Walk<'o>, set: SetId) -> Result<String, Stopped> {
        let expected = walk.expected(set, self.alphabet, self.ground.terms);
        let may_end = walk.may_end(set, &mut self.ground)?;
        Ok(alternatives(&expected, may_end))
    }

    fn judged(
        &mut self,
        name: String,
        tally: Tally,
        observations: usize,
    ) -> Result<Judged, Stopped> {
        let (finished, pass, fail, inconclusive) =
            (tally.finished, tally.pass, tally.fail, tally.inconclusive);
        Ok(Judged {
            name,
            verdict: tally.verdict(&mut self.ground)?,
            finished,
            observations,
            filtered: 0,
            pass,
            fail,
            inconclusive,
        })
    }
}

/// A session of which two logs of one role tell: not even the order of what that role saw is known.
fn torn_outcome(run: &Run<'_>, role: usize, [first, other]: [&str; 2]) -> Outcome {
    let reason = format!(
        "{}`{first}` and `{other}` both tell of it, and which came first is not known",
        session_words(&run.name)
    );
    let trace = of_role(run, role, run.logs[role].len(), String::new());
    Outcome::Either(reason, Evidence::Trace(trace))
}

fn torn(run: &Run<'_>, roles: &[Logged<'_>]) -> Vec<Torn> {
    let torn = run.torn.iter();
    torn.map(|(role, sources)| Torn {
        role: roles[*role].role.to_owned(),
        session: run.name.clone(),
        sources: sources.map(str::to_owned),
    })
    .collect()
}

/// A bound that was met is the outcome of its session; an interrupt ends everything.
fn settled(outcome: Result<Outcome, Stopped>) -> Result<Outcome, Stopped> {
    match outcome {
        Err(Stopped::Spent(spent @ Spent::Steps(_))) => Ok(Outcome::Spent(spent)),
        other => other,
    }
}

/// `1 message`, `2 messages`.
fn counted(count: usize, one: &str, several: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {several}"),
    }
}

fn conforms(condition: Term, ending: &str, terms: &Terms) -> String {
    match condition {
        Term::TRUE => format!("conforms{ending}"),
        condition => format!("conforms if {}{ending}", terms.print(condition)),
    }
}

fn session_words(session: &str) -> String {
    match session {
        "" => String::new(),
        session => format!("session {session}: "),
    }
}
