//! Realizability from its definitions, for graphs without data: explicit, slow, and written without the engine.
//!
//! Projection is the subset construction, composition lists all configurations, conformance is the coarsest partition
//! by branching signatures, and what is left behind is found by walking.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Operation, sender, receiver.
pub(crate) type Label = (usize, usize, usize);

/// A choreography.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Graph {
    pub(crate) roles: usize,
    /// For each node, whether it may end.
    pub(crate) ends: Vec<bool>,
    /// Source, message, target, and whether an observer does not see it.
    pub(crate) edges: Vec<(usize, Label, usize, bool)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Synchronous,
    Sender,
    Receiver,
    Disjoint,
}

/// When everything has ended.
#[derive(Debug, Clone)]
pub(crate) enum Closing {
    Together,
    Alone(Vec<usize>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Holds,
    Fails,
    /// A queue was full.
    Cut,
}

/// A role: for each state whether it may stay there, and its steps: sends, message, target.
struct Local {
    stays: Vec<bool>,
    steps: Vec<Vec<(bool, Label, usize)>>,
}

/// Messages that a queue may hold.
pub(crate) const BOUND: usize = 4;

/// Whether the projections of `model` do what `choreography` says.
pub(crate) fn realizable(
    choreography: &Graph,
    model: &Graph,
    mode: Mode,
    closing: &Closing,
) -> Answer {
    let locals: Vec<Local> = (0..model.roles)
        .map(|role| project(model, role, closing))
        .collect();
    let hidden: BTreeSet<Label> = model
        .edges
        .iter()
        .filter(|it| it.3)
        .map(|it| it.1)
        .collect();
    let Some(system) = compose(&locals, mode, Full::Ends) else {
        return Answer::Cut;
    };
    if mode == Mode::Disjoint && system.configurations.iter().any(|it| in_flight(it) > 1) {
        return Answer::Fails;
    }
    let sees = |label: &Label| !hidden.contains(label);
    let conforms = branching(&system, choreography, mode, &sees);
    let lively = !silent_for_ever(&system, mode, &sees);
    if conforms && lively && nothing_stranded(&system, &locals, mode) {
        Answer::Holds
    } else {
        Answer::Fails
    }
}

/// Whether nothing is wrong with short runs, if queues are full: what is seen first, second and third is what the
/// choreography has.
pub(crate) fn may_be_realizable(graph: &Graph, mode: Mode, closing: &Closing) -> bool {
    let locals: Vec<Local> = (0..graph.roles)
        .map(|role| project(graph, role, closing))
        .collect();
    let Some(system) = compose(&locals, mode, Full::Refuses) else {
        return false;
    };
    let sees = |_: &Label| true;
    let silent = |from: BTreeSet<usize>| {
        let mut all = from;
        let mut work: Vec<usize> = all.iter().copied().collect();
        while let Some(at) = work.pop() {
            for &(act, label, target) in &system.steps[at] {
                if seen(act, label, mode, &sees).is_none() && all.insert(target) {
                    work.push(target);
                }
            }
        }
        all
    };
    // Sets of configurations and of nodes after the same visible steps.
    let mut work = vec![(silent(BTreeSet::from([0])), BTreeSet::from([0]), 0)];
    while let Some((here, nodes, depth)) = work.pop() {
        if depth == BOUND - 1 {
            continue;
        }
        let mut ours: BTreeMap<Label, BTreeSet<usize>> = BTreeMap::new();
        for &at in &here {
            for &(act, label, target) in &system.steps[at] {
                if let Some(label) = seen(act, label, mode, &sees) {
                    ours.entry(label).or_default().insert(target);
                }
            }
        }
        let mut theirs: BTreeMap<Label, BTreeSet<usize>> = BTreeMap::new();
        for &(from, label, to, _) in &graph.edges {
            if nodes.contains(&from) {
                theirs.entry(label).or_default().insert(to);
            }
        }
        if ours.keys().ne(theirs.keys()) {
            return false;
        }
        if here.iter().any(|&it| system.ends[it]) != nodes.iter().any(|&it| graph.ends[it]) {
            return false;
        }
        for (label, after) in ours {
            let nodes = theirs.remove(&label).unwrap_or_default();
            work.push((silent(after), nodes, depth + 1));
        }
    }
    true
}

fn project(graph: &Graph, role: usize, closing: &Closing) -> Local {
    let close = |start: BTreeSet<usize>| {
        let mut set = start;
        let mut work: Vec<usize> = set.iter().copied().collect();
        while let Some(node) = work.pop() {
            for &(from, (_, sender, receiver), to, _) in &graph.edges {
                if from == node && sender != role && receiver != role && set.insert(to) {
                    work.push(to);
                }
            }
        }
        set
    };
    let mut states = vec![close(BTreeSet::from([0]))];
    let mut local = Local {
        stays: Vec::new(),
        steps: Vec::new(),
    };
    let mut next = 0;
    while next < states.len() {
        let here = states[next].clone();
        next += 1;
        let mut targets: BTreeMap<(bool, Label), BTreeSet<usize>> = BTreeMap::new();
        for &(from, label, to, _) in &graph.edges {
            if here.contains(&from) && (label.1 == role || label.2 == role) {
                targets
                    .entry((label.1 == role, label))
                    .or_default()
                    .insert(to);
            }
        }
        let receives = targets.keys().any(|it| !it.0);
        let may = here.iter().any(|&node| graph.ends[node]);
        local.stays.push(
            may && match closing {
                Closing::Together => true,
                Closing::Alone(services) if services.contains(&role) => true,
                Closing::Alone(_) => !receives,
            },
        );
        let mut steps = Vec::new();
        for ((sends, label), set) in targets {
            let set = close(set);
            let position = states.iter().position(|it| *it == set);
            let target = position.unwrap_or_else(|| {
                states.push(set);
                states.len() - 1
            });
            steps.push((sends, label, target));
        }
        local.steps.push(steps);
    }
    local
}

type Configuration = (Vec<usize>, BTreeMap<(usize, usize), Vec<usize>>);

fn in_flight(configuration: &Configuration) -> usize {
    configuration.1.values().map(Vec::len).sum()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Both,
    Send,
    Take,
}

struct System {
    configurations: Vec<Configuration>,
    ends: Vec<bool>,
    steps: Vec<Vec<(Act, Label, usize)>>,
}

/// What a full queue does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Full {
    /// There is no answer then.
    Ends,
    /// The message is not sent.
    Refuses,
}

fn compose(locals: &[Local], mode: Mode, full: Full) -> Option<System> {
    let mut system = System {
        configurations: vec![(vec![0; locals.len()], BTreeMap::new())],
        ends: Vec::new(),
        steps: Vec::new(),
    };
    let mut numbers: BTreeMap<Configuration, usize> =
        BTreeMap::from([(system.configurations[0].clone(), 0)]);
    let mut next = 0;
    while next < system.configurations.len() {
        let (places, queues) = system.configurations[next].clone();
        next += 1;
        system.ends.push(
            queues.is_empty()
                && places
                    .iter()
                    .zip(locals)
                    .all(|(&place, local)| local.stays[place]),
        );
        let mut found: Vec<(Act, Label, Configuration)> = Vec::new();
        for (role, local) in locals.iter().enumerate() {
            for &(sends, label, target) in &local.steps[places[role]] {
                let (operation, from, to) = label;
                let mut after = (places.clone(), queues.clone());
                after.0[role] = target;
                match (mode, sends) {
                    (Mode::Synchronous, true) => {
                        for &(other_sends, other, other_target) in &locals[to].steps[places[to]] {
                            if !other_sends && other == label {
                                let mut both = after.clone();
                                both.0[to] = other_target;
                                found.push((Act::Both, label, both));
                            }
                        }
                    }
                    (Mode::Synchronous, false) => {}
                    (_, true) => {
                        let queue = after.1.entry((from, to)).or_default();
                        queue.push(operation);
                        if queue.len() > BOUND {
                            match full {
                                Full::Ends => return None,
                                Full::Refuses => continue,
                            }
                        }
                        found.push((Act::Send, label, after));
                    }
                    (_, false) => {
                        if queues.get(&(from, to)).and_then(|it| it.first()) == Some(&operation) {
                            let queue = after.1.entry((from, to)).or_default();
                            queue.remove(0);
                            if queue.is_empty() {
                                after.1.remove(&(from, to));
                            }
                            found.push((Act::Take, label, after));
                        }
                    }
                }
            }
        }
        let mut steps = Vec::new();
        for (act, label, after) in found {
            let count = system.configurations.len();
            let target = *numbers.entry(after.clone()).or_insert(count);
            if target == count {
                system.configurations.push(after);
            }
            steps.push((act, label, target));
        }
        system.steps.push(steps);
    }
    Some(system)
}

/// What an observer sees of a step.
fn seen(act: Act, label: Label, mode: Mode, sees: &dyn Fn(&Label) -> bool) -> Option<Label> {
    let visible = match mode {
        Mode::Synchronous => act == Act::Both,
        Mode::Sender | Mode::Disjoint => act == Act::Send,
        Mode::Receiver => act == Act::Take,
    };
    (visible && sees(&label)).then_some(label)
}

/// What can be seen from a state, and the block it leads to.
type Signature = BTreeSet<(Option<Label>, usize)>;

/// Whether system and choreography are branching bisimilar, ends included.
fn branching(
    system: &System,
    choreography: &Graph,
    mode: Mode,
    sees: &dyn Fn(&Label) -> bool,
) -> bool {
    // `None` is silent; the end is a step to a state of its own.
    let end: Label = (usize::MAX, 0, 0);
    let own = system.configurations.len();
    let all = own + choreography.ends.len();
    let mut steps: Vec<Vec<(Option<Label>, usize)>> = vec![Vec::new(); all + 1];
    for (state, leaving) in system.steps.iter().enumerate() {
        for &(act, label, target) in leaving {
            steps[state].push((seen(act, label, mode, sees), target));
        }
        if system.ends[state] {
            steps[state].push((Some(end), all));
        }
    }
    for &(from, label, to, _) in &choreography.edges {
        steps[own + from].push((Some(label), own + to));
    }
    for (node, &may) in choreography.ends.iter().enumerate() {
        if may {
            steps[own + node].push((Some(end), all));
        }
    }
    let mut block = vec![0_usize; all + 1];
    loop {
        let mut signatures: BTreeMap<(usize, Signature), usize> = BTreeMap::new();
        let mut new = Vec::with_capacity(all + 1);
        for state in 0..=all {
            let mut signature = BTreeSet::new();
            let mut reached = BTreeSet::from([state]);
            let mut work = vec![state];
            while let Some(at) = work.pop() {
                for &(label, target) in &steps[at] {
                    if label.is_none() && block[target] == block[state] {
                        if reached.insert(target) {
                            work.push(target);
                        }
                    } else {
                        signature.insert((label, block[target]));
                    }
                }
            }
            let count = signatures.len();
            new.push(*signatures.entry((block[state], signature)).or_insert(count));
        }
        let before = block.iter().collect::<BTreeSet<_>>().len();
        let stable = signatures.len() == before;
        block = new;
        if stable {
            return block[0] == block[own];
        }
    }
}

/// Whether steps that no one sees lead back to where they began.
fn silent_for_ever(system: &System, mode: Mode, sees: &dyn Fn(&Label) -> bool) -> bool {
    (0..system.configurations.len()).any(|start| {
        let mut reached = BTreeSet::new();
        let mut work = vec![start];
        while let Some(at) = work.pop() {
            for &(act, label, target) in &system.steps[at] {
                if seen(act, label, mode, sees).is_none() {
                    if target == start {
                        return true;
                    }
                    if reached.insert(target) {
                        work.push(target);
                    }
                }
            }
        }
        false
    })
}

/// Whether messages can still be received and roles that wait can still move.
fn nothing_stranded(system: &System, locals: &[Local], mode: Mode) -> bool {
    let can = |from: usize, wanted: &dyn Fn(Act, Label) -> bool| {
        let mut reached = BTreeSet::from([from]);
        let mut work = VecDeque::from([from]);
        while let Some(at) = work.pop_front() {
            for &(act, label, target) in &system.steps[at] {
                if wanted(act, label) {
                    return true;
                }
                if reached.insert(target) {
                    work.push_back(target);
                }
            }
        }
        false
    };
    for (state, (places, queues)) in system.configurations.iter().enumerate() {
        for &(from, to) in queues.keys() {
            if !can(state, &|act, label| {
                act == Act::Take && label.1 == from && label.2 == to
            }) {
                return false;
            }
        }
        for (role, local) in locals.iter().enumerate() {
            let steps = &local.steps[places[role]];
            let waits = match mode {
                Mode::Synchronous => !steps.is_empty(),
                _ => !steps.is_empty() && steps.iter().all(|it| !it.0),
            };
            let moves = |act: Act, label: Label| match act {
                Act::Both => label.1 == role || label.2 == role,
                Act::Send => label.1 == role,
                Act::Take => label.2 == role,
            };
            if waits && !local.stays[places[role]] && !can(state, &moves) {
                return false;
            }
        }
    }
    true
}
