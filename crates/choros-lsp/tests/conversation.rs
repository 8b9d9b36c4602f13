//! How the conversation goes, also with a client that does not keep to the rules.

mod support;

use serde_json::{Value, json};
use support::Client;

const MODEL: &str = "file:///nowhere/m.chor";

#[test]
fn hello_work_and_leave() {
    let mut client = Client::silent();
    let hello = json!({"capabilities": {"general": {"positionEncodings": ["utf-8", "utf-16"]}}});
    let answer = client.ask("initialize", hello).expect("it is welcome");
    let can = &answer["capabilities"];
    assert_eq!(can["positionEncoding"], "utf-8");
    assert_eq!(can["textDocumentSync"]["change"], 2);
    assert_eq!(answer["serverInfo"]["name"], "choros");
    client.tell("initialized", json!({}));
    assert!(client.leave());
}

#[test]
fn nothing_before_hello() {
    let mut client = Client::silent();
    let refused = client.ask("textDocument/hover", json!({}));
    assert_eq!(refused.expect_err("too early")["code"], -32002);
    // Notifications are dropped, and a client that just leaves did not take leave.
    client.tell(
        "textDocument/didOpen",
        json!({"textDocument": {"uri": MODEL}}),
    );
    client.tell("exit", Value::Null);
    assert!(!client.ended());
}

#[test]
fn hello_comes_once() {
    let mut client = Client::quiet();
    let refused = client.ask("initialize", json!({}));
    assert_eq!(refused.expect_err("twice")["code"], -32600);
    assert!(client.leave());
}

#[test]
fn nothing_after_leave() {
    let mut client = Client::quiet();
    client.open(MODEL, "role a { skip }");
    client.ask("shutdown", Value::Null).expect("it may leave");
    for method in ["textDocument/hover", "shutdown", "initialize", "nonsense"] {
        let refused = client.ask(method, json!({}));
        assert_eq!(refused.expect_err("too late")["code"], -32600, "{method}");
    }
    // Not even the text changes any more.
    client.change_only(MODEL, json!([{"text": "role"}]));
    client.tell("exit", Value::Null);
    assert!(client.ended());
}

#[test]
fn a_stream_that_ends_ends_the_server() {
    let client = Client::quiet();
    client.close();
    assert!(!client.ended());
}

#[test]
fn unknown_methods_are_refused_and_unknown_notifications_ignored() {
    let mut client = Client::quiet();
    for method in ["textDocument/nonsense", "nonsense", "", "$/nonsense"] {
        let refused = client.ask(method, json!({}));
        assert_eq!(refused.expect_err("unknown")["code"], -32601, "{method}");
        client.tell(method, json!([1, 2]));
    }
    assert!(client.leave());
}

#[test]
fn what_is_no_message_is_refused() {
    let client = Client::quiet();
    for message in [
        json!(null),
        json!(7),
        json!([]),
        json!({}),
        json!([{"id": 1}]),
    ] {
        client.say(message.clone());
        let refused = client.hear();
        assert_eq!(refused["error"]["code"], -32600, "{message}");
        assert_eq!(refused["id"], Value::Null);
    }
    client.stammer("expected value at line 1");
    assert_eq!(client.hear()["error"]["code"], -32700);
    // Answers to questions that were not asked are no one's.
    client.say(json!({"id": 99, "result": null}));
    client.say(json!({"id": "x", "error": {"code": 1, "message": "no"}}));
    assert!(client.leave());
}

#[test]
fn strange_parameters_are_refused() {
    let mut client = Client::quiet();
    client.open(MODEL, "role a { skip }");
    let document = json!({"uri": MODEL});
    for params in [
        json!(null),
        json!([]),
        json!({"textDocument": 3}),
        json!({"textDocument": {"uri": "file:///nowhere/other.chor"}}),
        json!({"textDocument": document}),
        json!({"textDocument": document, "position": {"line": -1, "character": 0}}),
        json!({"textDocument": document, "position": "here"}),
    ] {
        let refused = client.ask("textDocument/hover", params.clone());
        assert_eq!(refused.expect_err("strange")["code"], -32602, "{params}");
    }
    for params in [
        json!({"command": "rm"}),
        json!({"command": "choros.rm", "arguments": [{"uri": MODEL}]}),
        json!({"command": "choros.check"}),
        json!({"command": "choros.check", "arguments": 7}),
    ] {
        let refused = client.ask("workspace/executeCommand", params.clone());
        assert_eq!(refused.expect_err("strange")["code"], -32602, "{params}");
    }
    // Places beyond the text are its end.
    let far =
        json!({"textDocument": document, "position": {"line": 9_999_999_999_u64, "character": 5}});
    assert_eq!(client.ask("textDocument/hover", far), Ok(Value::Null));
    assert!(client.leave());
}

#[test]
fn changes_that_make_no_sense_change_nothing() {
    let mut client = Client::quiet();
    let text = "role a {\n    skip\n}\n";
    assert!(client.open(MODEL, text).is_empty());
    for change in [
        json!([{}]),
        json!([{"range": 1, "text": "x"}]),
        json!([{"range": {"start": {"line": 0}}, "text": "x"}]),
        json!(["x"]),
        json!(null),
    ] {
        assert!(client.change(MODEL, change.clone()).is_empty(), "{change}");
    }
    // A range that ends before it starts is empty.
    let backwards =
        json!({"start": {"line": 1, "character": 4}, "end": {"line": 0, "character": 0}});
    let findings = client.change(MODEL, json!([{"range": backwards, "text": "nonsense "}]));
    assert_eq!(findings.len(), 1);
    // A buffer that was never opened.
    client.change_only("file:///nowhere/x.chor", json!([{"text": "x"}]));
    client.tell(
        "textDocument/didClose",
        json!({"textDocument": {"uri": "nonsense"}}),
    );
    assert!(client.leave());
}

#[test]
fn a_closed_buffer_has_no_findings() {
    let mut client = Client::quiet();
    assert_eq!(client.open(MODEL, "nonsense").len(), 1);
    client.tell(
        "textDocument/didClose",
        json!({"textDocument": {"uri": MODEL}}),
    );
    let told = client.hear();
    assert_eq!(told["params"], json!({"uri": MODEL, "diagnostics": []}));
    assert!(client.leave());
}

#[test]
fn a_buffer_without_a_file_has_the_language_that_the_editor_says() {
    let mut client = Client::quiet();
    let uri = "untitled:Untitled-1";
    let document =
        json!({"uri": uri, "languageId": "choros-chor", "version": 1, "text": "nonsense"});
    client.tell("textDocument/didOpen", json!({"textDocument": document}));
    assert_eq!(client.findings(uri, 1).len(), 1);
    // A language that we do not know has nothing to say, but is told so.
    let uri = "untitled:Untitled-2";
    let document = json!({"uri": uri, "languageId": "rust", "version": 1, "text": "fn"});
    client.tell("textDocument/didOpen", json!({"textDocument": document}));
    assert_eq!(support::codes(&client.findings(uri, 1)), ["CH0902"]);
    assert!(client.leave());
}
