//! Stops a check in Z3 soon after somebody asked for it.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use super::context::Object;
use super::library::Pointer;

/// How often the wish to stop is looked at.
const PATIENCE: Duration = Duration::from_millis(20);

/// A thread that looks at the flag while a check runs.
///
/// It looks every few milliseconds rather than being woken for each check, because a check takes a fraction of one.
pub(super) struct Watch {
    shared: Arc<Shared>,
    flag: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Checking,
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
    /// Watches the flag on behalf of a solver.
    pub(super) fn new(solver: &Object, flag: &Arc<AtomicBool>) -> Watch {
        let (interrupt, context) = solver.interruption();
        let interruption = Interruption { interrupt, context };
        let shared = Arc::new(Shared {
            state: Mutex::new(State::Idle),
            ended: Condvar::new(),
        });
        let (theirs, cancel) = (shared.clone(), flag.clone());
        let thread = std::thread::spawn(move || {
            let interruption = interruption;
            let Ok(mut state) = theirs.state.lock() else {
                return;
            };
            while *state != State::Ended {
                if *state == State::Checking && cancel.load(Ordering::Relaxed) {
                    // SAFETY: a check is running, and it cannot be over before `during` gets the lock that is held
                    // here; the solver it runs in keeps the context alive.
                    unsafe { interruption.interrupt() };
                }
                match theirs.ended.wait_timeout(state, PATIENCE) {
                    Ok((next, _)) => state = next,
                    Err(_) => return,
                }
            }
        });
        Watch {
            shared,
            flag: flag.clone(),
            thread: Some(thread),
        }
    }

    /// Whether it watches this flag.
    pub(super) fn watches(&self, flag: &Arc<AtomicBool>) -> bool {
        Arc::ptr_eq(&self.flag, flag)
    }

    /// Runs a check of the solver this was made for, watched.
    pub(super) fn during<R>(&self, solver: &Object, check: impl FnOnce(&Object) -> R) -> R {
        self.set(State::Checking);
        let result = check(solver);
        self.set(State::Idle);
        result
    }

    fn set(&self, next: State) {
        if let Ok(mut state) = self.shared.state.lock() {
            *state = next;
        }
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
