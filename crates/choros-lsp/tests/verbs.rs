//! Verbs as commands, and what is found out in the background.

mod support;

use serde_json::{Value, json};
use support::{Client, codes, short};

const MODEL: &str = "file:///nowhere/m.chor";

/// No one tells `c` that it is its turn: `c` cannot know whether `b` was asked.
const NOT_REALIZABLE: &str = "choreography S[a, b, c, d] {\n    a -> b: Ask\n    c -> d: Tell\n}\n";

fn execute(client: &mut Client, verb: &str, options: Value) -> i64 {
    let command = json!({"command": format!("choros.{verb}"), "arguments": [options]});
    client.begin("workspace/executeCommand", command)
}

#[test]
fn lenses_ask_about_each_model() {
    let mut client = Client::quiet();
    client.open(
        MODEL,
        "choreography S[a, b] {\n    a -> b: M\n}\nrole a {\n    -> b: M\n}\ntype T\n",
    );
    let lenses = client.about("codeLens", MODEL);
    let shown: Vec<String> = lenses
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| {
            let command = &it["command"];
            let name = &command["arguments"][0]["component"];
            format!(
                "{} {} {name}",
                it["range"]["start"]["line"],
                command["title"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "0 check \"S\"",
            "0 realize \"S\"",
            "0 draw \"S\"",
            "3 check \"a\"",
            "3 draw \"a\""
        ]
    );
    assert!(client.leave());
}

#[test]
fn a_service_is_driven_where_the_client_says_it_is() {
    let text =
        "choreography S[user, service] {\n    user -> service: Ask\n    service -> user: Told\n}\n";
    let mut client =
        Client::new(json!({"check": false, "drive": {"target": "http://127.0.0.1:1"}}));
    client.open(MODEL, text);
    let lenses = client.about("codeLens", MODEL);
    assert_eq!(lenses[3]["command"]["command"], "choros.drive");
    let id = execute(
        &mut client,
        "drive",
        json!({"uri": MODEL, "component": "S"}),
    );
    let result = client.answer(id).expect("it answers");
    // No one listens there, so nothing holds.
    assert_eq!(result["verb"], "drive");
    assert_ne!(result["exit"], 0);
    assert!(client.leave());
    // Without a place, there is nothing to drive.
    let mut client = Client::quiet();
    client.open(MODEL, text);
    let id = execute(
        &mut client,
        "drive",
        json!({"uri": MODEL, "component": "S"}),
    );
    assert_eq!(client.answer(id).expect_err("where?")["code"], -32803);
    assert!(client.leave());
}

#[test]
fn a_verdict_is_shown_with_the_run_that_shows_it() {
    let mut client = Client::quiet();
    client.open(MODEL, NOT_REALIZABLE);
    let id = execute(
        &mut client,
        "realize",
        json!({"uri": MODEL, "component": "S"}),
    );
    let result = client.answer(id).expect("it answers");
    assert_eq!(result["verdict"], "fails");
    assert_eq!(result["exit"], 1);
    assert_eq!(result["report"]["verb"], "realize");
    let told: Vec<&Value> = client
        .heard
        .iter()
        .filter(|it| it["method"] == "textDocument/publishDiagnostics")
        .collect();
    let findings = told.last().expect("it is shown")["params"]["diagnostics"]
        .as_array()
        .expect("a list")
        .clone();
    let verdict = findings
        .iter()
        .find(|it| it["code"] == "realize")
        .expect("the verdict is there");
    assert_eq!(short(&verdict["range"]), "0:13-0:14");
    // The next keystroke makes it an answer about another text.
    let findings = client.change(
        MODEL,
        json!([{"text": NOT_REALIZABLE.replace("Tell", "Say")}]),
    );
    assert!(!codes(&findings).contains(&"realize"));
    assert!(client.leave());
}

#[test]
fn a_picture_is_drawn_of_the_buffer_and_not_of_the_file() {
    let mut client = Client::quiet();
    client.open(MODEL, "choreography S[a, b] {\n    a -> b: Unsaved\n}\n");
    let id = execute(&mut client, "draw", json!({"uri": MODEL, "component": "S"}));
    let result = client.answer(id).expect("it answers");
    let picture = result["picture"].as_str().expect("a picture");
    assert!(picture.contains("<svg") && picture.contains("Unsaved"));
    let id = execute(
        &mut client,
        "explain",
        json!({"uri": MODEL, "code": "CH0123"}),
    );
    let text = client.answer(id).expect("it answers")["text"].clone();
    assert!(text.as_str().is_some_and(|it| it.contains("bound-already")));
    assert!(client.leave());
}

/// A model whose states are far too many: `n` pairs that talk in any order.
fn explosion(pairs: usize) -> String {
    let roles: Vec<String> = (0..pairs).map(|it| format!("a{it}, b{it}")).collect();
    let mut text = format!("choreography Big[{}] {{\n    par {{\n", roles.join(", "));
    for pair in 0..pairs {
        if pair > 0 {
            text.push_str("    } and {\n");
        }
        for step in 0..3 {
            text.push_str(&format!("        a{pair} -> b{pair}: M{pair}x{step}\n"));
        }
    }
    text.push_str("    }\n}\n");
    text
}

#[test]
fn a_command_tells_its_progress_and_can_be_cancelled() {
    let mut client = Client::quiet();
    client.open(MODEL, &explosion(14));
    let command = json!({
        "command": "choros.check",
        "arguments": [{"uri": MODEL}],
        "workDoneToken": "mine",
    });
    let id = client.begin("workspace/executeCommand", command);
    loop {
        let message = client.hear();
        if message["params"]["value"]["kind"] == "report" {
            assert_eq!(message["params"]["token"], "mine");
            break;
        }
    }
    client.tell("$/cancelRequest", json!({"id": id}));
    let refused = client.answer(id).expect_err("it is cancelled");
    assert_eq!(refused["code"], -32800);
    assert!(
        client
            .heard
            .iter()
            .any(|it| it["params"]["value"]["kind"] == "end")
    );
    assert!(client.leave());
}

#[test]
fn a_keystroke_cancels_what_is_asked_about_the_text_before_it() {
    let mut client = Client::quiet();
    client.open(MODEL, &explosion(14));
    let id = execute(&mut client, "check", json!({"uri": MODEL}));
    let findings = client.change(
        MODEL,
        json!([{"text": "choreography S[a, b] {\n    a -> b: M\n}\n"}]),
    );
    assert!(findings.is_empty());
    let refused = client.answer(id).expect_err("it is stale");
    assert_eq!(refused["code"], -32801);
    assert!(client.leave());
}

#[test]
fn what_only_check_finds_comes_after_a_pause() {
    let mut client = Client::new(json!({}));
    // Nothing is wrong with it but that the second branch can never be taken.
    let text = "choreography S[a, b] {\n    a -> b: M(x: Int)\n    if x > 5 {\n        if x < 3 {\n            a -> b: Never\n        }\n    }\n}\n";
    assert!(client.open(MODEL, text).is_empty());
    let found = client.findings(MODEL, 1);
    assert!(codes(&found).contains(&"CH0301"), "{found:?}");
    assert!(client.leave());
}

const SHOP: &str = "choreography Shop[b, v] {\n    b -> v: Ask(x: Int)\n    if x > 0 {\n        v -> b: Yes\n    } else {\n        v -> b: No\n    }\n}\n";

/// Two paths, one test each; both begin with the question, and each answer is on one of them.
#[test]
fn tests_are_listed_with_the_lines_that_they_take() {
    let mut client = Client::quiet();
    client.open(MODEL, SHOP);
    let id = execute(&mut client, "tests", json!({"uri": MODEL, "quiet": true}));
    let result = client.answer(id).expect("it answers");
    let tests = result["tests"].as_array().expect("a list");
    let of_vendor: Vec<&Value> = tests.iter().filter(|it| it["role"] == "v").collect();
    assert_eq!(of_vendor.len(), 2, "{tests:?}");
    assert_eq!(of_vendor[0]["component"], "Shop");
    assert_eq!(short(&of_vendor[0]["location"]["range"]), "0:13-0:17");
    let coverage = result["coverage"].as_array().expect("a list");
    let lines: Vec<(u64, u64)> = coverage
        .iter()
        .filter(|it| it["of"] == "v")
        .map(|it| {
            let line = it["location"]["range"]["start"]["line"].as_u64();
            (
                line.expect("a line"),
                it["tests"].as_u64().expect("a number"),
            )
        })
        .collect();
    assert_eq!(lines, [(1, 2), (3, 1), (5, 1)]);
    // A view shows it: nothing is said in the buffer.
    assert!(
        !client
            .heard
            .iter()
            .any(|it| it["method"] == "window/showMessage")
    );
    assert!(client.leave());
}

#[test]
fn a_picture_is_of_the_model_at_the_cursor() {
    let mut client = Client::quiet();
    let two = format!("choreography First[a, c] {{\n    a -> c: Hello\n}}\n{SHOP}");
    client.open(MODEL, &two);
    for (line, component) in [(1, "First"), (5, "Shop"), (0, "First")] {
        let position = json!({"line": line, "character": 4});
        let asked = json!({"uri": MODEL, "position": position, "quiet": true});
        let id = execute(&mut client, "draw", asked);
        let result = client.answer(id).expect("it answers");
        assert_eq!(result["component"], component);
        assert!(
            result["picture"]
                .as_str()
                .is_some_and(|it| it.contains("<svg"))
        );
    }
    assert!(client.leave());
}

/// An answer rests on all texts that it read, whichever buffer it is about.
#[test]
fn an_answer_goes_when_another_text_changes_that_it_read() {
    let mut client = Client::quiet();
    let formulas = "file:///nowhere/questions.socl";
    client.open(MODEL, NOT_REALIZABLE);
    client.open(formulas, "never: AG false\n");
    let asked = json!({"uri": MODEL, "component": "S", "formulas": formulas});
    let id = execute(&mut client, "verify", asked);
    let result = client.answer(id).expect("it answers");
    assert_eq!(result["verdict"], "fails", "{}", result["text"]);
    let mut told = client.heard.iter().filter(|it| {
        it["method"] == "textDocument/publishDiagnostics" && it["params"]["uri"] == MODEL
    });
    let shown = told.next_back().expect("it is shown")["params"]["diagnostics"].to_string();
    assert!(shown.contains("\"verify\""), "{shown}");
    client.heard.clear();
    client.change_only(formulas, json!([{"text": "always: AG true\n"}]));
    // The model itself has not changed, and is told again without the verdict.
    let findings = client.findings(MODEL, 1);
    assert!(!codes(&findings).contains(&"verify"));
    assert!(client.leave());
}
