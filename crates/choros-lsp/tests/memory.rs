//! Work that takes too much memory is stopped, and the server goes on.

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use choros_lsp::MemoryLimit;
use serde_json::{Value, json};
use support::Client;

const MODEL: &str = "file:///nowhere/m.chor";

/// A choreography of many independent messages, which takes long.
fn explosion() -> String {
    let pairs: Vec<String> = (0..16)
        .map(|it| format!("{{ a{it} -> b{it}: M{it}\n b{it} -> a{it}: N{it} }}"))
        .collect();
    let roles: Vec<String> = (0..16).map(|it| format!("a{it}, b{it}")).collect();
    format!(
        "choreography S[{}] {{\n    par {}\n}}\n",
        roles.join(", "),
        pairs.join(" and ")
    )
}

/// A client whose server believes that so much memory is in use.
fn client(in_use: &Arc<AtomicU64>, options: Value) -> Client {
    let in_use = in_use.clone();
    let memory = MemoryLimit {
        most: 1_000_000_000,
        in_use: Arc::new(move || Some(in_use.load(Ordering::SeqCst))),
    };
    Client::within(memory, options)
}

#[test]
fn a_command_that_takes_too_much_is_stopped_and_says_why() {
    let in_use = Arc::new(AtomicU64::new(100_000_000));
    let mut client = client(&in_use, json!({"check": false}));
    client.open(MODEL, &explosion());
    let asked = json!({"command": "choros.explore", "arguments": [{"uri": MODEL}]});
    let id = client.begin("workspace/executeCommand", asked.clone());
    // It begins with what is in use now.
    std::thread::sleep(std::time::Duration::from_millis(400));
    in_use.store(1_200_000_000, Ordering::SeqCst);
    let refused = client.answer(id).expect_err("it is stopped");
    let said = refused["message"].as_str().expect("words");
    assert!(said.contains("more than 1000 MB of memory"), "{said}");
    // The memory was not given back to the system: what does not add to it goes on.
    client.open(
        "file:///nowhere/small.chor",
        "choreography S[a, b] {\n    a -> b: M\n}\n",
    );
    let asked =
        json!({"command": "choros.explore", "arguments": [{"uri": "file:///nowhere/small.chor"}]});
    let answer = client.ask("workspace/executeCommand", asked);
    assert_eq!(answer.expect("it is answered")["exit"], 0);
    assert!(client.leave());
}

#[test]
fn a_check_in_the_background_that_takes_too_much_is_told() {
    let in_use = Arc::new(AtomicU64::new(100_000_000));
    let mut client = client(&in_use, json!({}));
    client.open(MODEL, &explosion());
    // The check begins after a pause.
    std::thread::sleep(std::time::Duration::from_millis(600));
    in_use.store(1_200_000_000, Ordering::SeqCst);
    let said = loop {
        let message = client.hear();
        if message["method"] == "window/showMessage" {
            break message["params"]["message"].to_string();
        }
    };
    assert!(
        said.contains("not checked to the end") && said.contains("--max-memory"),
        "{said}"
    );
    assert!(client.leave());
}
