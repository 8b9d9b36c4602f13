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
