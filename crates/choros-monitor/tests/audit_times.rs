//! Times and late messages against a twin with explicit clocks and queues.
//!
//! The twin carries a random program out: every role has a clock of its own, which shows milliseconds and goes as fast
//! as it likes; every timer knows when it is over; what is late is in transit.
//! What it writes into its logs is never held against anyone, and a role whose timers are too short or too long is the
//! only one that is.
//! The timers of one role never overlap here: within a tick the graph puts them in an order (`audit/timing.rs`).
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use choros_base::{Budget, SourceMap, has_errors};
use choros_data::Terms;
use choros_lang::chor::read;
use choros_model::Observed;
use choros_model::observation::{Number, Observation};
use choros_model::stg::{Direction, Stg, is_split};
use choros_monitor::audit::{
    Audit, Auditing, CrossingMessages, Empty, Hypothesis, Integers, Log, MessageMoment, Sessions,
    audit,
};
use choros_testkit::{Random, rounds, seed_from_env};

const ROLES: [&str; 3] = ["a", "b", "c"];

/// Name, sender, receiver.
type Message = (usize, usize, usize);

#[derive(Debug, Clone)]
enum Program {
    Message(Message),
    Sequence(Vec<Program>),
    Choice(Vec<Program>),
    /// Messages in any order.
    Parallel(Vec<Message>),
    Wait(i64, usize),
    Timeout(Box<Timeout>),
}

#[derive(Debug, Clone)]
struct Timeout {
    seconds: i64,
    role: usize,
    body: Program,
    otherwise: Program,
    /// What may come too late, with its answer.
    late: Option<(Message, Option<Message>)>,
}

impl Timeout {
    /// Whether this may come too late.
    fn awaits(&self, message: Message) -> bool {
        self.late.as_ref().is_some_and(|late| late.0 == message)
    }
}

struct Writer<'r> {
    random: &'r mut Random,
    messages: usize,
    /// One message may come too late.
    late_left: bool,
}

impl Writer<'_> {
    fn message(&mut self, to: Option<usize>) -> Message {
        let to = to.unwrap_or_else(|| self.random.below(3));
        let from = (to + 1 + self.random.below(2)) % 3;
        self.messages += 1;
        (self.messages, from, to)
    }

    fn block(&mut self, depth: usize) -> Program {
        let count = 1 + self.random.below(3);
        Program::Sequence((0..count).map(|_| self.statement(depth)).collect())
    }

    fn statement(&mut self, depth: usize) -> Program {
        match self.random.below(if depth == 0 { 3 } else { 8 }) {
            0 | 1 => Program::Message(self.message(None)),
            2 => {
                let wait = Program::Wait(1 + self.random.below(3) as i64, self.random.below(3));
                Program::Sequence(vec![wait, Program::Message(self.message(None))])
            }
            3 => {
                let branch = |it: &mut Self| {
                    let first = Program::Message(it.message(None));
                    Program::Sequence(vec![first, it.statement(0)])
                };
                Program::Choice(vec![branch(self), branch(self)])
            }
            4 => Program::Parallel(vec![self.message(None), self.message(None)]),
            _ => {
                let role = self.random.below(3);
                let mut body = Vec::new();
                if self.random.percent(30) {
                    body.push(Program::Message(self.message(Some((role + 1) % 3))));
                }
                let awaited = self.message(Some(role));
                body.push(Program::Message(awaited));
                let mut late = None;
                if self.late_left && self.random.percent(70) {
                    self.late_left = false;
                    self.messages += 1;
                    let answer = (self.messages, role, awaited.1);
                    late = Some((awaited, self.random.percent(50).then_some(answer)));
                }
                if self.random.percent(50) {
                    body.push(self.statement(depth - 1));
                }
                Program::Timeout(Box::new(Timeout {
                    seconds: 1 + self.random.below(3) as i64,
                    role,
                    body: Program::Sequence(body),
                    otherwise: self.block(depth - 1),
                    late,
                }))
            }
        }
    }
}

fn message_text(&(name, from, to): &Message) -> String {
    format!("{} -> {}: M{name}\n", ROLES[from], ROLES[to])
}

impl Program {
    fn text(&self) -> String {
        match self {
            Program::Message(message) => message_text(message),
            Program::Sequence(all) => all.iter().map(Program::text).collect(),
            Program::Choice(all) => {
                let all: Vec<String> = all
                    .iter()
                    .map(|it| format!("{{\n{}}}", it.text()))
                    .collect();
                format!("choice {}\n", all.join(" or "))
            }
            Program::Parallel(all) => {
                let all: Vec<String> = all
                    .iter()
                    .map(|it| format!("{{\n{}}}", message_text(it)))
                    .collect();
                format!("par {}\n", all.join(" and "))
            }
            Program::Wait(seconds, role) => format!("wait {seconds}s at {}\n", ROLES[*role]),
            Program::Timeout(it) => {
                let late = it.late.iter().map(|((name, ..), answer)| {
                    let answer: String = answer.iter().map(message_text).collect();
                    format!(" late M{name} {{\n{answer}}}")
                });
                format!(
                    "timeout {}s at {} {{\n{}}} else {{\n{}}}{}\n",
                    it.seconds,
                    ROLES[it.role],
                    it.body.text(),
                    it.otherwise.text(),
                    late.collect::<String>()
                )
            }
        }
    }
}

/// What is left of a program; timers know when they are over.
#[derive(Debug, Clone)]
enum Left {
    Done,
    Message(Message),
    Sequence(Box<Left>, Vec<Program>),
    Choice(Vec<Left>),
    Parallel(Vec<Message>),
    Wait(i64, usize),
    Timeout(i64, Box<Left>, Box<Timeout>),
    /// The awaited message was sent, and is in transit.
    Sent(i64, Box<Left>, Box<Timeout>),
}

/// What a role's timers are worth, in percent.
type Worth = [i64; 3];

struct World {
    left: Left,
    clocks: [i64; 3],
    worth: Worth,
    /// What can still be sent too late, and how its receiver answers.
    open: Option<(Message, Option<Message>)>,
    /// What was sent since to the role that can send too late.
    unread: Vec<Message>,
    /// What was sent too late, or received too late.
    late: Vec<(Message, Option<Message>)>,
    logs: [Vec<Observation<'static>>; 3],
}

/// What can happen next.
#[derive(Debug, Clone)]
enum Step {
    /// A message, and what is left then.
    Whole(Message, Left),
    Sent(Message, Left),
    Taken(Message, Left),
    /// The role that could still send something late reads what was sent to it.
    Reads,
    SendsLate,
    /// A late message is received, or answered.
    Late(usize),
}

impl World {
    fn start(&self, program: &Program) -> Left {
        match program {
            Program::Message(message) => Left::Message(*message),
            Program::Sequence(all) => self.sequence(Left::Done, all.clone()),
            Program::Choice(all) => Left::Choice(all.iter().map(|it| self.start(it)).collect()),
            Program::Parallel(all) => Left::Parallel(all.clone()),
            Program::Wait(seconds, role) => Left::Wait(self.over_at(*seconds, *role), *role),
            Program::Timeout(it) => Left::Timeout(
                self.over_at(it.seconds, it.role),
                Box::new(self.start(&it.body)),
                it.clone(),
            ),
        }
    }

    fn over_at(&self, seconds: i64, role: usize) -> i64 {
        self.clocks[role] + seconds * 10 * self.worth[role]
    }

    fn sequence(&self, first: Left, mut rest: Vec<Program>) -> Left {
        if rest.is_empty() {
            return first;
        }
        match first {
            Left::Done => {
                let next = rest.remove(0);
                let next = self.start(&next);
                self.sequence(next, rest)
            }
            first => Left::Sequence(Box::new(first), rest),
        }
    }

    /// The messages that can come next, and what is left then.
    fn steps(&self, left: &Left) -> Vec<Step> {
        match left {
            Left::Done | Left::Wait(..) => Vec::new(),
            Left::Message(message) => vec![Step::Whole(*message, Left::Done)],
            Left::Sequence(first, rest) => {
                let goes_on = |after: Left| self.sequence(after, rest.clone());
                let steps = self.steps(first).into_iter();
                steps.map(|it| it.map(goes_on)).collect()
            }
            Left::Choice(all) => all.iter().flat_map(|it| self.steps(it)).collect(),
            Left::Parallel(all) => (0..all.len())
                .map(|index| {
                    let mut rest = all.clone();
                    let message = rest.remove(index);
                    let rest = if rest.is_empty() {
                        Left::Done
                    } else {
                        Left::Parallel(rest)
                    };
                    Step::Whole(message, rest)
                })
                .collect(),
            Left::Timeout(until, body, it) => {
                let mut found = Vec::new();
                for step in self.steps(body) {
                    let Step::Whole(message, after) = step else {
                        panic!("one message can be late");
                    };
                    found.push(if it.awaits(message) {
                        Step::Sent(message, Left::Sent(*until, body.clone(), it.clone()))
                    } else if message.2 == it.role {
                        Step::Whole(message, after)
                    } else {
                        let runs = Left::Timeout(*until, Box::new(after), it.clone());
                        Step::Whole(message, runs)
                    });
                }
                found
            }
            // What follows begins now.
            Left::Sent(_, body, it) => {
                let steps = self.steps(body).into_iter();
                let taken = steps.filter_map(|step| match step {
                    Step::Whole(message, after) if it.awaits(message) => {
                        Some(Step::Taken(message, after))
                    }
                    _ => None,
                });
                taken.collect()
            }
        }
    }

    /// When the next timer of a role is over.
    fn next_end(&self, left: &Left, role: usize) -> Option<i64> {
        match left {
            Left::Wait(until, own) => (*own == role).then_some(*until),
            Left::Sequence(first, _) => self.next_end(first, role),
            Left::Timeout(until, body, it) => {
                let own = (it.role == role).then_some(*until);
                own.into_iter().chain(self.next_end(body, role)).min()
            }
            Left::Sent(until, _, it) => (it.role == role).then_some(*until),
            _ => None,
        }
    }

    /// What is left when timers are over.
    fn at(&mut self, left: Left) -> Left {
        match left {
            Left::Wait(until, role) if self.clocks[role] >= until => Left::Done,
            Left::Sequence(first, rest) => {
                let first = self.at(*first);
                self.sequence(first, rest)
            }
            Left::Timeout(until, body, it) if self.clocks[it.role] >= until => {
                let offered = |late: &(Message, Option<Message>)| {
                    let steps = self.steps(&body);
                    let mut steps = steps.iter();
                    steps.any(|step| matches!(step, Step::Whole(message, _) if *message == late.0))
                };
                self.open = it.late.filter(offered);
                self.start(&it.otherwise)
            }
            Left::Timeout(until, body, it) => {
                let body = self.at(*body);
                Left::Timeout(until, Box::new(body), it)
            }
            Left::Sent(until, _, it) if self.clocks[it.role] >= until => {
                self.late.extend(it.late);
                self.start(&it.otherwise)
            }
            other => other,
        }
    }

    fn passes(&mut self, role: usize, mut milliseconds: i64) {
        loop {
            let now = self.clocks[role];
            let end = self.next_end(&self.left, role);
            match end.filter(|&it| it <= now + milliseconds) {
                Some(end) => {
                    self.clocks[role] = end;
                    milliseconds -= end - now;
                    let left = std::mem::replace(&mut self.left, Left::Done);
                    self.left = self.at(left);
                }
                None => {
                    self.clocks[role] = now + milliseconds;
                    return;
                }
            }
        }
    }

    fn possible(&self) -> Vec<Step> {
        let knows_not = self.open.map(|it| it.0.1);
        let mut all: Vec<Step> = self.steps(&self.left);
        if let Some(unread) = self.unread.first() {
            // Who has something to read does nothing else.
            let reader = unread.2;
            all.retain(|step| match step {
                Step::Whole((_, from, to), _)
                | Step::Sent((_, from, to), _)
                | Step::Taken((_, from, to), _) => {
                    *from != reader && (*to != reader || knows_not == Some(reader))
                }
                _ => true,
            });
            all.push(Step::Reads);
        }
        if self.open.is_some() {
            all.push(Step::SendsLate);
        }
        all.extend((0..self.late.len()).map(Step::Late));
        all
    }

    fn does(&mut self, step: Step) {
        match step {
            Step::Whole(message, left) => {
                self.writes(message, Direction::Send);
                match self.open {
                    Some((late, _)) if late.1 == message.2 => self.unread.push(message),
                    _ => self.writes(message, Direction::Receive),
                }
                self.left = left;
            }
            Step::Sent(message, left) => {
                self.writes(message, Direction::Send);
                self.left = left;
            }
            Step::Taken(message, left) => {
                self.writes(message, Direction::Receive);
                self.left = left;
            }
            Step::Reads => {
                let message = self.unread.remove(0);
                self.writes(message, Direction::Receive);
                self.open = None;
            }
            Step::SendsLate => {
                if let Some((message, answer)) = self.open.take() {
                    self.writes(message, Direction::Send);
                    self.late.push((message, answer));
                }
            }
            Step::Late(index) => {
                let (message, answer) = self.late.remove(index);
                self.writes(message, Direction::Receive);
                if let Some(answer) = answer {
                    // Nothing is said of what the other may still read first.
                    if self.unread.iter().all(|it| it.2 != answer.2) {
                        self.writes(answer, Direction::Send);
                        self.writes(answer, Direction::Receive);
                    }
                }
            }
        }
    }

    fn writes(&mut self, (name, from, to): Message, direction: Direction) {
        let role = if direction == Direction::Send {
            from
        } else {
            to
        };
        let mut seen = Observation::new(format!("M{name}"), ROLES[from], ROLES[to], direction);
        seen.id = Some(name.to_string().into());
        seen.at = Some(Number::from(self.clocks[role]));
        self.logs[role].push(seen);
    }
}

impl Step {
    fn map(self, goes_on: impl FnOnce(Left) -> Left) -> Step {
        match self {
            Step::Whole(message, left) => Step::Whole(message, goes_on(left)),
            Step::Sent(message, left) => Step::Sent(message, goes_on(left)),
            Step::Taken(message, left) => Step::Taken(message, goes_on(left)),
            other => other,
        }
    }
}

/// A run of a program as logs; how many messages were received when their time was over.
fn carried_out(program: &Program, worth: Worth, random: &mut Random) -> World {
    let mut world = World {
        left: Left::Done,
        clocks: [0; 3].map(|_: i64| 1_700_000_000_000 + random.below(5_000) as i64),
        worth,
        open: None,
        unread: Vec::new(),
        late: Vec::new(),
        logs: Default::default(),
    };
    world.left = world.start(program);
    for _ in 0..random.below(40) {
        let possible = world.possible();
        if possible.is_empty() || random.percent(55) {
            let role = random.below(3);
            world.passes(role, random.below(1_500) as i64);
        } else {
            let step = random.pick(&possible).clone();
            world.does(step);
        }
    }
    world
}

fn graph(program: &Program, terms: &mut Terms) -> Option<Stg> {
    let text = format!("choreography C[a, b, c] {{\n{}}}\n", program.text());
    let mut sources = SourceMap::new();
    let file = sources.add("timed.chor", text.as_str());
    let (model, found) = read(file, &text, terms);
    if has_errors(&found) {
        return None;
    }
    let id = model.ids().next()?;
    Some(model.lower(id, terms, &Budget::steps(50_000)).ok()?.stg)
}

fn judged(stg: &Stg, world: &World, how: &Auditing, terms: &mut Terms) -> Audit {
    let logs: Vec<Log> = world
        .logs
        .iter()
        .zip(ROLES)
        .map(|(log, role)| Log {
            role: role.to_owned(),
            source: format!("{role}.jsonl"),
            hypothesis: Hypothesis::Cut,
            promises_data: false,
            observations: log.clone(),
        })
        .collect();
    let mut solver = choros_smt::find().expect("tests have a solver");
    let found = audit(stg, &logs, how, terms, &mut *solver, &Budget::unlimited());
    found.expect("the solver works")
}

fn usual(tolerance: u64) -> Auditing {
    Auditing {
        sessions: Sessions::One,
        empty: Empty::Conforms,
        integers: Integers::Declared,
        tolerance,
        limit: 20_000,
        ..Auditing::default()
    }
}

fn random_program(random: &mut Random) -> Program {
    let mut writer = Writer {
        late_left: random.percent(60),
        messages: 0,
        random,
    };
    writer.block(2)
}

#[test]
fn who_keeps_its_time_is_not_blamed() {
    let seed = seed_from_env();
    let (mut settled, mut unknown, mut timed, mut late) = (0, 0, 0, 0);
    for round in 0..rounds(400) {
        let mut random = Random::new(seed.wrapping_add(round as u64));
        let program = random_program(&mut random);
        let mut terms = Terms::new();
        let Some(stg) = graph(&program, &mut terms) else {
            continue;
        };
        let mut world = carried_out(&program, [100; 3], &mut random);
        let jitter = [0, 20][random.below(2)];
        if jitter > 0 {
            // Stamps are wrong by that much, and in order.
            for log in &mut world.logs {
                let mut last = None;
                for seen in log {
                    let wrong = Number::from(random.below(jitter) as i64);
                    let at = seen.at.take().map(|it| it.plus(&wrong));
                    seen.at = at.max(last);
                    last = seen.at.clone();
                }
            }
        }
        let open = usual(jitter as u64);
        let modes = [
            open.clone(),
            Auditing {
                reading: MessageMoment::Receptions,
                crossing: CrossingMessages::Fails,
                ..open
            },
        ];
        late += usize::from(is_split(&stg));
        for how in modes {
            let found = judged(&stg, &world, &how, &mut terms);
            let told = || {
                format!(
                    "CHOROS_SEED={seed}, round {round}, {:?}:\n{}{:#?}",
                    how.reading,
                    program.text(),
                    world.logs.each_ref().map(|log| log
                        .iter()
                        .map(|it| format!(
                            "{} {:?} {} {}",
                            it.at.as_ref().map(ToString::to_string).unwrap_or_default(),
                            it.direction,
                            it.operation,
                            it.to
                        ))
                        .collect::<Vec<_>>())
                )
            };
            assert!(
                found.blame.guilty.is_empty(),
                "{:?}\n{}",
                found.blame,
                told()
            );
            for part in &found.results {
                match &part.verdict {
                    Observed::Fails { evidence: it } => {
                        panic!("{} fails: {it:?}\n{}", part.name, told())
                    }
                    // The order in which services without common messages acted is not a matter of time.
                    Observed::Unknown(_) if part.name == "global" => {}
                    Observed::Unknown(_) => unknown += 1,
                    _ => settled += 1,
                }
            }
            let is_judged = |it: &&String| it.contains("is judged by the time stamps");
            timed += found.notes.iter().filter(is_judged).count();
        }
    }
    let told = format!(
        "{settled} settled, {unknown} unknown, {timed} times judged, {late} with late messages"
    );
    assert!(timed > 200 && late > 50, "{told}");
    assert!(unknown * 100 < settled, "{told}");
}

/// A role that begins by sending, and then measures time before it sends again, or stops to; and in which time.
struct Measured {
    program: Program,
    role: usize,
    begins: usize,
    /// What comes too early before the limit.
    not_before: usize,
    /// What comes too late after it.
    not_after: Option<usize>,
    /// Before the limit this is in time, so that what is sent afterwards must not be.
    awaited: usize,
    limit: i64,
}

fn measured(random: &mut Random) -> Measured {
    let mut writer = Writer {
        late_left: false,
        messages: 0,
        random,
    };
    let role = writer.random.below(3);
    let seconds = 1 + writer.random.below(3) as i64;
    let begins = writer.message(Some((role + 1) % 3));
    let begins = (begins.0, role, begins.2);
    let mut own = || {
        let (name, _, to) = writer.message(Some((role + 2) % 3));
        (name, role, to)
    };
    let (early, late) = (own(), own());
    let awaited = writer.message(Some(role));
    let timeout = |body: Vec<Message>, late: bool| {
        let body = body.into_iter().map(Program::Message).collect();
        Program::Timeout(Box::new(Timeout {
            seconds,
            role,
            body: Program::Sequence(body),
            otherwise: Program::Message(early),
            late: late.then_some((awaited, None)),
        }))
    };
    let (then, not_after) = match writer.random.below(6) {
        0 => (
            vec![Program::Wait(seconds, role), Program::Message(early)],
            None,
        ),
        1 => (vec![timeout(vec![awaited], false)], None),
        2 => (vec![timeout(vec![awaited], true)], None),
        _ => (vec![timeout(vec![late, awaited], false)], Some(late.0)),
    };
    let before = Program::Message(writer.message(None));
    let mut all = vec![before, Program::Message(begins)];
    all.extend(then);
    Measured {
        program: Program::Sequence(all),
        role,
        begins: begins.0,
        not_before: early.0,
        not_after,
        awaited: awaited.0,
        limit: seconds * 1_000,
    }
}

#[test]
fn who_does_not_keep_its_time_is_found() {
    const TOLERANCE: i64 = 50;
    let seed = seed_from_env();
    let (mut early, mut late, mut kept) = (0, 0, 0);
    for round in 0..rounds(1_000) {
        let mut random = Random::new(seed.wrapping_add(round as u64));
        let Measured {
            program,
            role,
            begins,
            not_before,
            not_after,
            awaited,
            limit,
        } = measured(&mut random);
        let mut terms = Terms::new();
        let Some(stg) = graph(&program, &mut terms) else {
            continue;
        };
        let mut worth = [100; 3];
        worth[role] = [40, 100, 250, 250][random.below(4)];
        let world = carried_out(&program, worth, &mut random);
        // Each message is in the log of a role once.
        let seen_at = |name: usize| {
            let mut log = world.logs[role].iter();
            let seen = log.find(|it| it.operation == format!("M{name}"))?;
            seen.at.as_ref()?.to_i64()
        };
        let passed = |name: usize| Some(seen_at(name)? - seen_at(begins)?);
        let is_short = |it: i64| it < limit - TOLERANCE;
        let is_early = passed(not_before)
            .is_some_and(|it| is_short(it) || passed(awaited).is_some_and(is_short));
        let is_late = not_after
            .and_then(passed)
            .is_some_and(|it| it > limit + TOLERANCE);
        let found = judged(&stg, &world, &usual(TOLERANCE as u64), &mut terms);
        let guilty: Vec<&str> = found
            .blame
            .guilty
            .iter()
            .map(|it| it.role.as_str())
            .collect();
        let expected = if is_early || is_late {
            vec![ROLES[role]]
        } else {
            Vec::new()
        };
        assert_eq!(
            guilty,
            expected,
            "CHOROS_SEED={seed}, round {round}:\n{}{:?}",
            program.text(),
            world.logs
        );
        early += usize::from(is_early);
        late += usize::from(is_late);
        kept += usize::from(seen_at(not_before).is_some() && !is_early);
    }
    assert!(
        early > 20 && late > 5 && kept > 20,
        "{early} early, {late} late, {kept} in time"
    );
}
