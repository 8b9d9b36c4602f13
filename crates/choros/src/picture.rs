//! The forms of pictures.

/// A form in which a model is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// What suits the report: text for people, DOT for programs, SVG on a page.
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
