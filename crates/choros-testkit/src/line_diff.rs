//! Lines that were expected, aligned with the lines that came.
//!
//! An expected line is a pattern: `[..]` stands for any characters within it, and a line `...` for any number of
//! lines.
//! The alignment has the fewest lines that found no partner; what comes fits iff there are none.

/// Stands for any number of lines.
pub(crate) const ANY_LINES: &str = "...";
/// Stands for any characters of a line.
pub(crate) const ANY_CHARACTERS: &str = "[..]";

/// One piece of an alignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Aligned<'a> {
    /// A line that was expected and came.
    Kept {
        /// What was expected.
        pattern: &'a str,
        /// What came.
        actual: &'a str,
    },
    /// `...`, and the lines it stands for here.
    Any(Vec<&'a str>),
    /// A line that was expected and did not come.
    Missing(&'a str),
    /// A line that came and was not expected.
    Unexpected(&'a str),
}

/// Aligns; see the head of this file.
pub(crate) fn align<'a>(expected: &[&'a str], actual: &[&'a str]) -> Vec<Aligned<'a>> {
    // Lines before the first and after the last `...` have no choice of partner if everything fits, and comparing
    // them first keeps the table small when little has changed.
    let is_partner =
        |(pattern, line): &(&&str, &&str)| **pattern != ANY_LINES && matches(pattern, line);
    let prefix = expected.iter().zip(actual).take_while(is_partner).count();
    let (rest_expected, rest_actual) = (&expected[prefix..], &actual[prefix..]);
    let suffix = rest_expected
        .iter()
        .rev()
        .zip(rest_actual.iter().rev())
        .take_while(is_partner)
        .count();
    let kept = |(&pattern, &actual): (&&'a str, &&'a str)| Aligned::Kept { pattern, actual };
    let mut aligned: Vec<Aligned> = expected.iter().zip(actual).take(prefix).map(kept).collect();
    let (rest_expected, last_expected) = rest_expected.split_at(rest_expected.len() - suffix);
    let (rest_actual, last_actual) = rest_actual.split_at(rest_actual.len() - suffix);
    align_rest(rest_expected, rest_actual, &mut aligned);
    aligned.extend(last_expected.iter().zip(last_actual).map(kept));
    aligned
}

/// Whether every line found its partner.
pub(crate) fn fits(aligned: &[Aligned]) -> bool {
    aligned
        .iter()
        .all(|piece| matches!(piece, Aligned::Kept { .. } | Aligned::Any(_)))
}

/// Whether a line is an instance of a pattern.
pub(crate) fn matches(pattern: &str, line: &str) -> bool {
    let mut pieces = pattern.split(ANY_CHARACTERS);
    let Some(mut rest) = pieces.next().and_then(|first| line.strip_prefix(first)) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match rest.find(piece) {
            Some(offset) => rest = &rest[offset + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The table would be larger than this many cells only for outputs that no document should show; then nothing is
/// aligned.
const MAX_CELLS: usize = 16_000_000;

fn align_rest<'a>(expected: &[&'a str], actual: &[&'a str], aligned: &mut Vec<Aligned<'a>>) {
    let width = actual.len() + 1;
    if (expected.len() + 1).saturating_mul(width) > MAX_CELLS {
        aligned.extend(expected.iter().map(|line| Aligned::Missing(line)));
        aligned.extend(actual.iter().map(|line| Aligned::Unexpected(line)));
        return;
    }
    // `cost[i * width + j]`: how many lines of `expected[i..]` and `actual[j..]` stay alone.
    let mut cost = vec![0u32; (expected.len() + 1) * width];
    for i in (0..=expected.len()).rev() {
        for j in (0..=actual.len()).rev() {
            let at = |i: usize, j: usize| cost[i * width + j];
            cost[i * width + j] = match (expected.get(i), actual.get(j)) {
                (None, None) => 0,
                (None, Some(_)) => at(i, j + 1) + 1,
                (Some(&ANY_LINES), None) => at(i + 1, j),
                (Some(&ANY_LINES), Some(_)) => at(i + 1, j).min(at(i, j + 1)),
                (Some(_), None) => at(i + 1, j) + 1,
                (Some(pattern), Some(line)) => {
                    let alone = at(i + 1, j).min(at(i, j + 1)) + 1;
                    if matches(pattern, line) {
                        alone.min(at(i + 1, j + 1))
                    } else {
                        alone
                    }
                }
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let at = |i: usize, j: usize| cost[i * width + j];
    while i < expected.len() || j < actual.len() {
        match (expected.get(i), actual.get(j)) {
            (Some(&ANY_LINES), _) => {
                let start = j;
                while j < actual.len() && at(i + 1, j) > at(i, j) {
                    j += 1;
                }
                aligned.push(Aligned::Any(actual[start..j].to_vec()));
                i += 1;
            }
            (Some(&pattern), Some(&line))
                if matches(pattern, line) && at(i + 1, j + 1) == at(i, j) =>
            {
                aligned.push(Aligned::Kept {
                    pattern,
                    actual: line,
                });
                i += 1;
                j += 1;
            }
            (Some(pattern), _) if at(i + 1, j) + 1 == at(i, j) => {
                aligned.push(Aligned::Missing(pattern));
                i += 1;
            }
            (_, Some(line)) => {
                aligned.push(Aligned::Unexpected(line));
                j += 1;
            }
            // The cost of a line without partner is that of the rest and one more, so one of the cases above holds.
            (_, None) => i += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `=` kept, `-` missing, `+` unexpected, `*` any lines.
    fn show(expected: &str, actual: &str) -> String {
        let expected: Vec<&str> = expected.split_whitespace().collect();
        let actual: Vec<&str> = actual.split_whitespace().collect();
        let pieces: Vec<String> = align(&expected, &actual)
            .iter()
            .map(|piece| match piece {
                Aligned::Kept { actual, .. } => format!("={actual}"),
                Aligned::Any(lines) => format!("*{}", lines.concat()),
                Aligned::Missing(line) => format!("-{line}"),
                Aligned::Unexpected(line) => format!("+{line}"),
            })
            .collect();
        pieces.join(" ")
    }

    #[test]
    fn patterns_within_a_line() {
        for (pattern, line) in [
            ("", ""),
            ("abc", "abc"),
            ("a[..]c", "abbc"),
            ("a[..]c", "ac"),
            ("[..]", ""),
            ("[..]b[..]", "abc"),
            ("a[..]b[..]b", "abab"),
        ] {
            assert!(matches(pattern, line), "{pattern} {line}");
        }
        for (pattern, line) in [
            ("", "a"),
            ("abc", "abcd"),
            ("a[..]c", "abcd"),
            ("a[..]c", "bac"),
            ("a[..]a", "a"),
            ("a[..]b[..]b", "ab"),
        ] {
            assert!(!matches(pattern, line), "{pattern} {line}");
        }
    }

    #[test]
    fn changes_are_found_where_they_are() {
        assert_eq!(show("a b c", "a b c"), "=a =b =c");
        assert_eq!(show("a b c", "a x c"), "=a -b +x =c");
        assert_eq!(show("a b c d", "b c d e"), "-a =b =c =d +e");
        assert_eq!(show("", "a"), "+a");
        assert_eq!(show("a", ""), "-a");
        assert_eq!(show("a a b", "a b"), "=a -a =b");
    }

    #[test]
    fn any_number_of_lines() {
        assert_eq!(show("a ... d", "a b c d"), "=a *bc =d");
        assert_eq!(show("a ... d", "a d"), "=a * =d");
        assert_eq!(show("... d", "a d d"), "*ad =d");
        assert_eq!(show("a ...", "a"), "=a *");
        assert_eq!(show("a ... c ... e", "a b c d f e"), "=a *b =c *df =e");
        assert_eq!(show("a ... x d", "a b c d"), "=a *bc -x =d");
    }

    #[test]
    fn a_pattern_does_not_steal_the_line_of_another() {
        assert_eq!(show("... a[..] ab", "x aa ab"), "*x =aa =ab");
        assert_eq!(show("x a[..] ... ab y", "z ab y"), "-x -a[..] *z =ab =y");
    }
}
