//! Laws over recorded and random edits, and over random protocol.
//!
//! After any edits, what is shown is what a fresh reading of the same text shows.

mod support;

use choros_testkit::{Random, rounds, seed_from_env};
use serde_json::{Value, json};
use support::{Client, edited, examples, unit};

/// What is shown of a text.
fn shown(client: &mut Client, uri: &str) -> Vec<Value> {
    let features = [
        "documentSymbol",
        "semanticTokens/full",
        "foldingRange",
        "inlayHint",
    ];
    let shown = features.iter().map(|it| client.about(it, uri));
    shown.collect()
}

#[test]
fn after_any_edits_findings_are_those_of_a_fresh_reading() {
    let mut random = Random::new(seed_from_env());
    let examples: Vec<(String, String)> = examples()
        .into_iter()
        .filter(|it| it.1.len() < 20_000)
        .collect();
    for _ in 0..rounds(25) {
        let (uri, text) = random.pick(&examples).clone();
        let other = random.pick(&examples).1.clone();
        let mut client = Client::quiet();
        client.open(&uri, &text);
        // The twin: the text in units of UTF-16, as editors count.
        let mut units: Vec<u16> = text.encode_utf16().collect();
        for _ in 0..4 {
            let mut changes = Vec::new();
            for _ in 0..random.below(3) + 1 {
                changes.push(change(&mut units, &other, &mut random));
            }
            let version = client.change_only(&uri, json!(changes));
            if random.percent(50) {
                // A question in between sees the same text.
                shown(&mut client, &uri);
            }
            let found = client.findings(&uri, version);
            let now = String::from_utf16(&units).expect("whole characters");
            let mut fresh = Client::quiet();
            let expected = fresh.open(&uri, &now);
            assert_eq!(found, expected, "{uri}\n{now}");
            let (one, twin) = (shown(&mut client, &uri), shown(&mut fresh, &uri));
            assert_eq!(one, twin, "{uri}\n{now}");
            assert!(fresh.leave());
        }
        assert!(client.leave());
    }
}

/// What Neovim 0.7 and Emacs 28 with Eglot sent while someone worked in them, and the text that they had at the end.
#[test]
fn what_editors_sent_is_followed_to_the_same_text() {
    let recorded = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    for editor in ["neovim", "emacs"] {
        let text = std::fs::read_to_string(recorded.join(format!("{editor}.json")));
        let session: Value = serde_json::from_str(&text.expect("a session")).expect("JSON");
        let uri = format!("file:///nowhere/{editor}.chor");
        let start = session["start"].as_str().expect("a text");
        let mut client = Client::quiet();
        client.open(&uri, start);
        // The twin takes one change after the other.
        let mut now = start.to_owned();
        for changes in session["changes"].as_array().expect("a list") {
            for change in changes.as_array().expect("a list") {
                let edit = json!([{"range": change["range"], "newText": change["text"]}]);
                now = edited(&now, &edit);
            }
            let found = client.change(&uri, changes.clone());
            let mut fresh = Client::quiet();
            assert_eq!(found, fresh.open(&uri, &now), "{editor}\n{now}");
            let (one, twin) = (shown(&mut client, &uri), shown(&mut fresh, &uri));
            assert_eq!(one, twin, "{editor}\n{now}");
            assert!(fresh.leave());
        }
        assert_eq!(now, session["end"].as_str().expect("a text"), "{editor}");
        assert!(client.leave());
    }
}

/// A random change, made to the units as well.
fn change(units: &mut Vec<u16>, other: &str, random: &mut Random) -> Value {
    let lines = String::from_utf16_lossy(units).matches('\n').count();
    let place = |random: &mut Random| {
        let (line, column) = (random.below(lines + 2), random.below(40));
        let mut at = unit(units, line, column);
        // An editor does not stop within a character.
        let mut column = column;
        while at > 0
            && units
                .get(at)
                .is_some_and(|it| (0xDC00..0xE000).contains(it))
        {
            at -= 1;
            column -= 1;
        }
        (at, json!({"line": line, "character": column}))
    };
    let (mut one, mut two) = (place(random), place(random));
    if one.0 > two.0 {
        std::mem::swap(&mut one, &mut two);
    }
    if random.percent(60) {
        two = one.clone();
    }
    let new = match random.below(5) {
        0 => String::new(),
        1 => random
            .pick(&["{", "}", "(", "\n", "é", "😀", "\"", "/*", " "])
            .to_string(),
        2 => random
            .pick(&["role x {\n", "skip", "choice", "AG ", "-> b: M(x: Int)"])
            .to_string(),
        _ => {
            let words: Vec<&str> = other.split_inclusive(' ').collect();
            let from = random
                .below(words.len().max(1))
                .min(words.len().saturating_sub(1));
            let to = (from + random.below(6)).min(words.len());
            words[from..to].concat()
        }
    };
    units.splice(one.0..two.0, new.encode_utf16());
    json!({"range": {"start": one.1, "end": two.1}, "text": new})
}

/// A fresh name is taken everywhere, and the old one brings the old text back.
#[test]
fn another_name_and_back_is_the_text_before() {
    let mut random = Random::new(seed_from_env());
    let examples: Vec<(String, String)> = examples()
        .into_iter()
        .filter(|it| it.1.len() < 20_000)
        .collect();
    let mut renamed = 0;
    for _ in 0..rounds(60) {
        let (path, text) = random.pick(&examples).clone();
        // Beside no other file, so that all places are in this one.
        let name = path.rsplit('/').next().expect("a name");
        let uri = format!("file:///nowhere/{name}");
        let mut client = Client::quiet();
        client.open(&uri, &text);
        let lines = text.lines().count();
        let (line, column) = (random.below(lines), random.below(30));
        let prepared = client.at("prepareRename", &uri, (line, column));
        let Some(old) = prepared["placeholder"].as_str() else {
            continue;
        };
        let Some(first) = old.chars().next().filter(|it| it.is_alphabetic()) else {
            continue;
        };
        let new = if first.is_uppercase() {
            "Zfresh1"
        } else {
            "zfresh1"
        };
        let rename = |client: &mut Client, place: &Value, new: &str, text: &str| {
            let params = json!({
                "textDocument": {"uri": uri},
                "position": place,
                "newName": new,
            });
            let answer = client.ask("textDocument/rename", params);
            let edits = answer.unwrap_or_else(|it| panic!("{uri} {old}: {it}"));
            edited(text, &edits["changes"][&uri])
        };
        let place = json!({"line": line, "character": column});
        let after = rename(&mut client, &place, new, &text);
        assert!(after.contains(new), "{uri} {old}");
        client.change(&uri, json!([{"text": after}]));
        let at = after.find(new).expect("it is there");
        let line = after[..at].matches('\n').count();
        let column = after[..at].rsplit('\n').next().unwrap_or_default();
        let place = json!({"line": line, "character": column.encode_utf16().count()});
        let back = rename(&mut client, &place, old, &after);
        // A field that had the name of its variable keeps the name that was written for it.
        let back = back.replace(&format!("{old} = {old}"), old);
        assert_eq!(
            back,
            text.replace(&format!("{old} = {old}"), old),
            "{uri} {old}"
        );
        renamed += 1;
        assert!(client.leave());
    }
    assert!(renamed > 0);
}

/// Whatever a client says, the server answers every request once and ends in order.
#[test]
fn no_protocol_brings_it_down() {
    let mut random = Random::new(seed_from_env());
    for _ in 0..rounds(20) {
        let mut client = Client::quiet();
        let uri = "file:///nowhere/m.chor";
        client.open(uri, "choreography S[a, b] {\n    a -> b: M(x: Int)\n}\n");
        for _ in 0..60 {
            let method = *random.pick(&METHODS);
            let params = value(&mut random, uri, 3);
            match random.below(8) {
                0 => {
                    client.say(value(&mut random, uri, 2));
                }
                1 => client.stammer("x"),
                2 | 3 => client.tell(method, params),
                _ => {
                    // An answer of either kind is one.
                    let _ = client.ask(method, params);
                }
            }
        }
        assert!(client.leave());
    }
}

const METHODS: [&str; 18] = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/hover",
    "textDocument/inlayHint",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/semanticTokens/range",
    "workspace/didChangeWatchedFiles",
    "$/cancelRequest",
    "initialize",
];

/// A random value, which often has the keys that parameters have.
fn value(random: &mut Random, uri: &str, depth: usize) -> Value {
    if depth == 0 {
        return match random.below(6) {
            0 => Value::Null,
            1 => json!(random.percent(50)),
            2 => json!(random.between(-3, 60)),
            3 => json!(uri),
            4 => json!(1.5e300),
            _ => json!("x"),
        };
    }
    let mut object = serde_json::Map::new();
    for key in [
        "textDocument",
        "position",
        "range",
        "start",
        "end",
        "line",
        "character",
        "uri",
        "text",
        "contentChanges",
        "newName",
        "version",
        "context",
        "only",
        "languageId",
        "id",
        "result",
    ] {
        if !random.percent(40) {
            continue;
        }
        let inner = match (key, random.below(4)) {
            ("uri", 1..) => json!(uri),
            ("line" | "character", 1..) => json!(random.below(60)),
            ("contentChanges", 1..) => json!([value(random, uri, depth - 1)]),
            ("newName" | "text", 1..) => json!(random.pick(&["y", "é{", ""])),
            _ => value(random, uri, depth - 1),
        };
        object.insert(key.to_owned(), inner);
    }
    Value::Object(object)
}
