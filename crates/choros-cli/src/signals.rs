//! Hears interrupts and requests to end, whatever else in the process listens for them.

#[cfg(unix)]
use nix::sys::signal::{SigSet, Signal};

/// Calls the handler at each interrupt, request to end and hang-up; a hang-up only if it was not to be ignored
/// (`nohup`).
///
/// Signals are blocked and taken by a thread that waits for them, instead of being handled: Z3 puts a handler of its
/// own in place of ours as long as it works, and an interrupt would then end one question to the solver and not the
/// run.
/// Threads inherit what is blocked, so this comes before any other is started; programs that are started do not.
#[cfg(unix)]
pub(crate) fn on_signal(mut handler: impl FnMut() + Send + 'static) -> Result<(), String> {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGINT);
    signals.add(Signal::SIGTERM);
    if !hang_ups_are_ignored() {
        signals.add(Signal::SIGHUP);
    }
    signals.thread_block().map_err(|error| error.to_string())?;
    let waiting = move || {
        while signals.wait().is_ok() {
            handler();
        }
    };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    thread
        .spawn(waiting)
        .map(drop)
        .map_err(|error| error.to_string())
}

#[cfg(not(unix))]
pub(crate) fn on_signal(handler: impl FnMut() + Send + 'static) -> Result<(), String> {
    ctrlc::set_handler(handler).map_err(|error| error.to_string())
}

/// Only Linux says so in a file.
#[cfg(unix)]
fn hang_ups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let ignored = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    ignored.is_some_and(|signals| signals >> (Signal::SIGHUP as u32 - 1) & 1 == 1)
}
