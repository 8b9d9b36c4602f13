//! A layered layout of boxes and labelled links (Sugiyama, Tagawa and Toda 1981), without any drawing.
//!
//! Links that would go up are turned round (`acyclic`), boxes get rows (`rank`), a link becomes a chain of bends from
//! row to row, one of which carries its label (`layers`), rows are ordered with few crossings (`order`), columns
//! follow Brandes and Köpf (`place`), and lines bend only between rows (`route`).
//! Labels are vertices of their own rows, so that nothing overlaps by construction: neither boxes nor labels nor,
//! since lines run straight down inside a row, lines and labels.

mod acyclic;
mod crossings;
mod layers;
mod order;
mod place;
mod rank;
mod route;

#[cfg(test)]
mod tests;

/// What is to be laid out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// The boxes; links name them by position.
    pub(crate) boxes: Vec<BoxSize>,
    /// The links; none leads from a box to itself.
    pub(crate) links: Vec<Link>,
    /// The box on top.
    pub(crate) first: usize,
}

/// The room a box needs, seen from the vertical axis where its lines arrive.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct BoxSize {
    /// To the left of the axis.
    pub(crate) left: f64,
    pub(crate) right: f64,
    /// From top to bottom.
    pub(crate) height: f64,
    /// Half of the width in which lines may arrive.
    pub(crate) ports: f64,
    /// Half of the width of the drawn shape, whose ends are rounded as much as its height allows.
    pub(crate) half_width: f64,
    /// The height of the drawn shape.
    pub(crate) shape_height: f64,
}

/// A link between two boxes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Link {
    /// Where it starts.
    pub(crate) source: usize,
    /// Where its arrow points.
    pub(crate) target: usize,
    /// Width and height of its label.
    pub(crate) label: Option<(f64, f64)>,
}

/// A point; `y` grows downwards.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Point {
    /// To the right.
    pub(crate) x: f64,
    /// Down.
    pub(crate) y: f64,
}

/// Where everything goes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    /// From left to right.
    pub(crate) width: f64,
    /// From top to bottom.
    pub(crate) height: f64,
    /// The middle of each box's axis.
    pub(crate) boxes: Vec<Point>,
    /// The line of each link.
    pub(crate) routes: Vec<Route>,
}

/// The line of a link, from top to bottom.
#[derive(Debug, Clone, Default)]
pub(crate) struct Route {
    /// Straight vertical pieces (`x`, from, to), joined by curves.
    pub(crate) pieces: Vec<(f64, f64, f64)>,
    /// Whether the arrow is at the upper end.
    pub(crate) upwards: bool,
    /// The upper left corner of its label.
    pub(crate) label: Option<Point>,
}

/// A layout would have more vertices, bends included, than is sensible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// Vertices of a layout, bends and labels included; beyond this no one reads the picture and the time is not linear.
const MAX_VERTICES: usize = 120_000;

/// Lays out a plan.
pub(crate) fn layout(plan: &Plan) -> Result<Layout, TooLarge> {
    if plan.boxes.is_empty() {
        return Ok(Layout::default());
    }
    let flipped = acyclic::flipped(plan);
    let ranks = rank::ranks(plan, &flipped);
    let mut layers = layers::Layers::new(plan, &flipped, &ranks, MAX_VERTICES).ok_or(TooLarge)?;
    order::reduce_crossings(&mut layers);
    let columns = place::columns(&layers);
    Ok(route::routes(plan, &layers, &columns))
}
