//! Files that are to be written.

use std::collections::BTreeMap;

/// The result of emitting: texts by relative path.
///
/// Emitters are pure; the shell writes the files, in one place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileSet {
    files: BTreeMap<String, String>,
}

impl FileSet {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and says under which path it is kept.
    ///
    /// Names come from models, so a path is made harmless first: it stays within the folder, and has no character that
    /// a file system might refuse.
    /// Where two files would have one path (for some file systems also where only capitals differ), the later one gets
    /// another.
    pub fn add(&mut self, path: &str, text: impl Into<String>) -> String {
        let parts: Vec<String> = path
            .split('/')
            .filter(|part| !part.is_empty())
            .map(harmless)
            .collect();
        let wanted = if parts.is_empty() {
            "unnamed".to_owned()
        } else {
            parts.join("/")
        };
        let mut free = wanted.clone();
        let mut count = 1;
        while self
            .files
            .keys()
            .any(|known| known.eq_ignore_ascii_case(&free))
        {
            count += 1;
            let end = wanted.rfind('/').map_or(0, |at| at + 1);
            let (stem, extension) = match wanted[end..].rfind('.') {
                Some(dot) if dot > 0 => wanted.split_at(end + dot),
                _ => (wanted.as_str(), ""),
            };
            free = format!("{stem}_{count}{extension}");
        }
        self.files.insert(free.clone(), text.into());
        free
    }

    /// Paths and texts, in the order of paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// One part of a path: ASCII letters, digits and `_-.`, without dots only.
fn harmless(part: &str) -> String {
    let part: String = part
        .chars()
        .map(|character| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' | '.' => character,
            _ => '_',
        })
        .collect();
    if part.bytes().all(|byte| byte == b'.') {
        "_".repeat(part.len())
    } else {
        part
    }
}

#[cfg(test)]
mod tests {
    use super::FileSet;

    #[test]
    fn paths_stay_within_the_folder() {
        let mut files = FileSet::new();
        assert_eq!(files.add("/../a b/c.rs", ""), "__/a_b/c.rs");
        assert_eq!(files.add("", ""), "unnamed");
        assert_eq!(files.add("..\\x.py", ""), ".._x.py");
    }

    #[test]
    fn no_file_hides_another() {
        let mut files = FileSet::new();
        assert_eq!(files.add("tests/test_b.py", "1"), "tests/test_b.py");
        assert_eq!(files.add("tests/test_B.py", "2"), "tests/test_B_2.py");
        assert_eq!(files.add("a.b/c", "3"), "a.b/c");
        assert_eq!(files.add("a.b/c", "4"), "a.b/c_2");
        let texts: Vec<&str> = files.iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["3", "4", "2", "1"]);
    }
}
