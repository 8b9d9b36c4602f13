//! Mappings of earlier versions as bindings, and bindings as text.

use choros_base::SourceMap;
use choros_bind::{Binding, BindingFile, OldKind, translate};

/// What is printed is read as the same binding.
fn read_back(binding: &Binding) -> String {
    let text = binding.to_toml(&["By hand.".to_owned()]);
    let mut sources = SourceMap::new();
    let file = sources.add("printed.bind.toml", text.as_str());
    let mut findings = Vec::new();
    let read = BindingFile::read(file, &text, &mut findings);
    let read = read.unwrap_or_else(|| panic!("{text}\n{findings:#?}"));
    assert_eq!(read.binding, *binding, "{text}");
    text
}

#[test]
fn three_mappings_are_one_binding() {
    let drive = translate(
        r#"{ "target": "http://127.0.0.1:8080", "listen": { "w": ":9001" }, "headers": { "authorization": "Bearer $TOKEN" },
             "operations": {
               "Order": { "path": "/orders/{id}", "method": "PUT", "answers": ["Accepted", "Rejected"],
                          "fields": [{ "path": "id" }, "lines.0.pieces", { "query": "q" }, { "header": "X-A" }] },
               "Accepted": { "status": 201, "constants": { "state": "ok", "n": 1.5, "b": true } },
               "Rejected": { "status": 422 } } }"#,
    )
    .unwrap();
    assert_eq!(drive.kind, OldKind::Drive);
    let capture = translate(
        r#"{ "session": "header.X-Session", "id": "path.1", "redact": "card, *.password",
             "messages": { "PUT /orders/{id}": { "request": "Order", "response": { "201": "Accepted", "4xx": "Rejected" } },
                           "GET /health": { "request": null, "response": null } } }"#,
    )
    .unwrap();
    assert_eq!(capture.kind, OldKind::Capture);
    assert_eq!(capture.left_out, [""; 0]);
    let logs = translate(
        r#"{ "at": "time", "time": "iso", "op": "type", "by": { "value": "s" }, "send": ["out"], "data": "payload",
             "lossy": true, "messages": { "Order": { "from": "c", "to": "s" }, "*": { "from": "x" } } }"#,
    )
    .unwrap();
    assert_eq!(logs.kind, OldKind::Logs);
    let mut binding = drive.binding;
    let mut dropped = binding.merge(capture.binding);
    dropped.extend(binding.merge(logs.binding));
    assert_eq!(
        dropped,
        ["`Rejected` is bound in two ways; the first counts"]
    );
    let text = read_back(&binding);
    for expected in [
        "[roles.\"*\"]\naddress = \"http://127.0.0.1:8080\"",
        "request = \"PUT /orders/{id}\"",
        "fields = [\"path.id\", \"body.lines.0.pieces\", \"query.q\", \"header.x-a\"]",
        "response = \"Order\"\nstatus = 201\nwhen = { \"body.state\" = \"ok\", \"body.n\" = 1.5, \"body.b\" = true }",
        "session = \"header.x-session\"",
        "id = \"path.1\"",
        "[ignore.health]\nrequest = \"GET /health\"",
        "secret = [\"card\", \"*.password\"]",
        "by = { value = \"s\" }",
        "from = { value = \"x\" }",
        "from = \"c\"\nto = \"s\"",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn what_is_wrong_with_a_mapping_is_told() {
    for (text, expected) in [
        ("[]", "not an object"),
        (r#"{"op": 7}"#, "`op` is a path"),
        (r#"{"opp": "x"}"#, "`opp` is none of"),
        (
            r#"{"messages": {"/a": {"response": {"2000": "x"}}}}"#,
            "expected a status such as `201`",
        ),
        (r#"{"operations": 1}"#, "not an object"),
        ("{}", "it does not say where to find `op`"),
        (r#"{"op": "o", "time": "fortnights"}"#, "`time` is one of"),
        (r#"{"op": "o", "lossy": 1}"#, "`lossy` is true or false"),
        (r#"{"op": "o", "redact": "a..b"}"#, "no rule of redaction"),
        (
            r#"{"op": "o", "messages": {"A": {"dir": "up"}}}"#,
            "`dir` is send or recv",
        ),
    ] {
        let error = translate(text).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
