//! Observations on a stream of a broker: put there, and watched by workers of many processes.
//!
//! `choros-stream` says what a worker wants, and this module lets a broker do it.

#[cfg(feature = "nats")]
mod carry;
#[cfg(feature = "nats")]
mod crew;
#[cfg(feature = "nats")]
mod deliver;
#[cfg(feature = "nats")]
mod entries;
#[cfg(feature = "nats")]
mod feed;
#[cfg(feature = "nats")]
mod follow;
#[cfg(feature = "nats")]
mod kept;
#[cfg(feature = "nats")]
mod lanes;
#[cfg(feature = "nats")]
mod members;
#[cfg(feature = "nats")]
mod names;
#[cfg(feature = "nats")]
mod place;
mod request;
#[cfg(feature = "nats")]
mod sessions;
#[cfg(feature = "nats")]
mod show;
#[cfg(feature = "nats")]
mod versions;
#[cfg(feature = "nats")]
mod watch;
#[cfg(feature = "nats")]
mod workers;

#[cfg(feature = "nats")]
pub use feed::feed;
pub use request::{BrokerRequest, FeedRequest, Hook, Screen, StreamRequest};
#[cfg(feature = "nats")]
pub(super) use sessions::audit;
#[cfg(feature = "nats")]
pub(super) use watch::watch;

#[cfg(not(feature = "nats"))]
mod without {
    use choros_data::Terms;
    use choros_query::property::Properties;
    use choros_report::answers::{Audit, FeedAnswer, Monitoring, RunNotes, Stop};

    use super::super::WatchRequest;
    use super::super::sessions::{Maker, SessionsRequest};
    use choros_codes::diagnostics::unusable_stream::NO_CLIENT;

    use super::{FeedRequest, StreamRequest};
    use crate::WatchContext;

    /// Without a client of a broker nothing can be fed.
    pub fn feed(
        request: &FeedRequest,
        _: Option<&Properties>,
        _: WatchContext<'_>,
        run: &mut RunNotes,
    ) -> Result<FeedAnswer, Stop> {
        request.broker.parsed(run)?;
        Err(Stop::World(NO_CLIENT.to_owned()))
    }

    pub(in crate::monitor) fn watch(
        _: &Properties,
        _: &WatchRequest,
        request: &StreamRequest,
        _: &Terms,
        _: WatchContext<'_>,
        run: &mut RunNotes,
    ) -> Result<Monitoring, Stop> {
        request.broker.parsed(run)?;
        Err(Stop::World(NO_CLIENT.to_owned()))
    }

    pub(in crate::monitor) fn audit(
        _: &Maker<'_>,
        _: &SessionsRequest,
        request: &StreamRequest,
        _: WatchContext<'_>,
        run: &mut RunNotes,
    ) -> Result<Audit, Stop> {
        request.broker.parsed(run)?;
        Err(Stop::World(NO_CLIENT.to_owned()))
    }
}
#[cfg(not(feature = "nats"))]
pub use without::feed;
#[cfg(not(feature = "nats"))]
pub(super) use without::{audit, watch};
