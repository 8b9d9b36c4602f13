//! The middleware of the book's chapter on `capture`, in front of services, and what a monitor makes of its logs.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::{choros, python};

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn file(path: &str) -> String {
    std::fs::read_to_string(repository(path)).unwrap()
}

/// The book shows what is tested.
#[test]
fn the_book_shows_these_files() {
    let chapter = file("docs/book/src/verbs/capture.md");
    for (fence, path) in [
        ("```python\n", "examples/middleware/observe.py"),
        ("```rust,ignore\n", "examples/middleware/observe.rs"),
    ] {
        let (_, after) = chapter.split_once(fence).unwrap();
        let (shown, _) = after.split_once("```\n").unwrap();
        assert!(shown == file(path), "{path} differs from the book");
    }
}

/// An application in three parts: it answers, it answers what is not JSON, and it takes a body in pieces.
const APPLICATION: &str = r#"
import asyncio, json, sys
sys.path.insert(0, sys.argv[1])
from observe import Observe

async def app(scope, receive, send):
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    answer = b"pong"
    if scope["path"].endswith("Request"):
        weight = json.loads(body)["weight"]
        answer = json.dumps({"price": 3, "fee": 3 * weight}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": answer[:2], "more_body": True})
    await send({"type": "http.response.body", "body": answer[2:]})

async def ask(observed, path, pieces):
    sent = []
    pieces = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    pieces[-1]["more_body"] = False
    async def receive():
        return pieces.pop(0)
    async def send(message):
        sent.append(message)
    await observed({"type": "http", "path": path}, receive, send)
    return b"".join(message.get("body", b"") for message in sent)

async def main():
    observed = Observe(app, sys.argv[2])
    assert await ask(observed, "/quote/Request", [b'{"wei', b'ght": 5}']) == b'{"price": 3, "fee": 15}'
    assert await ask(observed, "/ping", [b"no JSON"]) == b"pong"

asyncio.run(main())
"#;

#[test]
fn an_asgi_application() {
    let Some(python) = python("asyncio") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("application.py"), APPLICATION).unwrap();
    let output = Command::new(python)
        .arg(at("application.py"))
        .arg(repository("examples/middleware"))
        .arg(at("s.jsonl"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::write(
        at("p.prop"),
        "property fee on s {
           context Request[c,s]?(weight = w, .id = i) within 1 messages
           expect RequestResponse[s,c]!(price = p, fee = f, .id = j) where f == w * p and i == j
         }
         property pinged on s { context ping[c,s]?(any) within 1 messages expect pingResponse[s,c]!(any) }",
    )
    .unwrap();
    let output = choros()
        .current_dir(folder.path())
        .args(["monitor", "p.prop", "--log", "s=s.jsonl", "--strict"])
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{out}");
    assert!(out.contains("fee                4     1     0"), "{out}");
    assert!(out.contains("pinged             4     1     0"), "{out}");
}
