//! Names that stand in logs for values which are not shown: `[redacted 1c7e52d0:5f0c9a1b22d3e4f6]`.
//!
//! The first part names the capture, the second the value.
//! Equal names stand for equal values; different names of one capture stand for different values; of names of different
//! captures nothing is known.
//! [`UNSEEN`] stands for what no one wrote down: of it nothing is known at all.

const BEGIN: &str = "[redacted ";
const CAPTURE: usize = 8;
const VALUE: usize = 16;

/// What stands for a value that was not written down, and may not have been there either.
pub const UNSEEN: &str = "[redacted 0000000000000000]";

/// What two texts that stand in logs say about the values: equal, different, or nothing.
///
/// At least one of them holds a pseudonym.
pub fn are_equal(one: &str, other: &str) -> Option<bool> {
    if one == UNSEEN || other == UNSEEN {
        return None;
    }
    if one == other {
        return Some(true);
    }
    match (capture(one), capture(other)) {
        (Some(one), Some(other)) if one == other => Some(false),
        _ => None,
    }
}

/// Whether a text is a pseudonym, or has one in it.
pub fn is_in(text: &str) -> bool {
    let mut rest = text;
    while let Some(begin) = rest.find(BEGIN) {
        rest = &rest[begin + BEGIN.len()..];
        let is_one = rest.find(']').is_some_and(|end| {
            let inside = &rest[..end];
            match inside.split_once(':') {
                Some((capture, value)) => is_hex(capture, CAPTURE) && is_hex(value, VALUE),
                // Captures of earlier versions have no names.
                None => is_hex(inside, VALUE),
            }
        });
        if is_one {
            return true;
        }
    }
    false
}

/// The capture that made a pseudonym, if the text is one and says so.
pub fn capture(text: &str) -> Option<&str> {
    let inside = text.strip_prefix(BEGIN)?.strip_suffix(']')?;
    let (capture, value) = inside.split_once(':')?;
    (is_hex(capture, CAPTURE) && is_hex(value, VALUE)).then_some(capture)
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::{UNSEEN, are_equal, is_in};

    const ONE: &str = "[redacted 00000001:0123456789abcdef]";
    const OTHER: &str = "[redacted 00000001:fedcba9876543210]";
    const ELSEWHERE: &str = "[redacted 00000002:0123456789abcdef]";
    const OLD: &str = "[redacted 0123456789abcdef]";

    #[test]
    fn a_pseudonym_is_found_wherever_it_stands() {
        for text in [
            ONE,
            OLD,
            &format!("card {ONE} of bob"),
            "[redacted [redacted 0123456789abcdef]",
        ] {
            assert!(is_in(text), "{text}");
        }
        for text in [
            "",
            "[redacted ]",
            "[redacted by hand]",
            "0123456789abcdef",
            "[redacted 0123456789abcdef",
        ] {
            assert!(!is_in(text), "{text}");
        }
    }

    #[test]
    fn only_names_of_one_capture_tell_values_apart() {
        assert_eq!(are_equal(ONE, ONE), Some(true));
        assert_eq!(are_equal(ONE, OTHER), Some(false));
        assert_eq!(are_equal(ONE, ELSEWHERE), None);
        assert_eq!(are_equal(ONE, "4111"), None);
        assert_eq!(are_equal(OLD, OLD), Some(true));
        assert_eq!(are_equal(OLD, "[redacted fedcba9876543210]"), None);
        assert_eq!(are_equal(UNSEEN, UNSEEN), None);
        assert!(is_in(UNSEEN));
        assert_eq!(are_equal(ONE, &format!("card {OTHER}")), None);
    }
}
