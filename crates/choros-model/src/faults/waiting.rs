//! What waits in a channel that may lose, double and reorder, and how its data move.

/// A message that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Waiting {
    pub kind: usize,
    /// Whether it stands for one or more copies, no one knows how many.
    pub many: bool,
}

impl Waiting {
    /// A message that waits once.
    pub(super) fn once(kind: usize) -> Waiting {
        Waiting { kind, many: false }
    }
}

/// A channel after a change, and from which position the data of each of its messages come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Moved {
    pub(super) queue: Vec<Waiting>,
    pub(super) from: Vec<usize>,
}

impl Moved {
    fn of(queue: &[Waiting], from: Vec<usize>) -> Moved {
        Moved {
            queue: from.iter().map(|&it| queue[it]).collect(),
            from,
        }
    }
}

/// Without the message at a position.
pub(super) fn without(queue: &[Waiting], position: usize) -> Moved {
    let from = (0..queue.len()).filter(|&it| it != position).collect();
    Moved::of(queue, from)
}

/// With one more copy of a message, right after it.
pub(super) fn doubled(queue: &[Waiting], position: usize) -> Moved {
    let mut from: Vec<usize> = (0..queue.len()).collect();
    from.insert(position, position);
    Moved::of(queue, from)
}

/// With any number of copies of a message.
pub(super) fn multiplied(queue: &[Waiting], position: usize) -> Moved {
    let mut moved = Moved::of(queue, (0..queue.len()).collect());
    moved.queue[position].many = true;
    moved
}

/// The last message ahead of others: before each of them, and between copies of one.
pub(super) fn overtaken(queue: &[Waiting]) -> Vec<Moved> {
    let Some(last) = queue.len().checked_sub(1) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for position in 0..last {
        let mut from: Vec<usize> = (0..last).collect();
        from.insert(position, last);
        found.push(Moved::of(queue, from.clone()));
        if queue[position].many {
            // Some of the copies come first.
            from.insert(position, position);
            found.push(Moved::of(queue, from));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(moved: &Moved) -> Vec<usize> {
        moved.queue.iter().map(|it| it.kind).collect()
    }

    #[test]
    fn the_last_goes_before_each_and_between_copies() {
        let mut queue = [Waiting::once(0), Waiting::once(1), Waiting::once(2)];
        let found = overtaken(&queue);
        assert_eq!(
            found.iter().map(kinds).collect::<Vec<_>>(),
            [[2, 0, 1], [0, 2, 1]]
        );
        queue[0].many = true;
        let found: Vec<_> = overtaken(&queue).iter().map(kinds).collect();
        assert_eq!(found, [vec![2, 0, 1], vec![0, 2, 0, 1], vec![0, 2, 1]]);
        assert!(overtaken(&[]).is_empty());
    }

    #[test]
    fn copies_are_beside_each_other() {
        let queue = [Waiting::once(0), Waiting::once(1)];
        assert_eq!(kinds(&doubled(&queue, 0)), [0, 0, 1]);
        assert_eq!(kinds(&without(&queue, 0)), [1]);
        assert!(multiplied(&queue, 1).queue[1].many);
    }
}
