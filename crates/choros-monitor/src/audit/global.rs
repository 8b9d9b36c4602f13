//! Global conformance: the messages of all logs together.

use choros_data::Term;
use choros_model::Evidence;
use choros_model::evidence::Tree;
use choros_model::stg::{Direction, Role};

use super::automaton::View;
use super::clock::{ByClock, Merged, merge};
use super::commuting::Commuting;
use super::guilt::Globally;
use super::judge::{Auditor, Subject, conforms, counted, session_words, settled, torn_outcome};
use super::likeness::Likeness;
use super::plan::{Asked, Plan};
use super::remarks::Remarks;
use super::run::{At, Exchange, Run, Tied, apart, tie};
use super::search::{crossing, search};
use super::tale::{NOT_ALLOWED, of_messages, of_role, place, wrong_at_the_end};
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

    /// The orders that a global clock gives: one, unless several things were observed at one time.
    fn by_time(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        tied: &Tied,
        parted: &mut usize,
    ) -> Result<SessionResult, Stopped> {
        let (logs, are_all) = match merge(run, &tied.exchanges, self.how.reading, &self.lacks) {
            ByClock::Timeless((log, position)) => {
                let sighting = &run.logs[log][position];
                let reason = format!(
                    "{}: the record has no time, so the logs cannot be merged by time",
                    place(sighting.source, sighting.observation, &run.name)
                );
                let trace = of_role(run, log, position + 1, String::new());
                return Ok(SessionResult::Either(reason, Evidence::Trace(trace)));
            }
            ByClock::Backwards(index) => {
                let reason = format!(
                    "{}{} was received before it was sent, so the clocks of the services do not agree",
                    session_words(&run.name),
                    self.alphabet
                        .text(tied.exchanges[index].letter, self.ground.terms)
                );
                let trace = of_messages(run, &tied.exchanges, &[index], String::new());
                return Ok(SessionResult::Either(reason, Evidence::Trace(trace)));
            }
            ByClock::Merged { logs, are_all } => (logs, are_all),
        };
        *parted += logs.first().map_or(0, |it| it.parted.len());
        let mut whole: Option<SessionResult> = None;
        for merged in &logs {
            let one = self.by_line(walk, run, tied, merged)?;
            whole = Some(match whole {
                None => one,
                Some(known) => self.whatever_came_first(known, one, run),
            });
        }
        let whole = whole.unwrap_or_else(|| {
            let trace = of_messages(run, &tied.exchanges, &[], String::new());
            SessionResult::Either(String::new(), Evidence::Trace(trace))
        });
        Ok(match whole {
            SessionResult::Conforms { evidence, .. } if !are_all => {
                self.same_time(run, evidence.map(Evidence::Trace))
            }
            SessionResult::Wrong(evidence) if !are_all => self.same_time(run, Some(evidence)),
            other => other,
        })
    }

    /// What two orders come to that differ in what was observed at one time.
    fn whatever_came_first(
        &mut self,
        one: SessionResult,
        other: SessionResult,
        run: &Run<'o>,
    ) -> SessionResult {
        match (one, other) {
            (
                SessionResult::Conforms {
                    condition: left,
                    finished: one,
                    evidence,
                },
                SessionResult::Conforms {
                    condition: right,
                    finished: other,
                    ..
                },
            ) => {
                let both = self.ground.terms.and([left, right]);
                SessionResult::Conforms {
                    condition: self.ground.terms.simplify(both),
                    finished: one && other,
                    evidence,
                }
            }
            (wrong @ SessionResult::Wrong(_), SessionResult::Wrong(_)) => wrong,
            (SessionResult::Conforms { .. }, SessionResult::Wrong(evidence))
            | (SessionResult::Wrong(evidence), SessionResult::Conforms { .. }) => {
                self.same_time(run, Some(evidence))
            }
            (open @ (SessionResult::Either(..) | SessionResult::Spent(_)), _) | (_, open) => open,
        }
    }

    /// Several things were observed at one time, and their order decides.
    fn same_time(&self, run: &Run<'o>, evidence: Option<Evidence>) -> SessionResult {
        let reason = format!(
            "{}whether the choreography was followed depends on the order of observations that have the same time",
            session_words(&run.name)
        );
        let nothing = || Evidence::Trace(of_messages(run, &[], &[], String::new()));
        SessionResult::Either(reason, evidence.unwrap_or_else(nothing))
    }

    /// One order by the clock.
    fn by_line(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        tied: &Tied,
        merged: &Merged,
    ) -> Result<SessionResult, Stopped> {
        let exchanges = &tied.exchanges;
        let mut set = walk.start(&mut self.ground)?;
        for (count, &index) in merged.order.iter().enumerate() {
            self.ground.budget.spend()?;
            let exchange = &exchanges[index];
            let reports = exchange.reports(run);
            let seen = walk.see(exchange.letter, exchange.direction, reports, self.alphabet);
            let after = walk.after(set, seen, &mut self.ground)?;
            if after == SetId::EMPTY {
                let order = &merged.order[..=count];
                let wrong = self.wrong_order(walk, run, exchanges, order, set)?;
                return self.or_missing_by_time(walk, run, tied, merged, wrong);
            }
            set = after;
        }
        if let Some(&index) = merged.unplaced.first() {
            let reason = format!(
                "{}when {} arrived is not known: the log of its receiver does not say",
                session_words(&run.name),
                self.alphabet
                    .text(exchanges[index].letter, self.ground.terms)
            );
            let trace = of_messages(run, exchanges, &merged.order, String::new());
            return Ok(SessionResult::Either(reason, Evidence::Trace(trace)));
        }
        if !merged.parted.is_empty() {
            // What has no place was not judged.
            let reason = format!(
                "{}{} no place among the others: something was observed between sending and receiving; if messages \
                 may cross, choose the mode sender or receiver",
                session_words(&run.name),
                counted(merged.parted.len(), "message has", "messages have")
            );
            let trace = of_messages(run, exchanges, &merged.order, String::new());
            return Ok(SessionResult::Either(reason, Evidence::Trace(trace)));
        }
        let finished = walk.may_end(set, &mut self.ground)?;
        let condition = walk.condition(set, &mut self.ground)?;
        let ending = if finished {
            String::new()
        } else {
            format!(", unfinished: expected {}", self.expected(walk, set)?)
        };
        Ok(self.whole(run, exchanges, &merged.order, condition, finished, &ending))
    }

    /// An order by time that does not conform, unless something is missing from the logs.
    fn or_missing_by_time(
        &mut self,
        walk: &mut Walk<'o>,
        run: &Run<'o>,
        tied: &Tied,
        merged: &Merged,
        wrong: Evidence,
    ) -> Result<SessionResult, Stopped> {
        let ends = self.ends();
        let lacks = self.lacks.clone();
        let asked = Asked {
            reading: self.how.reading,
            completing: true,
            lacks: &lacks,
            ends: &ends,
        };
        let plan = Plan::new(walk, run, &tied.exchanges, asked, self.alphabet);
        // Here a log was read as far as what happened in it.
        let mut cut = vec![0; plan.start().len()];
        let mut set = walk.start(&mut self.ground)?;
        let unplaced = merged.unplaced.iter().map(|&it| &tied.exchanges[it]);
        let unplaced: Vec<&Exchange> = unplaced.collect();
        for &index in &merged.order {
            let mut unseen = plan.unseen(&cut, self.alphabet);
            // Those without a place may have been sent by now, and may arrive.
            let mut sent = cut.clone();
            while let Some((log, position)) = unplaced
                .iter()
                .filter_map(|it| it.sent)
                .find(|&(log, position)| sent[log] == position as u32)
            {
                sent[log] = position as u32 + 1;
            }
            let arriving = unplaced.iter();
            let arriving = arriving.map(|it| (it.letter, Direction::Interaction));
            let later = plan.unseen(&sent, self.alphabet);
            for act in arriving.chain(later) {
                if !unseen.contains(&act) {
                    unseen.push(act);
                }
            }
            set = walk.unseen(set, &unseen, &mut self.ground)?;
            let exchange = &tied.exchanges[index];
            let reports = exchange.reports(run);
            let seen = walk.see(exchange.letter, exchange.direction, reports, self.alphabet);
            set = walk.after(set, seen, &mut self.ground)?;
            for (log, position) in exchange.places() {
                cut[log] = cut[log].max(position as u32 + 1);
            }
        }
        if set == SetId::EMPTY {
            return Ok(self.or_tied_otherwise(run, tied, wrong));
        }
        let logs: Vec<usize> = (0..run.logs.len()).collect();
        let reason = self.missing_words(&run.name, &logs);
        Ok(SessionResult::Either(reason, wrong))
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
    fn wrong_order(
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
    fn or_tied_otherwise(&self, run: &Run<'o>, tied: &Tied, wrong: Evidence) -> SessionResult {
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
