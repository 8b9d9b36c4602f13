//! Time against naive twins: a program in which every timer knows the moment on its role's clock when it is over, and
//! roles that are put together over explicit queues.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use choros_base::{Budget, SourceMap, has_errors};
use choros_data::Terms;
use choros_lang::chor::read;
use choros_model::Verdict;
use choros_model::stg::{Direction, Event, NodeId, Role, Stg};
use choros_realize::{
    Closing, Criterion, Effort, Memory, Mode, ProjectionAnswer, Question, projections,
    realizability,
};
use choros_smt::LazySolver;
use choros_testkit::{Random, rounds, seed_from_env};

const ROLES: [&str; 3] = ["a", "b", "c"];

/// A program without data.
#[derive(Debug, Clone)]
enum Program {
    Message(usize, usize, usize),
    Sequence(Vec<Program>),
    Choice(Vec<Program>),
    Parallel(Vec<Program>),
    Wait(u32, usize),
    Timeout {
        limit: u32,
        role: usize,
        body: Box<Program>,
        otherwise: Box<Program>,
        late: Vec<usize>,
    },
}

struct Writer<'r> {
    random: &'r mut Random,
    messages: usize,
    has_late: bool,
}

impl Writer<'_> {
    fn message(&mut self, to: Option<usize>) -> Program {
        let to = to.unwrap_or_else(|| self.random.below(3));
        let from = (to + 1 + self.random.below(2)) % 3;
        self.messages += 1;
        Program::Message(self.messages, from, to)
    }

    fn block(&mut self, depth: usize) -> Program {
        let count = 1 + self.random.below(2);
        let mut all = vec![self.statement(depth)];
        for _ in 1..count {
            all.push(self.statement(depth));
        }
        Program::Sequence(all)
    }

    fn statement(&mut self, depth: usize) -> Program {
        match self.random.below(if depth == 0 { 2 } else { 7 }) {
            0 => self.message(None),
            1 => {
                let wait = Program::Wait(1 + self.random.below(2) as u32, self.random.below(3));
                Program::Sequence(vec![wait, self.message(None)])
            }
            2 => Program::Choice(vec![self.block(depth - 1), self.block(depth - 1)]),
            3 => Program::Parallel(vec![self.block(depth - 1), self.block(depth - 1)]),
            _ => {
                let role = self.random.below(3);
                let mut body = Vec::new();
                if self.random.below(3) == 0 {
                    body.push(self.message(Some((role + 1) % 3)));
                }
                body.push(self.message(Some(role)));
                let late = match (self.has_late, body.last()) {
                    (true, Some(Program::Message(name, ..))) => vec![*name],
                    _ => Vec::new(),
                };
                if self.random.below(2) == 0 {
                    body.push(self.statement(depth - 1));
                }
                Program::Timeout {
                    limit: 1 + self.random.below(2) as u32,
                    role,
                    body: Box::new(Program::Sequence(body)),
                    otherwise: Box::new(self.block(depth - 1)),
                    late,
                }
            }
        }
    }
}

impl Program {
    fn text(&self) -> String {
        match self {
            Program::Message(name, from, to) => {
                format!("{} -> {}: M{name}\n", ROLES[*from], ROLES[*to])
            }
            Program::Sequence(all) => all.iter().map(Program::text).collect(),
            Program::Choice(all) => blocks("choice", all, "or"),
            Program::Parallel(all) => blocks("par", all, "and"),
            Program::Wait(limit, role) => format!("wait {limit} at {}\n", ROLES[*role]),
            Program::Timeout {
                limit,
                role,
                body,
                otherwise,
                late,
            } => {
                let late: String = late.iter().map(|it| format!(" late M{it} {{}}")).collect();
                format!(
                    "timeout {limit} at {} {{\n{}}} else {{\n{}}}{late}\n",
                    ROLES[*role],
                    body.text(),
                    otherwise.text()
                )
            }
        }
    }
}

fn blocks(word: &str, all: &[Program], between: &str) -> String {
    let texts: Vec<String> = all
        .iter()
        .map(|it| format!("{{\n{}}}", it.text()))
        .collect();
    format!("{word} {}\n", texts.join(&format!(" {between} ")))
}

/// What is left of a program; timers know when they are over.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Left {
    Done,
    Message(usize, usize, usize),
    Sequence(Box<Left>, Vec<Program2>),
    Choice(Vec<Left>),
    Parallel(Vec<Left>),
    Wait(u32, usize),
    Timeout(u32, usize, Box<Left>, Program2),
}

/// A program by its text, so that it can be compared.
#[derive(Debug, Clone)]
struct Program2(Program);

impl PartialEq for Program2 {
    fn eq(&self, other: &Self) -> bool {
        self.0.text() == other.0.text()
    }
}
impl Eq for Program2 {}
impl PartialOrd for Program2 {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Program2 {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.text().cmp(&other.0.text())
    }
}

type Clocks = [u32; 3];

fn start(program: &Program, now: &Clocks) -> Left {
    match program {
        Program::Message(name, from, to) => Left::Message(*name, *from, *to),
        Program::Sequence(all) => {
            sequence(Left::Done, all.iter().cloned().map(Program2).collect(), now)
        }
        Program::Choice(all) => Left::Choice(all.iter().map(|it| start(it, now)).collect()),
        Program::Parallel(all) => Left::Parallel(all.iter().map(|it| start(it, now)).collect()),
        Program::Wait(limit, role) => Left::Wait(now[*role] + limit, *role),
        Program::Timeout {
            limit,
            role,
            body,
            otherwise,
            ..
        } => Left::Timeout(
            now[*role] + limit,
            *role,
            Box::new(start(body, now)),
            Program2((**otherwise).clone()),
        ),
    }
}

fn sequence(first: Left, rest: Vec<Program2>, now: &Clocks) -> Left {
    match (first, rest.split_first()) {
        (first, None) => first,
        (Left::Done, Some((next, rest))) => sequence(start(&next.0, now), rest.to_vec(), now),
        (first, Some(_)) => Left::Sequence(Box::new(first), rest),
    }
}

fn ended(left: &Left) -> bool {
    match left {
        Left::Done => true,
        Left::Parallel(all) => all.iter().all(ended),
        _ => false,
    }
}

/// The messages that can come next, and what is left then.
fn messages(left: &Left, now: &Clocks) -> Vec<((usize, usize, usize), Left)> {
    match left {
        Left::Done | Left::Wait(..) => Vec::new(),
        Left::Message(name, from, to) => vec![((*name, *from, *to), Left::Done)],
        Left::Sequence(first, rest) => messages(first, now)
            .into_iter()
            .map(|(it, after)| {
                let after = if ended(&after) { Left::Done } else { after };
                (it, sequence(after, rest.clone(), now))
            })
            .collect(),
        Left::Choice(all) => all.iter().flat_map(|it| messages(it, now)).collect(),
        Left::Parallel(all) => {
            let mut found = Vec::new();
            for (position, one) in all.iter().enumerate() {
                for (it, after) in messages(one, now) {
                    let mut all = all.clone();
                    all[position] = after;
                    found.push((it, Left::Parallel(all)));
                }
            }
            found
        }
        Left::Timeout(until, role, body, otherwise) => messages(body, now)
            .into_iter()
            .map(|(it, after)| {
                let stops = it.2 == *role;
                let runs =
                    || Left::Timeout(*until, *role, Box::new(after.clone()), otherwise.clone());
                (it, if stops { after.clone() } else { runs() })
            })
            .collect(),
    }
}

fn measures(left: &Left, role: usize) -> bool {
    match left {
        Left::Done | Left::Message(..) => false,
        Left::Wait(_, own) => *own == role,
        Left::Sequence(first, _) => measures(first, role),
        Left::Choice(all) | Left::Parallel(all) => all.iter().any(|it| measures(it, role)),
        Left::Timeout(_, own, body, _) => *own == role || measures(body, role),
    }
}

/// What is left when the clocks show this.
fn at(left: &Left, now: &Clocks) -> Left {
    match left {
        Left::Done | Left::Message(..) => left.clone(),
        Left::Wait(until, role) if now[*role] >= *until => Left::Done,
        Left::Wait(..) => left.clone(),
        Left::Sequence(first, rest) => {
            let first = at(first, now);
            let first = if ended(&first) { Left::Done } else { first };
            sequence(first, rest.clone(), now)
        }
        Left::Choice(all) => Left::Choice(all.iter().map(|it| at(it, now)).collect()),
        Left::Parallel(all) => Left::Parallel(all.iter().map(|it| at(it, now)).collect()),
        Left::Timeout(until, role, _, otherwise) if now[*role] >= *until => {
            start(&otherwise.0, now)
        }
        Left::Timeout(until, role, body, otherwise) => {
            Left::Timeout(*until, *role, Box::new(at(body, now)), otherwise.clone())
        }
    }
}

struct Built {
    terms: Terms,
    stg: Stg,
    services: Vec<Role>,
}

/// The graph of a program; `None` where the language refuses it.
fn built(program: &Program, services: &str) -> Option<Built> {
    built_of(&program.text(), services)
}

fn built_of(body: &str, services: &str) -> Option<Built> {
    let text = format!("choreography C[{services}] {{\n{body}}}\n");
    let mut sources = SourceMap::new();
    let file = sources.add("timed.chor", text.as_str());
    let mut terms = Terms::new();
    let (model, found) = read(file, &text, &mut terms);
    if has_errors(&found) {
        return None;
    }
    let id = model.ids().next()?;
    let services: Vec<String> = model.services(id, &terms).map(str::to_owned).collect();
    let services = services.iter().map(|it| Role(terms.names.intern(it)));
    let services = services.collect();
    let stg = model
        .lower(id, &mut terms, &Budget::steps(20_000))
        .ok()?
        .stg;
    Some(Built {
        terms,
        stg,
        services,
    })
}

/// What happens at an edge, as the twin says it.
fn word(event: &Event, terms: &Terms) -> String {
    match event {
        Event::TickOf(role) => format!("tick {}", terms.names.text(role.0)),
        Event::Message(message) => terms.names.text(message.operation.0).to_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn graphs_have_the_runs_of_explicit_clocks() {
    let seed = seed_from_env();
    let mut compared = 0;
    for round in 0..rounds(400) {
        let mut random = Random::new(seed.wrapping_add(round as u64));
        let mut writer = Writer {
            random: &mut random,
            messages: 0,
            has_late: false,
        };
        let program = writer.block(2);
        let Some(Built { terms, stg, .. }) = built(&program, "a, b, c") else {
            continue;
        };
        let told = format!("CHOROS_SEED={seed}, round {round}:\n{}", program.text());
        type Naive = BTreeSet<(Left, Clocks)>;
        let first: (BTreeSet<u32>, Naive) = (
            BTreeSet::from([stg.initial().0]),
            BTreeSet::from([(start(&program, &[0; 3]), [0; 3])]),
        );
        let mut work = VecDeque::from([(first, Vec::<String>::new())]);
        let mut looked = 0;
        while let Some(((nodes, naive), run)) = work.pop_front() {
            looked += 1;
            if looked > 400 {
                break;
            }
            let mut ours: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
            for &node in &nodes {
                for (_, edge) in stg.outgoing(NodeId(node)) {
                    let after = ours.entry(word(&edge.event, &terms)).or_default();
                    after.insert(edge.target.0);
                }
            }
            let mut theirs: BTreeMap<String, Naive> = BTreeMap::new();
            for (left, now) in &naive {
                for ((name, ..), after) in messages(left, now) {
                    let next = theirs.entry(format!("M{name}")).or_default();
                    next.insert((after, *now));
                }
                for (role, text) in ROLES.iter().enumerate() {
                    if measures(left, role) {
                        let mut later = *now;
                        later[role] += 1;
                        let next = theirs.entry(format!("tick {text}")).or_default();
                        next.insert((at(left, &later), later));
                    }
                }
            }
            let words: Vec<&String> = ours.keys().collect();
            assert_eq!(
                words,
                theirs.keys().collect::<Vec<_>>(),
                "{told}\nafter {run:?}"
            );
            let ends = nodes
                .iter()
                .any(|&it| !stg.node(NodeId(it)).terminations.is_empty());
            let theirs_end = naive.iter().any(|it| ended(&it.0));
            // The end is a step of its own, so a graph may end where the twin has ended.
            assert_eq!(ends, theirs_end, "{told}\nthe end after {run:?}");
            if run.len() < 8 {
                for (word, after) in ours {
                    let twin = theirs.remove(&word).unwrap_or_default();
                    let mut longer = run.clone();
                    longer.push(word);
                    work.push_back(((after, twin), longer));
                }
            }
        }
        compared += 1;
    }
    assert!(compared > 100, "only {compared} were compared");
}

/// Where a graph may be after a step, seen by everyone.
fn after(stg: &Stg, nodes: &BTreeSet<u32>, step: &str, terms: &Terms) -> BTreeSet<u32> {
    let mut reached = BTreeSet::new();
    for &node in nodes {
        let steps = stg.outgoing(NodeId(node));
        let fitting = steps.filter(|(_, edge)| word(&edge.event, terms) == step);
        reached.extend(fitting.map(|(_, edge)| edge.target.0));
    }
    reached
}

#[test]
fn what_is_left_is_the_same_at_any_rate() {
    let seed = seed_from_env();
    let (mut ticks, mut compared) = (0, 0);
    for round in 0..rounds(400) {
        let mut random = Random::new(seed.wrapping_add(round as u64));
        let mut writer = Writer {
            random: &mut random,
            messages: 0,
            has_late: false,
        };
        let program = writer.block(2);
        let Some(Built { terms, stg, .. }) = built(&program, "a, b, c") else {
            continue;
        };
        compared += 1;
        // Clocks in thousandths of a tick, each with a rate of its own that changes.
        let mut clocks = [0; 3].map(|_: u32| random.below(1_000) as u32);
        let mut now = clocks.map(|it| it / 1_000);
        let mut left = start(&program, &now);
        let mut nodes = BTreeSet::from([stg.initial().0]);
        let mut run = Vec::new();
        for _ in 0..30 {
            let possible = messages(&left, &now);
            if !possible.is_empty() && random.percent(30) {
                let ((name, ..), next) = random.pick(&possible).clone();
                left = next;
                run.push(format!("M{name}"));
                nodes = after(&stg, &nodes, &format!("M{name}"), &terms);
            }
            for role in 0..3 {
                clocks[role] += random.below(900) as u32;
                while now[role] < clocks[role] / 1_000 {
                    now[role] += 1;
                    if measures(&left, role) {
                        let tick = format!("tick {}", ROLES[role]);
                        nodes = after(&stg, &nodes, &tick, &terms);
                        run.push(tick);
                        ticks += 1;
                    }
                    left = at(&left, &now);
                }
            }
            assert!(
                !nodes.is_empty(),
                "CHOROS_SEED={seed}, round {round}:\n{}after {run:?}",
                program.text()
            );
        }
    }
    assert!(
        compared > 100 && ticks > 200,
        "{compared} compared, {ticks} ticks"
    );
}

#[test]
fn time_never_stops() {
    let seed = seed_from_env();
    let (mut timed, mut compared) = (0, 0);
    for round in 0..rounds(200) {
        let mut random = Random::new(seed.wrapping_add(round as u64));
        let copies = random.percent(50);
        let mut writer = Writer {
            random: &mut random,
            messages: 0,
            has_late: true,
        };
        let mut text = writer.block(2).text();
        if copies {
            let limit = 1 + writer.random.below(2);
            let retry = format!(
                "retry 2 times every {limit} {{\nb -> c: Q(id: Int) once by id\nc -> b: A(id)\n}} late A {{}}\n"
            );
            text = match writer.random.below(3) {
                0 => format!("{retry}{text}"),
                1 => format!("par {{\n{text}}} and {{\n{retry}}}\n"),
                _ => format!("{text}{retry}"),
            };
        }
        let Some(Built { mut terms, stg, .. }) = built_of(&text, "a, b, c") else {
            continue;
        };
        compared += 1;
        timed += usize::from(choros_realize::is_timed(&stg));
        let told = format!("CHOROS_SEED={seed}, round {round}:\n{text}");
        let goes_on = |stg: &Stg, node: NodeId| {
            let mut steps = stg.outgoing(node);
            steps.any(|_| true) || !stg.node(node).terminations.is_empty()
        };
        for node in stg.node_ids() {
            assert!(goes_on(&stg, node), "{told}stuck in {}", node.0);
        }
        let mut solver = LazySolver::without_any();
        let mode = (Mode::Sender, Memory::Natural);
        let budget = Budget::unlimited();
        let roles = projections(&stg, mode, None, 4_000, &mut terms, &mut solver, &budget);
        let Ok(ProjectionAnswer::Roles(roles)) = roles else {
            continue;
        };
        for role in roles {
            for node in role.stg.node_ids() {
                assert!(
                    goes_on(&role.stg, node),
                    "{told}a role is stuck in {}",
                    node.0
                );
            }
        }
    }
    assert!(
        compared > 50 && timed > 30,
        "{compared} compared, {timed} with timers"
    );
}

/// A run of the roles over explicit queues that shows messages in an order which the choreography does not have.
fn excess(stg: &Stg, roles: &[(Role, Stg)], terms: &Terms) -> Option<Vec<String>> {
    type Queues = BTreeMap<(String, String), Vec<String>>;
    type State = (Vec<u32>, Queues, BTreeSet<u32>);
    let closed = |nodes: BTreeSet<u32>| {
        let mut all: Vec<u32> = nodes.into_iter().collect();
        let mut next = 0;
        while next < all.len() {
            for (_, edge) in stg.outgoing(NodeId(all[next])) {
                let silent = match &edge.event {
                    Event::Message(message) => message.direction == Direction::Receive,
                    _ => true,
                };
                if silent && !all.contains(&edge.target.0) {
                    all.push(edge.target.0);
                }
            }
            next += 1;
        }
        BTreeSet::from_iter(all)
    };
    let first: State = (
        roles.iter().map(|it| it.1.initial().0).collect(),
        Queues::new(),
        closed(BTreeSet::from([stg.initial().0])),
    );
    let mut seen = BTreeSet::from([first.clone()]);
    let mut work = VecDeque::from([(first, Vec::<String>::new())]);
    while let Some(((places, queues, allowed), run)) = work.pop_front() {
        if seen.len() > 20_000 {
            return None;
        }
        for (index, (_, role)) in roles.iter().enumerate() {
            for (_, edge) in role.outgoing(NodeId(places[index])) {
                let (mut places, mut queues, mut allowed) =
                    (places.clone(), queues.clone(), allowed.clone());
                places[index] = edge.target.0;
                let mut longer = run.clone();
                longer.push(edge.event.text(terms));
                if let Event::Message(message) = &edge.event {
                    let text = |role: Role| terms.names.text(role.0).to_owned();
                    let channel = (text(message.from), text(message.to));
                    let name = word(&edge.event, terms);
                    let queue = queues.entry(channel.clone()).or_default();
                    if message.direction == Direction::Receive {
                        if queue.first() != Some(&name) {
                            continue;
                        }
                        queue.remove(0);
                        if queue.is_empty() {
                            queues.remove(&channel);
                        }
                    } else {
                        if queue.len() >= 3 {
                            continue;
                        }
                        queue.push(name.clone());
                        let mut after = BTreeSet::new();
                        for &node in &allowed {
                            for (_, step) in stg.outgoing(NodeId(node)) {
                                let shown = step
                                    .event
                                    .message()
                                    .is_some_and(|it| it.direction != Direction::Receive);
                                if shown && word(&step.event, terms) == name {
                                    after.insert(step.target.0);
                                }
                            }
                        }
                        if after.is_empty() {
                            return Some(longer);
                        }
                        allowed = closed(after);
                    }
                }
                let state = (places, queues, allowed);
                if seen.insert(state.clone()) {
                    work.push_back((state, longer));
                }
            }
        }
    }
    None
}

#[test]
fn what_holds_has_no_run_of_its_own_over_explicit_queues() {
    let seed = seed_from_env();
    let (mut holds, mut fails, mut unknown) = (0, 0, 0);
    for round in 0..rounds(300) {
        let mut random = Random::new(seed.wrapping_add(round as u64));
        let mut writer = Writer {
            random: &mut random,
            messages: 0,
            has_late: true,
        };
        let program = writer.block(1);
        let all = "service a, service b, service c";
        let Some(Built {
            mut terms,
            stg,
            services,
        }) = built(&program, all)
        else {
            continue;
        };
        let asked = Question {
            mode: Mode::Sender,
            criterion: Criterion::Semantic,
            repair: false,
            closing: Closing::Alone { services },
            effort: Effort {
                bound: 3,
                states: 20_000,
            },
        };
        let mut solver = LazySolver::without_any();
        let budget = Budget::unlimited();
        let Ok(found) = realizability(&stg, &asked, &mut terms, &mut solver, &budget) else {
            continue;
        };
        let mode = (Mode::Sender, Memory::Natural);
        let roles = projections(&stg, mode, None, 10_000, &mut terms, &mut solver, &budget);
        let Ok(ProjectionAnswer::Roles(roles)) = roles else {
            continue;
        };
        let roles: Vec<(Role, Stg)> = roles.into_iter().map(|it| (it.role, it.stg)).collect();
        let told = format!("CHOROS_SEED={seed}, round {round}:\n{}", program.text());
        match found.semantic.verdict {
            Verdict::Holds(_) | Verdict::HoldsIf(..) => {
                holds += 1;
                let run = excess(&stg, &roles, &terms);
                assert_eq!(run, None, "{told}\nholds, but the twin has this run");
            }
            Verdict::Fails(_) => fails += 1,
            Verdict::Unknown(_) => unknown += 1,
        }
    }
    let told = format!("{holds} hold, {fails} fail, {unknown} unknown");
    assert!(holds > 20 && fails > 20, "{told}");
    // A check that says nothing would pass what is above.
    assert!(unknown * 4 < holds + fails, "{told}");
}
