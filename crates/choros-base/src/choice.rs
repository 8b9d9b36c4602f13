//! Values that people choose by a word.

/// One of a few values, each with the word by which it is chosen and what it means.
///
/// The type that is used says so itself: command line, project file, help and completions take the words from here.
pub trait Choice: Copy + PartialEq + Send + Sync + 'static {
    /// In the order in which they are shown.
    const CHOICES: &'static [(&'static str, Self, &'static str)];

    /// The value with this word.
    fn chosen(word: &str) -> Option<Self> {
        let mut choices = Self::CHOICES.iter();
        choices
            .find(|(known, ..)| *known == word)
            .map(|(_, value, _)| *value)
    }

    /// Its word; empty for a value that cannot be chosen.
    fn word(self) -> &'static str {
        let mut choices = Self::CHOICES.iter();
        choices
            .find(|(_, value, _)| *value == self)
            .map_or("", |(word, ..)| word)
    }
}

#[cfg(test)]
mod tests {
    use super::Choice;

    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Size {
        Small,
        Large,
        Unheard,
    }

    impl Choice for Size {
        const CHOICES: &'static [(&'static str, Size, &'static str)] = &[
            ("small", Size::Small, "Fits a pocket"),
            ("large", Size::Large, "Does not"),
        ];
    }

    #[test]
    fn words_and_values_belong_together() {
        assert_eq!(Size::chosen("large"), Some(Size::Large));
        assert_eq!(Size::chosen("Large"), None);
        assert_eq!(Size::Small.word(), "small");
        assert_eq!(Size::Unheard.word(), "");
    }
}
