//! Global conformance: the messages of all logs together.

use choros_data::Term;
use choros_model::Evidence;
use choros_model::evidence::Tree;
use choros_model::stg::Role;

use super::automaton::View;
use super::commuting::Commuting;
use super::guilt::Globally;
use super::judge::{Auditor, Subject, conforms, session_words, settled, torn_outcome};
use super::likeness::Likeness;
use super::plan::{Asked, Plan};
use super::remarks::Remarks;
use super::run::{At, Exchange, Run, Tied, apart, tie};
use super::search::{crossing, search};
use super::tale::{NOT_ALLOWED, of_messages, place, wrong_at_the_end};
use super::tally::{PartTally, SessionResult, Tally};
use super::walk::{SetId, Stopped, Walk};
use super::{CrossingMessages, MessageMoment, Order, Runs};

impl<'o> Auditor<'_, 'o, '_> {
    /// Global conformance.
    pub(super) fn global(&mut self, subject: Subject) -> Result<PartTally, Stopped> {
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
        let (mut observations, mut on_their_way, mut unsent) = (0, 0, 0);
        let (mut parted, mut crossed, mut strays) = (0, 0, 0);
        for (number, run) in self.runs.iter().enumerate() {
            observations += run.logs.iter().map(Vec::len).sum::<usize>();
            if let Some((role, sources)) = run.torn.first() {
                let outcome = torn_outcome(run, *role, *sources);
                self.globally.push(Globally {
                    failed: false,
                    by_order: false,
                    reading: self.how.reading,
                });
                tally.add(&run.name, run.place, outcome);
                continue;
            }
            let mut tied = tie(run, &ends);
            self.mark_strays(number, &mut tied);
            if subject == Subject::Events {
                tied = apart(run, &tied);
            }
            let unread = |exchange: &&Exchange| exchange.arrives();
            let stray = |exchange: &&Exchange| exchange.is_stray;
            let unwritten =
                |exchange: &&Exchange| exchange.lacking.is_some() && exchange.sent.is_none();
            on_their_way += tied.exchanges.iter().filter(unread).count();
            strays += tied.exchanges.iter().filter(stray).count();
            unsent += tied.exchanges.iter().filter(unwritten).count();
            let (crossed_before, parted_before) = (crossed, parted);
            let outcome = match self.how.order {
                Order::Local => {
                    self.interleavings(&mut walk, run, &tied, &mut commuting, &mut crossed)
                }
                Order::Time => self.by_time(&mut walk, run, &tied, &mut parted),
            };
            let all: Vec<usize> = (0..run.logs.len()).collect();
            let outcome = self.clear(settled(outcome)?, run, &all)?;
            let reading = if crossed > crossed_before {
                MessageMoment::Sendings
            } else {
                self.how.reading
            };
            let is_adrift = self.adrift.iter().any(|it| *it > 0);
            let failed = matches!(outcome, SessionResult::Wrong(_)) && !is_adrift;
            let is_stuck = std::mem::take(&mut self.is_stuck);
            let changed = |exchange: &Exchange| self.ends_differ(run, exchange);
            let by_order = self.how.runs == Runs::MayBeUnfinished
                && parted == parted_before
                && !is_stuck
                && !tied.exchanges.iter().any(changed);
            self.globally.push(Globally {
                failed,
                by_order,
                reading,
            });
            tally.add(&run.name, run.place, outcome);
        }
        self.remarks = Remarks {
            on_their_way,
            strays,
            unsent,
            parted,
            crossed,
        };
        Ok(PartTally {
            name: "global".to_owned(),
            tally,
            observations,
            adrift: self.adrift.iter().sum(),
        })
    }

    /// All orders that the logs allow.
    fn interleavings(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        tied: &Tied,
        commuting: &mut Option<Commuting>,
        crossed: &mut usize,
    ) -> Result<SessionResult, Stopped> {
        let exchanges = &tied.exchanges;
        let ends = self.ends();
        let lacks = self.lacks.clone();
        let asked = |reading, completing| Asked {
            reading,
            completing,
            lacks: &lacks,
            ends: &ends,
        };
        let mut reading = self.how.reading;
        let mut plan = Plan::new(walk, run, exchanges, asked(reading, false), self.alphabet);
        let mut stuck = crossing(&plan, self.ground.limit)?;
        if stuck.is_some() && self.how.crossing == CrossingMessages::JudgedBySendings {
            *crossed += 1;
            reading = MessageMoment::Sendings;
            plan = Plan::new(walk, run, exchanges, asked(reading, false), self.alphabet);
            stuck = crossing(&plan, self.ground.limit)?;
        }
        let (alphabet, runs) = (self.alphabet, self.how.runs);
        if let Some(stuck) = stuck {
            let waiting: Vec<String> = stuck
                .waiting
                .iter()
                .map(|&index| {
                    self.alphabet
                        .text(exchanges[index].letter, self.ground.terms)
                })
                .collect();
            let conclusion = match &waiting[..] {
                [only] => format!(
                    "{}{only} has only one end: the log of the other has come to its end without it",
                    session_words(&run.name)
                ),
                _ => format!(
                    "{}no order of whole messages agrees with the logs: {} wait for each other; if messages may cross, \
                     choose the mode sender or receiver",
                    session_words(&run.name),
                    waiting.join(" and ")
                ),
            };
            let trace = of_messages(run, exchanges, &stuck.order, conclusion);
            let wrong = Evidence::Trace(trace);
            // What the logs tell may be stuck where a completion of them is not.
            let completed = Plan::new(walk, run, exchanges, asked(reading, true), alphabet);
            let ground = &mut self.ground;
            let is_stuck = crossing(&completed, ground.limit)?.is_some()
                || search(walk, &completed, runs, alphabet, commuting, ground)?
                    .ends
                    .is_empty();
            self.is_stuck = is_stuck;
            let logs: Vec<usize> = (0..run.logs.len()).collect();
            return Ok(if is_stuck {
                SessionResult::Wrong(wrong)
            } else {
                SessionResult::Either(self.missing_words(&run.name, &logs), wrong)
            });
        }
        let found = search(walk, &plan, runs, alphabet, commuting, &mut self.ground)?;
        // An order that only has to continue says more than one that went wrong.
        let wrong = match (&found.unfinished, &found.wrong) {
            (Some((order, set)), _) => {
                let expected = self.expected(walk, *set)?;
                let ending = format!(", unfinished: expected {expected}");
                Some(ends_here(run, exchanges, order, &ending))
            }
            (None, Some((order, set))) => {
                Some(self.wrong_order(walk, run, exchanges, order, *set)?)
            }
            (None, None) => None,
        };
        let Some((_, order)) = found.ends.first() else {
            // Every order is wrong somewhere, so one of them was seen to be.
            let wrong = wrong.unwrap_or_else(|| {
                Evidence::Trace(of_messages(run, exchanges, &[], String::new()))
            });
            let completed = Plan::new(walk, run, exchanges, asked(reading, true), alphabet);
            let ground = &mut self.ground;
            let found = search(walk, &completed, runs, alphabet, commuting, ground)?;
            return Ok(if found.ends.is_empty() {
                self.or_split(walk, (run, tied), reading, commuting, wrong)?
            } else {
                let logs: Vec<usize> = (0..run.logs.len()).collect();
                SessionResult::Either(self.missing_words(&run.name, &logs), wrong)
            });
        };
        let good = |conclusion: String| of_messages(run, exchanges, order, conclusion);
        if let Some(wrong) = wrong {
            let reason = format!(
                "{}whether the choreography was followed depends on the order in which services without common messages acted, which the logs do not show",
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
            return Ok(SessionResult::Either(reason, evidence));
        }
        let (mut conditions, mut finished, mut ending) = (Vec::new(), true, String::new());
        for (set, _) in &found.ends {
            conditions.push(walk.condition(*set, &mut self.ground)?);
            if !walk.may_end(*set, &mut self.ground)? {
                finished = false;
                ending = format!(", unfinished: expected {}", self.expected(walk, *set)?);
            }
        }
        let may_come = |log: usize| lacks[log].end && !lacks[log].gaps;
        let is_late = |it: &&Exchange| it.arrives() && it.lacking.is_some_and(may_come);
        if let (true, Some(late)) = (finished, exchanges.iter().find(is_late)) {
            let message = self.alphabet.text(late.letter, self.ground.terms);
            (finished, ending) = (
                false,
                format!(", unfinished: {message} is still in transit"),
            );
        }
        let condition = self.ground.terms.and(conditions);
        let condition = self.ground.terms.simplify(condition);
        let whole = self.whole(run, exchanges, order, condition, finished, &ending);
        Ok(match whole {
            SessionResult::Conforms { evidence, .. }
                if reading != MessageMoment::Whole && !tied.unsure.is_empty() =>
            {
                let trace = Evidence::Trace(evidence.unwrap_or_default());
                SessionResult::Either(unmatched_words(run), trace)
            }
            other => other,
        })
    }

    /// Messages that do not conform as they were tied, unless another way to tie them does.
    fn or_split(
        &mut self,
        walk: &mut Walk<'o>,
        (run, tied): (&Run<'o>, &Tied),
        reading: MessageMoment,
        commuting: &mut Option<Commuting>,
        wrong: Evidence,
    ) -> Result<SessionResult, Stopped> {
        // Where sending and receiving are one step, the first sent is the first received.
        if reading == MessageMoment::Whole || tied.unsure.is_empty() {
            return Ok(self.or_tied_otherwise(run, tied, wrong));
        }
        let ends = self.ends();
        let split = tied.split(run, &ends);
        let is_split = split.exchanges.len() > tied.exchanges.len();
        let other = |it: &Exchange| is_split && self.ends_differ(run, it);
        if !is_split || split.exchanges.iter().any(other) {
            return Ok(SessionResult::Either(unmatched_words(run), wrong));
        }
        let lacks = self.lacks.clone();
        let asked = Asked {
            reading,
            completing: true,
            lacks: &lacks,
            ends: &ends,
        };
        let plan = Plan::new(walk, run, &split.exchanges, asked, self.alphabet);
        let ground = &mut self.ground;
        let conforms = crossing(&plan, ground.limit)?.is_none()
            && !search(walk, &plan, self.how.runs, self.alphabet, commuting, ground)?
                .ends
                .is_empty();
        Ok(if conforms {
            SessionResult::Either(unmatched_words(run), wrong)
        } else {
            self.or_tied_otherwise(run, tied, wrong)
        })
    }

    /// An order that conforms as far as it goes.
    pub(super) fn whole(
        &mut self,
        run: &Run<'o>,
        exchanges: &[Exchange],
        order: &[usize],
        condition: Term,
        finished: bool,
        ending: &str,
    ) -> SessionResult {
        if !finished && self.how.runs == Runs::MustBeFinished {
            return SessionResult::Wrong(ends_here(run, exchanges, order, ending));
        }
        let conclusion = conforms(condition, ending, self.ground.terms);
        SessionResult::Conforms {
            condition,
            finished,
            evidence: Some(of_messages(run, exchanges, order, conclusion)),
        }
    }

    /// What is wrong with an order whose last message is wrong.
    pub(super) fn wrong_order(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        exchanges: &[Exchange],
        order: &[usize],
        before: SetId,
    ) -> Result<Evidence, Stopped> {
        let (expected, departure) = self.expectations(walk, before)?;
        let conclusion = match order.last() {
            None => String::new(),
            Some(&last) => {
                let exchange = &exchanges[last];
                let places: Vec<String> = exchange
                    .places()
                    .map(|(log, position)| {
                        let sighting = &run.logs[log][position];
                        place(sighting.source, sighting.observation, "")
                    })
                    .collect();
                let judgement = if self.ends_differ(run, exchange) {
                    "was received with other values than it was sent with".to_owned()
                } else {
                    format!("{NOT_ALLOWED}; expected {expected}")
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
        Ok(Evidence::Trace(wrong_at_the_end(trace, departure)))
    }

    /// Whether both ends tell of the data of a message, and differently.
    fn ends_differ(&self, run: &Run<'o>, exchange: &Exchange) -> bool {
        let (Some(sent), Some(received)) = (exchange.sent, exchange.received) else {
            return false;
        };
        let at = |(log, position): At| run.logs[log][position].observation;
        self.alphabet.letter(exchange.letter).carries
            && Likeness::of(at(sent), at(received)) == Likeness::Other
    }

    /// Messages that do not conform as they were tied; where logs lack something, other receptions may belong to
    /// them.
    pub(super) fn or_tied_otherwise(
        &self,
        run: &Run<'o>,
        tied: &Tied,
        wrong: Evidence,
    ) -> SessionResult {
        let ends = self.ends();
        let open = tied.by_order.iter().any(|letter| {
            let (sender, receiver) = ends[letter.index()];
            let logs = [sender, receiver].into_iter().flatten();
            logs.map(|log| self.lacks[log])
                .any(|lack| lack.gaps || lack.beginning)
        });
        if !open {
            return SessionResult::Wrong(wrong);
        }
        SessionResult::Either(unmatched_words(run), wrong)
    }

    /// Why an answer is not known: it depends on what logs lack.
    pub(super) fn missing_words(&self, session: &str, logs: &[usize]) -> String {
        let lacking: Vec<String> = logs
            .iter()
            .filter(|&&log| self.lacks[log].anything())
            .map(|&log| {
                let logged = &self.roles[log];
                format!("the log of `{}`: {}", logged.role, logged.hypothesis.word())
            })
            .collect();
        format!(
            "{}what was seen conforms only if something is missing from the logs ({})",
            session_words(session),
            lacking.join(", ")
        )
    }
}

fn unmatched_words(run: &Run<'_>) -> String {
    format!(
        "{}sends and receives cannot be matched: messages have no ids, and some may be missing",
        session_words(&run.name)
    )
}

/// An order after which the run must continue.
fn ends_here(run: &Run<'_>, exchanges: &[Exchange], order: &[usize], ending: &str) -> Evidence {
    let conclusion = format!("{}the logs end here{ending}", session_words(&run.name));
    Evidence::Trace(of_messages(run, exchanges, order, conclusion))
}
