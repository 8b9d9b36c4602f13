//! Addresses as people write them.

use std::io;
use std::net::SocketAddr;

use crate::capture::listen_address;

/// Reads `host:port`; `:port` is one of this machine alone.
pub fn resolved(address: &str) -> io::Result<SocketAddr> {
    listen_address(address).ok_or_else(|| {
        let message = format!("`{address}` is no address such as host:port or :port");
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })
}
