//! Sockets are opened in `choros-exec` and `choros-drive`, and by the listener of `choros-web`; nowhere else in the product.

use super::Finding;
use crate::Repository;
use crate::manifest::product_dependencies;
use crate::rust_code::{line_of, product_code, words};

const MAY: [&str; 3] = ["choros-drive", "choros-exec", "choros-web"];
/// For developers: it pretends to be the services that specs talk to.
const MAY_PRETEND: &str = "choros-testkit";
const NAMES: [&str; 8] = [
    "std::net",
    "tokio::net",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "UnixStream",
    "UnixListener",
    "UnixDatagram",
];
const DEPENDENCIES: [&str; 8] = [
    "tokio",
    "hyper",
    "hyper-util",
    "reqwest",
    "axum",
    "async-nats",
    "socket2",
    "mio",
];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (crate_name, file) in repository.sources() {
        if MAY.contains(&crate_name) || crate_name == MAY_PRETEND {
            continue;
        }
        let code = product_code(&file.text);
        for name in NAMES {
            findings.extend(words(&code, name).map(|offset| {
                let message = format!("`{name}`: sockets belong to {}", MAY.join(", "));
                Finding::new(&file.path, line_of(&code, offset), message)
            }));
        }
    }
    for (crate_name, manifest) in repository.manifests() {
        if MAY.contains(&crate_name) || crate_name == MAY_PRETEND {
            continue;
        }
        for dependency in product_dependencies(&manifest.text) {
            if DEPENDENCIES.contains(&dependency.name.as_str()) {
                let message = format!(
                    "`{}` opens sockets, which belong to {}",
                    dependency.name,
                    MAY.join(", ")
                );
                findings.push(Finding::new(&manifest.path, dependency.line, message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn a_socket_in_an_engine() {
        let found = findings(
            check,
            [
                (
                    "crates/choros-monitor/src/lib.rs",
                    "//! No std::net here.\nuse std::{net::TcpStream, io};\n",
                ),
                ("crates/choros-exec/src/http.rs", "use std::net::TcpStream;"),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-monitor/src/lib.rs:2: `TcpStream`: sockets belong to choros-drive, choros-exec, choros-web"
            ]
        );
    }

    #[test]
    fn a_network_dependency() {
        let found = findings(
            check,
            [
                (
                    "crates/choros-report/Cargo.toml",
                    "[dependencies]\nreqwest = \"1\"\n[dev-dependencies]\ntokio = \"1\"\n",
                ),
                (
                    "crates/choros-exec/Cargo.toml",
                    "[dependencies]\ntokio = \"1\"\n",
                ),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-report/Cargo.toml:2: `reqwest` opens sockets, which belong to choros-drive, choros-exec, choros-web"
            ]
        );
    }
}
