//! Time: the rules for clocks, timeouts and messages that come too late.
//!
//! Every role has a clock of its own, and `χr` is one unit of time on that of `r`.
//! Time decides nothing: it passes in all parts of a term that measure it, and the others wait.
//! `A –χr↛` says that `A` has no such step; with conditions, it is the condition under which it has none.
//!
//! ```text
//! TIME+   A –χr→ A' , B –χr→ B'                ⟹  A+B –χr→ A'+B'            and the same for | and [>
//! TIME+'  A –χr→ A' , B –χr↛                   ⟹  A+B –χr→ A'+B             and the same for | and [>
//! ```
//!
//! `⟨n,A,B⟩r` is `timeout n at r { A } else { B }`, with answers `L` to late messages.
//! What `r` receives in `A` stops the timer; `m` is such a message from `s`.
//!
//! ```text
//! IN      A –m→ A' , m not in L                ⟹  ⟨n,A,B⟩r –m→ A'
//! SENT    A –m→ A' , m in L                    ⟹  ⟨n,A,B⟩r –m!→ ⟨n,m,A',B⟩r          sent, and not received yet
//! TAKEN                                            ⟨n,m,A',B⟩r –m?→ A'
//! ON      A –α→ A' , α no message to r         ⟹  ⟨n,A,B⟩r –α→ ⟨n,A',B⟩r
//! RUNS    A –χr→ A' , or A –χr↛ and A' is A    ⟹  ⟨n+2,A,B⟩r –χr→ ⟨n+1,A',B⟩r        and ⟨n+2,m,A',B⟩r –χr→ ⟨n+1,m,A',B⟩r
//! OVER    A –m→ , m in L, from s               ⟹  ⟨1,A,B⟩r –χr→ {m! ; m? ; L(m)}s B
//! OVER'                                            ⟨1,m,A',B⟩r –χr→ (m? ; L(m)) || B
//! ```
//!
//! The last tick of a timer *is* what ends the wait, so no more time passes before: a timeout is urgent.
//!
//! A timer that sends `m` again every `k` ticks, as `retry` does, becomes `⟨m!⟩T` where RUNS leads to a multiple of `k`:
//! `r` sends the copy now, unless the answer comes before; no time passes meanwhile.
//! The receiver drops the copy, and it may do anything else before it comes.
//!
//! ```text
//! AGAIN                                            ⟨m!⟩T –m!→ {}s,m T
//! ONCE    T –α→ T' , α no tick of r            ⟹  ⟨m!⟩T –α→ ⟨m!⟩T' , or T' where the timer does not run any more
//! ```
//!
//! `{P}s,Q B` goes on as `B`; `P` is what `s` can still send because it does not know, and `Q` is what was sent to `s`
//! since and not received yet.
//! `A || B` is `A | B`, and both keep hold of what follows: `(A || B) ; C` is `A || (B ; C)`, and `({P}s B) ; C` is
//! `{P}s (B ; C)`: a message can be late as long as its sender does not know, and not only in the block.
//!
//! ```text
//! LATE    P –α→ P'                             ⟹  {P}s,Q B –α→ {}s,Q (P' || B)
//! KNOWS   Q = m;Q'                             ⟹  {P}s,Q B –m?→ {}s,Q' B
//! TELLS   B –m→ B' , m to s                    ⟹  {P}s,Q B –m!→ {P}s,(Q;m) B'
//! ACTS    B –α→ B' , α of s, Q only copies     ⟹  {P}s,Q B –α→ {P}s,Q B'
//! OTHERS  B –α→ B' , α not of s                ⟹  {P}s,Q B –α→ {P}s,Q B'
//! END     B –√→ , Q empty                      ⟹  {P}s B –√→
//! ```
//!
//! In the description of one role the late message is received: `{m? ; L(m)}s B`, until something else comes from `s`.

use choros_base::{Span, StopReason};
use choros_data::Term;
use choros_model::stg::{Direction, Event, FieldValue, Message, Role};

use super::{Action, Found, LoweredStep, Rules};
use crate::lower::store::{EventId, Form, Pending, ProcessTerm, Spine};

/// So many messages to one role may be in transit before it has to receive one, beside a late one.
const MAX_IN_TRANSIT: usize = 4;

/// More timeouts than this are not kept open for late messages at the same time.
const MAX_OPEN: usize = 32;

impl Rules<'_> {
    fn event_of(&self, event: EventId) -> &Event {
        &self.store.event(event).0
    }

    /// Whether a step is a tick of a role's own clock.
    pub(super) fn is_own_tick(&self, action: Action) -> bool {
        self.clock_of(action).is_some()
    }

    fn clock_of(&self, action: Action) -> Option<Role> {
        match action {
            Action::Event(event, _) => match *self.event_of(event) {
                Event::TickOf(role) => Some(role),
                _ => None,
            },
            Action::Tick => None,
        }
    }

    fn message_of(&self, event: EventId) -> Option<&Message> {
        self.event_of(event).message()
    }

    /// TIME for several operands of which none decides: `join` puts together what they become.
    pub(super) fn derive_time(
        &mut self,
        found: &mut Found,
        operands: &[ProcessTerm],
        join: impl Fn(&mut Self, &[ProcessTerm]) -> Result<ProcessTerm, StopReason>,
    ) -> Result<(), StopReason> {
        let mut clocks: Vec<Role> = Vec::new();
        for &operand in operands {
            for step in self.of(operand).iter() {
                if let Some(clock) = self.clock_of(step.action)
                    && !clocks.contains(&clock)
                {
                    clocks.push(clock);
                }
            }
        }
        for clock in clocks {
            let mut ways: Vec<(Term, Vec<ProcessTerm>)> = vec![(Term::TRUE, Vec::new())];
            let mut first: Option<(EventId, Option<Span>)> = None;
            let mut passes: Vec<bool> = vec![false];
            for &operand in operands {
                let (ticks, rest, event) = self.ticks(operand, clock);
                first = first.or(event);
                let mut longer = Vec::new();
                let mut passed = Vec::new();
                for ((guard, before), passes) in ways.iter().zip(&passes) {
                    self.work(1 + before.len())?;
                    for &(condition, after) in &ticks {
                        let mut all = before.clone();
                        all.push(after);
                        longer.push((self.and(*guard, condition)?, all));
                        passed.push(true);
                    }
                    if rest != Term::FALSE {
                        let mut all = before.clone();
                        all.push(operand);
                        longer.push((self.and(*guard, rest)?, all));
                        passed.push(*passes);
                    }
                }
                (ways, passes) = (longer, passed);
            }
            let Some((event, origin)) = first else {
                continue;
            };
            for ((guard, all), passes) in ways.into_iter().zip(passes) {
                if passes {
                    let after = join(self, &all)?;
                    self.add(found, guard, Action::Event(event, after), origin)?;
                }
            }
        }
        Ok(())
    }

    /// The ticks of a term on one clock: conditions and what they lead to, when there is none, and the event itself.
    #[expect(clippy::type_complexity, reason = "three answers of one look")]
    fn ticks(
        &mut self,
        term: ProcessTerm,
        clock: Role,
    ) -> (
        Vec<(Term, ProcessTerm)>,
        Term,
        Option<(EventId, Option<Span>)>,
    ) {
        let mut ticks = Vec::new();
        let mut event_of = None;
        for step in self.of(term).iter() {
            if let Action::Event(event, after) = step.action
                && self.clock_of(step.action) == Some(clock)
            {
                ticks.push((step.guard, after));
                event_of = event_of.or(Some((event, step.origin)));
            }
        }
        let any = self.terms.or(ticks.iter().map(|it| it.0));
        let rest = self.terms.complement(any);
        (ticks, rest, event_of)
    }

    /// IN, SENT, ON, RUNS and OVER.
    pub(super) fn derive_timeout(
        &mut self,
        found: &mut Found,
        (timer, left, body): (u32, u32, ProcessTerm),
    ) -> Result<(), StopReason> {
        let clock = self.store.timer(timer).clock;
        for step in self.of(body).iter() {
            let Action::Event(event, after) = step.action else {
                self.add(found, step.guard, Action::Tick, step.origin)?;
                continue;
            };
            if self.clock_of(step.action) == Some(clock) {
                continue;
            }
            let awaited = self
                .message_of(event)
                .filter(|it| it.to == clock && it.direction != Direction::Send);
            let splits = awaited.is_some_and(|it| {
                it.direction == Direction::Interaction
                    && self.store.answer(timer, it.operation).is_some()
            });
            let action = match awaited {
                None => {
                    let after = self.store.term(Form::Timeout(timer, left, after));
                    Action::Event(event, after)
                }
                Some(_) if splits => {
                    let sent = self.half(event, Direction::Send);
                    let after = self.store.term(Form::Sent(timer, left, event, after));
                    Action::Event(sent, after)
                }
                Some(_) => step.action,
            };
            self.add(found, step.guard, action, step.origin)?;
        }
        let tick = self.tick_of(clock);
        let origin = Some(self.store.timer(timer).origin);
        if left <= 1 {
            let after = self.over(timer, body)?;
            return self.add(found, Term::TRUE, Action::Event(tick, after), origin);
        }
        let (ticks, rest, _) = self.ticks(body, clock);
        let stays = (rest, body);
        let ways = ticks.into_iter().chain([stays]);
        for (guard, body) in ways.filter(|it| it.0 != Term::FALSE) {
            let after = self.store.term(Form::Timeout(timer, left - 1, body));
            let after = self.again(timer, left - 1, after);
            self.add(found, guard, Action::Event(tick, after), origin)?;
        }
        Ok(())
    }

    /// TAKEN, RUNS and OVER'.
    pub(super) fn derive_sent(
        &mut self,
        found: &mut Found,
        (timer, left, event, after): (u32, u32, EventId, ProcessTerm),
    ) -> Result<(), StopReason> {
        let clock = self.store.timer(timer).clock;
        let origin = Some(self.store.timer(timer).origin);
        let taken = self.half(event, Direction::Receive);
        let updates = self.store.event(event).1.clone();
        let taken = (self.store.event(taken).0.clone(), updates);
        let taken = self.store.event_id(&taken);
        self.add(found, Term::TRUE, Action::Event(taken, after), origin)?;
        let tick = self.tick_of(clock);
        let next = if left > 1 {
            let next = self.store.term(Form::Sent(timer, left - 1, event, after));
            self.again(timer, left - 1, next)
        } else {
            let otherwise = self.store.timer(timer).otherwise;
            let answered = self.answered(timer, event, origin);
            self.beside(otherwise, answered)?
        };
        self.add(found, Term::TRUE, Action::Event(tick, next), origin)
    }

    /// A timer that has so many ticks left, and has to send again where it is time for that.
    fn again(&mut self, timer: u32, left: u32, running: ProcessTerm) -> ProcessTerm {
        match self.store.timer(timer).again {
            Some((_, every)) if every > 0 && left.is_multiple_of(every) => {
                self.store.term(Form::Again(timer, running))
            }
            _ => running,
        }
    }

    /// AGAIN and ONCE.
    pub(super) fn derive_again(
        &mut self,
        found: &mut Found,
        timer: u32,
        running: ProcessTerm,
    ) -> Result<(), StopReason> {
        let clock = self.store.timer(timer).clock;
        let origin = Some(self.store.timer(timer).origin);
        let Some((event, _)) = self.store.timer(timer).again else {
            return Ok(());
        };
        let Some((to, is_own)) = self
            .message_of(event)
            .map(|it| (it.to, it.direction != Direction::Interaction))
        else {
            return Ok(());
        };
        let sent = self.half(event, Direction::Send);
        let after = if is_own {
            running
        } else {
            let taken = self.half(event, Direction::Receive);
            let taken = self.store.term(Form::Act(taken, origin));
            let pending = Pending {
                sender: to,
                is_own: false,
                can_send: None,
                in_transit: self.store.list(&[taken]),
                copies: 1,
            };
            self.late(pending, running)?
        };
        self.add(found, Term::TRUE, Action::Event(sent, after), origin)?;
        for step in self.of(running).iter() {
            let action = match step.action {
                Action::Event(..) if self.clock_of(step.action) == Some(clock) => continue,
                Action::Event(event, after) => {
                    let runs = match self.store.form(after) {
                        Form::Timeout(own, ..) | Form::Sent(own, ..) => own == timer,
                        _ => false,
                    };
                    let after = match runs {
                        true => self.store.term(Form::Again(timer, after)),
                        false => after,
                    };
                    Action::Event(event, after)
                }
                Action::Tick => Action::Tick,
            };
            self.add(found, step.guard, action, step.origin)?;
        }
        Ok(())
    }

    /// OVER: what follows, and what may still come for each sender.
    fn over(&mut self, timer: u32, body: ProcessTerm) -> Result<ProcessTerm, StopReason> {
        let clock = self.store.timer(timer).clock;
        let mut pending: Vec<(Role, bool, Vec<ProcessTerm>)> = Vec::new();
        for step in self.of(body).iter() {
            let Action::Event(event, _) = step.action else {
                continue;
            };
            let Some(message) = self.message_of(event) else {
                continue;
            };
            let (from, to, operation) = (message.from, message.to, message.operation);
            let is_own = message.direction == Direction::Receive;
            if to != clock
                || message.direction == Direction::Send
                || self.store.answer(timer, operation).is_none()
            {
                continue;
            }
            let mut late = self.answered(timer, event, step.origin);
            if !is_own {
                let sent = self.half(event, Direction::Send);
                let sent = self.store.term(Form::Act(sent, step.origin));
                late = self.sequence(sent, late);
            }
            let late = match step.guard {
                Term::TRUE => late,
                guard => self.store.term(Form::Guarded(guard, late)),
            };
            match pending.iter_mut().find(|it| it.0 == from) {
                Some(known) => known.2.push(late),
                None => pending.push((from, is_own, vec![late])),
            }
        }
        let mut main = self.store.timer(timer).otherwise;
        for (sender, is_own, late) in pending.into_iter().rev() {
            let can_send = match late[..] {
                [only] => Some(only),
                ref several => self.store.choice(several),
            };
            let pending = Pending {
                sender,
                is_own,
                can_send,
                in_transit: None,
                copies: 0,
            };
            main = self.late(pending, main)?;
        }
        Ok(main)
    }

    /// `m? ; L(m)`
    fn answered(&mut self, timer: u32, event: EventId, origin: Option<Span>) -> ProcessTerm {
        let operation = self.message_of(event).map(|it| it.operation);
        let answer = operation.and_then(|it| self.store.answer(timer, it));
        let taken = self.half(event, Direction::Receive);
        let taken = self.store.term(Form::Act(taken, origin));
        match answer {
            Some(answer) => self.sequence(taken, answer),
            None => taken,
        }
    }

    fn sequence(&mut self, first: ProcessTerm, second: ProcessTerm) -> ProcessTerm {
        let list = self.store.term(Form::List(second, None));
        self.store.spine(Spine::Sequence, first, list)
    }

    /// One half of an interaction, without assignments; who receives does not choose the values.
    fn half(&mut self, event: EventId, direction: Direction) -> EventId {
        let Some(mut message) = self.message_of(event).cloned() else {
            return event;
        };
        if message.direction == Direction::Interaction {
            message.direction = direction;
            if direction == Direction::Receive {
                for field in &mut message.fields {
                    if let FieldValue::Bind(variable) = field.value {
                        field.value = FieldValue::Free(self.terms.var(variable));
                    }
                }
            }
        }
        self.store.event_id(&(Event::Message(message), Vec::new()))
    }

    fn tick_of(&mut self, clock: Role) -> EventId {
        self.store.event_id(&(Event::TickOf(clock), Vec::new()))
    }

    /// `{P}s,Q B`, or `B` where nothing is open any more.
    fn late(&mut self, pending: Pending, main: ProcessTerm) -> Result<ProcessTerm, StopReason> {
        if pending.can_send.is_none() && pending.in_transit.is_none() {
            return Ok(main);
        }
        self.open(main)?;
        Ok(self.store.late(pending, main))
    }

    /// `B || A`
    fn beside(
        &mut self,
        main: ProcessTerm,
        answer: ProcessTerm,
    ) -> Result<ProcessTerm, StopReason> {
        if let Form::Skip(_) = self.store.form(answer) {
            return Ok(main);
        }
        self.open(main)?;
        Ok(self.store.term(Form::Beside(main, answer)))
    }

    /// Where too much is open at once, the graph counts as too large.
    fn open(&self, main: ProcessTerm) -> Result<(), StopReason> {
        let mut at = main;
        for _ in 0..MAX_OPEN {
            at = match self.store.form(at) {
                Form::Late(_, inner) | Form::Beside(inner, _) => inner,
                _ => return Ok(()),
            };
        }
        let bound = self.budget.used().saturating_add(self.budget.left());
        Err(StopReason::Steps(bound))
    }

    /// LATE, KNOWS, TELLS, ACTS, OTHERS and END.
    pub(super) fn derive_late(
        &mut self,
        found: &mut Found,
        number: u32,
        main: ProcessTerm,
    ) -> Result<(), StopReason> {
        let pending = *self.store.pending(number);
        let spent = Pending {
            can_send: None,
            ..pending
        };
        for step in pending
            .can_send
            .map(|it| self.of(it))
            .iter()
            .flat_map(|it| it.iter())
        {
            if let Action::Event(event, after) = step.action {
                let after = self.beside(main, after)?;
                let after = self.late(spent, after)?;
                self.add(found, step.guard, Action::Event(event, after), step.origin)?;
            }
        }
        if let Some(list) = pending.in_transit
            && let Form::List(first, rest) = self.store.form(list)
            && let Form::Act(event, origin) = self.store.form(first)
        {
            let knows = Pending {
                in_transit: rest,
                copies: pending.copies.saturating_sub(1),
                ..spent
            };
            let after = self.late(knows, main)?;
            self.add(found, Term::TRUE, Action::Event(event, after), origin)?;
        }
        for step in self.of(main).iter() {
            self.derive_beside_late(found, pending, step)?;
        }
        Ok(())
    }

    /// TELLS, ACTS, OTHERS and END for one step of `B`.
    fn derive_beside_late(
        &mut self,
        found: &mut Found,
        pending: Pending,
        step: &LoweredStep,
    ) -> Result<(), StopReason> {
        let waiting = match pending.in_transit {
            Some(list) => self.store.elements(list),
            None => Vec::new(),
        };
        let is_clear = waiting.len() == pending.copies as usize;
        let Action::Event(event, after) = step.action else {
            if waiting.is_empty() {
                self.add(found, step.guard, Action::Tick, step.origin)?;
            }
            return Ok(());
        };
        let sender = pending.sender;
        let ends = self
            .message_of(event)
            .map(|it| (it.direction, it.from == sender, it.to == sender));
        let knows = Pending {
            can_send: None,
            ..pending
        };
        let (event, pending) = match ends {
            None => (event, pending),
            Some((Direction::Receive, true, _)) if pending.is_own => (event, knows),
            Some(_) if pending.is_own => (event, pending),
            Some((Direction::Interaction, _, true)) => {
                if waiting.len() >= MAX_IN_TRANSIT {
                    return Ok(());
                }
                let sent = self.half(event, Direction::Send);
                let updates = self.store.event(event).1.clone();
                let sent = (self.store.event(sent).0.clone(), updates);
                let sent = self.store.event_id(&sent);
                let taken = self.half(event, Direction::Receive);
                let taken = self.store.term(Form::Act(taken, step.origin));
                let waiting: Vec<ProcessTerm> = waiting.into_iter().chain([taken]).collect();
                let in_transit = self.store.list(&waiting);
                (
                    sent,
                    Pending {
                        in_transit,
                        ..pending
                    },
                )
            }
            Some((Direction::Receive, _, true)) if waiting.is_empty() => (event, knows),
            Some((Direction::Interaction | Direction::Send, true, _)) if is_clear => {
                (event, pending)
            }
            Some((Direction::Receive, _, true))
            | Some((Direction::Interaction | Direction::Send, true, _)) => return Ok(()),
            Some(_) => (event, pending),
        };
        let after = self.late(pending, after)?;
        self.add(found, step.guard, Action::Event(event, after), step.origin)
    }

    /// PAR for `B || A`.
    pub(super) fn derive_beside(
        &mut self,
        found: &mut Found,
        main: ProcessTerm,
        answer: ProcessTerm,
    ) -> Result<(), StopReason> {
        let (left, right) = (self.of(main), self.of(answer));
        for (steps, is_main) in [(&left, true), (&right, false)] {
            for step in steps.iter() {
                let Action::Event(event, after) = step.action else {
                    continue;
                };
                if self.is_own_tick(step.action) {
                    continue;
                }
                let after = if is_main {
                    self.beside(after, answer)?
                } else {
                    self.beside(main, after)?
                };
                self.add(found, step.guard, Action::Event(event, after), step.origin)?;
            }
        }
        self.derive_time(found, &[main, answer], |rules, operands| match operands {
            [main, answer] => rules.beside(*main, *answer),
            _ => Ok(main),
        })?;
        let ended = |step: &&LoweredStep| step.action == Action::Tick;
        for step in left.iter().filter(ended) {
            for other in right.iter().filter(ended) {
                let guard = self.and(step.guard, other.guard)?;
                self.add(found, guard, Action::Tick, step.origin)?;
            }
        }
        Ok(())
    }
}
