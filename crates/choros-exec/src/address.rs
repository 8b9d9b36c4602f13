//! Addresses as people write them.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};

/// Reads `host:port`; `:port` is one of this machine alone.
pub fn resolved(address: &str) -> io::Result<SocketAddr> {
    listen_address(address).ok_or_else(|| {
        let message = format!("`{address}` is not an address such as host:port or :port");
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })
}

/// Reads `host:port`; `:8080` is a port of this machine alone, since what is captured is not for the neighbours.
pub fn listen_address(text: &str) -> Option<SocketAddr> {
    let whole = match text.strip_prefix(':') {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.to_owned(),
    };
    whole.to_socket_addrs().ok()?.next()
}
