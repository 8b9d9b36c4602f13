//! Folding in multisets of clusters.

use super::cluster::ClusterId;

/// A smaller multiset that is congruent, if folding copies finds one: fewer clusters, or as many with smaller numbers.
///
/// `x ≡ y` when they differ by a sum of copies, some added and some taken away; so where copies overlap, adding one
/// can be what allows to take away another.
/// Sums of up to two copies of up to four replications are tried.
pub(super) fn smaller(clusters: &[ClusterId], rules: &[&Vec<ClusterId>]) -> Option<Vec<ClusterId>> {
    for rule in rules {
        if let Some(rest) = without(clusters, rule) {
            return Some(rest);
        }
    }
    let overlapping: Vec<&[ClusterId]> = rules
        .iter()
        .enumerate()
        .filter(|(position, rule)| {
            rules.iter().enumerate().any(|(other, others)| {
                other != *position && rule.iter().any(|id| others.contains(id))
            })
        })
        .map(|(_, rule)| rule.as_slice())
        .take(4)
        .collect();
    if overlapping.len() < 2 {
        return None;
    }
    let mut best: Option<Vec<ClusterId>> = None;
    for combination in 0..5_u32.pow(overlapping.len() as u32) {
        let mut digits = combination;
        let mut sum = clusters.to_vec();
        let mut less: Vec<ClusterId> = Vec::new();
        for rule in &overlapping {
            let times = (digits % 5) as i32 - 2;
            digits /= 5;
            for _ in 0..times.abs() {
                if times > 0 {
                    sum.extend_from_slice(rule)
                } else {
                    less.extend_from_slice(rule)
                }
            }
        }
        sum.sort_unstable();
        less.sort_unstable();
        if let Some(rest) = without(&sum, &less) {
            let known = best.as_deref().unwrap_or(clusters);
            if (rest.len(), rest.as_slice()) < (known.len(), known) {
                best = Some(rest);
            }
        }
    }
    best
}

/// One sorted multiset without another, if it holds it.
fn without(clusters: &[ClusterId], less: &[ClusterId]) -> Option<Vec<ClusterId>> {
    let mut rest = Vec::with_capacity(clusters.len());
    let mut missing = less.iter().peekable();
    for &id in clusters {
        if missing.peek() == Some(&&id) {
            missing.next();
        } else {
            rest.push(id);
        }
    }
    missing.peek().is_none().then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(clusters: &[ClusterId], rules: &[Vec<ClusterId>]) -> Vec<ClusterId> {
        let rules: Vec<&Vec<ClusterId>> = rules.iter().collect();
        let mut clusters = clusters.to_vec();
        while let Some(next) = smaller(&clusters, &rules) {
            clusters = next;
        }
        clusters
    }

    #[test]
    fn a_whole_copy_goes_and_a_part_stays() {
        assert_eq!(folded(&[1, 2, 2, 3], &[vec![1, 2]]), [2, 3]);
        assert_eq!(folded(&[2, 3], &[vec![1, 2]]), [2, 3]);
    }

    /// `*a | *(a|b) | b`: add `a`, take `a|b` away.
    #[test]
    fn what_one_replication_gives_another_may_take() {
        assert_eq!(
            folded(&[2], &[vec![1], vec![1, 2]]),
            Vec::<ClusterId>::new()
        );
    }

    /// `*(a|b) | *(a|c)`: `b` and `c` are the same.
    #[test]
    fn a_difference_of_copies_exchanges_clusters() {
        assert_eq!(folded(&[3], &[vec![1, 2], vec![1, 3]]), [2]);
        assert_eq!(folded(&[2], &[vec![1, 2], vec![1, 3]]), [2]);
    }
}
