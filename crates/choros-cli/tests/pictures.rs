//! The pictures of the README are those that `choros draw` draws; `CHOROS_BLESS=1` draws them again.

mod support;

use std::path::Path;

use support::choros;

#[test]
fn the_shop() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("shop.svg");
    let output = choros()
        .args(["draw", "examples/shop/shop.chor", "-o"])
        .arg(&drawn)
        .current_dir(&root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let drawn = std::fs::read_to_string(drawn).unwrap();
    let shown = root.join("docs/pictures/shop.svg");
    if std::env::var_os("CHOROS_BLESS").is_some() {
        std::fs::write(&shown, &drawn).unwrap();
    }
    let there = std::fs::read_to_string(&shown).unwrap_or_default();
    assert!(
        there == drawn,
        "{} is not what `choros draw` draws; CHOROS_BLESS=1 draws it again",
        shown.display()
    );
}
