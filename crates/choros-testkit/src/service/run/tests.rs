//! Pretended services, asked over real sockets.

use super::*;

fn start(text: &str) -> Running {
    let service = Service::read(&text.lines().collect::<Vec<_>>()).expect(text);
    Running::start(service, BTreeMap::new()).expect("a free port")
}

/// Everything that comes back until the service closes, or half a second of silence.
fn ask(running: &Running, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(running.address()).expect("a connection");
    stream
        .set_read_timeout(Some(Duration::from_millis(500)))
        .expect("a time-out");
    let request = format!(
        "POST {path} HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("a request");
    let mut bytes = Vec::new();
    let mut buffer = [0; 512];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && head.contains(&format!("Content-Length: {}", body.len()))
        {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

#[test]
fn turns_and_conditions() {
    let running = start(
        "on /a where n > 5\n  answer {\"big\": {n - 5}}\non /a\n  answer 1\nnext\n  answer 2\non /b\n  answer 1\nnext\n  answer 2\nagain",
    );
    assert_eq!(body(&ask(&running, "/a?q", r#"{"n": 7}"#)), r#"{"big": 2}"#);
    let answers = |path: &str| [0; 4].map(|_| body(&ask(&running, path, "{}")).to_owned());
    assert_eq!(answers("/a"), ["1", "2", "2", "2"]);
    assert_eq!(answers("/b"), ["1", "2", "1", "2"]);
    assert!(ask(&running, "/c", "").starts_with("HTTP/1.1 404 "));
    assert!(running.problems().is_empty());
}

#[test]
fn a_field_that_is_not_there_is_a_problem_of_the_document() {
    let running = start("on /a\n  answer {n}");
    assert_eq!(ask(&running, "/a", "{}"), "");
    assert_eq!(running.problems(), ["there is no `n` in {}"]);
}

#[test]
fn connections_end_as_it_is_said() {
    let running = start("on /close\n  close\non /reset\n  reset\non /raw\n  raw \"x\"\n  close");
    assert_eq!(ask(&running, "/close", ""), "");
    assert_eq!(ask(&running, "/raw", ""), "x");
    let mut stream = TcpStream::connect(running.address()).expect("a connection");
    stream
        .write_all(b"POST /reset HTTP/1.1\r\n\r\n")
        .expect("a request");
    let error = stream.read(&mut [0; 8]).expect_err("a reset");
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
}

#[test]
fn partners_are_called_while_others_are_answered_and_what_is_forgotten_is_not_done() {
    let bank = start("on /alarm\n  answer {\"said\": {n}}");
    let service = Service::read(&[
        "partner BANK",
        "on /now",
        "  call BANK /alarm {\"n\": {n}}",
        "  answer {answer.said}",
        "on /later",
        "  answer 1",
        "  wait 200",
        "  call BANK /alarm {\"n\": 1}",
        "on /stop",
        "  forget",
        "  answer 2",
    ])
    .expect("a service");
    let partners = BTreeMap::from([("BANK".to_owned(), bank.address())]);
    let running = Running::start(service, partners).expect("a free port");
    let called = || lock(&bank.shared.turns)[0];
    assert_eq!(body(&ask(&running, "/now", r#"{"n": 9}"#)), "9");
    assert_eq!(called(), 1);
    assert_eq!(body(&ask(&running, "/later", "{}")), "1");
    assert_eq!(body(&ask(&running, "/stop", "{}")), "2");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(called(), 1, "the alarm was forgotten");
    assert_eq!(body(&ask(&running, "/later", "{}")), "1");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(called(), 2);
}

#[test]
fn it_ends_at_once_whatever_it_does() {
    let running =
        start("on /a\n  hang\non /b\n  wait 60000\n  answer\non /c\n  trickle 10000\n  answer 1");
    let mut clients = Vec::new();
    for path in ["/a", "/b"] {
        let mut stream = TcpStream::connect(running.address()).expect("a connection");
        let request = format!("POST {path} HTTP/1.1\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("a request");
        clients.push(stream);
    }
    std::thread::sleep(Duration::from_millis(100));
    let address = running.address();
    let start = Instant::now();
    drop(running);
    assert!(start.elapsed() < Duration::from_secs(2));
    assert!(TcpStream::connect(address).is_err(), "no one listens");
}
