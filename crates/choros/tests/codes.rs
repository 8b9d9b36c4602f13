//! Every diagnostic that has a specification can be explained.

use std::fs;
use std::path::Path;

#[test]
fn specified_codes_can_be_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/diagnostics");
    let mut specified: Vec<String> = fs::read_dir(folder)
        .expect("the specification of diagnostics")
        .map(|entry| entry.expect("a file").file_name())
        .filter_map(|name| Some(name.to_str()?.strip_suffix(".md")?.to_owned()))
        .filter(|name| name.starts_with("CH"))
        .collect();
    specified.sort();
    assert!(!specified.is_empty());
    let mut explained: Vec<String> = choros::codes()
        .into_iter()
        .map(|info| format!("{}-{}", info.code, info.name))
        .collect();
    explained.retain(|name| specified.contains(name));
    assert_eq!(explained, specified);
}

#[test]
fn codes_are_found_by_number_and_name() {
    for text in ["CH0301", "ch0301", "301", "CH301", "dead-transition"] {
        let found = choros::code(text).ok().map(|info| info.code);
        assert_eq!(found, Some("CH0301"), "{text}");
    }
    assert!(choros::code("70000").is_err());
    assert!(choros::code("").is_err());
}
