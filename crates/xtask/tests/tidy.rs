//! The repository obeys its own rules.

use std::path::Path;

use xtask::{Repository, tidy};

#[test]
fn repository_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let repository = Repository::read(&root).expect("the repository is a git checkout");
    assert!(
        repository.has("crates/xtask/tests/tidy.rs"),
        "the rules would pass on a repository that was not read"
    );
    let findings: Vec<String> = tidy(&repository).iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}
