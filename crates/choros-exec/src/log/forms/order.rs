//! In which order a service did what its records tell, where each record is an interval: a request and its response.

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
}

/// The place of the beginning and of the end of each interval among all.
///
/// Times decide; where they are equal or missing, what is nested is within, and what follows in the log comes later.
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
    // The walk has put what is nested in its place; a stable order by time keeps it where times are equal.
    let times = filled(intervals, &moments);
    let mut order: Vec<usize> = (0..moments.len()).collect();
    order.sort_by(|&left, &right| times[left].cmp(&times[right]));
    let mut ranks = vec![(0, 0); intervals.len()];
    for (rank, moment) in order.into_iter().enumerate() {
        let (at, is_end) = moments[moment];
        if is_end {
            ranks[at].1 = rank as u64;
        } else {
            ranks[at].0 = rank as u64;
        }
    }
    ranks
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
    let key = |it: &Interval| (it.by, it.session, it.start.clone());
    let until = answering.partition_point(|&it| key(&intervals[it]) <= key(inner));
    let candidates = answering[..until].iter().rev().take(CONCURRENT);
    let around = |&&outer: &&usize| {
        let it = &intervals[outer];
        (it.by, it.session) == (inner.by, inner.session) && it.end >= inner.end && it.end.is_some()
    };
    candidates.into_iter().find(around).copied()
}

/// Beginning, what is within, end; a record that is its own ancestor was cut from it.
fn walk(
    root: usize,
    intervals: &[Interval],
    children: &[Vec<usize>],
    moments: &mut Vec<(usize, bool)>,
) {
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

/// The time of each moment; what has none has that of the moment before, in the order of the nesting.
fn filled(intervals: &[Interval], moments: &[(usize, bool)]) -> Vec<Option<Number>> {
    let mut last: Option<Number> = None;
    let mut times = Vec::with_capacity(moments.len());
    for &(at, is_end) in moments {
        let it = &intervals[at];
        let own = if is_end { &it.end } else { &it.start };
        if own.is_some() {
            last.clone_from(own);
        }
        times.push(last.clone());
    }
    times
}

#[cfg(test)]
mod tests {
    use super::{Interval, ranks};
    use choros_bind::Side;
    use choros_model::observation::Number;

    fn interval(side: Side, start: i64, end: i64, parent: Option<usize>) -> Interval {
        Interval {
            side: Some(side),
            start: Some(Number::from(start)),
            end: Some(Number::from(end)),
            parent,
            ..Interval::default()
        }
    }

    /// Beginnings as `a`, ends as `A`, in order.
    fn order(intervals: &[Interval]) -> String {
        let mut moments = Vec::new();
        for (at, (start, end)) in ranks(intervals).into_iter().enumerate() {
            let letter = char::from(b'a' + at as u8);
            moments.push((start, letter));
            moments.push((end, letter.to_ascii_uppercase()));
        }
        moments.sort_unstable();
        moments.into_iter().map(|(_, letter)| letter).collect()
    }

    #[test]
    fn nesting_decides_where_times_are_equal() {
        use Side::{Receiver, Sender};
        // Exported by their ends: two calls within a request, all in the same millisecond.
        let same = |parent| interval(Sender, 5, 5, parent);
        let log = [same(Some(2)), same(Some(2)), interval(Receiver, 5, 5, None)];
        assert_eq!(order(&log), "caAbBC");
        // Without parents, the request that was being answered.
        let log = [same(None), same(None), interval(Receiver, 5, 5, None)];
        assert_eq!(order(&log), "caAbBC");
        let log = [
            interval(Sender, 5, 7, None),
            interval(Sender, 7, 9, None),
            interval(Receiver, 5, 9, None),
        ];
        assert_eq!(order(&log), "caAbBC");
    }

    #[test]
    fn times_decide_otherwise() {
        use Side::{Receiver, Sender};
        let log = [
            interval(Sender, 3, 8, Some(2)),
            interval(Sender, 2, 9, Some(2)),
            interval(Receiver, 1, 10, None),
        ];
        assert_eq!(order(&log), "cbaABC");
    }

    #[test]
    fn circles_and_missing_times_end() {
        let mut log = [
            interval(Side::Sender, 1, 2, Some(1)),
            interval(Side::Sender, 1, 2, Some(0)),
            interval(Side::Sender, 1, 2, Some(2)),
        ];
        assert_eq!(order(&log).len(), 6);
        for it in &mut log {
            (it.start, it.end) = (None, None);
        }
        assert_eq!(order(&log).len(), 6);
    }
}
