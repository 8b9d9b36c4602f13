//! The published schema, and the bindings of the examples.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use choros_base::SourceMap;
use choros_bind::{
    BindingFile, Format, HIDE_KEYS, LOG_KEYS, MESSAGE_KEYS, Opening, ROLE_KEYS, TOP_KEYS,
    VALUE_KEYS,
};
use serde_json::Value;

fn schema() -> Value {
    let text = include_str!("../../../docs/schema/binding.schema.json");
    serde_json::from_str(text).expect("it is JSON")
}

/// The schema has the keys that are read, and no others.
#[test]
fn the_schema_is_about_the_keys_that_are_read() {
    let schema = schema();
    let keys = |of: &Value| -> BTreeSet<String> {
        assert_eq!(of["additionalProperties"], false);
        let properties = of["properties"].as_object().expect("it has properties");
        properties.keys().cloned().collect()
    };
    for (described, known) in [
        (&schema, &TOP_KEYS[..]),
        (&schema["$defs"]["role"], &ROLE_KEYS[..]),
        (&schema["$defs"]["message"], &MESSAGE_KEYS[..]),
        (&schema["$defs"]["values"], &VALUE_KEYS[..]),
        (&schema["$defs"]["hide"], &HIDE_KEYS[..]),
        (&schema["$defs"]["log"], &LOG_KEYS[..]),
    ] {
        let known: BTreeSet<String> = known.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(keys(described), known);
    }
    let listed = |of: &Value| -> Vec<String> {
        let items = of["enum"].as_array().expect("it lists words").iter();
        items
            .map(|it| it.as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let formats = &schema["$defs"]["values"]["properties"]["format"];
    assert_eq!(listed(formats), Format::ALL.map(Format::name));
    let open = &schema["$defs"]["log"]["properties"]["open"]["additionalProperties"];
    assert_eq!(listed(open), Opening::ALL.map(Opening::name));
}

/// Every binding of the examples is read without a finding, and printing it loses nothing.
#[test]
fn the_bindings_of_the_examples_are_sound() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![
        root.join("examples"),
        root.join("crates/choros-cli/starter"),
    ];
    let mut found: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".bind.toml") {
                found.push(path);
            }
        }
    }
    assert!(found.len() >= 5, "{found:?}");
    for path in found {
        let text = std::fs::read_to_string(&path).expect("a text");
        let read = |text: &str| {
            let file = SourceMap::new().add("example", text);
            let mut findings = Vec::new();
            let read = BindingFile::read(file, text, &mut findings);
            assert_eq!(findings, [], "{}", path.display());
            read.expect("it is sound").binding
        };
        let binding = read(&text);
        assert_eq!(read(&binding.to_toml(&[])), binding, "{}", path.display());
    }
}
