//! What a run meets beside its request.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use choros_base::Sources;
use choros_bind::Binding;
use choros_report::Events;

/// What a run meets beside its request.
#[derive(Clone, Copy)]
pub struct WatchContext<'w> {
    /// Where mappings of earlier versions come from.
    pub sources: &'w dyn Sources,
    /// How records and requests are messages, where a binding says so.
    pub binding: Option<&'w Binding>,
    /// Becomes true when the run is to stop.
    pub cancel: &'w Arc<AtomicBool>,
    /// Is told what happens.
    pub events: &'w Events,
}
