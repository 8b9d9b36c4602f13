//! Curves as a picture, for benchmarks.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A picture with axes, a grid, and a legend.
#[derive(Debug, Clone)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// What is varied, with its unit.
    pub across: String,
    /// What is measured, with its unit.
    pub up: String,
    pub curves: Vec<Curve>,
}

/// Points that belong together, in the order of their first coordinate.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 52.0;
/// Colours that people with any eyes tell apart (Okabe and Ito), each with a sign of its own as well.
const COLOURS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#4a5363"];

/// The plots beside each other, as SVG.
pub fn plots_svg(plots: &[Plot]) -> String {
    let width = WIDTH * plots.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" \
         height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
    );
    for (position, plot) in plots.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<g transform=\"translate({},0)\">",
            WIDTH * position as f64
        );
        plot.draw(&mut svg);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Writes a picture of a benchmark to `target/bench` and says where it is.
pub fn write_plots(name: &str, plots: &[Plot]) -> std::io::Result<PathBuf> {
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"),
    };
    let folder = target.join("bench");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{name}.svg"));
    std::fs::write(&path, plots_svg(plots))?;
    Ok(std::fs::canonicalize(&path).unwrap_or(path))
}

impl Plot {
    fn draw(&self, svg: &mut String) {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let across = Axis::over(points().map(|point| point.0), false);
        let up = Axis::over(points().map(|point| point.1), true);
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let x = |value: f64| LEFT + across.share(value) * (right - LEFT);
        let y = |value: f64| bottom - up.share(value) * (bottom - TOP);
        let text = |svg: &mut String, x: f64, y: f64, rest: &str, text: &str| {
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" {rest}>{}</text>",
                escape(text)
            );
        };
        text(
            svg,
            LEFT,
            20.0,
            "font-weight=\"bold\" fill=\"#1f2430\"",
            &self.title,
        );
        for tick in up.ticks() {
            let at = y(tick);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#e3e6ea\"/>"
            );
            let style = "text-anchor=\"end\" fill=\"#4a5363\"";
            text(svg, LEFT - 8.0, at + 4.0, style, &number(tick));
        }
        for tick in across.ticks() {
            let at = x(tick);
            let _ = writeln!(
                svg,
                "<line x1=\"{at:.1}\" y1=\"{bottom}\" x2=\"{at:.1}\" y2=\"{}\" stroke=\"#4a5363\"/>",
                bottom + 4.0
            );
            let style = "text-anchor=\"middle\" fill=\"#4a5363\"";
            text(svg, at, bottom + 18.0, style, &number(tick));
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#4a5363\"/>"
        );
        let middle = (LEFT + right) / 2.0;
        let style = "text-anchor=\"middle\" fill=\"#1f2430\"";
        text(svg, middle, HEIGHT - 12.0, style, &self.across);
        let turned = format!(
            "text-anchor=\"middle\" fill=\"#1f2430\" transform=\"rotate(-90 16 {0:.1})\"",
            (TOP + bottom) / 2.0
        );
        text(svg, 16.0, (TOP + bottom) / 2.0, &turned, &self.up);
        let mut legend = LEFT;
        for (position, curve) in self.curves.iter().enumerate() {
            let colour = COLOURS[position % COLOURS.len()];
            let path: Vec<String> = curve
                .points
                .iter()
                .map(|point| format!("{:.1} {:.1}", x(point.0), y(point.1)))
                .collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>",
                path.join(", ")
            );
            for point in &curve.points {
                sign(svg, position, x(point.0), y(point.1), colour);
            }
            sign(svg, position, legend + 5.0, 38.0, colour);
            text(svg, legend + 14.0, 42.0, "fill=\"#1f2430\"", &curve.name);
            legend += 28.0 + 6.8 * curve.name.chars().count() as f64;
        }
    }
}

/// A mark with a shape of its own, for eyes and printers without colours.
fn sign(svg: &mut String, curve: usize, x: f64, y: f64, colour: &str) {
    let _ = match curve % 3 {
        0 => writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.6\" fill=\"{colour}\"/>"
        ),
        1 => writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"6.8\" height=\"6.8\" fill=\"{colour}\"/>",
            x - 3.4,
            y - 3.4
        ),
        _ => writeln!(
            svg,
            "<path d=\"M{x:.1} {:.1}l4.4 7.4h-8.8z\" fill=\"{colour}\"/>",
            y - 4.6
        ),
    };
}

/// An axis from one round number to another.
struct Axis {
    from: f64,
    step: f64,
    count: usize,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, from_zero: bool) -> Axis {
        let (mut least, mut most) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |ends, value| {
                (ends.0.min(value), ends.1.max(value))
            });
        if !least.is_finite() || from_zero {
            least = least.clamp(f64::MIN, 0.0);
        }
        most = if most.is_finite() { most } else { 1.0 };
        let range = if most > least { most - least } else { 1.0 };
        // Steps of 1, 2 or 5 times a power of ten, about five of them.
        let rough = range / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|step| *step >= rough)
            .unwrap_or(rough);
        let from = (least / step).floor() * step;
        let count = ((most - from) / step).ceil().max(1.0) as usize;
        Axis { from, step, count }
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let (from, step) = (self.from, self.step);
        (0..=self.count).map(move |tick| from + step * tick as f64)
    }

    /// Where a value lies, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        (value - self.from) / (self.step * self.count as f64)
    }
}

/// `10,000`, `0.5`
fn number(value: f64) -> String {
    if value.fract().abs() > 1e-9 {
        return format!("{value:.1}");
    }
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if value < -0.5 {
        format!("-{text}")
    } else {
        text
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{Axis, Curve, Plot, number, plots_svg};

    #[test]
    fn axes_are_round() {
        let axis = Axis::over([1_000.0, 10_000.0].into_iter(), false);
        let ticks: Vec<f64> = axis.ticks().collect();
        assert_eq!(ticks, [0.0, 2_000.0, 4_000.0, 6_000.0, 8_000.0, 10_000.0]);
        assert_eq!(axis.share(5_000.0), 0.5);
        let same: Vec<f64> = Axis::over([3.0].into_iter(), true).ticks().collect();
        assert_eq!(same, [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn numbers_are_read_by_people() {
        assert_eq!(number(10_000.0), "10,000");
        assert_eq!(number(-2_500.0), "-2,500");
        assert_eq!(number(0.5), "0.5");
    }

    #[test]
    fn every_curve_is_in_the_picture() {
        let curve = |name: &str| Curve {
            name: name.to_owned(),
            points: vec![(1.0, 2.0), (3.0, 4.0)],
        };
        let plot = Plot {
            title: "a & b".to_owned(),
            across: "states".to_owned(),
            up: "ms".to_owned(),
            curves: vec![curve("one"), curve("<two>")],
        };
        let svg = plots_svg(&[plot]);
        assert!(svg.contains("a &amp; b") && svg.contains("&lt;two&gt;"));
        assert_eq!(svg.matches("<polyline").count(), 2);
    }
}
