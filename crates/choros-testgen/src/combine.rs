//! All ways to choose one of several, several times.

/// All combinations of one number below each size; the last number changes fastest.
///
/// Without sizes there is one combination, the empty one; with a size of 0 there is none.
pub(crate) struct Combinations {
    sizes: Vec<usize>,
    next: Option<Vec<usize>>,
}

impl Combinations {
    pub(crate) fn new(sizes: &[usize]) -> Self {
        Self {
            sizes: sizes.to_vec(),
            next: (!sizes.contains(&0)).then(|| vec![0; sizes.len()]),
        }
    }
}

impl Iterator for Combinations {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let mut following = current.clone();
        for (digit, &size) in following.iter_mut().zip(&self.sizes).rev() {
            *digit += 1;
            if *digit < size {
                self.next = Some(following);
                break;
            }
            *digit = 0;
        }
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::Combinations;

    #[test]
    fn counts_like_an_odometer() {
        let all: Vec<Vec<usize>> = Combinations::new(&[2, 1, 2]).collect();
        assert_eq!(all, [[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1]]);
        assert_eq!(Combinations::new(&[]).count(), 1);
        assert_eq!(Combinations::new(&[3, 0]).count(), 0);
    }
}
