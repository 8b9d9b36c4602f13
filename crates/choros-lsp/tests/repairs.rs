//! A choreography that its roles cannot do is repaired by a quick fix.

mod support;

use serde_json::{Value, json};
use support::{Client, edited};

const MODEL: &str = "file:///nowhere/m.chor";

/// No one tells `c` that it is its turn: `c` cannot know whether `b` was asked.
const UNORDERED: &str = "choreography S[a, b, c, d] {\n    a -> b: Ask\n    c -> d: Tell\n}\n";

/// `w` waits for a message that comes in one of two branches, and does not know `x`, which decides.
const UNTOLD: &str = "choreography Shop[b, v, w] {\n    b -> v: Ask(x: Int)\n    if x <= 0 {\n        v -> b: No\n    } else {\n        v -> w: Sell(x)\n        w -> v: Done\n        v -> b: Yes\n    }\n}\n";

/// `c` and `d` both wait for what they may never hear of: no message or two that were tried are enough.
const HOPELESS: &str = "choreography Shop[a, b, c, d] {\n    a -> b: Ask(x: Int)\n    if x > 0 {\n        b -> c: Yes\n        c -> d: Go\n    } else {\n        b -> a: No\n    }\n}\n";

fn realize(client: &mut Client, more: Value) -> Value {
    let mut asked = json!({"uri": MODEL});
    for (key, value) in more.as_object().expect("an object") {
        asked[key] = value.clone();
    }
    let command = json!({"command": "choros.realize", "arguments": [asked]});
    let answer = client.ask("workspace/executeCommand", command);
    answer.expect("it answers")
}

fn verdict(client: &mut Client) -> Value {
    realize(client, json!({}))["verdict"].clone()
}

/// What the server asks the editor to do, and the answer of one that does it.
fn asked_to_apply(client: &mut Client) -> Value {
    let is_it = |it: &Value| it["method"] == "workspace/applyEdit";
    let asked = match client.heard.iter().position(is_it) {
        Some(at) => client.heard.remove(at),
        None => loop {
            let message = client.hear();
            if is_it(&message) {
                break message;
            }
        },
    };
    client.say(json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"applied": true}}));
    asked["params"]["edit"].clone()
}

#[test]
fn a_quick_fix_finds_the_repair_and_has_it_applied() {
    for text in [UNORDERED, UNTOLD] {
        let mut client = Client::able(json!({"workspace": {"applyEdit": true}}));
        client.open(MODEL, text);
        assert_eq!(verdict(&mut client), "fails");
        let actions = client.about("codeAction", MODEL);
        let command = &actions[0]["command"];
        assert_eq!(command["command"], "choros.realize", "{actions}");
        assert_eq!(actions[0]["diagnostics"][0]["code"], "realize");
        let asked = json!({"command": command["command"], "arguments": command["arguments"]});
        let answer = client.ask("workspace/executeCommand", asked);
        assert_eq!(answer.expect("it answers")["verdict"], "fails");
        let edit = asked_to_apply(&mut client);
        let said = client.hear()["params"]["message"].clone();
        assert!(said.to_string().contains("the roles do what"), "{said}");
        let repaired = edited(text, &edit["changes"][MODEL]);
        assert_ne!(repaired, text);
        client.change(MODEL, json!([{"text": repaired}]));
        assert_eq!(verdict(&mut client), "holds", "{repaired}");
        assert_eq!(client.about("codeAction", MODEL), json!([]));
        assert!(client.leave());
    }
}

#[test]
fn a_repair_that_was_asked_for_is_an_edit() {
    let mut client = Client::quiet();
    client.open(MODEL, UNORDERED);
    realize(&mut client, json!({"component": "S", "repair": true}));
    let actions = client.about("codeAction", MODEL);
    let title = actions[0]["title"].as_str().expect("a title").to_owned();
    assert!(title.starts_with("add `"), "{title}");
    let repaired = edited(UNORDERED, &actions[0]["edit"]["changes"][MODEL]);
    client.change(MODEL, json!([{"text": repaired}]));
    assert_eq!(verdict(&mut client), "holds", "{repaired}");
    assert!(client.leave());
}

#[test]
fn an_edit_names_the_version_that_it_is_for() {
    let able =
        json!({"workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true}}});
    let mut client = Client::able(able);
    client.open(MODEL, UNORDERED);
    client.change(MODEL, json!([{"text": UNTOLD}]));
    realize(&mut client, json!({"repair": true, "apply": true}));
    let edit = asked_to_apply(&mut client);
    let change = &edit["documentChanges"][0];
    assert_eq!(
        change["textDocument"],
        json!({"uri": MODEL, "version": 2}),
        "{edit}"
    );
    let repaired = edited(UNTOLD, &change["edits"]);
    client.change(MODEL, json!([{"text": repaired}]));
    assert_eq!(verdict(&mut client), "holds", "{repaired}");
    assert!(client.leave());
}

/// An editor that takes no changes is told what to do, and one whose text has no repair is told so.
#[test]
fn where_nothing_can_be_applied_that_is_said() {
    let able = json!({"workspace": {"applyEdit": true}});
    for (client, text, said) in [
        (Client::quiet(), UNORDERED, "quick fix"),
        (Client::able(able), HOPELESS, "no messages were found"),
    ] {
        let mut client = client;
        assert!(client.open(MODEL, text).is_empty());
        assert_ne!(verdict(&mut client), "holds");
        realize(&mut client, json!({"repair": true, "apply": true}));
        client.about("codeLens", MODEL);
        let is_it = |it: &Value| {
            let message = it["params"]["message"].as_str().unwrap_or_default();
            it["method"] == "window/showMessage" && message.contains(said)
        };
        assert!(client.heard.iter().any(is_it), "{:?}", client.heard);
        let applied = |it: &Value| it["method"] == "workspace/applyEdit";
        assert!(!client.heard.iter().any(applied));
        assert!(client.leave());
    }
}
