//! The forms of pictures.

use choros_base::{Choice, SourceMap};
use choros_model::Evidence;
use choros_model::diagram::Diagram;

use crate::{
    Block, GraphDrawing, Part, Style, TooLargeToDraw, diagram_mermaid, diagram_svg, diagram_text,
    evidence_svg, evidence_text, graph_mermaid, graph_svg, graph_text, trace_mermaid,
};

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

/// A form, and which part of the model is drawn in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Form {
    pub picture: Picture,
    pub part: Part,
}

impl From<Picture> for Form {
    fn from(picture: Picture) -> Form {
        Form {
            picture,
            part: Part::Folded,
        }
    }
}

/// What a choreography looks like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PictureStyle {
    /// A sequence diagram where the model has one, otherwise a graph.
    #[default]
    Natural,
    /// Lifelines, messages and frames.
    Sequence,
    /// States and transitions.
    Graph,
}

impl Choice for PictureStyle {
    const CHOICES: &'static [(&'static str, PictureStyle, &'static str)] = &[
        (
            "sequence",
            PictureStyle::Sequence,
            "Lifelines and messages, with frames for choices and loops",
        ),
        ("graph", PictureStyle::Graph, "States and transitions"),
    ];
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

    /// A drawing in this form; a text of some language is none of them.
    pub fn draw(self, drawing: GraphDrawing) -> Result<Block, TooLargeToDraw> {
        let (format, text) = match self {
            Picture::Svg => ("svg", graph_svg(&drawing)?),
            Picture::Dot => ("dot", drawing.dot),
            Picture::Mermaid => ("mermaid", graph_mermaid(&drawing)),
            Picture::Text => ("text", graph_text(&drawing, &Style::PLAIN)),
            _ => return Ok(Block::Graph(Box::new(drawing))),
        };
        Ok(Block::Picture { format, text })
    }

    /// A sequence diagram in this form; `None` where the form is one of graphs.
    pub fn draw_diagram(self, diagram: &Diagram) -> Option<Block> {
        let (format, text) = match self {
            Picture::Report => return Some(Block::Diagram(Box::new(diagram.clone()))),
            Picture::Svg => ("svg", diagram_svg(diagram)),
            Picture::Mermaid => ("mermaid", diagram_mermaid(diagram)),
            Picture::Text => ("text", diagram_text(diagram, &Style::PLAIN)),
            _ => return None,
        };
        Some(Block::Picture { format, text })
    }

    /// Evidence in this form, or the extension of the form that it does not have.
    pub fn draw_evidence(self, evidence: Evidence) -> Result<Block, &'static str> {
        let nowhere = SourceMap::new();
        let (format, text) = match (self, &evidence) {
            (Picture::Report, _) => return Ok(Block::Evidence(Box::new(evidence))),
            (Picture::Svg, _) => ("svg", evidence_svg(&evidence, &nowhere)),
            (Picture::Text, _) => ("text", evidence_text(&evidence, &nowhere, &Style::PLAIN)),
            (Picture::Mermaid, Evidence::Trace(trace)) => ("mermaid", trace_mermaid(trace)),
            (Picture::Mermaid, _) => return Err(".mmd"),
            (Picture::Dot, _) => return Err(".dot"),
            (other, _) => return Err(other.language().unwrap_or(".aut")),
        };
        Ok(Block::Picture { format, text })
    }
}
