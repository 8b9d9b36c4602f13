//! A graph as SVG: a layered picture.
//!
//! Nodes are rounded, with their free variables below the label; a double border is a state that may terminate,
//! `√` after an arrow a termination under a condition, red a state that is stuck.
//! Guards stand above the event and have a colour of their own; what can never happen is grey and dashed.

use super::canvas::{Anchor, Canvas, Ink, Pen, number};
use crate::layout::{BoxSize, Layout, Link, Plan, Point, Route, layout};
use crate::metrics::wrap;
use crate::{CountedNoun, DrawnEdge, GraphDrawing, Stat};

/// A graph that would make no readable picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLargeToDraw {
    /// Its nodes.
    pub states: usize,
    /// Its edges.
    pub transitions: usize,
}

impl std::fmt::Display for TooLargeToDraw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} with {} are too many for a picture; draw it without --whole, draw a part (--around NAME), or write DOT (-o FILE.dot) for a tool that draws large graphs",
            CountedNoun(Stat::States, self.states as u64),
            CountedNoun(Stat::Transitions, self.transitions as u64)
        )
    }
}

/// The picture.
pub fn graph_svg(drawing: &GraphDrawing) -> Result<String, TooLargeToDraw> {
    let refused = TooLargeToDraw {
        states: drawing.nodes.len(),
        transitions: drawing.edges.len(),
    };
    if drawing.nodes.len() > MAX_NODES || drawing.edges.len() > MAX_EDGES {
        return Err(refused);
    }
    let sketch = Sketch::new(drawing);
    let placed = layout(&sketch.plan).map_err(|_| refused)?;
    Ok(sketch.draw(&placed))
}

/// Limits on what is laid out at all; the layout has a limit of its own on bends.
const MAX_NODES: usize = 20_000;
const MAX_EDGES: usize = 40_000;

const NAME: f64 = 13.0;
const LABEL: f64 = 12.0;
const SMALL: f64 = 10.5;
const LINE: f64 = 14.5;

/// A graph with the sizes of its parts.
struct Sketch<'a> {
    drawing: &'a GraphDrawing,
    plan: Plan,
    nodes: Vec<Shape>,
    /// Per link of the plan: its lines of text and whether it is dead.
    labels: Vec<(Lines, bool)>,
    /// Per node: the lines of its self-loops, one after the other.
    loops: Vec<Vec<(Lines, bool)>>,
    /// Boxes of `√`, after those of nodes.
    ends: usize,
}

/// Lines of text with their colours.
type Lines = Vec<(Ink, String)>;

struct Shape {
    label: String,
    variables: String,
}

impl<'a> Sketch<'a> {
    fn new(drawing: &'a GraphDrawing) -> Self {
        let mut sketch = Sketch {
            drawing,
            plan: Plan::default(),
            nodes: Vec::new(),
            labels: Vec::new(),
            loops: vec![Vec::new(); drawing.nodes.len()],
            ends: 0,
        };
        for edge in &drawing.edges {
            if edge.source == edge.target {
                sketch.loops[edge.source].push((edge_lines(edge), edge.dead));
            }
        }
        for (index, node) in drawing.nodes.iter().enumerate() {
            let label = wrap(&node.label, 40, 1).concat();
            let variables = if node.variables.is_empty() {
                String::new()
            } else {
                wrap(&format!("{{{}}}", node.variables.join(", ")), 40, 1).concat()
            };
            let width = Pen::new(NAME, Ink::Text).bold().width(&label);
            let width = width.max(Pen::new(SMALL, Ink::Faint).width(&variables));
            let shape_height: f64 = if variables.is_empty() { 32.0 } else { 40.0 };
            let half_width = (width / 2.0 + 10.0).max(16.0);
            let (loop_width, loop_height) = stack_size(&sketch.loops[index]);
            let looped = if sketch.loops[index].is_empty() {
                0.0
            } else {
                LOOP + 6.0 + loop_width
            };
            sketch.plan.boxes.push(BoxSize {
                left: half_width,
                right: half_width + looped,
                height: shape_height.max(loop_height),
                ports: half_width - 6.0,
                half_width,
                shape_height,
            });
            sketch.nodes.push(Shape { label, variables });
        }
        for edge in drawing.edges.iter().filter(|it| it.source != it.target) {
            sketch.link(edge.source, edge.target, edge_lines(edge), edge.dead);
        }
        for (index, node) in drawing.nodes.iter().enumerate() {
            for termination in &node.terminations {
                let Some(guard) = &termination.guard else {
                    continue;
                };
                let end = sketch.plan.boxes.len();
                sketch.plan.boxes.push(small_box(9.0));
                sketch.ends += 1;
                sketch.link(index, end, guard_lines(guard), termination.dead);
            }
        }
        let start = sketch.plan.boxes.len();
        sketch.plan.boxes.push(small_box(3.5));
        if !drawing.nodes.is_empty() {
            sketch.plan.links.push(Link {
                source: start,
                target: drawing.initial,
                label: None,
            });
            sketch.labels.push((Vec::new(), false));
        }
        sketch.plan.first = start;
        sketch
    }

    fn link(&mut self, source: usize, target: usize, lines: Lines, dead: bool) {
        self.plan.links.push(Link {
            source,
            target,
            label: Some(lines_size(&lines)),
        });
        self.labels.push((lines, dead));
    }

    fn draw(&self, placed: &Layout) -> String {
        let mut canvas = Canvas::default();
        let heading = Heading::new(self.drawing);
        let width = placed.width.max(heading.width);
        // A narrow graph stands below the middle of a wide heading.
        let across = (width - placed.width) / 2.0;
        heading.draw(&mut canvas);
        canvas.element(&format!(
            "<g transform=\"translate({} {})\">",
            number(across),
            number(heading.height)
        ));
        for (route, (lines, dead)) in placed.routes.iter().zip(&self.labels) {
            draw_route(&mut canvas, route, *dead);
            if let Some(point) = route.label {
                draw_lines(&mut canvas, point, lines, *dead);
            }
        }
        for index in 0..self.nodes.len() {
            self.draw_node(&mut canvas, index, placed.boxes[index]);
        }
        for end in 0..self.ends {
            let at = placed.boxes[self.nodes.len() + end];
            let pen = Pen::new(16.0, Ink::Text).at(Anchor::Middle);
            canvas.text(at.x, at.y + 6.0, pen, "√");
        }
        if let Some(start) = placed.boxes.last() {
            canvas.element(&format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" {}/>",
                number(start.x),
                number(start.y),
                Ink::Text.head()
            ));
        }
        canvas.element("</g>");
        canvas.finish(&self.drawing.name, width, placed.height + heading.height)
    }

    fn draw_node(&self, canvas: &mut Canvas, index: usize, at: Point) {
        let (shape, size) = (&self.nodes[index], &self.plan.boxes[index]);
        let node = &self.drawing.nodes[index];
        let (class, fill, stroke) = if node.stuck {
            ("node stuck", "#fdeceb", "#c03028")
        } else {
            ("node", "#f3f6fb", "#4a5363")
        };
        let rectangle = |inset: f64| {
            let (half, high) = (size.half_width - inset, size.shape_height - 2.0 * inset);
            format!(
                "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{fill}\" \
                 stroke=\"{stroke}\"/>",
                number(at.x - half),
                number(at.y - high / 2.0),
                number(2.0 * half),
                number(high),
                number((high / 2.0).min(half)),
            )
        };
        if node.folded {
            self.draw_folded(canvas, index, at);
            return;
        }
        canvas.element(&rectangle(0.0));
        if node.terminations.iter().any(|it| it.guard.is_none()) {
            canvas.element(&rectangle(3.0));
        }
        let name = Pen::new(NAME, Ink::Text).bold().at(Anchor::Middle);
        if shape.variables.is_empty() {
            canvas.text(at.x, at.y + 4.5, name, &shape.label)
        } else {
            canvas.text(at.x, at.y - 1.5, name, &shape.label);
            let small = Pen::new(SMALL, Ink::Faint).at(Anchor::Middle);
            canvas.text(at.x, at.y + 11.5, small, &shape.variables);
        }
        if !self.loops[index].is_empty() {
            self.draw_loop(canvas, index, at);
        }
    }

    /// A box with a dashed border, which stands for several states.
    fn draw_folded(&self, canvas: &mut Canvas, index: usize, at: Point) {
        let (size, node) = (&self.plan.boxes[index], &self.drawing.nodes[index]);
        let ink = if node.stuck { Ink::Wrong } else { Ink::Text };
        let rectangle = |inset: f64| {
            let (half, high) = (size.half_width - inset, size.shape_height - 2.0 * inset);
            format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" {} stroke-dasharray=\"4 3\"/>",
                number(at.x - half),
                number(at.y - high / 2.0),
                number(2.0 * half),
                number(high),
                ink.line(),
            )
        };
        canvas.element(&rectangle(0.0));
        if !node.terminations.is_empty() {
            canvas.element(&rectangle(3.0));
        }
        let pen = Pen::new(LABEL, ink).at(Anchor::Middle);
        canvas.text(at.x, at.y + 4.5, pen, &self.nodes[index].label);
    }

    fn draw_loop(&self, canvas: &mut Canvas, index: usize, at: Point) {
        let side = at.x + self.plan.boxes[index].half_width;
        let dead = self.loops[index].iter().all(|(_, dead)| *dead);
        let ink = if dead { Ink::Dead } else { Ink::Text };
        let reach = side + 1.3 * LOOP;
        canvas.path(
            &format!(
                "M{},{} C{},{} {},{} {},{}",
                number(side - 1.0),
                number(at.y - 6.0),
                number(reach),
                number(at.y - 16.0),
                number(reach),
                number(at.y + 16.0),
                number(side + 6.0),
                number(at.y + 7.6)
            ),
            ink,
            dead,
        );
        canvas.head(side - 1.0, at.y + 5.4, (-0.945, -0.326), ink);
        let (_, height) = stack_size(&self.loops[index]);
        let mut top = at.y - height / 2.0;
        for (lines, dead) in &self.loops[index] {
            let point = Point {
                x: side + LOOP + 6.0,
                y: top,
            };
            draw_lines(canvas, point, lines, *dead);
            top += lines_size(lines).1 + STACK_GAP;
        }
    }
}

/// How far a self-loop reaches out.
const LOOP: f64 = 22.0;
/// Between the labels of self-loops.
const STACK_GAP: f64 = 5.0;

fn small_box(radius: f64) -> BoxSize {
    BoxSize {
        left: radius,
        right: radius,
        height: 2.0 * radius,
        ports: 0.0,
        half_width: radius,
        shape_height: 2.0 * radius,
    }
}

/// The text beside an edge: guard, event, assignments, each on lines of their own.
fn edge_lines(edge: &DrawnEdge) -> Lines {
    let mut lines = match &edge.guard {
        Some(guard) => guard_lines(guard),
        None => Vec::new(),
    };
    let event = if edge.silent { "τ" } else { &edge.event };
    lines.extend(wrap(event, 44, 4).into_iter().map(|line| (Ink::Text, line)));
    for update in &edge.updates {
        lines.extend(
            wrap(update, 44, 3)
                .into_iter()
                .map(|line| (Ink::Value, line)),
        );
    }
    lines
}

fn guard_lines(guard: &str) -> Lines {
    wrap(&format!("[{guard}]"), 38, 5)
        .into_iter()
        .map(|line| (Ink::Guard, line))
        .collect()
}

fn lines_size(lines: &Lines) -> (f64, f64) {
    let width = lines
        .iter()
        .map(|(ink, line)| Pen::new(LABEL, *ink).width(line))
        .fold(0.0, f64::max);
    (width, LINE * lines.len() as f64)
}

fn stack_size(stack: &[(Lines, bool)]) -> (f64, f64) {
    let (mut width, mut height) = (0.0f64, 0.0);
    for (lines, _) in stack {
        let size = lines_size(lines);
        width = width.max(size.0);
        height += size.1 + STACK_GAP;
    }
    (width, (height - STACK_GAP).max(0.0))
}

fn draw_lines(canvas: &mut Canvas, at: Point, lines: &Lines, dead: bool) {
    for (index, (ink, line)) in lines.iter().enumerate() {
        let ink = if dead { Ink::Dead } else { *ink };
        let base = at.y + LINE * index as f64 + 11.0;
        canvas.text(at.x, base, Pen::new(LABEL, ink), line);
    }
}

fn draw_route(canvas: &mut Canvas, route: &Route, dead: bool) {
    let ink = if dead { Ink::Dead } else { Ink::Text };
    let Some((&(first_x, first_y, _), &(last_x, _, last_y))) =
        route.pieces.first().zip(route.pieces.last())
    else {
        return;
    };
    let shorten = |index: usize, (x, from, to): (f64, f64, f64)| {
        // The line ends where the head of the arrow begins.
        match (index, route.upwards) {
            (0, true) => (x, from + 6.0, to),
            (index, false) if index + 1 == route.pieces.len() => (x, from, to - 6.0),
            _ => (x, from, to),
        }
    };
    let mut path = String::new();
    // The end of the line so far, and how far of it is written down.
    let (mut before, mut written): (Option<(f64, f64)>, f64) = (None, 0.0);
    for (index, &piece) in route.pieces.iter().enumerate() {
        let (x, from, to) = shorten(index, piece);
        match before {
            None => {
                path.push_str(&format!("M{},{}", number(x), number(from)));
                written = from;
            }
            Some((old_x, old_y)) if (old_x - x).abs() >= 0.05 => {
                if old_y - written > 0.05 {
                    path.push_str(&format!(" V{}", number(old_y)));
                }
                let middle = (old_y + from) / 2.0;
                path.push_str(&format!(
                    " C{},{} {},{} {},{}",
                    number(old_x),
                    number(middle),
                    number(x),
                    number(middle),
                    number(x),
                    number(from)
                ));
                written = from;
            }
            Some(_) => {}
        }
        before = Some((x, to));
    }
    if let Some((_, to)) = before
        && to - written > 0.05
    {
        path.push_str(&format!(" V{}", number(to)));
    }
    canvas.path(&path, ink, dead);
    if route.upwards {
        canvas.head(first_x, first_y, (0.0, -1.0), ink)
    } else {
        canvas.head(last_x, last_y, (0.0, 1.0), ink)
    }
}

/// Name, roles and parameters above the graph.
struct Heading {
    lines: Vec<(Pen, String)>,
    width: f64,
    height: f64,
}

impl Heading {
    fn new(drawing: &GraphDrawing) -> Heading {
        let mut lines = Vec::new();
        let mut add = |pen: Pen, text: String, columns: usize| {
            lines.extend(wrap(&text, columns, 3).into_iter().map(|line| (pen, line)));
        };
        add(Pen::new(15.0, Ink::Text).bold(), drawing.name.clone(), 60);
        if let Some(roles) = drawing.whose() {
            add(Pen::new(LABEL, Ink::Faint), roles, 70);
        }
        if !drawing.parameters.is_empty() {
            let parameters = format!("parameters {}", drawing.parameters.join(", "));
            add(Pen::new(LABEL, Ink::Value), parameters, 70);
        }
        if let Some(folding) = drawing.folding() {
            add(Pen::new(LABEL, Ink::Faint), folding.to_owned(), 70);
        }
        let width = lines
            .iter()
            .map(|(pen, line)| pen.width(line))
            .fold(0.0, f64::max);
        Heading {
            height: 18.0 * lines.len() as f64 + 6.0,
            lines,
            width,
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        for (index, (pen, line)) in self.lines.iter().enumerate() {
            canvas.text(0.0, 12.0 + 18.0 * index as f64, *pen, line);
        }
    }
}
