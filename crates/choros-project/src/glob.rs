//! Which paths a pattern names: `*` and `?` within a name, `**` for any folders.

/// Whether a text has to be looked for among the files.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// Whether a path fits a pattern; both with `/`.
pub fn fits(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    parts(&pattern, &path)
}

/// Folder by folder; a row per part of the pattern, so that no pattern costs more than both lengths multiplied.
fn parts(pattern: &[&str], path: &[&str]) -> bool {
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for part in pattern {
        let mut next = vec![false; path.len() + 1];
        for at in 0..=path.len() {
            if *part == "**" {
                next[at] = reached[at] || at > 0 && next[at - 1];
            } else if at > 0 {
                next[at] = reached[at - 1] && name(part, path[at - 1]);
            }
        }
        reached = next;
    }
    reached[path.len()]
}

/// One name, the same way.
fn name(pattern: &str, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for letter in pattern.chars() {
        let mut next = vec![false; text.len() + 1];
        for at in 0..=text.len() {
            next[at] = match letter {
                '*' => reached[at] || at > 0 && next[at - 1],
                '?' => at > 0 && reached[at - 1],
                letter => at > 0 && reached[at - 1] && text[at - 1] == letter,
            };
        }
        reached = next;
    }
    reached[text.len()]
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_stay_in_their_folder_and_double_ones_do_not() {
        for (pattern, path, expected) in [
            ("*.chor", "shop.chor", true),
            ("*.chor", "models/shop.chor", false),
            ("models/*.chor", "models/shop.chor", true),
            ("**/*.chor", "shop.chor", true),
            ("**/*.chor", "a/b/shop.chor", true),
            ("a/**", "a/b/c", true),
            ("a/**", "b/c", false),
            ("sh?p.chor", "shop.chor", true),
            ("sh?p.chor", "shp.chor", false),
            (
                "*a*a*a*b",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                false,
            ),
        ] {
            assert_eq!(fits(pattern, path), expected, "{pattern} {path}");
        }
    }
}
