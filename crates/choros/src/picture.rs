//! The forms of pictures.

use choros_base::Choice;

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

/// What a choreography looks like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Look {
    /// A sequence diagram where the model has one, otherwise a graph.
    #[default]
    Natural,
    /// Lifelines, messages and frames.
    Sequence,
    /// States and transitions.
    Graph,
}

impl Choice for Look {
    const CHOICES: &'static [(&'static str, Look, &'static str)] = &[
        (
            "sequence",
            Look::Sequence,
            "Lifelines and messages, with frames for choices and loops",
        ),
        ("graph", Look::Graph, "States and transitions"),
    ];
}

impl Picture {
    /// Whether a sequence diagram has this form.
    pub(crate) fn shows_diagrams(self) -> bool {
        matches!(
            self,
            Picture::Report | Picture::Text | Picture::Svg | Picture::Mermaid
        )
    }

    /// The extension of a form that is a text of some language, which not every model can be written in.
    pub(crate) fn language(self) -> Option<&'static str> {
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
