//! The language server as editors start it: over its input and output.
#![cfg(feature = "lsp")]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

struct Server {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start() -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_choros"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let output = process.stdout.take().expect("it has an output");
        Server {
            process,
            output: BufReader::new(output),
        }
    }

    fn write(&mut self, bytes: &str) {
        let input = self.process.stdin.as_mut().expect("it has an input");
        input.write_all(bytes.as_bytes()).expect("it listens");
        input.flush().expect("it listens");
    }

    fn say(&mut self, message: Value) {
        let text = message.to_string();
        self.write(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    fn hear(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("it speaks");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("a number"),
                None if line == "\r\n" => break,
                None => panic!("a strange header: {line:?}"),
            }
        }
        let mut body = vec![0; length];
        self.output
            .read_exact(&mut body)
            .expect("the whole message");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// The exit code, when nothing more is said.
    fn ends(mut self) -> Option<i32> {
        drop(self.process.stdin.take());
        self.process.wait().expect("it ends").code()
    }
}

#[test]
fn a_whole_session() {
    let mut server = Server::start();
    server.say(json!({"id": 1, "method": "initialize", "params": {"capabilities": {}}}));
    assert_eq!(server.hear()["id"], 1);
    let text = "choreography S[a, b] {\n    a -> c: M\n}\n";
    let document =
        json!({"uri": "file:///nowhere/m.chor", "languageId": "", "version": 1, "text": text});
    server.say(json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}));
    let told = server.hear();
    assert_eq!(told["method"], "textDocument/publishDiagnostics");
    assert_eq!(told["params"]["diagnostics"][0]["code"], "CH0121");
    server.say(json!({"id": 2, "method": "shutdown"}));
    loop {
        // What `check` finds may come in between.
        let heard = server.hear();
        if heard["id"] == 2 {
            assert_eq!(heard["result"], Value::Null);
            break;
        }
    }
    server.say(json!({"method": "exit"}));
    assert_eq!(server.ends(), Some(0));
}

#[test]
fn malformed_messages_are_answered_and_the_next_one_is_heard() {
    let mut server = Server::start();
    server.write("Content-Length: 4\r\n\r\n{no}");
    assert_eq!(server.hear()["error"]["code"], -32700);
    server.write("Length: unknown\r\n\r\n");
    assert_eq!(server.hear()["error"]["code"], -32700);
    server.say(json!({"id": 1, "method": "initialize", "params": {}}));
    assert_eq!(server.hear()["id"], 1);
    // It goes away without taking leave.
    assert_eq!(server.ends(), Some(1));
}

#[test]
fn an_input_that_ends_at_once_ends_the_server() {
    assert_eq!(Server::start().ends(), Some(1));
}

impl Server {
    /// A server that has been greeted.
    fn greeted() -> Server {
        let mut server = Server::start();
        let options = json!({"capabilities": {}, "initializationOptions": {"check": false}});
        server.ask("initialize", options).expect("it is welcome");
        server
    }

    /// The answer to a question.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.say(json!({"id": "asked", "method": method, "params": params}));
        loop {
            let heard = self.hear();
            if heard["id"] == "asked" {
                return match heard.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(heard["result"].clone()),
                };
            }
        }
    }

    /// What a verb answers to these words.
    fn run(&mut self, verb: &str, args: &[&str]) -> Result<Value, Value> {
        let command = json!({"command": "choros.run", "arguments": [{"verb": verb, "args": args}]});
        self.ask("workspace/executeCommand", command)
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "", "version": 1, "text": text});
        self.say(json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}));
    }
}

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A new verb is a command of editors by being a verb.
#[test]
fn every_verb_of_the_command_line_is_a_command() {
    let mut server = Server::start();
    let hello = server.ask("initialize", json!({})).expect("it is welcome");
    let commands = &hello["capabilities"]["executeCommandProvider"]["commands"];
    let commands = commands.as_array().expect("a list");
    let help = Command::new(env!("CARGO_BIN_EXE_choros"))
        .arg("--help")
        .output()
        .expect("the command runs");
    let help = String::from_utf8(help.stdout).expect("text");
    let (_, list) = help.split_once("Questions:\n").expect("the list of verbs");
    let lines = list.lines().take_while(|it| !it.is_empty());
    let verbs: Vec<&str> = lines
        .filter_map(|it| it.strip_prefix("  ")?.split(' ').next())
        .filter(|it| !it.is_empty() && !["lsp", "serve", "help"].contains(it))
        .collect();
    assert!(verbs.len() > 15, "{verbs:?}");
    for verb in &verbs {
        assert!(
            commands.contains(&json!(format!("choros.{verb}"))),
            "{verb}"
        );
    }
    let declared = server.ask("choros/verbs", json!({})).expect("a list");
    let declared = declared.as_array().expect("a list");
    let names: Vec<&str> = declared
        .iter()
        .filter_map(|it| it["verb"].as_str())
        .collect();
    assert_eq!(names, verbs);
    let realize = declared.iter().find(|it| it["verb"] == "realize");
    let options = realize.expect("it is there")["options"].as_array();
    let options = options.expect("a list");
    let of = |name: &str| options.iter().find(|it| it["field"] == name).expect(name);
    assert_eq!(of("repair")["takes"], Value::Null);
    assert_eq!(of("mode")["name"], "--mode");
    let modes = of("mode")["values"].as_array().expect("a list");
    assert!(modes.iter().any(|it| it["name"] == "sender"));
    assert_eq!(of("files")["name"], Value::Null);
}

/// What a verb says over the protocol is what it says on the command line.
#[test]
fn a_verb_says_what_the_command_line_says() {
    let mut server = Server::greeted();
    let shop = format!("{}#shop", example("online-shopping.chor"));
    let services = format!("{}#shop_services", example("online-shopping.chor"));
    let atm = example("atm.gc");
    for (verb, args) in [
        ("conform", vec![services.as_str(), shop.as_str()]),
        ("project", vec![shop.as_str()]),
        ("mutate", vec![atm.as_str(), "--role", "B"]),
        (
            "realize",
            vec![shop.as_str(), "--mode", "sender", "--format", "json"],
        ),
        ("explain", vec!["CH0502"]),
        ("explain", vec!["CH9999"]),
        ("explore", vec![shop.as_str(), "--payloads"]),
        ("realize", vec![atm.as_str(), "--repair"]),
        ("check", vec!["/nowhere/there/is/none.chor"]),
    ] {
        let mut words = vec![verb];
        words.extend(&args);
        let ran = Command::new(env!("CARGO_BIN_EXE_choros"))
            .args(&words)
            .output()
            .expect("the command runs");
        let answer = server.run(verb, &args).expect("it answers");
        let error = String::from_utf8(ran.stderr).expect("text");
        let said = format!("{error}{}", String::from_utf8(ran.stdout).expect("text"));
        assert_eq!(answer["text"], said, "{words:?}");
        assert_eq!(
            answer["exit"].as_i64(),
            ran.status.code().map(i64::from),
            "{words:?}"
        );
    }
}

#[test]
fn words_are_about_buffers_and_not_about_files() {
    let mut server = Server::greeted();
    let uri = "file:///nowhere/m.chor";
    server.open(uri, "choreography S[a, b] {\n    a -> b: M\n}\n");
    let conformed = server.run("conform", &["/nowhere/m.chor#S", "/nowhere/m.chor#S"]);
    assert_eq!(conformed.expect("it answers")["verdict"], "holds");
    // The buffer is the first word.
    let command = json!({
        "command": "choros.project",
        "arguments": [{"uri": uri, "component": "S", "args": ["--role", "a"]}],
    });
    let projected = server.ask("workspace/executeCommand", command);
    let projected = projected.expect("it answers");
    assert_eq!(projected["exit"], 0);
    assert!(
        projected["text"]
            .as_str()
            .is_some_and(|it| it.contains('M'))
    );
}

/// The streams of the process carry the protocol, and nothing else may take them.
#[test]
fn no_verb_takes_the_streams_of_the_server() {
    let mut server = Server::greeted();
    let prop = example("order/order.prop");
    for (verb, args) in [
        ("monitor", vec![prop.as_str(), "--log", "-"]),
        ("monitor", vec![prop.as_str(), "--log", "shop=-"]),
        ("check", vec!["-"]),
        ("lsp", vec![]),
        ("help", vec![]),
        ("completions", vec!["bash"]),
    ] {
        let answer = server.run(verb, &args);
        let refused = answer.is_err_and(|it| it["code"] == -32602)
            || server.run(verb, &args).is_ok_and(|it| it["exit"] == 2);
        assert!(refused, "{verb} {args:?}");
    }
    // Help is an answer.
    let help = server.run("audit", &["--help"]).expect("it answers");
    assert_eq!(help["exit"], 0);
    assert!(help["text"].as_str().is_some_and(|it| it.contains("Usage")));
}
