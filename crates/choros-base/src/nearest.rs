//! "Did you mean …?"

/// The candidate most like `name`, if one is like enough to be worth suggesting.
///
/// Like enough means: a third of the longer word may differ, transpositions counting once; case alone never hurts, and
/// neither does an abbreviation (`Int` for `Integer`); two different letters are not like each other.
/// Ties go to the first candidate, so callers that pass a stable order get stable messages.
/// Words of more than 200 bytes are like nothing: comparing two takes time in the product of their lengths.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_NAME_LENGTH {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len() > MAX_NAME_LENGTH {
            continue;
        }
        let distance = if candidate.eq_ignore_ascii_case(name) {
            0
        } else if is_abbreviation(name, candidate) || is_abbreviation(candidate, name) {
            1
        } else {
            strsim::osa_distance(&name.to_lowercase(), &candidate.to_lowercase())
        };
        let allowed = match name.chars().count().max(candidate.chars().count()) {
            0 | 1 => 0,
            longer => longer.max(3) / 3,
        };
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// No one types names longer than this by hand.
const MAX_NAME_LENGTH: usize = 200;

/// Whether one word is the beginning of another, and long enough to be recognised.
fn is_abbreviation(short: &str, long: &str) -> bool {
    short.len() >= 3 && long.starts_with(short)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_slips_and_refuses_strangers() {
        let names = ["buyer", "vendor", "warehouse"];
        assert_eq!(nearest("vendro", names), Some("vendor"));
        assert_eq!(nearest("BUYER", names), Some("buyer"));
        assert_eq!(nearest("bank", names), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("x", ["X"]), Some("X"));
        assert_eq!(nearest("s3", ["s", "t"]), Some("s"));
        assert_eq!(nearest("Integer", ["Bool", "Int"]), Some("Int"));
    }

    #[test]
    fn endless_words_are_like_nothing() {
        let long = "x".repeat(10_000_000);
        assert_eq!(nearest(&long, [long.as_str(), "x"]), None);
        assert_eq!(nearest("xy", [long.as_str(), "xz"]), Some("xz"));
    }
}
