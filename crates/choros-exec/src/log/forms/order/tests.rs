//! The order of intervals, against its definition.

use choros_bind::Side;
use choros_model::observation::Number;
use choros_testkit::{Random, rounds, seed_from_env};

use super::{Interval, ranks};

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

#[test]
fn causes_come_before_effects_whatever_the_clock_says() {
    use Side::{Receiver, Sender};
    // The clock was set back while the request was answered.
    let log = [
        interval(Sender, 6, 5, Some(1)),
        interval(Receiver, 9, 4, None),
    ];
    assert_eq!(order(&log), "baAB");
    // What is linked to a record began after it.
    let mut log = [interval(Sender, 5, 5, None), interval(Receiver, 5, 5, None)];
    log[0].after = Some(1);
    log[0].session = 1;
    assert_eq!(order(&log), "baAB");
    (log[0].start, log[0].end) = (Some(Number::from(2)), Some(Number::from(3)));
    assert_eq!(order(&log), "baAB");
    // A circle of links ends.
    log[1].after = Some(0);
    assert_eq!(order(&log).len(), 4);
}

/// By the definition: the moments of each tree from the outside in, then again and again the earliest of all whose
/// causes have their places.
fn naive(intervals: &[Interval]) -> Vec<(u64, u64)> {
    let parents: Vec<Option<usize>> = (0..intervals.len())
        .map(|at| naive_parent(intervals, at))
        .collect();
    let mut moments = Vec::new();
    nested(intervals, &parents, None, &mut moments);
    let mut last = None;
    let mut times = Vec::new();
    for &(at, is_end) in &moments {
        let it: &Interval = &intervals[at];
        let own = match is_end {
            true if it.end < it.start => None,
            true => it.end.clone(),
            false => it.start.clone(),
        };
        last = own.or(last);
        times.push(last.clone());
    }
    let mut left: Vec<usize> = (0..moments.len()).collect();
    let mut found: Vec<(usize, bool)> = Vec::new();
    while !left.is_empty() {
        let is_ready = |position: &&usize| {
            let (at, is_end) = moments[**position];
            let causes = if is_end {
                vec![at]
            } else {
                parents[at].into_iter().chain(intervals[at].after).collect()
            };
            causes.iter().all(|it| found.contains(&(*it, false)))
        };
        let next = left
            .iter()
            .filter(is_ready)
            .min_by_key(|it| (&times[**it], **it));
        let next = *next.expect("links that are not a circle");
        found.push(moments[next]);
        left.retain(|it| *it != next);
    }
    let place = |moment| found.iter().position(|it| *it == moment).expect("a place") as u64;
    (0..intervals.len())
        .map(|at| (place((at, false)), place((at, true))))
        .collect()
}

/// The parent that is known; for a request that was made, the last request of the session that was being answered.
fn naive_parent(intervals: &[Interval], at: usize) -> Option<usize> {
    let inner = &intervals[at];
    let around = |outer: &usize| {
        let it = &intervals[*outer];
        it.side == Some(Side::Receiver)
            && (it.by, it.session) == (inner.by, inner.session)
            && it.start <= inner.start
            && it.end.is_some()
            && it.end >= inner.end
    };
    let is_request = inner.side == Some(Side::Sender) && inner.start.is_some();
    let all = (0..intervals.len()).filter(around);
    let meanwhile = || all.max_by_key(|it| (&intervals[*it].start, *it));
    inner
        .parent
        .or_else(|| is_request.then(meanwhile).flatten())
}

fn nested(
    intervals: &[Interval],
    parents: &[Option<usize>],
    parent: Option<usize>,
    moments: &mut Vec<(usize, bool)>,
) {
    let mut children: Vec<usize> = (0..intervals.len())
        .filter(|it| parents[*it] == parent)
        .collect();
    children.sort_by_key(|it| (intervals[*it].by, intervals[*it].start.clone(), *it));
    for child in children {
        moments.push((child, false));
        nested(intervals, parents, Some(child), moments);
        moments.push((child, true));
    }
}

fn random_log(random: &mut Random) -> Vec<Interval> {
    let count = 1 + random.below(9);
    let mut log: Vec<Interval> = Vec::new();
    for at in 0..count {
        let time = |random: &mut Random| {
            let is_known = random.percent(90);
            is_known.then(|| Number::from(random.between(1, 6)))
        };
        // Earlier records only, so that there is no circle of parents or links that the log says.
        let earlier = |random: &mut Random| {
            let is_there = at > 0 && random.percent(30);
            is_there.then(|| random.below(at))
        };
        let (start, end) = (time(random), time(random));
        log.push(Interval {
            by: random.below(2),
            session: random.below(2),
            side: *random.pick(&[None, Some(Side::Sender), Some(Side::Receiver)]),
            start,
            end,
            parent: earlier(random),
            after: earlier(random),
        });
    }
    log
}

#[test]
fn the_order_is_that_of_the_definition() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let mut compared = 0;
    for _ in 0..rounds(3_000) {
        let log = random_log(&mut random);
        // A request that is placed within a later one by its times may close a circle; that has a test of its own.
        let has_circle = (0..log.len()).any(|at| {
            let mut here = vec![at];
            (0..=log.len()).all(|_| {
                here = here
                    .iter()
                    .flat_map(|it| naive_parent(&log, *it).into_iter().chain(log[*it].after))
                    .collect();
                here.sort_unstable();
                here.dedup();
                !here.is_empty()
            })
        });
        if !has_circle {
            compared += 1;
            assert_eq!(ranks(&log), naive(&log), "CHOROS_SEED={seed}: {log:#?}");
        }
    }
    assert!(compared > 100, "{compared}");
}
