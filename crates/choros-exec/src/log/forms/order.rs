//! In which order a service did what its records tell, where each record is an interval: a request and its response.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use choros_bind::Side;
use choros_model::observation::Number;

/// A record with a beginning and an end.
#[derive(Debug, Clone, Default)]
pub(super) struct Interval {
    /// Which service wrote it.
    pub(super) by: usize,
    pub(super) session: usize,
    pub(super) side: Option<Side>,
    pub(super) start: Option<Number>,
    pub(super) end: Option<Number>,
    /// The record of the same service that it happened within, where that is known.
    pub(super) parent: Option<usize>,
    /// A record of the same service that began before it, because a link says so.
    pub(super) after: Option<usize>,
}

/// The number of a record, and whether its end is meant.
type Moment = (usize, bool);

/// The place of the beginning and of the end of each interval among all.
///
/// Causes come first, whatever the clock says: a record begins before it ends, after the one that it is within, and
/// after the one that it is linked to.
/// Times decide the rest; where they are equal or missing, what is nested is within, and what follows in the log comes
/// later.
pub(super) fn ranks(intervals: &[Interval]) -> Vec<(u64, u64)> {
    let parents = parents(intervals);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); intervals.len()];
    let mut roots = Vec::new();
    for (at, parent) in parents.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(at),
            None => roots.push(at),
        }
    }
    let by_start = |list: &mut Vec<usize>| {
        list.sort_by(|&left, &right| {
            let key = |at: usize| (intervals[at].by, &intervals[at].start, at);
            key(left).cmp(&key(right))
        });
    };
    by_start(&mut roots);
    children.iter_mut().for_each(by_start);
    let mut moments = Vec::with_capacity(2 * intervals.len());
    for root in roots {
        walk(root, intervals, &children, &mut moments);
    }
    let mut ranks = vec![(0, 0); intervals.len()];
    for (rank, (at, is_end)) in placed(intervals, &parents, &moments).enumerate() {
        if is_end {
            ranks[at].1 = rank as u64;
        } else {
            ranks[at].0 = rank as u64;
        }
    }
    ranks
}

/// The moments in their order: of those whose causes have their places, the earliest is next; the walk has put what is
/// nested in its place, which counts where times are equal.
fn placed(
    intervals: &[Interval],
    parents: &[Option<usize>],
    moments: &[Moment],
) -> impl Iterator<Item = Moment> {
    let times = filled(intervals, moments);
    let mut starts = vec![0; intervals.len()];
    for (position, (at, is_end)) in moments.iter().enumerate() {
        if !is_end {
            starts[*at] = position;
        }
    }
    // How many causes a moment waits for, and which moments wait for it.
    let mut waits = vec![0u32; moments.len()];
    let mut effects: Vec<Vec<usize>> = vec![Vec::new(); moments.len()];
    for (position, &(at, is_end)) in moments.iter().enumerate() {
        let causes = if is_end {
            [Some(starts[at]), None]
        } else {
            [parents[at], intervals[at].after].map(|it| it.map(|it| starts[it]))
        };
        for cause in causes.into_iter().flatten() {
            effects[cause].push(position);
            waits[position] += 1;
        }
    }
    let mut order: Vec<usize> = (0..moments.len()).collect();
    order.sort_by(|&left, &right| times[left].cmp(&times[right]));
    let mut turn = vec![0; moments.len()];
    for (at, &position) in order.iter().enumerate() {
        turn[position] = at;
    }
    let mut open: BinaryHeap<Reverse<usize>> = BinaryHeap::new();
    open.extend(
        order
            .iter()
            .filter(|it| waits[**it] == 0)
            .map(|it| Reverse(turn[*it])),
    );
    let mut is_placed = vec![false; moments.len()];
    let mut found = Vec::with_capacity(moments.len());
    // Links in a circle wait for each other: then the next of the walk is, whose parent has its place.
    let mut unplaced = 0;
    while found.len() < moments.len() {
        let next = match open.pop() {
            Some(Reverse(turn)) => order[turn],
            None => {
                unplaced += 1;
                unplaced - 1
            }
        };
        if std::mem::replace(&mut is_placed[next], true) {
            continue;
        }
        found.push(moments[next]);
        for &effect in &effects[next] {
            waits[effect] = waits[effect].saturating_sub(1);
            if waits[effect] == 0 {
                open.push(Reverse(turn[effect]));
            }
        }
    }
    found.into_iter()
}

/// The parents that are known, and for a request that a service made while it answered one, that one; without circles.
fn parents(intervals: &[Interval]) -> Vec<Option<usize>> {
    let mut answering: Vec<usize> = (0..intervals.len())
        .filter(|&at| intervals[at].side == Some(Side::Receiver))
        .collect();
    let key = |at: usize| {
        let it = &intervals[at];
        (it.by, it.session, &it.start)
    };
    answering.sort_by(|&left, &right| key(left).cmp(&key(right)));
    let parent = |at: usize| {
        let interval = &intervals[at];
        let is_request = interval.side == Some(Side::Sender) && interval.start.is_some();
        let meanwhile = || answered_meanwhile(at, intervals, &answering);
        interval
            .parent
            .or_else(|| is_request.then(meanwhile).flatten())
    };
    let mut parents: Vec<Option<usize>> = (0..intervals.len()).map(parent).collect();
    cut_circles(&mut parents);
    parents
}

fn cut_circles(parents: &mut [Option<usize>]) {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        OnTheWay,
        Done,
    }
    let mut seen = vec![Seen::No; parents.len()];
    for start in 0..parents.len() {
        let mut path = Vec::new();
        let mut at = start;
        while seen[at] == Seen::No {
            seen[at] = Seen::OnTheWay;
            path.push(at);
            match parents[at] {
                Some(parent) if seen[parent] == Seen::OnTheWay => parents[at] = None,
                Some(parent) => at = parent,
                None => {}
            }
        }
        path.into_iter().for_each(|at| seen[at] = Seen::Done);
    }
}

/// The request that was being answered when another was made: the last one that began before and ended after it.
fn answered_meanwhile(at: usize, intervals: &[Interval], answering: &[usize]) -> Option<usize> {
    /// A service that answers more requests of one session at once is placed by time.
    const CONCURRENT: usize = 32;
    let inner = &intervals[at];
    let is_before = |&it: &usize| {
        let it = &intervals[it];
        (it.by, it.session, &it.start) <= (inner.by, inner.session, &inner.start)
    };
    let until = answering.partition_point(is_before);
    let candidates = answering[..until].iter().rev().take(CONCURRENT);
    let around = |&&outer: &&usize| {
        let it = &intervals[outer];
        (it.by, it.session) == (inner.by, inner.session) && it.end >= inner.end && it.end.is_some()
    };
    candidates.into_iter().find(around).copied()
}

/// Beginning, what is within, end; a record that is its own ancestor was cut from it.
fn walk(root: usize, intervals: &[Interval], children: &[Vec<usize>], moments: &mut Vec<Moment>) {
    let mut stack = vec![(root, 0)];
    moments.push((root, false));
    while let Some((at, next)) = stack.last_mut() {
        match children[*at].get(*next) {
            Some(&child) => {
                *next += 1;
                moments.push((child, false));
                stack.push((child, 0));
            }
            None => {
                moments.push((*at, true));
                stack.pop();
            }
        }
    }
    debug_assert!(moments.len() <= 2 * intervals.len());
}

/// The time of each moment; what has none that is possible has that of the moment before, in the order of the nesting.
fn filled<'i>(intervals: &'i [Interval], moments: &[Moment]) -> Vec<Option<&'i Number>> {
    let mut last = None;
    let mut times = Vec::with_capacity(moments.len());
    for &(at, is_end) in moments {
        let it = &intervals[at];
        // A clock that was set back says nothing about the end.
        let end = it.end.as_ref().filter(|end| it.start.as_ref() <= Some(end));
        let own = if is_end { end } else { it.start.as_ref() };
        last = own.or(last);
        times.push(last);
    }
    times
}

#[cfg(test)]
mod tests;
