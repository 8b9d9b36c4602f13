//! Pictures as SVG.

pub(crate) mod canvas;
mod evidence;
mod fault;
mod graph;
mod outline;
mod plot;
mod sequence;
mod table;

pub use evidence::evidence_svg;
pub use graph::{TooLargeToDraw, graph_svg};
pub use plot::plots_svg;
pub(crate) use sequence::chart_svg;
pub use sequence::{diagram_svg, sequence_svg};
