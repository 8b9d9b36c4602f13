//! Colour and Unicode, or neither.

use anstyle::{AnsiColor, Effects};

/// How text is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Colours and weights.
    pub colour: bool,
    /// Lines and arrows beyond ASCII.
    pub unicode: bool,
    /// Columns of the terminal.
    pub width: usize,
}

/// What a piece of text is, which decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextRole {
    /// A heading.
    Strong,
    /// A good answer.
    Good,
    /// A bad answer.
    Bad,
    /// What is bad about it.
    StrongBad,
    /// Neither.
    Doubtful,
    /// A guard or another condition.
    Condition,
    /// Less important.
    Faint,
}

impl Style {
    /// Plain text for pipes and files.
    pub const PLAIN: Style = Style {
        colour: false,
        unicode: false,
        width: 100,
    };

    /// The text in its colour, if there are colours.
    pub fn paint(&self, paint: TextRole, text: &str) -> String {
        if !self.colour || text.is_empty() {
            return text.to_owned();
        }
        let style = match paint {
            TextRole::Strong => anstyle::Style::new().effects(Effects::BOLD),
            TextRole::Good => AnsiColor::Green.on_default(),
            TextRole::Bad => AnsiColor::Red.on_default(),
            TextRole::StrongBad => AnsiColor::Red.on_default().effects(Effects::BOLD),
            TextRole::Doubtful => AnsiColor::Yellow.on_default(),
            TextRole::Condition => AnsiColor::Cyan.on_default(),
            TextRole::Faint => anstyle::Style::new().effects(Effects::DIMMED),
        };
        format!("{style}{text}{style:#}")
    }

    /// The first where Unicode is drawn, the second elsewhere.
    pub fn sign(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.unicode { unicode } else { ascii }
    }
}
