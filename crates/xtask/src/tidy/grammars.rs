//! The grammars for editors are those that the lexicons make.

use super::Finding;
use crate::{Repository, grammars};

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    // Repositories of other rules' tests have no editors.
    if !repository.has("editors") {
        return Vec::new();
    }
    let made = match grammars(repository) {
        Ok(made) => made,
        Err(error) => return vec![Finding::new("editors/grammars", 0, error.to_string())],
    };
    made.into_iter()
        .filter(|(path, text)| repository.file(path).is_none_or(|it| it.text != *text))
        .map(|(path, _)| {
            let message = "it is not what the lexicon says: `cargo xtask grammars` writes it";
            Finding::new(&path, 0, message)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn a_lexicon_that_is_gone_is_found() {
        let found = findings(check, [("editors/README.md", "")]);
        assert_eq!(
            found,
            ["editors/grammars: there is no `crates/choros-lang/src/chor/symbols.rs`"]
        );
        assert_eq!(findings(check, [("README.md", "")]), [""; 0]);
    }
}
