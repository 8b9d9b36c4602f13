//! Curves: numbers that grow.

/// A picture with axes, a grid and a legend.
#[derive(Debug, Clone, PartialEq)]
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
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// It counts what should not happen.
    pub is_bad: bool,
}

/// A name, whether it counts what should not happen, and the counts.
pub(crate) type Counts<'a> = (&'a str, bool, Vec<(u64, u64)>);

/// Fewer points say no more than a sentence does.
const MIN_POINTS: usize = 5;

impl Plot {
    /// A plot of counts after each step; none of few steps. Curves that stay at zero are left out.
    pub(crate) fn of_counts(title: &str, across: &str, curves: Vec<Counts<'_>>) -> Option<Plot> {
        let curve = |(name, is_bad, points): Counts<'_>| Curve {
            name: name.to_owned(),
            is_bad,
            points: points
                .into_iter()
                .map(|(x, y)| (x as f64, y as f64))
                .collect(),
        };
        let mut curves: Vec<Curve> = curves.into_iter().map(curve).collect();
        curves.retain(|it| it.points.len() >= MIN_POINTS && it.points.iter().any(|it| it.1 > 0.0));
        let up = match curves.as_slice() {
            [] => return None,
            [only] => only.name.clone(),
            _ => String::new(),
        };
        Some(Plot {
            title: title.to_owned(),
            across: across.to_owned(),
            up,
            curves,
        })
    }
}

impl Plot {
    /// A plot of verdicts: none where all of them are yes, because a straight line says nothing.
    pub(crate) fn of_verdicts(title: &str, across: &str, curves: Vec<Counts<'_>>) -> Option<Plot> {
        let plot = Plot::of_counts(title, across, curves)?;
        let is_mixed = plot.curves.len() > 1 || plot.curves.iter().any(|it| it.is_bad);
        is_mixed.then_some(plot)
    }
}

/// The least and the greatest of both coordinates.
pub(crate) fn axes(plot: &Plot) -> (Axis, Axis) {
    let points = || plot.curves.iter().flat_map(|curve| &curve.points);
    let across = Axis::over(points().map(|point| point.0), false);
    (across, Axis::over(points().map(|point| point.1), true))
}

/// An axis from one round number to another.
pub(crate) struct Axis {
    from: f64,
    step: f64,
    count: usize,
}

impl Axis {
    pub(crate) fn over(values: impl Iterator<Item = f64>, from_zero: bool) -> Axis {
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

    pub(crate) fn ticks(&self) -> impl Iterator<Item = f64> {
        let (from, step) = (self.from, self.step);
        (0..=self.count).map(move |tick| from + step * tick as f64)
    }

    /// Where a value lies, from 0 to 1.
    pub(crate) fn share(&self, value: f64) -> f64 {
        (value - self.from) / (self.step * self.count as f64)
    }
}

/// `10,000`, `0.5`
pub(crate) fn number(value: f64) -> String {
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

#[cfg(test)]
mod tests {
    use super::{Axis, Plot, number};

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
    fn what_does_not_grow_has_no_plot() {
        let flat = |height: u64| (1..10).map(|it| (it, height)).collect();
        assert!(Plot::of_counts("t", "x", vec![("fail", true, flat(0))]).is_none());
        let both = vec![("pass", false, flat(3)), ("fail", true, flat(0))];
        let plot = Plot::of_counts("t", "x", both).expect("something passed");
        assert_eq!((plot.curves.len(), plot.up.as_str()), (1, "pass"));
        let short = vec![("pass", false, vec![(1, 1), (2, 2)])];
        assert!(Plot::of_counts("t", "x", short).is_none());
    }
}
