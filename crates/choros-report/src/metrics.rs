//! How wide a text is, in the font of the pictures, without asking a font.
//!
//! The widths are those of Helvetica, which Arial and Liberation Sans share.
//! Pictures also say how long each text is to be (`textLength`), so that another font is squeezed and not cut.

use unicode_width::UnicodeWidthChar;

/// Width of a text in the units of its size.
pub(crate) fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    let thousandths: u32 = text.chars().map(character_width).sum();
    let weight = if bold { 1.07 } else { 1.0 };
    f64::from(thousandths) * size * weight / 1000.0
}

fn character_width(character: char) -> u32 {
    match character {
        ' '..='~' => u32::from(WIDTHS[character as usize - ' ' as usize]),
        '√' => 549,
        '…' => 1000,
        _ => match character.width() {
            Some(0) | None => 0,
            Some(1) => 620,
            Some(_) => 1000,
        },
    }
}

/// From the blank to the tilde.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// A text in lines of about this many characters, broken at blanks; what is far too long ends with an ellipsis.
pub(crate) fn wrap(text: &str, columns: usize, most_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    let mut length = 0;
    for word in text.split_whitespace() {
        let word_length = word.chars().count();
        if length > 0 && length + 1 + word_length > columns {
            if lines.len() == most_lines {
                append_to_last(&mut lines, " …");
                return lines;
            }
            lines.push(String::new());
            length = 0;
        }
        if length > 0 {
            append_to_last(&mut lines, " ");
            length += 1;
        }
        if word_length > 2 * columns {
            let start: String = word.chars().take(2 * columns - 1).collect();
            append_to_last(&mut lines, &start);
            append_to_last(&mut lines, "…");
            length += 2 * columns;
        } else {
            append_to_last(&mut lines, word);
            length += word_length;
        }
    }
    lines
}

fn append_to_last(lines: &mut [String], text: &str) {
    if let Some(line) = lines.last_mut() {
        line.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        // From the font metrics of Helvetica: H 722, i 222.
        assert_eq!(text_width("Hi", 1000.0, false), 944.0);
        assert_eq!(text_width("~", 10.0, false), 5.84);
    }

    #[test]
    fn lines_break_at_blanks_and_end_somewhere() {
        assert_eq!(wrap("x > 0 and y > 0", 9, 9), ["x > 0 and", "y > 0"]);
        assert_eq!(wrap("a b c d", 1, 2), ["a", "b …"]);
        assert_eq!(wrap("abcdefgh", 2, 2), ["abc…"]);
        assert_eq!(wrap("", 2, 2), [""]);
    }
}
