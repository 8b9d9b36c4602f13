//! Addresses on this machine that no one listens on.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};

/// The first port, and how many there are: below those that the system hands out to programs that ask for any, so that none
/// is handed out between this call and its use.
const FIRST: u16 = 10_000;
const BLOCKS: u32 = 220;
const BLOCK: u16 = 100;

/// How many addresses this process has asked for.
static ASKED: AtomicU16 = AtomicU16::new(0);

/// The socket by which this process keeps its block from others that run now.
static HELD: OnceLock<Option<TcpListener>> = OnceLock::new();

/// An address that is free now and is not given twice: each process has a block of ports, and goes through it.
pub fn free_address() -> io::Result<SocketAddr> {
    let held = HELD.get_or_init(own_block).as_ref();
    let block = held.ok_or_else(|| io::Error::other("no block of ports is free"))?;
    let block = block.local_addr()?.port();
    let mut last = None;
    for _ in 1..BLOCK {
        let port = block + 1 + ASKED.fetch_add(1, Ordering::Relaxed) % (BLOCK - 1);
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(socket) => return socket.local_addr(),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| io::Error::other("no port is free")))
}

/// The first port of a block whose first port no one else has.
fn own_block() -> Option<TcpListener> {
    let mut blocks = (0..BLOCKS).map(|it| (std::process::id() + it) % BLOCKS);
    blocks.find_map(|it| TcpListener::bind((Ipv4Addr::LOCALHOST, FIRST + BLOCK * it as u16)).ok())
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_address_is_given_twice() {
        let mut given: Vec<_> = (0..50)
            .map(|_| super::free_address().expect("free"))
            .collect();
        given.sort_unstable();
        given.dedup();
        assert_eq!(given.len(), 50);
    }
}
