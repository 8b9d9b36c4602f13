//! Lines and texts of an SVG picture.
//!
//! Every element has presentation attributes, which all viewers understand, and a class, with which a page can give
//! it other colours.

use crate::metrics::text_width;
use crate::rich::Rich;
use choros_syntax::quote::xml_text;

/// What something is, which decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// What is written on it.
    Text,
    /// A guard or another condition.
    Guard,
    /// An assignment or a value.
    Value,
    /// Less important.
    Faint,
    /// What can never happen.
    Dead,
    /// What must not happen.
    Wrong,
}

impl Ink {
    fn class_and_colour(self) -> (&'static str, &'static str) {
        match self {
            Ink::Text => ("text", "#1f2430"),
            Ink::Guard => ("guard", "#0b6a8c"),
            Ink::Value => ("value", "#7a4a9c"),
            Ink::Faint => ("faint", "#7b8494"),
            Ink::Dead => ("dead", "#a3a9b4"),
            Ink::Wrong => ("wrong", "#b3261e"),
        }
    }

    /// `class` and `fill` for text.
    pub(crate) fn text(self) -> String {
        let (class, colour) = self.class_and_colour();
        format!("class=\"{class}\" fill=\"{colour}\"")
    }

    /// `class` and `stroke` for lines.
    pub(crate) fn line(self) -> String {
        let (class, colour) = self.class_and_colour();
        let colour = if self == Ink::Text { "#4a5363" } else { colour };
        format!("class=\"line {class}\" fill=\"none\" stroke=\"{colour}\"")
    }

    /// `class` and `fill` for the heads of arrows.
    pub(crate) fn head(self) -> String {
        let (class, colour) = self.class_and_colour();
        let colour = if self == Ink::Text { "#4a5363" } else { colour };
        format!("class=\"head {class}\" fill=\"{colour}\"")
    }
}

/// Where the given point of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pen {
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) ink: Ink,
    pub(crate) anchor: Anchor,
}

impl Pen {
    pub(crate) fn new(size: f64, ink: Ink) -> Pen {
        Pen {
            size,
            bold: false,
            ink,
            anchor: Anchor::Start,
        }
    }

    pub(crate) fn bold(self) -> Pen {
        Pen { bold: true, ..self }
    }

    pub(crate) fn at(self, anchor: Anchor) -> Pen {
        Pen { anchor, ..self }
    }

    pub(crate) fn width(&self, text: &str) -> f64 {
        text_width(text, self.size, self.bold)
    }

    pub(crate) fn rich_width(&self, rich: &Rich) -> f64 {
        let widths = rich
            .pieces
            .iter()
            .map(|(text, bold)| text_width(text, self.size, self.bold || *bold));
        widths.sum()
    }
}

/// A picture in the making.
#[derive(Debug, Default)]
pub(crate) struct Canvas {
    body: String,
}

impl Canvas {
    /// An element, written as it is.
    pub(crate) fn element(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// A text whose base line is at `y`.
    pub(crate) fn text(&mut self, x: f64, y: f64, pen: Pen, text: &str) {
        if text.is_empty() {
            return;
        }
        let anchor = match pen.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = if pen.bold {
            " font-weight=\"bold\""
        } else {
            ""
        };
        let element = format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{anchor}{weight} {} textLength=\"{}\" \
             lengthAdjust=\"spacingAndGlyphs\">{}</text>",
            number(x),
            number(y),
            number(pen.size),
            pen.ink.text(),
            number(pen.width(text)),
            xml_text(text)
        );
        self.element(&element);
    }

    /// A text some parts of which are bold.
    pub(crate) fn rich(&mut self, x: f64, y: f64, pen: Pen, rich: &Rich) {
        let weight = |bold: bool| if bold { pen.bold() } else { pen };
        if let [(text, bold)] = &rich.pieces[..] {
            return self.text(x, y, weight(*bold), text);
        }
        // Each piece begins where the one before it ends.
        let mut x = match pen.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - pen.rich_width(rich) / 2.0,
            Anchor::End => x - pen.rich_width(rich),
        };
        for (text, bold) in &rich.pieces {
            let pen = weight(*bold).at(Anchor::Start);
            // Blanks at the ends are not drawn, and must not stretch the rest.
            let blank = pen.width(&text[..text.len() - text.trim_start().len()]);
            self.text(x + blank, y, pen, text.trim());
            x += pen.width(text);
        }
    }

    /// Covers what is below the lines of a text, such as a lifeline, before they are written.
    pub(crate) fn halo(&mut self, x: f64, top: f64, (width, height): (f64, f64), anchor: Anchor) {
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        self.element(&format!(
            "<rect class=\"halo\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>",
            number(left - HALO),
            number(top),
            number(width + 2.0 * HALO),
            number(height)
        ));
    }

    /// Puts another canvas on top.
    pub(crate) fn append(&mut self, other: Canvas) {
        self.body.push_str(&other.body);
    }

    /// A line along points.
    pub(crate) fn path(&mut self, path: &str, ink: Ink, dashed: bool) {
        let dashes = if dashed {
            " stroke-dasharray=\"4 3\""
        } else {
            ""
        };
        self.element(&format!("<path d=\"{path}\" {}{dashes}/>", ink.line()));
    }

    /// The head of an arrow whose tip is at (`x`, `y`); (`dx`, `dy`) is where it points, of length one.
    pub(crate) fn head(&mut self, x: f64, y: f64, (dx, dy): (f64, f64), ink: Ink) {
        let (back_x, back_y) = (x - 8.0 * dx, y - 8.0 * dy);
        let (side_x, side_y) = (-3.4 * dy, 3.4 * dx);
        let path = format!(
            "M{},{} L{},{} L{},{} Z",
            number(x),
            number(y),
            number(back_x + side_x),
            number(back_y + side_y),
            number(back_x - side_x),
            number(back_y - side_y)
        );
        self.element(&format!("<path d=\"{path}\" {}/>", ink.head()));
    }

    /// The whole picture, with a margin around.
    pub(crate) fn finish(self, title: &str, width: f64, height: f64) -> String {
        let (width, height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
        let (wide, high) = (number(width.ceil()), number(height.ceil()));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"choros\" width=\"{wide}\" height=\"{high}\" \
             viewBox=\"{} {} {wide} {high}\" role=\"img\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" \
             stroke-width=\"1.2\">\n<title>{}</title>\n<rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"{wide}\" \
             height=\"{high}\" fill=\"#ffffff\" stroke=\"none\"/>\n<g stroke=\"none\">\n{}</g>\n</svg>\n",
            number(-MARGIN),
            number(-MARGIN),
            xml_text(title),
            number(-MARGIN),
            number(-MARGIN),
            self.body
        )
    }
}

/// What stays free left and right of a text that covers something.
const HALO: f64 = 4.0;

/// Around every picture.
const MARGIN: f64 = 14.0;

/// A number with one digit after the point, or none.
pub(crate) fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        digit => {
            let sign = if tenths < 0 { "-" } else { "" };
            format!("{sign}{}.{}", (tenths / 10).abs(), digit.abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_at_most_one_digit_after_the_point() {
        assert_eq!(number(3.0), "3");
        assert_eq!(number(-0.25), "-0.3");
        assert_eq!(number(12.34), "12.3");
        assert_eq!(number(-12.0), "-12");
    }

    #[test]
    fn texts_are_escaped_for_xml() {
        assert_eq!(
            xml_text("a<b & \"c\"\u{1}"),
            "a&lt;b &amp; &quot;c&quot;\u{fffd}"
        );
    }
}
