//! Carries a process out by the text of the standard: statuses of links, completed scopes and counters are what they
//! are, and not variables of a graph.

use super::{Initiate, Join, Kind, Made, Node, Test};

/// What the process knows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Known {
    number: i64,
    links: Vec<Option<bool>>,
    sets: [Option<i64>; 2],
}

/// A scope that has completed, with those inside it and its variable (12.4.3).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Completed {
    pub(crate) scope: usize,
    /// The branches of parallel loops in which it did, between it and the scope around.
    pub(crate) branches: Vec<(usize, usize)>,
    left: Left,
}

/// What a scope leaves to its handlers.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Left {
    /// The scopes directly inside that have completed, in this order.
    completed: Vec<Completed>,
    /// Its variable.
    kept: i64,
}

/// What is being done.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Run {
    Done,
    /// Waits for its links.
    Waits(usize),
    Begins(usize),
    /// A message that is filled.
    Filled(usize, i64),
    /// An activity, then the links that leave it.
    Then(Box<Run>, usize),
    /// A part, and which one comes next.
    Sequence(Box<Run>, usize, usize),
    Flow(Vec<Run>),
    Scope(Box<Opened>),
    Rounds {
        of: usize,
        ended: i64,
        counted: i64,
        succeeded: bool,
        body: Box<Run>,
    },
    Branches {
        of: usize,
        runs: Vec<Run>,
        /// For each branch whether it has succeeded, and whether it was counted.
        seen: Vec<(bool, bool)>,
        counted: i64,
    },
    /// A handler, with what its scope has left to it.
    Handling(Box<Run>, Left),
    /// Compensates these, some of them now.
    Undo(Vec<Completed>, Vec<(Completed, Run)>),
    /// A fault continues.
    Raises(&'static str),
    /// What is forced to end: a fault in it goes nowhere (12.6).
    Quiet(Box<Run>),
    After(Box<Run>, Box<Run>),
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Opened {
    of: usize,
    body: Run,
    /// The handler of its event at work.
    beside: Run,
    left: Left,
    /// Whether it is the process before its first message.
    dormant: bool,
}

/// What a step means for what is around it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Effect {
    None,
    Fault(&'static str),
    Exit,
    /// A scope has completed; what it leaves behind if it can be compensated.
    Completes(usize, Option<Completed>),
    /// The handler has taken the completed scopes to compensate them.
    Takes,
}

struct Step {
    label: Option<String>,
    to: Run,
    known: Known,
    effect: Effect,
}

/// A state of the whole; `None` where nothing happens any more.
pub(crate) type Whole = Option<(Run, Known)>;

impl Made {
    pub(crate) fn begin(&self) -> Whole {
        let known = Known {
            number: 0,
            links: vec![None; self.links],
            sets: [None; 2],
        };
        Some((Run::Begins(self.nodes.len() - 1), known))
    }

    /// The steps of the whole; what is silent has no label.
    pub(crate) fn steps_of(&self, whole: &Whole) -> Vec<(Option<String>, Whole)> {
        let Some((run, known)) = whole else {
            return Vec::new();
        };
        if *run == Run::Done {
            return vec![(Some("end".to_owned()), None)];
        }
        let steps = self.steps(run, known, &Left::default()).into_iter();
        let steps = steps.map(|it| match it.effect {
            Effect::Fault(fault) => (Some(format!("raise {fault}")), None),
            Effect::Exit => (it.label, None),
            _ => (it.label, Some((it.to, it.known))),
        });
        steps.collect()
    }

    /// An activity when its turn has come.
    fn enter(&self, node: usize) -> Run {
        if self.nodes[node].targets.is_empty() {
            self.joined(node)
        } else {
            Run::Waits(node)
        }
    }

    fn joined(&self, node: usize) -> Run {
        let begins = Run::Begins(node);
        if self.nodes[node].sources.is_empty() {
            begins
        } else {
            Run::Then(begins.into(), node)
        }
    }

    /// Everything that an activity consists of, apart from handlers, which no link leaves.
    pub(crate) fn within(&self, node: usize) -> Vec<usize> {
        let mut found = vec![node];
        let parts = self.parts(node).into_iter();
        found.extend(parts.flat_map(|it| self.within(it)));
        found
    }

    /// The activities directly in one.
    pub(crate) fn parts(&self, node: usize) -> Vec<usize> {
        match &self.nodes[node].kind {
            Kind::Sequence(parts) | Kind::Flow(parts, _) => parts.clone(),
            &Kind::If(_, yes, no) => vec![yes, no],
            Kind::Scope(scope) => vec![scope.body],
            &Kind::ForEach { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// Dead paths (11.6.2): links that leave what is not carried out, and have no status, are false.
    fn dies(&self, node: usize, known: &mut Known) {
        for inner in self.within(node) {
            for &(link, _) in &self.nodes[inner].sources {
                known.links[link].get_or_insert(false);
            }
        }
    }

    fn holds(test: Test, known: &Known) -> bool {
        match test {
            Test::Always(it) => it,
            Test::IsOne => known.number == 1,
        }
    }

    /// Whether a scope leaves something to compensate.
    fn is_compensable(&self, scope: usize) -> bool {
        let Kind::Scope(it) = &self.nodes[scope].kind else {
            return false;
        };
        let inner = self.within(it.body).into_iter();
        it.compensation.is_some() || inner.into_iter().any(|it| self.is_compensable(it))
    }

    fn steps(&self, run: &Run, known: &Known, inside: &Left) -> Vec<Step> {
        let step = |to: Run| Step {
            label: None,
            to,
            known: known.clone(),
            effect: Effect::None,
        };
        let raise = |fault| Step {
            effect: Effect::Fault(fault),
            ..step(Run::Done)
        };
        match run {
            Run::Done => Vec::new(),
            &Run::Raises(fault) => vec![raise(fault)],
            &Run::Waits(node) => {
                let links = &self.nodes[node].targets;
                let links: Option<Vec<bool>> = links.iter().map(|&it| known.links[it]).collect();
                let Some(links) = links else {
                    return Vec::new();
                };
                let joins = match self.nodes[node].join {
                    Join::Some => links.contains(&true),
                    Join::All => !links.contains(&false),
                    Join::None => !links.contains(&true),
                };
                if joins {
                    vec![step(self.joined(node))]
                } else if self.suppresses {
                    let mut skipped = step(Run::Done);
                    self.dies(node, &mut skipped.known);
                    vec![skipped]
                } else {
                    vec![raise("bpel:joinFailure")]
                }
            }
            &Run::Begins(node) => self.begins(node, known, inside),
            &Run::Filled(node, number) => {
                let (Kind::Tell(operation) | Kind::TellKept(operation, _)) = self.nodes[node].kind
                else {
                    unreachable!("only messages are filled")
                };
                vec![Step {
                    label: Some(format!("w{operation}({number})")),
                    ..step(Run::Done)
                }]
            }
            Run::Then(inner, node) if **inner == Run::Done => {
                let mut left = step(Run::Done);
                for &(link, test) in &self.nodes[*node].sources {
                    left.known.links[link] = Some(Self::holds(test, known));
                }
                vec![left]
            }
            Run::Then(inner, node) => {
                let steps = self.steps(inner, known, inside);
                around(steps, |inner| Run::Then(inner.into(), *node))
            }
            Run::Sequence(inner, node, next) => {
                let Kind::Sequence(parts) = &self.nodes[*node].kind else {
                    unreachable!("a sequence has parts")
                };
                match (&**inner, parts.get(*next)) {
                    (Run::Done, None) => vec![step(Run::Done)],
                    (Run::Done, Some(&part)) => {
                        let part = self.enter(part).into();
                        vec![step(Run::Sequence(part, *node, next + 1))]
                    }
                    (inner, _) => {
                        let steps = self.steps(inner, known, inside);
                        around(steps, |inner| Run::Sequence(inner.into(), *node, *next))
                    }
                }
            }
            Run::Flow(runs) => {
                let mut steps = Vec::new();
                for (position, run) in runs.iter().enumerate() {
                    let own = self.steps(run, known, inside);
                    steps.extend(around(own, |run| {
                        let mut runs = runs.clone();
                        runs[position] = run;
                        flow(runs)
                    }));
                }
                steps
            }
            Run::Scope(scope) => self.opened(scope, known),
            Run::Rounds { .. } => self.rounds(run, known, inside),
            Run::Branches { .. } => self.branches(run, known, inside),
            Run::Handling(inner, own) => {
                if **inner == Run::Done {
                    return vec![step(Run::Done)];
                }
                let mut steps = self.steps(inner, known, own);
                for step in &mut steps {
                    let mut left = own.clone();
                    if step.effect == Effect::Takes {
                        step.effect = Effect::None;
                        left.completed.clear();
                    }
                    if !matches!(step.effect, Effect::Fault(_)) {
                        let inner = std::mem::replace(&mut step.to, Run::Done);
                        step.to = Run::Handling(inner.into(), left);
                    }
                }
                steps
            }
            Run::Undo(left, now) if left.is_empty() && now.is_empty() => vec![step(Run::Done)],
            Run::Undo(left, now) => {
                let mut steps = Vec::new();
                for (position, last) in left.iter().enumerate() {
                    let comes_first =
                        |other: &Completed, later| self.is_undone_before(other, last, later);
                    let later = left.iter().enumerate().filter(|it| it.0 != position);
                    let waits = later
                        .into_iter()
                        .any(|(at, it)| comes_first(it, at > position))
                        || now.iter().any(|it| comes_first(&it.0, true));
                    if waits {
                        continue;
                    }
                    let Kind::Scope(scope) = &self.nodes[last.scope].kind else {
                        unreachable!("only scopes complete")
                    };
                    let undo = match scope.compensation {
                        Some(handler) => {
                            Run::Handling(self.enter(handler).into(), last.left.clone())
                        }
                        None => Run::Undo(last.left.completed.clone(), Vec::new()),
                    };
                    let (mut left, mut now) = (left.clone(), now.clone());
                    left.remove(position);
                    now.push((last.clone(), undo));
                    steps.push(step(Run::Undo(left, now)));
                }
                for (position, (_, run)) in now.iter().enumerate() {
                    if *run == Run::Done {
                        let mut now = now.clone();
                        now.remove(position);
                        steps.push(step(Run::Undo(left.clone(), now)));
                        continue;
                    }
                    let own = self.steps(run, known, &Left::default());
                    steps.extend(around(own, |run| {
                        let mut now = now.clone();
                        now[position].1 = run;
                        Run::Undo(left.clone(), now)
                    }));
                }
                steps
            }
            Run::Quiet(inner) if **inner == Run::Done => vec![step(Run::Done)],
            Run::Quiet(inner) => {
                let mut steps = self.steps(inner, known, inside);
                for step in &mut steps {
                    let left = std::mem::replace(&mut step.to, Run::Done);
                    let left = match step.effect {
                        Effect::Fault(_) => {
                            step.effect = Effect::None;
                            self.ended(left)
                        }
                        _ => left,
                    };
                    step.to = Run::Quiet(left.into());
                }
                steps
            }
            Run::After(first, then) if **first == Run::Done => vec![step((**then).clone())],
            Run::After(first, then) => {
                let steps = self.steps(first, known, inside);
                around(steps, |first| Run::After(first.into(), then.clone()))
            }
        }
    }

    fn begins(&self, node: usize, known: &Known, inside: &Left) -> Vec<Step> {
        let step = |to: Run| Step {
            label: None,
            to,
            known: known.clone(),
            effect: Effect::None,
        };
        let raise = |fault| Step {
            effect: Effect::Fault(fault),
            ..step(Run::Done)
        };
        match &self.nodes[node].kind {
            Kind::Empty => vec![step(Run::Done)],
            Kind::Tell(_) => vec![step(Run::Filled(node, known.number))],
            Kind::TellKept(..) => vec![step(Run::Filled(node, inside.kept))],
            &Kind::Receive(operation, set) => self.receives(operation, set, known),
            Kind::Throw => vec![raise("f")],
            Kind::Exit => vec![Step {
                effect: Effect::Exit,
                ..step(Run::Done)
            }],
            Kind::Sequence(parts) => {
                let first = self.enter(parts[0]).into();
                vec![step(Run::Sequence(first, node, 1))]
            }
            &Kind::If(test, yes, no) => {
                let (taken, other) = if Self::holds(test, known) {
                    (yes, no)
                } else {
                    (no, yes)
                };
                let mut taken = step(self.enter(taken));
                self.dies(other, &mut taken.known);
                vec![taken]
            }
            Kind::Flow(branches, links) => {
                let runs = branches.iter().map(|&it| self.enter(it)).collect();
                let mut begun = step(Run::Flow(runs));
                for &link in links {
                    begun.known.links[link] = None;
                }
                vec![begun]
            }
            Kind::Scope(scope) => vec![step(Run::Scope(Box::new(Opened {
                of: node,
                body: self.enter(scope.body),
                beside: Run::Done,
                left: Left {
                    completed: Vec::new(),
                    kept: known.number,
                },
                dormant: node == self.nodes.len() - 1,
            })))],
            &Kind::ForEach {
                parallel,
                rounds,
                enough,
                body,
            } => {
                if enough.is_some_and(|(count, _)| count > rounds) {
                    return vec![raise("bpel:invalidBranchCondition")];
                }
                if !parallel {
                    return vec![step(Run::Rounds {
                        of: node,
                        ended: -1,
                        counted: 0,
                        succeeded: false,
                        body: Run::Done.into(),
                    })];
                }
                let all = 0..rounds;
                vec![step(Run::Branches {
                    of: node,
                    runs: all.clone().map(|_| self.enter(body)).collect(),
                    seen: all.map(|_| (false, false)).collect(),
                    counted: 0,
                })]
            }
            Kind::Compensate if self.undoes_nothing(node) => vec![step(Run::Done)],
            Kind::Compensate => vec![Step {
                effect: Effect::Takes,
                ..step(Run::Undo(inside.completed.clone(), Vec::new()))
            }],
        }
    }

    /// A message comes if its number is that of the set (9.2).
    fn receives(
        &self,
        operation: usize,
        set: Option<(usize, Initiate)>,
        known: &Known,
    ) -> Vec<Step> {
        let violation = Run::Raises("bpel:correlationViolation");
        let mut steps = Vec::new();
        let value = set.and_then(|(set, _)| known.sets[set]);
        if matches!(set, Some((_, Initiate::No))) && value.is_none() {
            return vec![Step {
                label: None,
                to: violation,
                known: known.clone(),
                effect: Effect::None,
            }];
        }
        for number in [0, 1] {
            let mut step = Step {
                label: Some(format!("r{operation}({number})")),
                to: Run::Done,
                known: known.clone(),
                effect: Effect::None,
            };
            match (set, value) {
                // The message is taken before the fault is raised.
                (Some((_, Initiate::Yes)), Some(_)) => {
                    step.to = violation.clone();
                }
                (Some((_, Initiate::No | Initiate::Join)), Some(value)) if value != number => {
                    continue;
                }
                (Some((set, _)), _) => {
                    step.known.sets[set] = Some(number);
                    step.known.number = number;
                }
                (None, _) => step.known.number = number,
            }
            steps.push(step);
        }
        steps
    }

    /// Whether nothing is left to do but to note that nothing is: what has ended takes no more events.
    fn is_over(&self, run: &Run) -> bool {
        match run {
            Run::Done => true,
            &Run::Begins(node) => self.is_nothing(node),
            Run::Sequence(inner, node, next) => {
                let Kind::Sequence(parts) = &self.nodes[*node].kind else {
                    unreachable!("a sequence has parts")
                };
                let left = parts[*next..].iter();
                self.is_over(inner) && left.into_iter().all(|&it| self.is_nothing(it))
            }
            Run::Flow(runs) => runs.iter().all(|it| self.is_over(it)),
            Run::Scope(scope) => {
                self.is_over(&scope.body)
                    && self.is_over(&scope.beside)
                    && !self.is_compensable(scope.of)
            }
            Run::Handling(inner, _) | Run::Quiet(inner) => self.is_over(inner),
            Run::After(first, then) => self.is_over(first) && self.is_over(then),
            _ => false,
        }
    }

    /// Whether an activity does nothing, and no links are about it.
    fn is_nothing(&self, node: usize) -> bool {
        let Node {
            kind,
            sources,
            targets,
            ..
        } = &self.nodes[node];
        let is_free = sources.is_empty() && targets.is_empty();
        is_free
            && match kind {
                Kind::Empty => true,
                Kind::Sequence(parts) | Kind::Flow(parts, _) => {
                    parts.iter().all(|&it| self.is_nothing(it))
                }
                Kind::Scope(scope) => self.is_nothing(scope.body) && !self.is_compensable(node),
                Kind::Compensate => self.undoes_nothing(node),
                _ => false,
            }
    }

    /// Whether no scope can ever be compensated by a `compensate`.
    fn undoes_nothing(&self, compensate: usize) -> bool {
        self.nodes.iter().all(|it| {
            let Kind::Scope(scope) = &it.kind else {
                return true;
            };
            let mut handlers = scope.catch_all.iter().chain(&scope.compensation);
            let is_own = handlers.any(|&it| self.within(it).contains(&compensate));
            !is_own
                || !self
                    .within(scope.body)
                    .into_iter()
                    .any(|it| self.is_compensable(it))
        })
    }

    fn opened(&self, scope: &Opened, known: &Known) -> Vec<Step> {
        let Kind::Scope(kind) = &self.nodes[scope.of].kind else {
            unreachable!("a scope is one")
        };
        let mut steps = Vec::new();
        let parts = [(&scope.body, true), (&scope.beside, false)];
        for (part, is_body) in parts {
            for mut step in self.steps(part, known, &Left::default()) {
                let mut after = scope.clone();
                let inner = std::mem::replace(&mut step.to, Run::Done);
                if is_body {
                    after.body = inner;
                } else {
                    after.beside = inner;
                }
                let is_message = step.label.as_ref().is_some_and(|it| it.starts_with('r'));
                after.dormant &= !is_message;
                match step.effect {
                    Effect::Fault(fault) => {
                        step.effect = Effect::None;
                        step.to = self.faulted(after, fault);
                        // What the body has left undone will not be done; one that nothing handles ends more than it.
                        let inner = self.within(kind.body).into_iter();
                        let handles = kind.catch_all.is_some()
                            || inner.into_iter().any(|it| self.is_compensable(it));
                        if handles {
                            self.dies(kind.body, &mut step.known);
                        }
                    }
                    Effect::Completes(inner, Some(left)) if is_body => {
                        after.left.completed.push(left);
                        step.effect = Effect::Completes(inner, None);
                        step.to = Run::Scope(Box::new(after));
                    }
                    _ => step.to = Run::Scope(Box::new(after)),
                }
                steps.push(step);
            }
        }
        let plain = |to| Step {
            label: None,
            to,
            known: known.clone(),
            effect: Effect::None,
        };
        if scope.body == Run::Done && scope.beside == Run::Done {
            let left = self.is_compensable(scope.of).then(|| Completed {
                scope: scope.of,
                branches: Vec::new(),
                left: scope.left.clone(),
            });
            steps.push(Step {
                effect: Effect::Completes(scope.of, left),
                ..plain(Run::Done)
            });
        }
        if let (Some((operation, handler)), false) = (kind.event, scope.dormant)
            && !self.is_over(&scope.body)
            && scope.beside == Run::Done
        {
            for number in [0, 1] {
                let mut after = scope.clone();
                after.beside = self.enter(handler);
                steps.push(Step {
                    label: Some(format!("r{operation}({number})")),
                    ..plain(Run::Scope(Box::new(after)))
                });
            }
        }
        steps
    }

    /// A fault ends everything in the scope, and then its handler runs (12.5).
    fn faulted(&self, scope: Opened, fault: &'static str) -> Run {
        let Kind::Scope(kind) = &self.nodes[scope.of].kind else {
            unreachable!("a scope is one")
        };
        let ending = flow(vec![self.ended(scope.body), self.ended(scope.beside)]);
        let handler = match kind.catch_all {
            Some(handler) => Run::Handling(self.enter(handler).into(), scope.left),
            None => {
                let undo = Run::Undo(scope.left.completed, Vec::new());
                let again = Run::After(undo.into(), Run::Raises(fault).into());
                Run::Handling(again.into(), Left::default())
            }
        };
        Run::After(ending.into(), handler.into())
    }

    /// What is to be done to end something by force (12.6).
    fn ended(&self, run: Run) -> Run {
        match run {
            Run::Then(inner, _) | Run::Sequence(inner, ..) => self.ended(*inner),
            Run::Flow(runs) | Run::Branches { runs, .. } => {
                flow(runs.into_iter().map(|it| self.ended(it)).collect())
            }
            Run::Rounds { body, .. } => self.ended(*body),
            Run::Scope(scope) => {
                let inside = flow(vec![self.ended(scope.body), self.ended(scope.beside)]);
                let Kind::Scope(kind) = &self.nodes[scope.of].kind else {
                    unreachable!("a scope is one")
                };
                let mut inner = self.within(kind.body).into_iter();
                if !inner.any(|it| self.is_compensable(it)) {
                    return inside;
                }
                let undo = Run::Undo(scope.left.completed, Vec::new());
                Run::After(inside.into(), Run::Quiet(undo.into()).into())
            }
            // A handler that has begun completes.
            Run::Quiet(_) => run,
            Run::Handling(..) | Run::After(..) => Run::Quiet(run.into()),
            _ => Run::Done,
        }
    }

    /// Rounds one after the other (11.7).
    fn rounds(&self, run: &Run, known: &Known, inside: &Left) -> Vec<Step> {
        let Run::Rounds {
            of,
            ended,
            counted,
            succeeded,
            body: now,
        } = run
        else {
            unreachable!("these are rounds")
        };
        let &Kind::ForEach {
            rounds,
            enough,
            body,
            ..
        } = &self.nodes[*of].kind
        else {
            unreachable!("only forEach has rounds")
        };
        if **now != Run::Done {
            let steps = self.steps(now, known, inside);
            let mut steps: Vec<Step> = steps;
            for step in &mut steps {
                let completes = matches!(step.effect, Effect::Completes(it, _) if it == body);
                let now = std::mem::replace(&mut step.to, Run::Done);
                step.to = Run::Rounds {
                    of: *of,
                    ended: *ended,
                    counted: *counted,
                    succeeded: *succeeded || completes,
                    body: now.into(),
                };
            }
            return steps;
        }
        let ended = ended + 1;
        let counts = ended > 0 && (*succeeded || !enough.is_some_and(|it| it.1));
        let counted = counted + i64::from(counts);
        let step = |to, effect| {
            vec![Step {
                label: None,
                to,
                known: known.clone(),
                effect,
            }]
        };
        if let Some((count, _)) = enough {
            if counted >= count {
                return step(Run::Done, Effect::None);
            }
            if counted + rounds - ended < count {
                return step(Run::Done, Effect::Fault("bpel:completionConditionFailure"));
            }
        }
        if ended >= rounds {
            return step(Run::Done, Effect::None);
        }
        let next = Run::Rounds {
            of: *of,
            ended,
            counted,
            succeeded: false,
            body: self.enter(body).into(),
        };
        step(next, Effect::None)
    }

    /// Branches side by side, until enough of them have ended (11.7).
    fn branches(&self, run: &Run, known: &Known, inside: &Left) -> Vec<Step> {
        let Run::Branches {
            of,
            runs,
            seen,
            counted,
        } = run
        else {
            unreachable!("these are branches")
        };
        let &Kind::ForEach {
            rounds,
            enough,
            body,
            ..
        } = &self.nodes[*of].kind
        else {
            unreachable!("only forEach has branches")
        };
        let mut steps = Vec::new();
        let whole = |runs: Vec<Run>, seen: Vec<(bool, bool)>, counted| Run::Branches {
            of: *of,
            runs,
            seen,
            counted,
        };
        for (position, one) in runs.iter().enumerate() {
            for mut step in self.steps(one, known, inside) {
                let (mut runs, mut seen) = (runs.clone(), seen.clone());
                seen[position].0 |= matches!(step.effect, Effect::Completes(it, _) if it == body);
                if let Effect::Completes(_, Some(completed)) = &mut step.effect {
                    completed.branches.push((*of, position));
                }
                runs[position] = std::mem::replace(&mut step.to, Run::Done);
                step.to = whole(runs, seen, *counted);
                steps.push(step);
            }
            if *one != Run::Done || seen[position].1 {
                continue;
            }
            let mut seen = seen.clone();
            seen[position].1 = true;
            let counts = seen[position].0 || !enough.is_some_and(|it| it.1);
            let counted = counted + i64::from(counts);
            let left = seen.iter().filter(|it| !it.1).count() as i64;
            let mut step = Step {
                label: None,
                to: whole(runs.clone(), seen, counted),
                known: known.clone(),
                effect: Effect::None,
            };
            match enough {
                Some((count, _)) if counted >= count => {
                    step.to = flow(runs.iter().cloned().map(|it| self.ended(it)).collect());
                }
                Some((count, _)) if counted + left < count => {
                    step.effect = Effect::Fault("bpel:completionConditionFailure");
                }
                _ if left == 0 => step.to = Run::Done,
                _ => {}
            }
            steps.push(step);
        }
        if rounds < 1 {
            steps.push(Step {
                label: None,
                to: Run::Done,
                known: known.clone(),
                effect: Effect::None,
            });
        }
        steps
    }
}

/// Steps of a part, as those of what is around it.
fn around(mut steps: Vec<Step>, whole: impl Fn(Run) -> Run) -> Vec<Step> {
    for step in &mut steps {
        let part = std::mem::replace(&mut step.to, Run::Done);
        step.to = whole(part);
    }
    steps
}

/// Side by side; what has ended is left out once all have.
fn flow(runs: Vec<Run>) -> Run {
    if runs.iter().all(|it| *it == Run::Done) {
        Run::Done
    } else {
        Run::Flow(runs)
    }
}
