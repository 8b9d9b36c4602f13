//! The published schema, and the bindings of the examples.

use std::collections::BTreeSet;
use std::path::Path;

use choros_base::SourceMap;
use choros_bind::{
    BindingFile, Format, HIDE_KEYS, IGNORE_KEYS, LOG_KEYS, MESSAGE_KEYS, OTHERS, Opening,
    ROLE_KEYS, TIME_FORMS, TOP_KEYS, VALUE_KEYS,
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
        (&schema["$defs"]["ignored"], &IGNORE_KEYS[..]),
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
    assert_eq!(listed(&schema["properties"]["others"]), OTHERS);
    let times = &schema["$defs"]["log"]["properties"]["time"];
    assert_eq!(listed(times), TIME_FORMS);
    let open = &schema["$defs"]["log"]["properties"]["open"]["additionalProperties"];
    assert_eq!(listed(open), Opening::ALL.map(Opening::name));
}

/// The bindings of the examples, of the starter and of the book.
fn bindings() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![
        root.join("examples"),
        root.join("crates/choros-cli/starter"),
    ];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".bind.toml") {
                let text = std::fs::read_to_string(&path).expect("a text");
                found.push((path.display().to_string(), text));
            }
        }
    }
    assert!(found.len() >= 5, "{found:?}");
    let book = std::fs::read_to_string(root.join("docs/book/src/bindings.md")).expect("a page");
    let (_, block) = book.split_once("```toml\n").expect("a block");
    let (block, _) = block.split_once("```").expect("its end");
    found.push(("the book".to_owned(), block.to_owned()));
    found
}

/// Every binding of the examples is read without a finding, and printing it loses nothing.
#[test]
fn the_bindings_of_the_examples_are_sound() {
    for (path, text) in bindings() {
        let read = |text: &str| {
            let file = SourceMap::new().add("example", text);
            let mut findings = Vec::new();
            let read = BindingFile::read(file, text, &mut findings);
            assert_eq!(findings, [], "{path}");
            read.expect("it is sound").binding
        };
        let binding = read(&text);
        assert_eq!(read(&binding.to_toml(&[])), binding, "{path}");
    }
}

/// Editors that know TOML and not Choros check bindings by the schema: it refuses no sound one.
#[test]
fn the_schema_fits_the_bindings_of_the_examples() {
    let schema = schema();
    for (path, text) in bindings() {
        let errors = mismatches(&schema, &schema, &json(&text), "");
        assert!(errors.is_empty(), "{path}: {errors:?}");
    }
    for (text, place) in [
        ("[mesages.Ask]", "/mesages"),
        (
            "[messages.Ask]\nrequst = \"POST /a\"",
            "/messages/Ask/requst",
        ),
        ("session = \"bdy.id\"", "/session"),
        ("[values.id]\nformat = \"guid\"", "/values/id/format"),
        ("[hide]\nsecret = 3", "/hide/secret"),
    ] {
        let errors = mismatches(&schema, &schema, &json(text), "");
        assert_eq!(errors, [place], "{text}");
    }
}

fn json(text: &str) -> Value {
    let document = toml_edit::Document::parse(text.to_owned()).expect("it is TOML");
    of_table(document.as_table())
}

fn of_table(table: &dyn toml_edit::TableLike) -> Value {
    let entries = table.iter();
    let entries = entries.map(|(key, item)| (key.to_owned(), of_item(item)));
    Value::Object(entries.collect())
}

fn of_item(item: &toml_edit::Item) -> Value {
    if let Some(tables) = item.as_array_of_tables() {
        return tables.iter().map(|it| of_table(it)).collect();
    }
    match (item.as_table_like(), item.as_value()) {
        (Some(table), _) => of_table(table),
        (None, Some(value)) => of_value(value),
        (None, None) => Value::Null,
    }
}

fn of_value(value: &toml_edit::Value) -> Value {
    use toml_edit::Value as Toml;
    match value {
        Toml::String(text) => text.value().as_str().into(),
        Toml::Integer(number) => (*number.value()).into(),
        Toml::Float(number) => (*number.value()).into(),
        Toml::Boolean(truth) => (*truth.value()).into(),
        Toml::Datetime(moment) => moment.value().to_string().into(),
        Toml::Array(items) => items.iter().map(of_value).collect(),
        Toml::InlineTable(table) => of_table(table),
    }
}

/// The places of a value that a schema refuses; it knows the keywords that this schema has, and no others.
fn mismatches(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let here = |fits: bool| {
        if fits {
            Vec::new()
        } else {
            vec![place.to_owned()]
        }
    };
    let mut found = Vec::new();
    for (keyword, wanted) in schema.as_object().expect("a schema") {
        found.extend(match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "properties" => Vec::new(),
            "$ref" => {
                let path = wanted.as_str().and_then(|it| it.strip_prefix('#'));
                let named = path.and_then(|it| root.pointer(it)).expect("it is there");
                mismatches(root, named, value, place)
            }
            "const" => here(value == wanted),
            "enum" => here(wanted.as_array().expect("a list").contains(value)),
            "type" => {
                let names = match wanted {
                    Value::Array(names) => names.clone(),
                    name => vec![name.clone()],
                };
                here(
                    names
                        .iter()
                        .any(|it| it == kind(value) || it == "number" && value.is_number()),
                )
            }
            "pattern" => {
                let pattern =
                    regex::Regex::new(wanted.as_str().expect("a text")).expect("a pattern");
                here(value.as_str().is_none_or(|it| pattern.is_match(it)))
            }
            "minimum" => here(value.as_i64().is_none_or(|it| Some(it) >= wanted.as_i64())),
            "maximum" => here(value.as_i64().is_none_or(|it| Some(it) <= wanted.as_i64())),
            "oneOf" => {
                let forms = wanted.as_array().expect("a list").iter();
                let fitting = forms.filter(|it| mismatches(root, it, value, place).is_empty());
                here(fitting.count() == 1)
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                let each = |(at, it)| mismatches(root, wanted, it, &format!("{place}/{at}"));
                items.flat_map(each).collect()
            }
            "propertyNames" => {
                let names = value.as_object().into_iter().flatten();
                let each = |(key, _): (&String, &Value)| {
                    mismatches(
                        root,
                        wanted,
                        &key.as_str().into(),
                        &format!("{place}/{key}"),
                    )
                };
                names.flat_map(each).collect()
            }
            "additionalProperties" => of_properties(root, schema, value, place),
            "required" => {
                let mut names = wanted.as_array().expect("a list").iter();
                here(names.all(|it| it.as_str().is_some_and(|it| value.get(it).is_some())))
            }
            other => panic!("teach this test the keyword `{other}`"),
        });
    }
    found
}

fn of_properties(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (key, value) in value.as_object().into_iter().flatten() {
        let place = format!("{place}/{key}");
        match (
            schema["properties"].get(key),
            &schema["additionalProperties"],
        ) {
            (Some(own), _) => found.extend(mismatches(root, own, value, &place)),
            (None, Value::Bool(true)) => {}
            (None, Value::Bool(false)) => found.push(place),
            (None, others) => found.extend(mismatches(root, others, value, &place)),
        }
    }
    found
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
