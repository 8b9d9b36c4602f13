//! A real browser, spoken to as the WebDriver protocol says: JSON over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A browser with one window; dropping it ends it.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
}

/// How long something may take to appear: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whether there is a browser to test with; where one is demanded, its lack is a failure.
#[allow(clippy::print_stderr)]
pub(crate) fn is_there() -> bool {
    let has = |name: &str| {
        let asked = Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        asked.is_ok_and(|it| it.success())
    };
    let is_there = has("chromium") && has("chromedriver");
    if !is_there {
        assert!(
            std::env::var_os("CHOROS_REQUIRE_BROWSER").is_none(),
            "CHOROS_REQUIRE_BROWSER is set, and there is no chromium with chromedriver: run scripts/setup-browser.sh"
        );
        eprintln!(
            "NOT TESTED: there is no chromium with chromedriver; scripts/setup-browser.sh installs them"
        );
    }
    is_there
}

impl Browser {
    /// Starts a browser with a window of this size.
    pub(crate) fn start(width: u32, height: u32) -> Browser {
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let said = BufReader::new(driver.stdout.take().expect("it is piped"));
        let mut lines = said.lines().map_while(Result::ok);
        let port = lines
            .find_map(|line| {
                let (_, port) = line.split_once("started successfully on port ")?;
                port.trim_end_matches('.').parse().ok()
            })
            .expect("chromedriver says its port");
        // It must not meet a closed pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let mut browser = Browser {
            driver,
            port,
            session: String::new(),
            _profile: profile,
        };
        let folder = browser._profile.path().display().to_string();
        let arguments = json!([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            format!("--user-data-dir={folder}"),
            format!("--window-size={width},{height}"),
        ]);
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"binary": "/usr/bin/chromium", "args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let made = browser.call("POST", "/session", &wanted);
        browser.session = made["sessionId"]
            .as_str()
            .unwrap_or_else(|| panic!("no session: {made}"))
            .to_owned();
        browser
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream =
            TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver listens");
        stream
            .set_read_timeout(Some(PATIENCE * 2))
            .expect("a time to wait");
        let body = if method == "GET" || method == "DELETE" {
            String::new()
        } else {
            body.to_string()
        };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )
        .expect("chromedriver takes it");
        let mut from = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            from.read_line(&mut line).expect("a header");
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
        }
        let mut bytes = vec![0; length];
        from.read_exact(&mut bytes).expect("a body");
        let answer: Value = serde_json::from_slice(&bytes).expect("JSON");
        answer["value"].clone()
    }

    fn ask(&self, method: &str, what: &str, body: Value) -> Value {
        let value = self.call(method, &format!("/session/{}/{what}", self.session), &body);
        assert!(value.get("error").is_none(), "{what} {body}: {value}");
        value
    }

    pub(crate) fn go(&self, address: &str) {
        self.ask("POST", "url", json!({"url": address}));
    }

    /// Says that the person prefers `light` or `dark`.
    #[allow(dead_code)]
    pub(crate) fn prefer(&self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        let command =
            json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}});
        self.ask("POST", "goog/cdp/execute", command);
    }

    /// Shows pages as a screen of this size does, however small.
    #[allow(dead_code)]
    pub(crate) fn screen(&self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        let command = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": size});
        self.ask("POST", "goog/cdp/execute", command);
    }

    /// Runs a script; `return` gives its value, and a promise is waited for.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.ask(
            "POST",
            "execute/sync",
            json!({"script": script, "args": []}),
        )
    }

    /// Waits until an expression is true.
    pub(crate) fn until(&self, expression: &str) {
        let end = Instant::now() + PATIENCE;
        while self.run(&format!("return Boolean({expression})")) != true {
            if Instant::now() > end {
                self.shoot("stuck");
                panic!(
                    "never true: {expression}\n{}",
                    self.run("return document.body.innerText")
                );
            }
            std::thread::sleep(Duration::from_millis(60));
        }
    }

    fn element(&self, css: &str) -> String {
        let quoted = json!(css);
        self.until(&format!("document.querySelector({quoted})"));
        let found = self.ask(
            "POST",
            "element",
            json!({"using": "css selector", "value": css}),
        );
        let id = found
            .as_object()
            .and_then(|it| it.values().next())
            .and_then(Value::as_str);
        id.unwrap_or_else(|| panic!("{css}: {found}")).to_owned()
    }

    /// Clicks an element; the page may draw it anew in between.
    pub(crate) fn click(&self, css: &str) {
        let quoted = json!(css);
        let mut refused = Value::Null;
        for _ in 0..20 {
            let id = self.element(css);
            self.run(&format!(
                "document.querySelector({quoted})?.scrollIntoView({{block: 'center'}})"
            ));
            let path = format!("/session/{}/element/{id}/click", self.session);
            refused = self.call("POST", &path, &json!({}));
            if refused.get("error").is_none() {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        self.shoot("not-clicked");
        panic!("{css}: {refused}");
    }

    /// Types into an element.
    pub(crate) fn keys(&self, css: &str, text: &str) {
        let id = self.element(css);
        self.ask(
            "POST",
            &format!("element/{id}/value"),
            json!({"text": text}),
        );
    }

    /// Presses a key, wherever the focus is.
    #[allow(dead_code)]
    pub(crate) fn press(&self, key: &str) {
        let stroke = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": stroke});
        self.ask("POST", "actions", json!({"actions": [keyboard]}));
    }

    pub(crate) fn clear(&self, css: &str) {
        let id = self.element(css);
        self.ask("POST", &format!("element/{id}/clear"), json!({}));
    }

    pub(crate) fn text(&self, css: &str) -> String {
        let id = self.element(css);
        let text = self.ask("GET", &format!("element/{id}/text"), json!({}));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Opens another window and goes to it.
    pub(crate) fn new_window(&self) -> String {
        let made = self.ask("POST", "window/new", json!({"type": "tab"}));
        let handle = made["handle"].as_str().unwrap_or_default().to_owned();
        self.ask("POST", "window", json!({"handle": handle}));
        handle
    }

    pub(crate) fn close_window(&self) {
        let left = self.ask("DELETE", "window", json!({}));
        if let Some(first) = left.as_array().and_then(|it| it.first()) {
            self.ask("POST", "window", json!({"handle": first}));
        }
    }

    /// Keeps a picture of the window among the artefacts of the build.
    pub(crate) fn shoot(&self, name: &str) -> PathBuf {
        let data = self.ask("GET", "screenshot", json!({}));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join(format!("{name}.png"));
        std::fs::write(&path, decoded(data.as_str().unwrap_or_default())).expect("a picture");
        path
    }

    /// What the browser complained about: a script that failed, something that the policy refused.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.ask("POST", "se/log", json!({"type": "browser"}));
        let entries = log.as_array().cloned().unwrap_or_default();
        let bad = entries.iter().filter(|it| it["level"] == "SEVERE");
        bad.map(|it| it["message"].as_str().unwrap_or_default().to_owned())
            .collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.call(
                "DELETE",
                &format!("/session/{}", self.session),
                &Value::Null,
            );
        }
        // The driver ends the browser that it started.
        let _ = Command::new("kill")
            .arg(self.driver.id().to_string())
            .status();
        let end = Instant::now() + Duration::from_secs(5);
        while Instant::now() < end && matches!(self.driver.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Base64, as screenshots come.
fn decoded(text: &str) -> Vec<u8> {
    let signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits = 0u32;
    let mut count = 0;
    let mut bytes = Vec::new();
    for sign in text.chars() {
        let Some(value) = signs.find(sign) else {
            continue;
        };
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
