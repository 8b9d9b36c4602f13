//! What reading alone shows: findings with fixes, form, outline, folds, colours.

mod support;

use serde_json::{Value, json};
use support::{Client, codes, edited, examples, marked, short};

const MODEL: &str = "file:///nowhere/m.chor";

#[test]
fn a_finding_has_its_place_and_related_ones() {
    let mut client = Client::quiet();
    let text = "choreography Shop[a, b] {\n    a -> b: Ask(x: Int)\n    b -> a: Tell(x: Int)\n}\n";
    let findings = client.open(MODEL, text);
    assert_eq!(codes(&findings), ["CH0123"]);
    let finding = &findings[0];
    assert_eq!(short(&finding["range"]), "2:17-2:18");
    assert_eq!(finding["severity"], 1);
    let related = &finding["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], MODEL);
    assert_eq!(short(&related["location"]["range"]), "1:16-1:17");
    assert!(client.leave());
}

#[test]
fn a_quick_fix_mends_what_it_is_about() {
    let mut client = Client::quiet();
    let text = "choreography Shop[buyer, vendor] {\n    /* é😀 */ byer -> vendor: Ask\n}\n";
    let findings = client.open(MODEL, text);
    assert_eq!(codes(&findings).len(), 1);
    // The emoji counts two.
    assert_eq!(short(&findings[0]["range"]), "1:14-1:18");
    let actions = client.about("codeAction", MODEL);
    let action = &actions[0];
    assert_eq!(action["kind"], "quickfix");
    assert_eq!(action["diagnostics"][0], findings[0]);
    let mended = edited(text, &action["edit"]["changes"][MODEL]);
    assert_eq!(mended, text.replace("byer", "buyer"));
    assert!(client.change(MODEL, json!([{"text": mended}])).is_empty());
    assert_eq!(client.about("codeAction", MODEL), json!([]));
    assert!(client.leave());
}

#[test]
fn only_the_fixes_that_are_asked_for() {
    let mut client = Client::quiet();
    client.open(
        MODEL,
        "choreography S[buyer, v] {\n    byer -> v: Ask\n    v -> byer: No\n}\n",
    );
    let mut ask = |line: usize, only: Value| {
        let place = json!({"line": line, "character": 9});
        let params = json!({
            "textDocument": {"uri": MODEL},
            "range": {"start": place, "end": place},
            "context": {"diagnostics": [], "only": only},
        });
        let answer = client.ask("textDocument/codeAction", params);
        answer.expect("it answers").as_array().map_or(0, Vec::len)
    };
    assert_eq!(ask(0, json!(["quickfix"])), 0);
    assert_eq!(ask(1, json!(["refactor"])), 0);
    assert_eq!(ask(2, json!([""])), 1);
    assert!(client.leave());
}

#[test]
fn formatting_is_what_the_command_line_writes() {
    let mut client = Client::quiet();
    let text = "choreography A[a,b]{a->b:X\n\n\n  b->a:Y}\n";
    client.open(MODEL, text);
    let edits = client.about("formatting", MODEL);
    let formed = edited(text, &edits);
    assert_eq!(
        formed,
        "choreography A[a, b] {\n    a -> b: X\n\n    b -> a: Y\n}\n"
    );
    client.change(MODEL, json!([{"text": formed}]));
    assert_eq!(client.about("formatting", MODEL), json!([]));
    // A text that does not parse has no form.
    client.change(MODEL, json!([{"text": "choreography {"}]));
    assert_eq!(client.about("formatting", MODEL), json!([]));
    assert!(client.leave());
}

#[test]
fn only_lines_that_differ_are_formatted() {
    let mut client = Client::quiet();
    let text = "choreography A[a, b] {\n    a -> b: X\n    b->a:Y\n    a -> b: Z\n}\n";
    client.open(MODEL, text);
    let edits = client.about("formatting", MODEL);
    assert_eq!(short(&edits[0]["range"]), "2:0-3:0");
    assert_eq!(edits[0]["newText"], "    b -> a: Y\n");
    assert!(client.leave());
}

#[test]
fn the_outline_nests() {
    let mut client = Client::quiet();
    let text = "type Card\nchoreography Shop[a, b] {\n    loop Ask {\n        a -> b: X\n        again Ask\n    }\n}\nrole a {\n    skip\n}\n";
    client.open(MODEL, text);
    let outline = client.about("documentSymbol", MODEL);
    let names = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("a list").iter();
        list.map(|it| {
            format!(
                "{} {}",
                it["detail"].as_str().unwrap(),
                it["name"].as_str().unwrap()
            )
        })
        .collect()
    };
    assert_eq!(
        names(&outline),
        ["type Card", "choreography Shop", "role a"]
    );
    assert_eq!(names(&outline[1]["children"]), ["loop Ask"]);
    assert_eq!(short(&outline[1]["range"]), "1:0-6:1");
    assert_eq!(short(&outline[1]["selectionRange"]), "1:13-1:17");
    assert!(client.leave());
}

#[test]
fn brackets_and_comments_fold() {
    let mut client = Client::quiet();
    let text = "/* one\n   two */\nchoreography S[a, b] {\n    par {\n        a -> b: X\n    } and {\n        b -> a: Y\n    }\n}\n";
    client.open(MODEL, text);
    let folds = client.about("foldingRange", MODEL);
    let folds: Vec<(u64, u64)> = folds
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| {
            (
                it["startLine"].as_u64().unwrap(),
                it["endLine"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(folds, [(0, 1), (2, 7), (3, 4), (5, 6)]);
    assert!(client.leave());
}

/// The pieces of a text with their kinds.
fn coloured(client: &mut Client, uri: &str, text: &str) -> Vec<String> {
    let legend = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    let tokens = client.about("semanticTokens/full", uri);
    let data: Vec<usize> = tokens["data"]
        .as_array()
        .expect("numbers")
        .iter()
        .map(|it| it.as_u64().expect("a number") as usize)
        .collect();
    let units: Vec<u16> = text.encode_utf16().collect();
    let (mut line, mut column) = (0, 0);
    let mut pieces = Vec::new();
    for token in data.chunks(5) {
        if token[0] > 0 {
            column = 0;
        }
        line += token[0];
        column += token[1];
        let start = support::unit(&units, line, column);
        let piece = String::from_utf16(&units[start..start + token[2]]).expect("whole characters");
        let star = if token[4] == 1 { "*" } else { "" };
        pieces.push(format!(
            "{}{star} {piece}",
            legend[token[3]].as_str().expect("a kind")
        ));
    }
    pieces
}

#[test]
fn names_are_coloured_by_what_they_are() {
    let mut client = Client::quiet();
    let text = "// 😀\nchoreography S[a, b] {\n    a -> b: Ask(n = x: Int, OK)\n}\n";
    client.open(MODEL, text);
    assert_eq!(
        coloured(&mut client, MODEL, text),
        [
            "comment // 😀",
            "keyword choreography",
            "class* S",
            "namespace* a",
            "operator ,",
            "namespace* b",
            "namespace a",
            "operator -",
            "operator >",
            "namespace b",
            "operator :",
            "function Ask",
            "property* n",
            "operator =",
            "variable* x",
            "operator :",
            "type Int",
            "operator ,",
            "enumMember OK",
        ]
    );
    assert!(client.leave());
}

#[test]
fn hovering_and_colouring_count_in_utf_16() {
    let mut client = Client::quiet();
    let (text, at) = marked("choreography S[a, b] {\n    /*😀*/ a -> b: Ask(^x: Int)\n}\n");
    client.open(MODEL, &text);
    let hover = client.at("hover", MODEL, at);
    let value = hover["contents"]["value"].as_str().expect("a text");
    assert!(value.starts_with("**variable** `x`"), "{value}");
    assert!(value.contains("x: Int\nknown to a, b"), "{value}");
    assert_eq!(short(&hover["range"]), "1:23-1:24");
    assert!(client.leave());
}

/// Whatever the language, nothing that an editor asks of a whole text goes wrong, and ranges lie in the text.
#[test]
fn every_example_is_served() {
    let mut client = Client::quiet();
    let examples = examples();
    assert!(examples.len() > 30);
    for (uri, text) in &examples {
        let findings = client.open(uri, text);
        let errors = findings.iter().filter(|it| it["severity"] == 1).count();
        assert_eq!(errors, 0, "{uri}: {findings:?}");
        coloured(&mut client, uri, text);
        let lines = text.lines().count() as u64;
        for fold in client
            .about("foldingRange", uri)
            .as_array()
            .expect("a list")
        {
            assert!(fold["endLine"].as_u64() < Some(lines), "{uri}: {fold}");
        }
        for feature in ["documentSymbol", "codeLens", "inlayHint", "codeAction"] {
            assert!(client.about(feature, uri).is_array(), "{uri} {feature}");
        }
        let formed = edited(text, &client.about("formatting", uri));
        let is_xml = text.starts_with('<');
        assert!(is_xml || !formed.is_empty(), "{uri}");
    }
    assert!(client.leave());
}
