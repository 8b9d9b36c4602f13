//! Emitted services with real compilers: Rust compiles them without a warning, Python runs them, and together they do
//! what the choreography says.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use choros_testkit::{Shape, random_choreography};
use tempfile::TempDir;

/// Every kind of data and every operator, choices of all kinds, a parameter, a loop, and names that are keywords.
const RICH: &str = r#"
type Card
type Status = OK | KO
const limit: Int = 5

choreography rich[match, self, vendor](max: Int) {
    match -> vendor: Ask(item: {weight: Int, tags: List(String)}, card: Card, price: Real, name: String, network: Int)
    if item.weight > 0 and length(item.tags) > 0 {
        match -> vendor: Sure
        if (network div item.weight) mod 3 == 1 and length(name) < 9 and item.tags[0] == name {
            vendor -> match: Yes(fee = price / 2.0, text = name ++ "\"!", card, all = [network, 2 * network - 1])
        } else {
            vendor -> match: Maybe
        }
    } else {
        vendor -> match: No(new price)
    }
    while network < max {
        match -> vendor: More(n: Int)
        network := network + (if n > 0 then n else 1)
    }
    choice at vendor {
        vendor -> self: Stop(status: Status)
        if status == OK {
            self -> vendor: Fine
        } else {
            self -> vendor: Bad(status)
        }
    } or {
        vendor -> self: Go
    }
}
"#;

fn folder() -> TempDir {
    match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => panic!("no temporary folder: {error}"),
    }
}

fn run(command: &mut Command) -> Output {
    match command.output() {
        Ok(output) => output,
        Err(error) => panic!("{command:?}: {error}"),
    }
}

/// The standard output of a program that must not fail.
fn succeed(command: &mut Command) -> String {
    let output = run(command);
    let shown = format!(
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{shown}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn choros(arguments: &[&str], folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_choros"));
    succeed(command.args(arguments).current_dir(folder))
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(name);
    path.display().to_string()
}

/// Compiles the crate, with warnings as errors, and gives the path of its program.
fn compile(folder: &Path) -> PathBuf {
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    let Some(package) = manifest.split('"').nth(1) else {
        panic!("no name in {manifest}");
    };
    let rustc = || {
        let mut command = Command::new("rustc");
        command
            .args(["--edition", "2021", "-D", "warnings", "--out-dir", "."])
            .current_dir(folder);
        command
    };
    succeed(rustc().args(["--crate-type", "lib", "--crate-name", package, "src/lib.rs"]));
    let library = format!("{package}=lib{package}.rlib");
    let name = format!("{package}_main");
    succeed(rustc().args(["--crate-name", &name, "--extern", &library, "src/main.rs"]));
    folder.join(name)
}

fn replace(path: &Path, old: &str, new: &str) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    assert!(text.contains(old), "{} in {text}", old);
    if let Err(error) = std::fs::write(path, text.replace(old, new)) {
        panic!("{error}");
    }
}

/// The shop sells three pieces: the buyer asks, the vendor decides by the amount, the warehouse is asked.
#[test]
fn the_shop_in_rust() {
    let folder = folder();
    let shop = example("online-shopping.chor") + "#shop";
    let arguments = ["project", &shop, "--skeleton", "rust", "-o", "."];
    choros(&arguments, folder.path());
    let program = compile(folder.path());
    let none = "B -> V: Req { x: 0 }\nV -> B: Error\n";
    assert_eq!(succeed(&mut Command::new(&program)), none);
    replace(
        &folder.path().join("src/b_service.rs"),
        "Default::default()",
        "3",
    );
    let program = compile(folder.path());
    let three = "B -> V: Req { x: 3 }\nV -> W: Sell { x: 3 }\nW -> V: Info\nV -> B: Resp\n";
    assert_eq!(succeed(&mut Command::new(&program)), three);
    // Generating again keeps what was filled in.
    let again = choros(&arguments, folder.path());
    assert!(again.contains("./src/b_service.rs: kept"), "{again}");
    assert!(again.contains("./src/v_service.rs: unchanged"), "{again}");
}

#[test]
fn the_shop_in_python() {
    let folder = folder();
    let shop = example("online-shopping.chor") + "#shop";
    choros(
        &["project", &shop, "--skeleton", "python", "-o", "."],
        folder.path(),
    );
    let run = || {
        let mut command = Command::new("python3");
        command
            .args(["-W", "error", "-m", "shop_services"])
            .current_dir(folder.path());
        succeed(&mut command)
    };
    assert_eq!(run(), "b -> v: Req(x=0)\nv -> b: Error()\n");
    replace(
        &folder.path().join("shop_services/b_service.py"),
        "return 0",
        "return 3",
    );
    let three = "b -> v: Req(x=3)\nv -> w: Sell(x=3)\nw -> v: Info()\nv -> b: Resp()\n";
    assert_eq!(run(), three);
}

/// A payment that is too slow: the order service gives up when its own clock says so, and refunds what comes late.
const TIMED: &str = r#"
choreography Pay[client, service order, service payment] {
    client -> order: Buy(id: String, amount: Int)
    order -> payment: Charge(id, amount)
    timeout 200ms {
        payment -> order: Charged(id)
        order -> client: Paid(id)
    } else {
        order -> payment: Void(id)
        order -> client: TimedOut(id)
    } late Charged {
        order -> payment: Refund(id)
    }
}
"#;

fn timed(language: &str) -> TempDir {
    let folder = folder();
    if let Err(error) = std::fs::write(folder.path().join("pay.chor"), TIMED) {
        panic!("{error}");
    }
    let arguments = ["project", "pay.chor", "--skeleton", language, "-o", "."];
    choros(&arguments, folder.path());
    folder
}

#[test]
fn timers_in_python() {
    let folder = timed("python");
    let run = || {
        let mut command = Command::new("python3");
        command
            .args(["-W", "error", "-m", "pay_services"])
            .current_dir(folder.path());
        succeed(&mut command)
    };
    let paid = run();
    assert!(paid.contains("payment -> order: Charged(id='')"), "{paid}");
    assert!(paid.ends_with("order -> client: Paid(id='')\n"), "{paid}");
    replace(
        &folder.path().join("pay_services/payment_service.py"),
        "# About to send `-> order: Charged(id)`.\n        pass",
        "import time\n        time.sleep(1.5)",
    );
    let late = run();
    assert!(late.contains("order -> client: TimedOut(id='')"), "{late}");
    assert!(
        late.ends_with("order -> payment: Refund(id='')\n"),
        "{late}"
    );
}

#[test]
fn timers_in_rust() {
    let folder = timed("rust");
    let paid = succeed(&mut Command::new(compile(folder.path())));
    assert!(
        paid.ends_with("Order -> Client: Paid { id: \"\" }\n"),
        "{paid}"
    );
    replace(
        &folder.path().join("src/payment_service.rs"),
        "fn send_charged(&mut self, _known: &Known) {}",
        "fn send_charged(&mut self, _: &Known) {\n        std::thread::sleep(std::time::Duration::from_millis(1_500));\n    }",
    );
    let late = succeed(&mut Command::new(compile(folder.path())));
    assert!(late.contains("Order -> Client: TimedOut"), "{late}");
    assert!(
        late.ends_with("Order -> Payment: Refund { id: \"\" }\n"),
        "{late}"
    );
}

/// With the default values nothing is bought, the loop ends at once, and the first choice is taken.
#[test]
fn all_kinds_of_data() {
    let folder = folder();
    if let Err(error) = std::fs::write(folder.path().join("rich.chor"), RICH) {
        panic!("{error}");
    }
    choros(
        &["project", "rich.chor", "--skeleton", "rust", "-o", "rust"],
        folder.path(),
    );
    let program = compile(&folder.path().join("rust"));
    let said = succeed(&mut Command::new(&program));
    let expected = "\
Match -> Vendor: Ask { item: RecordWeightTags { weight: 0, tags: [] }, card: Card(\"\"), price: 0, name: \"\", network_2: 0 }
Vendor -> Match: No { price: 0 }
Vendor -> TheSelf: Stop { status: TheOk }
TheSelf -> Vendor: Fine
";
    assert_eq!(said, expected);
    choros(
        &[
            "project",
            "rich.chor",
            "--skeleton",
            "python",
            "-o",
            "python",
        ],
        folder.path(),
    );
    let mut command = Command::new("python3");
    command
        .args(["-W", "error", "-m", "rich_services"])
        .current_dir(folder.path().join("python"));
    let said = succeed(&mut command);
    let expected = "\
match -> vendor: Ask(item=RecordWeightTags(weight=0, tags=()), card=Card(value=''), price=Fraction(0, 1), name='', network_2=0)
vendor -> match: No(price=Fraction(0, 1))
vendor -> self: Stop(status=<Status.Ok: 'OK'>)
self -> vendor: Fine()
";
    assert_eq!(said, expected);
}

/// Every kind of data, in every part of a request or a response.
const BOUND: &str = r#"
type Status = OPEN | DONE
type Card

choreography Bound[client, shop] {
    client -> shop: Order(id: String, qty: Int, price: Real, card: Card)
    choice at shop {
        shop -> client: Accepted(id, status: Status)
        client -> shop: Ask(id, line: {unitPrice: Real, tags: List(String)})
        shop -> client: Answer(ok: Bool)
    } or {
        shop -> client: Refused(id)
    }
}
"#;

const BINDING: &str = r#"
model = "bound.chor"

[messages.Order]
names = ["com.acme.Order.v2"]
request = "POST /shops/{id}/orders"
fields = { qty = "body.items.0.quantity", price = "body.cents / 100" }
when = { "body.kind" = "order" }

[messages.Accepted]
response = "Order"
status = 201

[messages.Refused]
response = "Order"
status = "4xx"
fields = { id = "header.X-Order" }

[messages.Ask]
request = "GET /orders"
fields = { id = "query.id", line = "body" }

[messages.Answer]
response = "Ask"
"#;

/// Sends one message of each kind, reads it again, and refuses what is none.
const ROUND_TRIP: &str = r#"
from fractions import Fraction

from bound_services.messages import *
from bound_services.network import Failure
from bound_services.outside import OUTSIDE, Envelope, decode, encode, read_body

line = RecordUnitPriceTags(Fraction(1, 3), ("a", "b"))
sent = [
    Order("a/b ?", 2, Fraction(-9, 4), Card("x")),
    Accepted("o1", Status.Done),
    Refused("o1"),
    Ask("o 1", line),
    Answer(True),
]
for payload in sent:
    envelope = encode(payload)
    print(envelope, envelope.headers)
    came = Envelope(
        method=envelope.method,
        target=envelope.target,
        status=envelope.status,
        headers=envelope.headers,
        body=read_body(envelope.text()),
    )
    assert decode(came, list(OUTSIDE)) == payload
assert OUTSIDE[Order].name == "com.acme.Order.v2"
for wrong in [
    Envelope("POST", "/shops/1/orders", body={"kind": "other"}),
    Envelope("POST", "/shops/1/orders", body={"kind": "order", "items": [{"quantity": 1.5}]}),
    Envelope("PUT", "/shops/1/orders"),
    Envelope("POST", "/shops/1"),
    Envelope(status=500),
    Envelope(status=201, body={"id": "o1", "status": "SOLD"}),
    Envelope(status=200, body={"ok": 1}),
]:
    try:
        raise SystemExit(f"{wrong} is {decode(wrong, list(OUTSIDE))}")
    except Failure:
        pass
"#;

/// What is sent is as the binding says, and is read again, in both languages.
#[test]
fn as_the_binding_says() {
    let folder = folder();
    for (name, text) in [
        ("bound.chor", BOUND),
        ("bound.bind.toml", BINDING),
        ("round_trip.py", ROUND_TRIP),
    ] {
        if let Err(error) = std::fs::write(folder.path().join(name), text) {
            panic!("{error}");
        }
    }
    for language in ["python", "rust"] {
        let arguments = ["project", "bound.chor", "--skeleton", language];
        let binding = ["--binding", "bound.bind.toml", "-o", language];
        choros(&[&arguments[..], &binding].concat(), folder.path());
    }
    let package = folder.path().join("python");
    let python = |arguments: &[&str]| {
        let mut command = Command::new("python3");
        command
            .args(["-W", "error"])
            .args(arguments)
            .env("PYTHONPATH", &package)
            .current_dir(folder.path());
        succeed(&mut command)
    };
    let outside = |said: &str| -> Vec<String> {
        let sent = said.lines().filter_map(|line| line.split_once(" as "));
        sent.map(|(_, it)| it.to_owned()).collect()
    };
    let expected = [
        r#"POST /shops//orders {"kind": "order", "items": [{"quantity": 0}], "cents": 0, "card": ""}"#,
        r#"201 {"id": "", "status": "OPEN"}"#,
        r#"GET /orders?id= {"unitPrice": 0, "tags": []}"#,
        r#"200 {"ok": false}"#,
    ];
    assert_eq!(outside(&python(&["-m", "bound_services"])), expected);
    let place = folder.path().join("rust");
    assert_eq!(
        outside(&succeed(&mut Command::new(compile(&place)))),
        expected
    );
    let expected = "\
POST /shops/a%2Fb%20%3F/orders {\"kind\": \"order\", \"items\": [{\"quantity\": 2}], \"cents\": -225, \"card\": \"x\"} {}
201 {\"id\": \"o1\", \"status\": \"DONE\"} {}
400 {} {'x-order': 'o1'}
GET /orders?id=o%201 {\"unitPrice\": \"1/3\", \"tags\": [\"a\", \"b\"]} {}
200 {\"ok\": true} {}
";
    assert_eq!(python(&["round_trip.py"]), expected);
    // The same values in Rust.
    let main = r##"
use bound_services::messages::{Card, Payload, RecordUnitPriceTags, Status};
use bound_services::outside::{decode, encode, read_body, Kind, Received};
use bound_services::real::Real;
fn received(method: &str, target: &str, status: u16, body: &str) -> Received {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Received {
        method: some(method),
        target: some(target),
        status: (status > 0).then_some(status),
        body: read_body(body).unwrap(),
        ..Received::default()
    }
}
fn main() {
    for wrong in [
        received("POST", "/shops/1/orders", 0, r#"{"kind": "other"}"#),
        received("POST", "/shops/1/orders", 0, r#"{"kind": "order", "items": [{"quantity": 1.5}]}"#),
        received("PUT", "/shops/1/orders", 0, ""),
        received("POST", "/shops/1", 0, ""),
        received("", "", 500, ""),
        received("", "", 201, r#"{"id": "o1", "status": "SOLD"}"#),
        received("", "", 200, r#"{"ok": 1}"#),
    ] {
        assert!(decode(&wrong, Kind::ALL).is_err(), "{wrong:?}");
    }
    for wrong in ["{", "[1,]", "nul", "1 2", "\"\\ud800\"", "\"\u{1}\"", "1e99", &"[".repeat(1_000_000)] {
        assert!(read_body(wrong).is_err(), "{wrong}");
    }
    let odd = read_body(" { \"a\" : [ -1.50e1 , \"\\ud83d\\ude00\\n\" , null ] } ").unwrap().unwrap();
    assert_eq!(odd.to_string(), "{\"a\": [-15, \"😀\\u000a\", null]}");
    let price = Real::new(-9, 4).unwrap();
    let third = Real::new(1, 3).unwrap();
    let tags = vec!["a".to_owned(), "b".to_owned()];
    let line = RecordUnitPriceTags { unit_price: third, tags };
    for payload in [
        Payload::Order { id: "a/b ?".to_owned(), qty: 2, price, card: Card("x".to_owned()) },
        Payload::Accepted { id: "o1".to_owned(), status: Status::Done },
        Payload::Refused { id: "o1".to_owned() },
        Payload::Ask { id: "o 1".to_owned(), line },
        Payload::Answer { ok: true },
    ] {
        let sent = encode(&payload).unwrap();
        let headers = sent.headers.iter().map(|(name, text)| ((*name).to_owned(), text.clone()));
        let body = sent.body.as_ref().map_or_else(String::new, ToString::to_string);
        let came = Received {
            headers: headers.collect(),
            ..received(
                sent.method.unwrap_or_default(),
                sent.target.as_deref().unwrap_or_default(),
                sent.status.unwrap_or_default(),
                &body,
            )
        };
        assert_eq!(decode(&came, Kind::ALL).unwrap(), payload);
        let headers: std::collections::BTreeMap<_, _> = sent.headers.iter().cloned().collect();
        println!("{sent} {}", format!("{headers:?}").replace('"', "'"));
    }
}
"##;
    if let Err(error) = std::fs::write(place.join("src/main.rs"), main) {
        panic!("{error}");
    }
    assert_eq!(succeed(&mut Command::new(compile(&place))), expected);
}

/// A web server that plays the generated shop, one conversation per request.
const SERVER: &str = r#"
from http.server import BaseHTTPRequestHandler, HTTPServer

from sale_services import shop
from sale_services.messages import Message, Order, Role
from sale_services.outside import Envelope, decode, encode, read_body
from sale_services.shop_service import ShopService


class Conversation:
    def __init__(self, order):
        self.came = [Message(Role.Client, Role.Shop, order)]
        self.sent = []

    def send(self, message):
        self.sent.append(message.payload)

    def receive(self, senders):
        return self.came.pop() if self.came else None


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = read_body(self.rfile.read(int(self.headers["content-length"])).decode())
        envelope = Envelope(self.command, self.path, headers=dict(self.headers), body=body)
        conversation = Conversation(decode(envelope, [Order]))
        shop.run(ShopService(), conversation)
        answer = encode(conversation.sent[0])
        text = answer.text().encode()
        self.send_response(answer.status)
        for name, value in {**answer.headers, "content-length": str(len(text))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"#;

/// The same in Rust, with nothing but the standard library: one request per connection.
const RUST_SERVER: &str = r#"
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

use sale_services::messages::{Message, Payload, Role};
use sale_services::network::{Failure, Network};
use sale_services::outside::{decode, encode, read_body, Kind, Received};
use sale_services::shop;
use sale_services::shop_service::ShopService;

struct Conversation {
    came: Vec<Message>,
    sent: Vec<Payload>,
}

impl Network for Conversation {
    fn send(&mut self, message: Message) -> Result<(), Failure> {
        self.sent.push(message.payload);
        Ok(())
    }

    fn receive(&mut self, _: &[Role]) -> Result<Option<Message>, Failure> {
        Ok(self.came.pop())
    }
}

fn answered(received: &Received) -> Result<String, Failure> {
    let payload = decode(received, &[Kind::Order])?;
    let order = Message { from: Role::Client, to: Role::Shop, payload };
    let mut conversation = Conversation { came: vec![order], sent: Vec::new() };
    shop::run(&mut ShopService::default(), &mut conversation)?;
    let answer = encode(&conversation.sent[0])?;
    let body = answer.body.map_or_else(String::new, |it| it.to_string());
    let mut text = format!("HTTP/1.1 {} Answer\r\n", answer.status.unwrap_or(200));
    for (name, value) in &answer.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    Ok(format!("{text}connection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
}

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    println!("{}", listener.local_addr().unwrap().port());
    for stream in listener.incoming() {
        let mut stream = stream.unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let mut parts = line.split(' ').map(str::to_owned);
        let mut received = Received { method: parts.next(), target: parts.next(), ..Received::default() };
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.parse().unwrap();
            }
            received.headers.push((name.to_owned(), value.to_owned()));
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        received.body = read_body(&String::from_utf8(body).unwrap()).unwrap_or_default();
        let answer = answered(&received).unwrap_or_else(|failure| {
            eprintln!("{failure}");
            "HTTP/1.1 500 Failure\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_owned()
        });
        stream.write_all(answer.as_bytes()).unwrap();
    }
}
"#;

/// The driver and the service were given the same binding, and understand each other, whatever its language is.
#[test]
fn a_bound_service_is_driven() {
    let model = r#"
choreography Sale[client, shop] {
    client -> shop: Order(id: String, qty: Int)
    if qty > 3 {
        shop -> client: Refused(id)
    } else {
        shop -> client: Accepted(id, twice = 2 * qty)
    }
}
"#;
    let binding = r#"
model = "sale.chor"

[messages.Order]
request = "POST /shops/{id}/orders"
fields = { qty = "body.items.0.dozens / 12" }
when = { "body.kind" = "order" }

[messages.Accepted]
response = "Order"
status = 201
fields = { id = "header.x-order", twice = "body.twice + 1" }

[messages.Refused]
response = "Order"
status = "4xx"
"#;
    let folder = folder();
    for (name, text) in [
        ("sale.chor", model),
        ("sale.bind.toml", binding),
        ("server.py", SERVER),
    ] {
        if let Err(error) = std::fs::write(folder.path().join(name), text) {
            panic!("{error}");
        }
    }
    let other = binding.replace("body.twice + 1", "body.twice + 2");
    if let Err(error) = std::fs::write(folder.path().join("other.bind.toml"), other) {
        panic!("{error}");
    }
    let role = ["project", "sale.chor", "--role", "shop", "-o", "shop.stg"];
    choros(&role, folder.path());
    let bound = ["--binding", "sale.bind.toml"];
    for language in ["python", "rust"] {
        let skeleton = [
            "project",
            "sale.chor",
            "--skeleton",
            language,
            "-o",
            language,
        ];
        choros(&[&skeleton[..], &bound].concat(), folder.path());
        let place = folder.path().join(language);
        let mut command = if language == "python" {
            let mut command = Command::new("python3");
            command
                .args(["-W", "error", "../server.py"])
                .env("PYTHONPATH", ".");
            command
        } else {
            if let Err(error) = std::fs::write(place.join("src/main.rs"), RUST_SERVER) {
                panic!("{error}");
            }
            Command::new(compile(&place))
        };
        let server = Server::start(command.current_dir(&place));
        let target = format!("http://127.0.0.1:{}", server.port);
        let drive = ["drive", "shop.stg", "--target", &target];
        let said = choros(&[&drive[..], &bound].concat(), folder.path());
        assert!(said.contains("holds"), "{language}: {said}");
        // A service by another binding is not understood.
        let mut command = Command::new(env!("CARGO_BIN_EXE_choros"));
        command
            .args(drive)
            .args(["--binding", "other.bind.toml"])
            .current_dir(folder.path());
        assert_eq!(run(&mut command).status.code(), Some(1), "{language}");
    }
}

/// A server that is stopped with the test.
struct Server {
    child: std::process::Child,
    port: u16,
}

impl Server {
    fn start(command: &mut Command) -> Server {
        let mut child = match command.stdout(Stdio::piped()).spawn() {
            Ok(child) => child,
            Err(error) => panic!("{error}"),
        };
        let mut line = String::new();
        if let Some(said) = child.stdout.take() {
            let _ = BufReader::new(said).read_line(&mut line);
        }
        let port = line.trim().parse().unwrap_or_default();
        let server = Server { child, port };
        assert_ne!(port, 0, "the server does not say where it listens: {line}");
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_examples_compile() {
    let folder = folder();
    let models = [
        ("extended-shopping.chor", ""),
        ("loop.chor", "#loop"),
        ("market.chor", "#market"),
        ("market.schora", "#market"),
        ("tss.chor", "#tss"),
    ];
    for (number, (file, component)) in models.iter().enumerate() {
        let model = format!("{}{component}", example(file));
        assert!(compiles(&model, &number.to_string(), folder.path()));
    }
}

/// Whatever has a program has one that compiles; repaired first, because a role that has to guess has none.
#[test]
fn random_choreographies_compile() {
    let folder = folder();
    let mut compiled = 0;
    for seed in 1..=12 {
        let shape = Shape {
            states: 25,
            branches: 3,
            roles: 3,
            operations: 12,
            data_level: 3,
            contradictions: 0,
        };
        let path = folder.path().join(format!("random{seed}.schora"));
        if let Err(error) = std::fs::write(&path, random_choreography(shape, seed).script()) {
            panic!("{error}");
        }
        let model = path.display().to_string();
        compiled += usize::from(compiles(&model, &seed.to_string(), folder.path()));
    }
    assert!(compiled >= 3, "only {compiled} have programs");
}

/// Compiles the services of a model in both languages, with the messages that the conditions ask for; *false* where
/// there are none.
fn compiles(model: &str, name: &str, folder: &Path) -> bool {
    for (language, place) in [("rust", "r"), ("python", "p")] {
        let place = format!("{place}{name}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_choros"));
        command
            .args(["project", model, "--repair", "--criterion", "conditions"])
            .args(["--skeleton", language])
            .args(["-o", &place])
            .current_dir(folder);
        let output = run(&mut command);
        let said = String::from_utf8_lossy(&output.stdout);
        if said.contains("it cannot know what comes next") {
            assert_eq!(output.status.code(), Some(2), "{said}");
            return false;
        }
        assert!(output.status.success(), "{said}");
    }
    compile(&folder.join(format!("r{name}")));
    let mut python = Command::new("python3");
    python
        .args(["-W", "error", "-m", "compileall", "-q", "."])
        .current_dir(folder.join(format!("p{name}")));
    succeed(&mut python);
    true
}
