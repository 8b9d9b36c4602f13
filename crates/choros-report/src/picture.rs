//! The forms of pictures.

/// A form in which a model is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Picture {
    /// What suits the report: text for people, DOT for programs, SVG on a page.
    #[default]
    Report,
    /// Text without colours.
    Text,
    /// A picture.
    Svg,
    /// For Graphviz.
    Dot,
    /// For Mermaid.
    Mermaid,
    /// Our own text form, which reads back; of graphs only.
    Stg,
    /// A component of a SChorA script.
    Schora,
    /// A choreography or role of the native language.
    Chor,
    /// Aldebaran's form; of systems of states only.
    Aut,
    /// ChorGram's form; of machines only.
    Fsa,
    /// The text of a g-choreography, and of nothing else.
    Gc,
}

impl Picture {
    /// The extension of a form that is a text of some language, which not every model can be written in.
    pub fn language(self) -> Option<&'static str> {
        match self {
            Picture::Stg => Some(".stg"),
            Picture::Schora => Some(".schora"),
            Picture::Chor => Some(".chor"),
            Picture::Aut => Some(".aut"),
            Picture::Fsa => Some(".fsa"),
            Picture::Gc => Some(".gc"),
            Picture::Report | Picture::Text | Picture::Svg | Picture::Dot | Picture::Mermaid => {
                None
            }
        }
    }
}
