//! The messages of all logs together in the order of a global clock.

use choros_model::Evidence;
use choros_model::stg::Direction;

use super::clock::{ByClock, Merged, merge};
use super::judge::{Auditor, counted, session_words};
use super::plan::{Asked, Plan};
use super::run::{Exchange, Run, Tied};
use super::tale::{of_messages, of_role, place};
use super::tally::SessionResult;
use super::walk::{SetId, Stopped, Walk};

impl<'o> Auditor<'_, 'o, '_> {
    /// The orders that a global clock gives: one, unless several things were observed at one time.
    pub(super) fn by_time(
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
}
