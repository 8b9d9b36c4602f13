//! Plots for the terminal: a line of bars per curve.

use crate::plot::{Curve, Plot, axes, number};
use crate::{Style, TextRole};

/// How many bars a line has.
const BARS: usize = 40;

/// The plot, which ends with a line break: what each curve comes to, and how it got there.
///
/// Nothing without Unicode: ASCII has no bars of different heights.
pub(crate) fn plot_text(plot: &Plot, style: &Style) -> String {
    if !style.unicode {
        return String::new();
    }
    let wide = plot.curves.iter().map(|it| it.name.chars().count()).max();
    let wide = wide.unwrap_or(0);
    let mut out = format!("{} (after each {})\n", plot.title, plot.across);
    for curve in &plot.curves {
        let paint = if curve.is_bad {
            TextRole::Bad
        } else {
            TextRole::Condition
        };
        let bars = style.paint(paint, &bars(plot, curve));
        let last = curve.points.last().map_or(0.0, |point| point.1);
        let name = &curve.name;
        out.push_str(&format!("  {name:<wide$} {bars} {}\n", number(last)));
    }
    out
}

fn bars(plot: &Plot, curve: &Curve) -> String {
    const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (_, up) = axes(plot);
    let count = curve.points.len().min(BARS);
    let point = |bar: usize| {
        // The last point is always shown: it is what the curve comes to.
        let place = ((bar + 1) * curve.points.len()).div_ceil(count) - 1;
        curve.points[place].1
    };
    let height = |value: f64| (up.share(value) * 8.0).ceil().clamp(0.0, 8.0) as usize;
    (0..count).map(|bar| HEIGHTS[height(point(bar))]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_become_bars() {
        let rise: Vec<(u64, u64)> = (1..=8).map(|it| (it, it)).collect();
        let wrong = (1..=8).map(|it| (it, it / 4)).collect();
        let curves = vec![("pass", false, rise), ("fail", true, wrong)];
        let plot = Plot::of_counts("windows", "window", curves).expect("it grows");
        let style = Style {
            unicode: true,
            ..Style::PLAIN
        };
        assert_eq!(
            plot_text(&plot, &style),
            "windows (after each window)\n  pass ▁▂▃▄▅▆▇█ 8\n  fail    ▁▁▁▁▂ 2\n"
        );
        assert_eq!(plot_text(&plot, &Style::PLAIN), "");
    }
}
