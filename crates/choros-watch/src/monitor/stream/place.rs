//! A stream of observations on a broker: how it is divided.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use choros_exec::crew::{Stopwatch, nap};
use choros_exec::nats::{
    Broker, BrokerAccess, BrokerError, Expected, Outgoing, PublishFault, StreamPlan,
};
use choros_report::answers::{RunNotes, Stop};

use super::names::{Key, Names};
use super::request::BrokerRequest;

/// Words about a stream that it keeps itself.
pub(super) const PARTITIONS: &str = "choros.partitions";
pub(super) const DIVIDED_BY: &str = "choros.by";
pub(super) const SESSION: &str = "session";
pub(super) const SERVICE: &str = "service";

/// A question at the beginning is asked for so many milliseconds, and again after so many.
const PATIENCE: u64 = 30_000;
const AGAIN: u64 = 100;

/// A connected broker, and the names there.
pub(super) struct Place {
    pub(super) broker: Broker,
    pub(super) names: Names,
    pub(super) address: String,
    cancel: Arc<AtomicBool>,
}

/// How a stream is divided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Division {
    pub(super) partitions: u32,
    pub(super) by_service: bool,
    pub(super) replicas: usize,
}

impl Place {
    pub(super) fn open(
        request: &BrokerRequest,
        watch: &str,
        cancel: &Arc<AtomicBool>,
        run: &mut RunNotes,
    ) -> Result<Place, Stop> {
        let address = request.parsed(run)?;
        let access = BrokerAccess {
            credentials: request.credentials.clone(),
            roots: request.roots.clone(),
            identity: request.identity.clone(),
        };
        let broker = Broker::connect(&address, &access).map_err(world)?;
        Ok(Place {
            broker,
            cancel: cancel.clone(),
            address: address.servers.join(","),
            names: Names {
                stream: address.name,
                watch: watch.to_owned(),
            },
        })
    }

    /// Whether someone wants the run to end, so that nothing is waited for.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Asks again where there is no answer: servers that lost their leader need a while.
    pub(super) fn eventually<T>(
        &self,
        ask: impl Fn() -> Result<T, BrokerError>,
    ) -> Result<T, BrokerError> {
        let clock = Stopwatch::start();
        loop {
            match ask() {
                Err(BrokerError::Failed(_))
                    if clock.milliseconds() < PATIENCE && !self.is_cancelled() =>
                {
                    if let Some(forbidden) = self.broker.forbidden() {
                        return Err(forbidden);
                    }
                    nap(AGAIN);
                }
                answered => return answered,
            }
        }
    }

    /// Makes a stream if there is none; whoever may not make streams needs them to be there.
    pub(super) fn made(&self, plan: &StreamPlan) -> Result<(), BrokerError> {
        match self.eventually(|| self.broker.stream(&plan.name)) {
            Err(BrokerError::Absent(_)) => {
                self.eventually(|| self.broker.make_stream(plan))?;
                Ok(())
            }
            found => found.map(|_| ()),
        }
    }

    /// Which stream a partition is.
    pub(super) fn incarnation(&self, partition: u32) -> Result<String, BrokerError> {
        let name = self.names.entries(partition);
        let found = self.eventually(|| self.broker.stream(&name))?;
        Ok(found.incarnation)
    }

    /// How the stream is divided; none if there is no such stream.
    pub(super) fn division(&self) -> Result<Option<Division>, BrokerError> {
        let name = self.names.entries(0);
        let found = match self.eventually(|| self.broker.stream(&name)) {
            Ok(found) => found,
            Err(BrokerError::Absent(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        // A stream that was made by hand says nothing: it is one partition.
        let partitions = found.fact(PARTITIONS).and_then(|it| it.parse().ok());
        Ok(Some(Division {
            partitions: partitions.unwrap_or(1),
            by_service: found.fact(DIVIDED_BY) == Some(SERVICE),
            replicas: found.replicas,
        }))
    }

    /// A value with its revision; revision 0 if there is none.
    pub(super) fn value(&self, key: Key<'_>) -> Result<(u64, Option<Vec<u8>>), BrokerError> {
        let found = self
            .broker
            .last_on(&self.names.bucket(), &self.names.key(key))?;
        Ok(match found {
            Some(message) => (message.sequence, Some(message.payload)),
            None => (0, None),
        })
    }

    /// Writes a value, if its revision is still this one; its new revision.
    pub(super) fn write(
        &self,
        key: Key<'_>,
        revision: u64,
        value: Vec<u8>,
    ) -> Result<u64, PublishFault> {
        self.broker.publish(vec![Outgoing {
            subject: self.names.key(key),
            headers: Vec::new(),
            payload: value,
            expected: Expected::OnSubject(revision),
        }])
    }

    /// Writes a value, or says that someone else did; asks again where there is no answer.
    pub(super) fn write_eventually(
        &self,
        key: Key<'_>,
        revision: u64,
        value: &[u8],
    ) -> Result<Option<u64>, BrokerError> {
        self.eventually(|| match self.write(key, revision, value.to_vec()) {
            Ok(revision) => Ok(Some(revision)),
            Err(PublishFault::Refused) => Ok(None),
            Err(PublishFault::Unanswered(why)) => Err(BrokerError::Failed(why)),
        })
    }

    /// Forgets a value that no one needs any more; whether that succeeds does not matter.
    pub(super) fn forget(&self, key: Key<'_>) {
        let _ = self.broker.publish(vec![Outgoing {
            subject: self.names.key(key),
            headers: vec![
                ("KV-Operation".to_owned(), "PURGE".to_owned()),
                ("Nats-Rollup".to_owned(), "sub".to_owned()),
            ],
            payload: Vec::new(),
            expected: Expected::Anything,
        }]);
    }
}

/// Something about the broker ended the run.
pub(super) fn world(error: BrokerError) -> Stop {
    Stop::World(error.to_string())
}
