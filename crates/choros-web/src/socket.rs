//! The connection of a window.

use std::sync::Arc;

use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::sync::mpsc::channel;

use crate::frames::{self, Message};
use crate::state::State;
use crate::window::Window;

/// Messages that wait for a slow browser; more of them make the work wait.
const WAITING: usize = 256;

/// Serves a window until it is closed.
pub(crate) async fn serve(stream: Upgraded, state: Arc<State>) {
    let (mut from, mut to) = tokio::io::split(TokioIo::new(stream));
    let (out, mut outgoing) = channel::<String>(WAITING);
    let (pings, mut pinged) = channel::<Vec<u8>>(8);
    let writing = tokio::spawn(async move {
        loop {
            let written = tokio::select! {
                text = outgoing.recv() => match text {
                    Some(text) => frames::write_text(&mut to, &text).await,
                    None => return,
                },
                Some(payload) = pinged.recv() => frames::write_pong(&mut to, &payload).await,
            };
            if written.is_err() {
                return;
            }
        }
    });
    // The window blocks: it writes to processes and starts threads.
    let (said, mut heard) = channel::<String>(8);
    let window = std::thread::spawn(move || {
        let mut window = Window::new(state, out);
        while let Some(text) = heard.blocking_recv() {
            window.hear(&text);
        }
    });
    let mut begun = None;
    loop {
        match frames::read(&mut from, &mut begun).await {
            Ok(Message::Text(text)) => {
                if said.send(text).await.is_err() {
                    break;
                }
            }
            Ok(Message::Ping(payload)) => {
                let _ = pings.send(payload).await;
            }
            Ok(Message::Close) | Err(_) => break,
        }
    }
    // The window is closed: its work ends, and what it still says goes nowhere.
    drop(said);
    writing.abort();
    let _ = tokio::task::spawn_blocking(move || window.join()).await;
}
