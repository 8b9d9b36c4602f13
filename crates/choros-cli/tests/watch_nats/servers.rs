//! Servers of NATS on loopback, and a network that can be cut.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The server that `scripts/setup-python.sh` installs, or one that is there; a machine without one skips these tests,
/// unless CHOROS_REQUIRE_PYTHON says that everything must be there.
pub(crate) fn program() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/nats-server");
    if own.exists() {
        return Some(own);
    }
    assert!(
        std::env::var_os("CHOROS_REQUIRE_PYTHON").is_none(),
        "nats-server is missing; scripts/setup-python.sh installs it"
    );
    eprintln!("skipped: nats-server is missing; scripts/setup-python.sh installs it");
    None
}

/// One server, and where it is.
pub(crate) struct Server {
    child: Option<Child>,
    words: Vec<String>,
    pub(crate) port: u16,
    program: PathBuf,
}

impl Server {
    /// A server of its own with these lines in its configuration.
    pub(crate) fn alone(program: &Path, folder: &Path, lines: &str) -> Server {
        Server::begun(program, folder, "alone", free_port(), lines)
    }

    fn begun(program: &Path, folder: &Path, name: &str, port: u16, lines: &str) -> Server {
        let store = folder.join(name);
        let file = folder.join(format!("{name}.conf"));
        let lines = if lines.contains("jetstream") {
            lines.replace("STORE", &store.display().to_string())
        } else {
            let store = store.display();
            format!("jetstream {{ store_dir: \"{store}\" }}\n{lines}")
        };
        let text = format!("server_name: {name}\nlisten: 127.0.0.1:{port}\n{lines}\n");
        fs::write(&file, text).expect("a configuration");
        let mut server = Server {
            child: None,
            words: vec!["-c".to_owned(), file.display().to_string()],
            port,
            program: program.to_owned(),
        };
        server.start();
        server
    }

    /// Starts it, or starts it again where it was.
    pub(crate) fn start(&mut self) {
        let child = Command::new(&self.program)
            .args(&self.words)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.child = Some(child.expect("nats-server runs"));
        wait_for("the server", || {
            TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    pub(crate) fn url(&self, stream: &str) -> String {
        format!("nats://127.0.0.1:{}/{stream}", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Three servers that keep every stream three times.
pub(crate) fn cluster(program: &Path, folder: &Path) -> Vec<Server> {
    let routes: Vec<u16> = (0..3).map(|_| free_port()).collect();
    let all: Vec<String> = routes
        .iter()
        .map(|port| format!("\"nats://127.0.0.1:{port}\""))
        .collect();
    let server = |(number, port): (usize, &u16)| {
        let lines = format!(
            "cluster {{ name: c, listen: \"127.0.0.1:{port}\", routes: [{}] }}",
            all.join(", ")
        );
        let name = format!("node{number}");
        Server::begun(program, folder, &name, free_port(), &lines)
    };
    routes.iter().enumerate().map(server).collect()
}

pub(crate) fn cluster_url(servers: &[Server], stream: &str) -> String {
    let hosts: Vec<String> = servers
        .iter()
        .map(|it| format!("127.0.0.1:{}", it.port))
        .collect();
    format!("nats://{}/{stream}", hosts.join(","))
}

/// A port that no one uses now; servers of a cluster must know each other's before they start.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// Waits until something is so, and not for ever.
pub(crate) fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(120), "no {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A network between workers and a server.
pub(crate) struct Network {
    pub(crate) port: u16,
    is_cut: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Network {
    pub(crate) fn to(server: &Server) -> Network {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let network = Network {
            port: listener.local_addr().expect("an address").port(),
            is_cut: Arc::default(),
            open: Arc::default(),
        };
        let (is_cut, open) = (network.is_cut.clone(), network.open.clone());
        let port = server.port;
        // It ends with the test.
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if is_cut.load(Ordering::SeqCst) {
                    continue;
                }
                let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else {
                    continue;
                };
                let mut all = open.lock().expect("a lock");
                for (from, to) in [(&client, &server), (&server, &client)] {
                    let (from, to) = (from.try_clone(), to.try_clone());
                    let (Ok(from), Ok(to)) = (from, to) else {
                        continue;
                    };
                    all.extend(from.try_clone());
                    std::thread::spawn(move || pass(from, to));
                }
            }
        });
        network
    }

    /// Nothing passes, and what was open is closed.
    pub(crate) fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        for stream in self.open.lock().expect("a lock").drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub(crate) fn heal(&self) {
        self.is_cut.store(false, Ordering::SeqCst);
    }

    pub(crate) fn url(&self, stream: &str) -> String {
        format!("nats://127.0.0.1:{}/{stream}", self.port)
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(count) = from.read(&mut bytes) {
        if count == 0 || to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
