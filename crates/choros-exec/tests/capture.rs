//! The proxy between a client and a service that are nothing but sockets, so that every byte is under control.

use choros_model::observation::pseudonym;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use choros_bind::{Binding, OldKind, translate_as};
use choros_exec::Redaction;
use choros_exec::capture::{Capture, CaptureSettings, Output, OutputPlace, Route, Upstream};
use choros_exec::log::LogFormat;

/// A mapping of an earlier version.
fn translated(text: &str) -> Result<Binding, String> {
    translate_as(text, OldKind::Capture).map(|it| it.binding)
}

/// A service that answers one connection after the other with what `answer` makes of the raw request.
struct Service {
    address: SocketAddr,
    requests: Receiver<Vec<u8>>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    fn start(
        connections: usize,
        answer: impl Fn(&[u8], &mut TcpStream) + Send + 'static,
    ) -> Service {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        let (sender, requests) = channel();
        let thread = std::thread::spawn(move || {
            for _ in 0..connections {
                let (mut stream, _) = socket.accept().unwrap();
                stream
                    .set_read_timeout(Some(Duration::from_secs(20)))
                    .unwrap();
                while let Some(request) = read_message(&mut stream) {
                    answer(&request, &mut stream);
                    sender.send(request).unwrap();
                }
            }
        });
        Service {
            address,
            requests,
            thread: Some(thread),
        }
    }

    fn request(&self) -> Vec<u8> {
        self.requests.recv_timeout(Duration::from_secs(20)).unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take()
            && !std::thread::panicking()
        {
            thread.join().unwrap();
        }
    }
}

/// Head and body of one message, as raw bytes; `None` at the end of the connection.
fn read_message(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut reader = BufReader::with_capacity(1, &mut *stream);
    let mut raw = Vec::new();
    let (mut length, mut chunked) = (0, false);
    loop {
        let start = raw.len();
        if reader.read_until(b'\n', &mut raw).ok()? == 0 {
            return None;
        }
        let line = String::from_utf8_lossy(&raw[start..]).to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        chunked |= line.starts_with("transfer-encoding:") && line.contains("chunked");
        if line.trim().is_empty() {
            break;
        }
    }
    if chunked {
        while !raw.ends_with(b"0\r\n\r\n") {
            let mut byte = [0];
            reader.read_exact(&mut byte).ok()?;
            raw.push(byte[0]);
        }
    } else {
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        raw.extend(body);
    }
    Some(raw)
}

fn body(raw: &[u8]) -> &[u8] {
    let at = raw.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    &raw[at + 4..]
}

struct Proxy {
    capture: Option<Capture>,
    log: PathBuf,
    folder: tempfile::TempDir,
}

impl Proxy {
    fn start(upstream: &str, change: impl FnOnce(&mut CaptureSettings)) -> Proxy {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("s.jsonl");
        let mut settings = CaptureSettings {
            routes: vec![Route {
                listen: "127.0.0.1:0".parse().unwrap(),
                upstream: Upstream::parse(upstream, None).unwrap(),
                client: "c".to_owned(),
                service: "s".to_owned(),
            }],
            keep_host: false,
            limit: 1 << 16,
            binding: Binding::default(),
            redaction: Redaction::default(),
            injection: None,
            usual_secrets: true,
            idle: Duration::from_secs(60),
            told: None,
            outputs: vec![Output {
                owner: None,
                place: OutputPlace::File {
                    path: log.clone(),
                    format: LogFormat::JsonLines,
                    append: false,
                },
            }],
        };
        change(&mut settings);
        Proxy {
            capture: Some(Capture::start(settings).unwrap()),
            log,
            folder,
        }
    }

    fn between(service: &Service, change: impl FnOnce(&mut CaptureSettings)) -> Proxy {
        Proxy::start(&format!("http://{}", service.address), change)
    }

    fn connect(&self) -> TcpStream {
        let address = self.capture.as_ref().unwrap().addresses()[0];
        let stream = TcpStream::connect(address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream
    }

    /// Stops and reads the log.
    fn lines(mut self) -> (Vec<serde_json::Value>, choros_exec::capture::CaptureCounts) {
        let counts = self.capture.take().unwrap().stop();
        let text = std::fs::read_to_string(&self.log).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let lines = lines.collect();
        drop(self.folder);
        (lines, counts)
    }
}

const ANSWER: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{\"price\":2,\"fee\":10}";

#[test]
fn a_request_and_its_response_become_two_lines_with_one_id() {
    let service = Service::start(1, |_, stream| stream.write_all(ANSWER).unwrap());
    let (tell, told) = std::sync::mpsc::channel();
    let proxy = Proxy::between(&service, |it| {
        it.told = Some(Box::new(move |seen| drop(tell.send(seen.text()))));
    });
    let mut client = proxy.connect();
    client
        .write_all(b"POST /Request?zone=7 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"weight\":5}")
        .unwrap();
    let answer = read_message(&mut client).unwrap();
    assert_eq!(body(&answer), b"{\"price\":2,\"fee\":10}");
    drop(client);
    let (lines, counts) = proxy.lines();
    assert_eq!(counts.observations, 2);
    let [request, response] = &lines[..] else {
        panic!("{lines:?}");
    };
    assert_eq!(request["op"], "Request");
    assert_eq!(request["by"], "s");
    assert_eq!(request["dir"], "recv");
    assert_eq!(request["data"]["weight"], 5);
    assert_eq!(request["data"]["zone"], 7);
    assert_eq!(response["op"], "RequestResponse");
    assert_eq!(response["dir"], "send");
    assert_eq!(response["from"], "s");
    assert_eq!(response["data"]["fee"], 10);
    assert_eq!(request["id"], response["id"]);
    // Who listens hears of each message once, as it passes.
    assert_eq!(
        told.iter().collect::<Vec<_>>(),
        [
            "Request[c,s]!(weight = 5, zone = 7)",
            "RequestResponse[s,c]!(price = 2, fee = 10)"
        ]
    );
    assert!(request["at"].as_i64() <= response["at"].as_i64());
}

#[test]
fn bodies_and_the_case_of_headers_pass_unaltered() {
    let odd = b"HTTP/1.1 200 Fine\r\nX-OdD-Case: Kept\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab\0\xff\n\r\n1\r\nz\r\n0\r\n\r\n";
    let service = Service::start(1, move |_, stream| stream.write_all(odd).unwrap());
    let proxy = Proxy::between(&service, |_| {});
    let mut client = proxy.connect();
    let sent: Vec<u8> = (0..=255).cycle().take(70_000).collect();
    let head = format!(
        "PUT /x HTTP/1.1\r\nhOsT: y\r\nX-WeIrD: 1\r\nContent-Length: {}\r\n\r\n",
        sent.len()
    );
    client.write_all(head.as_bytes()).unwrap();
    client.write_all(&sent).unwrap();
    let answer = read_message(&mut client).unwrap();
    let received = service.request();
    assert_eq!(body(&received), sent);
    assert!(received.windows(7).any(|it| it == b"X-WeIrD"));
    assert!(answer.windows(10).any(|it| it == b"X-OdD-Case"));
    let text = body(&answer);
    let joined: Vec<u8> = dechunk(text);
    assert_eq!(joined, b"ab\0\xff\nz");
    drop(client);
    let (lines, counts) = proxy.lines();
    assert_eq!(counts.truncated, 1, "70,000 bytes do not fit into 65,536");
    assert_eq!(lines[0]["truncated"], true);
    assert!(lines[1].get("truncated").is_none());
}

/// The fields of a compressed body are read from an unpacked copy; client and service see what was sent, byte by byte.
#[test]
fn compressed_bodies_are_read_and_pass_unaltered() {
    let packed = gzip(b"{\"price\":2,\"fee\":10,\"card\":\"SECRET\"}");
    let answer = [
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
            packed.len()
        )
        .into_bytes(),
        packed.clone(),
    ]
    .concat();
    let service = Service::start(1, move |_, stream| stream.write_all(&answer).unwrap());
    let proxy = Proxy::between(&service, |settings| {
        settings.redaction = Redaction::parse("card").unwrap();
    });
    let mut client = proxy.connect();
    let mut exchange = |encoding: &str, sent: &[u8]| {
        let head = format!(
            "POST /Request HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: {encoding}\r\nContent-Length: {}\r\n\r\n",
            sent.len()
        );
        client.write_all(head.as_bytes()).unwrap();
        client.write_all(sent).unwrap();
        let answer = read_message(&mut client).unwrap();
        assert_eq!(body(&answer), packed);
        assert_eq!(body(&service.request()), sent);
    };
    exchange("gzip", &gzip(b"{\"weight\":5}"));
    exchange("br", b"\x0b\x02\x80brotli\x03");
    exchange("gzip", b"{\"weight\":5}");
    // Unpacked, it is longer than what is kept of a body.
    exchange("gzip", &gzip(&[b' '; 1 << 17]));
    drop(client);
    let (lines, counts) = proxy.lines();
    assert_eq!((counts.truncated, counts.unread), (1, 2));
    let requests: Vec<&serde_json::Value> = lines.iter().step_by(2).collect();
    assert_eq!(requests[0]["data"]["weight"], 5);
    assert_eq!(requests[1]["unread"], "content encoding `br`");
    assert_eq!(requests[2]["unread"], "damaged gzip");
    assert_eq!(requests[3]["truncated"], true);
    for request in &requests[1..] {
        assert!(request.get("data").is_none(), "{request}");
    }
    for response in lines.iter().skip(1).step_by(2) {
        assert_eq!(response["data"]["fee"], 10);
        assert_eq!(response["data"]["card"], lines[1]["data"]["card"]);
        assert!(is_pseudonym(&response["data"]["card"]));
        assert!(response.get("unread").is_none());
    }
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn dechunk(mut text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    loop {
        let end = text.windows(2).position(|two| two == b"\r\n").unwrap();
        let size = usize::from_str_radix(std::str::from_utf8(&text[..end]).unwrap(), 16).unwrap();
        if size == 0 {
            return out;
        }
        out.extend(&text[end + 2..end + 2 + size]);
        text = &text[end + 4 + size..];
    }
}

#[test]
fn nothing_redacted_is_in_the_bytes_written() {
    let answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 74\r\n\r\n<e:Envelope><e:Body><R><card>SECRET-1</card></R></e:Body></e:Envelope>    ";
    let service = Service::start(1, move |_, stream| stream.write_all(answer).unwrap());
    let proxy = Proxy::between(&service, |settings| {
        settings.binding = translated(
            r#"{"session": "body.card", "id": "query.password", "redact": "*.password"}"#,
        )
        .unwrap();
        settings.redaction = Redaction::parse("card,password").unwrap();
    });
    let text = r#"{"card":{"number":"SECRET-2"},"login":{"Password":"SECRET-3"},"n":1}"#;
    let request = format!(
        "POST /pay?password=SECRET-4 HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{text}",
        text.len()
    );
    let mut client = proxy.connect();
    client.write_all(request.as_bytes()).unwrap();
    read_message(&mut client).unwrap();
    assert_eq!(
        body(&service.request()),
        text.as_bytes(),
        "the service sees everything"
    );
    drop(client);
    let log = proxy.log.clone();
    let bytes = std::fs::read_to_string(&log).unwrap();
    assert!(!bytes.contains("SECRET"), "{bytes}");
    let (lines, _) = proxy.lines();
    assert_eq!(lines[0]["data"]["n"], 1);
    assert!(is_pseudonym(&lines[0]["data"]["card"]["number"]));
    assert_eq!(lines[1]["op"], "R");
    assert!(is_pseudonym(&lines[1]["session"]));
}

#[test]
fn a_service_that_is_not_there_received_nothing() {
    let gone = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let proxy = Proxy::start(&format!("http://{gone}"), |_| {});
    let mut client = proxy.connect();
    client
        .write_all(b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    let answer = read_message(&mut client).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 502 "));
    drop(client);
    let (lines, counts) = proxy.lines();
    assert_eq!(lines.len(), 0);
    assert_eq!((counts.exchanges, counts.unanswered), (1, 1));
}

#[test]
fn a_reset_in_the_middle_costs_one_exchange() {
    let service = Service::start(2, |request, stream| {
        if request.starts_with(b"GET /bad") {
            // Closing with unread data waiting makes the kernel send a reset; half an answer went before.
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                .unwrap();
            stream.shutdown(std::net::Shutdown::Both).unwrap();
        } else {
            stream.write_all(ANSWER).unwrap()
        }
    });
    let proxy = Proxy::between(&service, |_| {});
    let mut client = proxy.connect();
    client
        .write_all(b"GET /bad HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    let mut rest = Vec::new();
    let _ = client.read_to_end(&mut rest);
    assert!(rest.ends_with(b"half"));
    let mut client = proxy.connect();
    client
        .write_all(b"GET /good HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    assert!(read_message(&mut client).unwrap().ends_with(b"\"fee\":10}"));
    drop(client);
    let (lines, _) = proxy.lines();
    let told: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                line["op"].as_str().unwrap(),
                line.get("truncated").is_some(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("bad", false),
            ("badResponse", true),
            ("good", false),
            ("goodResponse", false)
        ]
    );
}

#[test]
fn an_idle_connection_that_the_service_closed_is_replaced() {
    let service = Service::start(2, |_, stream| {
        stream.write_all(ANSWER).unwrap();
        stream.shutdown(std::net::Shutdown::Both).unwrap();
    });
    let proxy = Proxy::between(&service, |_| {});
    let mut client = proxy.connect();
    for _ in 0..2 {
        client
            .write_all(b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
            .unwrap();
        assert!(
            read_message(&mut client)
                .unwrap()
                .starts_with(b"HTTP/1.1 200")
        );
        service.request();
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(client);
    let (lines, counts) = proxy.lines();
    assert_eq!((lines.len(), counts.unanswered), (4, 0));
}

#[test]
fn an_answer_never_stands_before_its_question() {
    // The service answers after the head; the client sends the rest of its body later.
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = socket.accept().unwrap();
        let mut head = [0; 16];
        stream.read_exact(&mut head).unwrap();
        stream.write_all(ANSWER).unwrap();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    });
    let proxy = Proxy::start(&format!("http://{address}"), |_| {});
    let mut client = proxy.connect();
    client
        .write_all(b"POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{\"a\"")
        .unwrap();
    assert!(
        read_message(&mut client)
            .unwrap()
            .starts_with(b"HTTP/1.1 200")
    );
    client.write_all(b":1}").unwrap();
    std::thread::sleep(Duration::from_millis(100));
    drop(client);
    let (lines, _) = proxy.lines();
    thread.join().unwrap();
    let operations: Vec<_> = lines
        .iter()
        .map(|line| line["op"].as_str().unwrap())
        .collect();
    assert_eq!(operations, ["x", "xResponse"]);
}

#[test]
fn large_bodies_stream_through_while_a_client_is_slow() {
    const SIZE: usize = 100 << 20;
    let service = Service::start(1, |_, stream| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {SIZE}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let chunk = vec![7; 1 << 20];
        for _ in 0..SIZE >> 20 {
            stream.write_all(&chunk).unwrap();
        }
    });
    let proxy = Proxy::between(&service, |_| {});
    let mut client = proxy.connect();
    client
        .write_all(b"GET /big HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        .unwrap();
    let (mut got, mut slow) = (0, 5);
    let mut chunk = vec![0; 1 << 20];
    loop {
        let read = client.read(&mut chunk).unwrap();
        if read == 0 {
            break;
        }
        got += chunk[..read].iter().filter(|byte| **byte == 7).count();
        if slow > 0 {
            std::thread::sleep(Duration::from_millis(50));
            slow -= 1;
        }
    }
    assert_eq!(got, SIZE);
    let (lines, counts) = proxy.lines();
    assert_eq!(counts.truncated, 1);
    assert_eq!(lines[1]["truncated"], true);
}

#[test]
fn each_service_gets_its_own_view() {
    let service = Service::start(1, |_, stream| stream.write_all(ANSWER).unwrap());
    let live = TcpListener::bind("127.0.0.1:0").unwrap();
    let live_address = live.local_addr().unwrap().to_string();
    let mut client_log = PathBuf::new();
    let proxy = Proxy::between(&service, |settings| {
        let OutputPlace::File { path, .. } = &settings.outputs[0].place else {
            panic!()
        };
        client_log = path.with_file_name("c.log");
        settings.outputs.push(Output {
            owner: Some("c".to_owned()),
            place: OutputPlace::File {
                path: client_log.clone(),
                format: LogFormat::Pact,
                append: false,
            },
        });
        settings.outputs.push(Output {
            owner: Some("s".to_owned()),
            place: OutputPlace::Live(live_address),
        });
    });
    let mut client = proxy.connect();
    client
        .write_all(b"GET /Ask HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    read_message(&mut client).unwrap();
    drop(client);
    let (stream, _) = live.accept().unwrap();
    let mut first = String::new();
    BufReader::new(stream).read_line(&mut first).unwrap();
    assert!(first.contains("\"by\":\"s\""), "{first}");
    let pact = std::fs::read_to_string(&client_log).unwrap();
    let (lines, _) = proxy.lines();
    assert_eq!(lines[0]["by"], "s");
    let text: Vec<&str> = pact.lines().collect();
    assert_eq!(text[0], "c");
    assert_eq!(text[2], "SEND | s | | Ask");
    assert!(text[4].starts_with("RECEIVE | s | ") && text[4].ends_with(" | AskResponse"));
}

/// The log of a service without its own calls would make it look guilty of leaving them out.
#[test]
fn a_service_that_calls_another_through_the_proxy_is_seen_doing_so() {
    let answer = |_: &[u8], stream: &mut TcpStream| stream.write_all(ANSWER).unwrap();
    let (service, warehouse) = (Service::start(1, answer), Service::start(1, answer));
    let proxy = Proxy::between(&service, |settings| {
        settings.routes.push(Route {
            listen: "127.0.0.1:0".parse().unwrap(),
            upstream: Upstream::parse(&format!("http://{}", warehouse.address), None).unwrap(),
            client: "s".to_owned(),
            service: "w".to_owned(),
        });
    });
    for address in proxy.capture.as_ref().unwrap().addresses() {
        let mut client = TcpStream::connect(address).unwrap();
        client
            .write_all(b"GET /Ask HTTP/1.1\r\nHost: x\r\n\r\n")
            .unwrap();
        read_message(&mut client).unwrap();
    }
    let (lines, _) = proxy.lines();
    let seen: Vec<String> = lines
        .iter()
        .map(|line| format!("{} {} {}", line["by"], line["dir"], line["op"]).replace('"', ""))
        .collect();
    assert_eq!(
        seen,
        [
            "s recv Ask",
            "s send AskResponse",
            "s send Ask",
            "w recv Ask",
            "w send AskResponse",
            "s recv AskResponse"
        ]
    );
}

fn is_pseudonym(value: &serde_json::Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.starts_with('[') && text.ends_with(']') && pseudonym::is_in(text)
}

/// Every secret below begins with `S3cr3t`, but for the card number; no rule names any of them.
#[test]
fn secrets_are_redacted_without_being_asked_for() {
    let answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nSet-Cookie: sid=S3cr3t0\r\nContent-Length: 65\r\n\r\n<R><login password='S3cr3t1'><token>S3cr3t2</token></login></R>  ";
    let service = Service::start(1, move |_, stream| stream.write_all(answer).unwrap());
    let proxy = Proxy::between(&service, |settings| {
        settings.binding = translated(
            r#"{"session": "header.Authorization", "id": "path.1", "op": "header.X-Op"}"#,
        )
        .unwrap();
    });
    let mut client = proxy.connect();
    let mut exchange = |kind: &str, text: &str| {
        let request = format!(
            "POST /token/S3cr3t3/4111111111111111?api_key=S3cr3t4&n=5 HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\n\
             Authorization: Bearer S3cr3t5\r\nCookie: a=S3cr3t6\r\nContent-Length: {}\r\n\r\n{text}",
            text.len()
        );
        client.write_all(request.as_bytes()).unwrap();
        read_message(&mut client).unwrap();
        assert_eq!(body(&service.request()), text.as_bytes());
    };
    exchange(
        "application/json",
        r#"{"weight": 5, "login": {"Password": "S3cr3t7"}, "card": 4111111111111111,
            "inner": "{\"accessToken\": \"S3cr3t8\", \"kept\": 7}"}"#,
    );
    exchange(
        "application/x-www-form-urlencoded",
        "weight=5&user%5Bpwd%5D=S3cr3t9&note=paid+4111+1111+1111+1111",
    );
    drop(client);
    let bytes = std::fs::read_to_string(&proxy.log).unwrap();
    assert!(!bytes.contains("S3cr3t"), "{bytes}");
    assert!(!bytes.contains("4111"), "{bytes}");
    let (lines, _) = proxy.lines();
    assert_eq!(lines[0]["data"]["weight"], 5);
    assert_eq!(lines[0]["data"]["n"], 5);
    assert!(
        lines[0]["data"]["inner"]
            .as_str()
            .unwrap()
            .contains("\"kept\": 7")
    );
    for line in &lines {
        assert!(is_pseudonym(&line["session"]), "{line}");
        assert!(is_pseudonym(&line["id"]), "{line}");
        assert_eq!(line["session"], lines[0]["session"], "equality survives");
    }
    assert_eq!(lines[0]["op"], lines[0]["data"]["card"], "across places");
}

#[test]
fn switched_off_everything_is_written() {
    let service = Service::start(1, |_, stream| stream.write_all(ANSWER).unwrap());
    let proxy = Proxy::between(&service, |settings| settings.usual_secrets = false);
    let mut client = proxy.connect();
    client
        .write_all(b"GET /x?password=hunter2 HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    read_message(&mut client).unwrap();
    drop(client);
    let (lines, _) = proxy.lines();
    assert_eq!(lines[0]["data"]["password"], "hunter2");
}

#[cfg(unix)]
#[test]
fn only_its_owner_may_read_a_log() {
    use std::os::unix::fs::PermissionsExt;
    let service = Service::start(0, |_, _| {});
    let proxy = Proxy::between(&service, |_| {});
    let mode = std::fs::metadata(&proxy.log).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn an_upgrade_is_called_one_and_passes_unseen() {
    let service = Service::start(1, |_, stream| {
        stream
            .write_all(b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n")
            .unwrap();
        let mut four = [0; 4];
        stream.read_exact(&mut four).unwrap();
        stream.write_all(&four).unwrap();
        let _ = stream.shutdown(std::net::Shutdown::Both);
    });
    let proxy = Proxy::between(&service, |_| {});
    let mut client = proxy.connect();
    client
        .write_all(
            b"GET /chat HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        )
        .unwrap();
    let answer = read_message(&mut client).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 101 "));
    client.write_all(b"ping").unwrap();
    let mut four = [0; 4];
    client.read_exact(&mut four).unwrap();
    assert_eq!(&four, b"ping");
    drop(client);
    let (lines, counts) = proxy.lines();
    assert_eq!(
        (counts.upgrades, counts.unanswered, counts.unread),
        (1, 0, 1)
    );
    assert_eq!(lines[0]["op"], "chat");
    assert_eq!(lines[1]["op"], "chatUpgrade");
    assert_eq!(
        lines[1]["unread"],
        "upgraded to websocket: what follows is not seen"
    );
}

/// `nc` and old clients shut their side down as soon as they have sent the request.
#[test]
fn a_client_that_has_said_all_still_gets_its_answer() {
    let service = Service::start(1, |_, stream| {
        std::thread::sleep(Duration::from_millis(200));
        stream.write_all(ANSWER).unwrap();
    });
    let proxy = Proxy::between(&service, |_| {});
    let mut client = proxy.connect();
    client
        .write_all(b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    client.shutdown(std::net::Shutdown::Write).unwrap();
    let answer = read_message(&mut client).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200 "));
    drop(client);
    let (lines, counts) = proxy.lines();
    assert_eq!((lines.len(), counts.unanswered), (2, 0));
}

#[test]
fn a_silent_client_loses_its_connection() {
    let service = Service::start(1, |_, stream| stream.write_all(ANSWER).unwrap());
    let proxy = Proxy::between(&service, |settings| {
        settings.idle = Duration::from_millis(300);
    });
    let mut fresh = proxy.connect();
    let mut used = proxy.connect();
    used.write_all(b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    read_message(&mut used).unwrap();
    for client in [&mut fresh, &mut used] {
        let mut rest = Vec::new();
        client.read_to_end(&mut rest).unwrap();
        assert!(!rest.starts_with(b"HTTP/1.1 200"));
    }
    proxy.lines();
}

/// Neither the one that stops in the middle of a body nor anyone else waits forever.
#[test]
fn a_client_that_stops_in_the_middle_of_a_body() {
    let service = Service::start(1, |_, stream| stream.write_all(ANSWER).unwrap());
    let proxy = Proxy::between(&service, |settings| {
        settings.idle = Duration::from_millis(400);
    });
    // The service takes one connection after the other, so that one comes first.
    let mut other = proxy.connect();
    let mut ask = || {
        let request = b"GET /y HTTP/1.1\r\nHost: x\r\n\r\n";
        other.write_all(request).unwrap();
        let answer = read_message(&mut other).unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 200 "));
    };
    ask();
    let mut stalled = proxy.connect();
    stalled
        .write_all(b"POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf of")
        .unwrap();
    let started = std::time::Instant::now();
    ask();
    let refused = read_message(&mut stalled).unwrap();
    assert!(
        refused.starts_with(b"HTTP/1.1 408 "),
        "{}",
        String::from_utf8_lossy(&refused)
    );
    assert!(started.elapsed() < Duration::from_secs(5));
    let (_, counts) = proxy.lines();
    assert_eq!((counts.exchanges, counts.unanswered), (3, 1));
}

#[test]
fn a_request_still_waiting_at_the_end_had_no_answer() {
    let (sender, release) = channel::<()>();
    let service = Service::start(1, move |request, stream| {
        if request.starts_with(b"GET /never") {
            let _ = release.recv_timeout(Duration::from_secs(20));
        }
        let _ = stream.write_all(ANSWER);
    });
    let proxy = Proxy::between(&service, |_| {});
    let mut client = proxy.connect();
    client
        .write_all(b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    read_message(&mut client).unwrap();
    service.request();
    client
        .write_all(b"GET /never HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    while proxy.capture.as_ref().unwrap().counts().exchanges < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let (_, counts) = proxy.lines();
    assert_eq!((counts.exchanges, counts.unanswered), (2, 1));
    sender.send(()).unwrap();
}
