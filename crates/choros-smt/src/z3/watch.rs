//! Stops a run of Z3 that takes too long, or soon after someone asked for it.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::context::Context;
use super::library::Pointer;
use crate::{Limits, Reason};

/// How often the clock and the wish to stop are examined.
const PATIENCE: Duration = Duration::from_millis(20);

/// A thread that looks at the clock, and at the wish to stop, while Z3 runs.
///
/// It looks every few milliseconds rather than being woken for each query, because a query takes a fraction of one.
pub(super) struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    ended: Condvar,
}

enum State {
    Idle,
    Running {
        deadline: Instant,
        cancel: Option<Arc<AtomicBool>>,
        stopped: bool,
    },
    Ended,
}

struct Interruption {
    interrupt: unsafe extern "C" fn(Pointer),
    context: Pointer,
}

// SAFETY: `Z3_interrupt` is the function of Z3 that may be called from another thread.
unsafe impl Send for Interruption {}

impl Interruption {
    /// # Safety
    /// The context is alive.
    unsafe fn interrupt(&self) {
        // SAFETY: as promised by the caller.
        unsafe { (self.interrupt)(self.context) }
    }
}

impl Watch {
    /// Watches over a context.
    pub(super) fn new(context: &Context) -> Watch {
        let (interrupt, context) = context.interruption();
        let interruption = Interruption { interrupt, context };
        let shared = Arc::new(Shared {
            state: Mutex::new(State::Idle),
            ended: Condvar::new(),
        });
        let theirs = shared.clone();
        let thread = std::thread::spawn(move || {
            let interruption = interruption;
            let Ok(mut state) = theirs.state.lock() else {
                return;
            };
            loop {
                match &mut *state {
                    State::Idle => {}
                    State::Ended => return,
                    State::Running {
                        deadline,
                        cancel,
                        stopped,
                    } => {
                        if Instant::now() >= *deadline || is_set(cancel) {
                            *stopped = true;
                            // SAFETY: a run is under way, and `during`, which borrows the context, cannot return
                            // before it gets the lock that is held here.
                            unsafe { interruption.interrupt() };
                        }
                    }
                }
                match theirs.ended.wait_timeout(state, PATIENCE) {
                    Ok((next, _)) => state = next,
                    Err(_) => return,
                }
            }
        });
        Watch {
            shared,
            thread: Some(thread),
        }
    }

    /// Runs something in the context this was made for; answers also why it was stopped, if it was.
    pub(super) fn during<R>(
        &self,
        _context: &Context,
        limits: &Limits,
        run: impl FnOnce() -> R,
    ) -> (R, Option<Reason>) {
        self.set(State::Running {
            deadline: Instant::now() + limits.patience(),
            cancel: limits.cancel.clone(),
            stopped: false,
        });
        let result = run();
        let stopped = match self.set(State::Idle) {
            Some(State::Running { stopped: true, .. }) if is_set(&limits.cancel) => {
                Some(Reason::Cancelled)
            }
            Some(State::Running { stopped: true, .. }) => Some(Reason::Milliseconds(
                limits.milliseconds.unwrap_or(Limits::HANGS),
            )),
            _ => None,
        };
        (result, stopped)
    }

    fn set(&self, next: State) -> Option<State> {
        let mut state = self.shared.state.lock().ok()?;
        Some(std::mem::replace(&mut state, next))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.set(State::Ended);
        self.shared.ended.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn is_set(flag: &Option<Arc<AtomicBool>>) -> bool {
    flag.as_ref()
        .is_some_and(|flag| flag.load(Ordering::Relaxed))
}
