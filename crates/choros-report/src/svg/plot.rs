//! Plots as SVG.

use super::canvas::{Anchor, Canvas, Ink, Pen, number as coordinate};
use crate::plot::{Curve, Plot, axes, number};

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 50.0;
const LABEL: f64 = 12.0;

/// The plots next to each other.
pub fn plots_svg(plots: &[Plot]) -> String {
    let mut canvas = Canvas::default();
    for (position, plot) in plots.iter().enumerate() {
        let across = coordinate(WIDTH * position as f64);
        canvas.element(&format!("<g transform=\"translate({across} 0)\">"));
        draw(plot, &mut canvas);
        canvas.element("</g>");
    }
    let titles: Vec<&str> = plots.iter().map(|it| it.title.as_str()).collect();
    canvas.finish(&titles.join("; "), WIDTH * plots.len() as f64, HEIGHT)
}

fn draw(plot: &Plot, canvas: &mut Canvas) {
    let (across, up) = axes(plot);
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let x = |value: f64| LEFT + across.share(value) * (right - LEFT);
    let y = |value: f64| bottom - up.share(value) * (bottom - TOP);
    let text = Pen::new(LABEL, Ink::Text);
    canvas.text(LEFT, 12.0, Pen::new(13.0, Ink::Text).bold(), &plot.title);
    for tick in up.ticks() {
        let at = y(tick);
        canvas.element(&format!(
            "<path d=\"M{},{} H{}\" {} opacity=\"0.3\"/>",
            coordinate(LEFT),
            coordinate(at),
            coordinate(right),
            Ink::Faint.line()
        ));
        let pen = Pen::new(LABEL, Ink::Faint).at(Anchor::End);
        canvas.text(LEFT - 8.0, at + 4.0, pen, &number(tick));
    }
    for tick in across.ticks() {
        let at = x(tick);
        let path = format!("M{},{} v4", coordinate(at), coordinate(bottom));
        canvas.path(&path, Ink::Text, false);
        let pen = Pen::new(LABEL, Ink::Faint).at(Anchor::Middle);
        canvas.text(at, bottom + 18.0, pen, &number(tick));
    }
    let (left, top) = (coordinate(LEFT), coordinate(TOP));
    let axis = format!(
        "M{left},{top} V{} H{}",
        coordinate(bottom),
        coordinate(right)
    );
    canvas.path(&axis, Ink::Text, false);
    let middle = text.at(Anchor::Middle);
    canvas.text((LEFT + right) / 2.0, HEIGHT - 12.0, middle, &plot.across);
    let turned = format!("rotate(-90 16 {})", coordinate((TOP + bottom) / 2.0));
    canvas.element(&format!("<g transform=\"{turned}\">"));
    canvas.text(16.0, (TOP + bottom) / 2.0, middle, &plot.up);
    canvas.element("</g>");
    let mut legend = LEFT;
    for (place, curve) in plot.curves.iter().enumerate() {
        let ink = ink(place, curve);
        let points: Vec<String> = curve
            .points
            .iter()
            .map(|point| format!("{},{}", coordinate(x(point.0)), coordinate(y(point.1))))
            .collect();
        canvas.path(&format!("M{}", points.join(" L")), ink, false);
        // Signs would lie on each other.
        if curve.points.len() <= MAX_SIGNS {
            for point in &curve.points {
                sign(canvas, place, x(point.0), y(point.1), ink);
            }
        }
        if plot.curves.len() > 1 {
            sign(canvas, place, legend + 5.0, 29.0, ink);
            canvas.text(legend + 14.0, 33.0, text, &curve.name);
            legend += 28.0 + text.width(&curve.name);
        }
    }
}

/// With more points, a curve is a line without signs.
const MAX_SIGNS: usize = 40;

fn ink(place: usize, curve: &Curve) -> Ink {
    const INKS: [Ink; 4] = [Ink::Guard, Ink::Value, Ink::Text, Ink::Faint];
    if curve.is_bad {
        Ink::Wrong
    } else {
        INKS[place % INKS.len()]
    }
}

/// A mark with a shape of its own, for eyes and printers without colours.
fn sign(canvas: &mut Canvas, curve: usize, x: f64, y: f64, ink: Ink) {
    let (x, y) = (coordinate(x), coordinate(y));
    let path = match curve % 3 {
        0 => format!("M{x},{y} m-3.4,0 a3.4,3.4 0 1 0 6.8,0 a3.4,3.4 0 1 0 -6.8,0 Z"),
        1 => format!("M{x},{y} m-3.2,-3.2 h6.4 v6.4 h-6.4 Z"),
        _ => format!("M{x},{y} m0,-4.4 l4.2,7.2 h-8.4 Z"),
    };
    canvas.element(&format!("<path d=\"{path}\" {}/>", ink.head()));
}

#[cfg(test)]
mod tests {
    use super::plots_svg;
    use crate::plot::{Curve, Plot};

    #[test]
    fn every_curve_is_in_the_picture() {
        let curve = |name: &str, is_bad: bool| Curve {
            name: name.to_owned(),
            points: vec![(1.0, 2.0), (3.0, 4.0)],
            is_bad,
        };
        let plot = Plot {
            title: "a & b".to_owned(),
            across: "states".to_owned(),
            up: "ms".to_owned(),
            curves: vec![curve("one", false), curve("<two>", true)],
        };
        let svg = plots_svg(&[plot]);
        assert!(svg.contains("a &amp; b") && svg.contains("&lt;two&gt;"));
        assert_eq!(svg.matches("class=\"line guard\"").count(), 1);
        assert_eq!(svg.matches("class=\"line wrong\"").count(), 1);
        assert!(roxmltree::Document::parse(&svg).is_ok());
    }
}
