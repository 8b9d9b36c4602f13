//! Whether something is all there is, or a bound cut it.

/// How much of a whole is there.
///
/// Whoever unfolds a system gets one with each answer and has to pass it on: a part that looks like the whole is how a
/// wrong *holds* is made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[must_use = "what a bound cut off must not be forgotten"]
pub enum Extent {
    /// Nothing is missing.
    #[default]
    Whole,
    /// Something is missing, and this is why: the bound that was met, in words.
    Cut(String),
}

impl Extent {
    /// Whether nothing is missing.
    pub fn is_whole(&self) -> bool {
        *self == Extent::Whole
    }

    /// Why something is missing.
    pub fn cut_by(&self) -> Option<&str> {
        match self {
            Extent::Whole => None,
            Extent::Cut(reason) => Some(reason),
        }
    }

    /// Notes that something is missing; the first reason stays.
    pub fn cut(&mut self, reason: impl Into<String>) {
        if self.is_whole() {
            *self = Extent::Cut(reason.into());
        }
    }

    /// Notes what is missing of a part.
    pub fn include(&mut self, part: Extent) {
        if let Extent::Cut(reason) = part {
            self.cut(reason);
        }
    }
}
