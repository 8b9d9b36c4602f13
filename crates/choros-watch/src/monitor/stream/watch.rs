//! A stream watched by this process and others.

use choros_codes::diagnostics::unusable_stream;
use choros_data::Terms;
use choros_exec::nats::{Keep, StreamPlan};
use choros_monitor::{Config, GlobalMonitor, KeepObservations, Watcher};
use choros_query::property::{Properties, print};
use choros_report::answers::{Monitoring, RunNotes, Stop};
use choros_stream::{Misfit, PartitionKey, Partitioned, PropertyJudge, Versions, partitioned_by};

use super::place::{Division, Place, world};
use super::request::StreamRequest;
use super::versions::{NoVersion, load_version, version_of};
use super::workers::Watched;
use crate::WatchContext;
use crate::monitor::WatchRequest;
use crate::monitor::watch::{End, conclude, config, ledger, wanted};

/// Watches a stream until it ends or is stopped.
pub(in crate::monitor) fn watch(
    properties: &Properties,
    request: &WatchRequest,
    stream: &StreamRequest,
    terms: &Terms,
    context: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<Monitoring, Stop> {
    let place = Place::open(&stream.broker, &stream.name, context.cancel, run)?;
    let division = division(&place, properties, request, run)?;
    let version = prepare(&place, &print(properties), &division, run)?;
    let config = Config {
        keep: KeepObservations::All,
        ..config(request)
    };
    let first = match version {
        1 => None,
        _ => Some(
            load_version(&place, 1)
                .map_err(world)?
                .map_err(Stop::World)?,
        ),
    };
    let misfit = |misfit: Misfit| Stop::World(misfit.0);
    let mut incarnations = Vec::new();
    let mut versions = Vec::new();
    for partition in 0..division.partitions {
        let incarnation = place.incarnation(partition).map_err(world)?;
        // A stream begins with the first version, whichever is judged now.
        let mut made = match &first {
            Some((first, terms)) => Versions::new(&incarnation, (1, first), terms, config.clone()),
            None => Versions::new(&incarnation, (1, properties), terms, config.clone()),
        }
        .map_err(misfit)?;
        made.add(version, properties, terms).map_err(misfit)?;
        versions.push(made);
        incarnations.push(incarnation);
    }
    let wanted = wanted(properties);
    let make = |partition: u32, _: &str| PropertyJudge::new(versions[partition as usize].clone());
    let watched = Watched {
        place: &place,
        division: &division,
        incarnations: &incarnations,
        judge: &make,
        wanted: Some(&wanted),
        stream,
        context,
    };
    let mut global = GlobalMonitor::new(&properties.global);
    global.forget_all();
    let local = Partitioned::new(properties, terms, config, division.partitions);
    let mut local = local.map_err(misfit)?;
    let mut ledger = ledger(properties, request, None, &mut global, context)?;
    let states = watched.run(&mut ledger, &local, run)?;
    let resumed = local.resume(&states, version);
    resumed.map_err(misfit)?;
    let end = End {
        open: local.open_windows(),
        is_lossy: request.lossy,
        is_draft: false,
        cancel: context.cancel,
    };
    Ok(conclude(properties, &local, ledger, &end, run))
}

/// How the stream is divided, if that fits the properties.
fn division(
    place: &Place,
    properties: &Properties,
    request: &WatchRequest,
    run: &mut RunNotes,
) -> Result<Division, Stop> {
    let division = found_division(place, run)?;
    let needed = partitioned_by(properties, &config(request));
    if let PartitionKey::Service { because } = needed
        && !division.by_service
        && division.partitions > 1
    {
        let found = unusable_stream::wrong_division(&place.names.stream, &because);
        run.findings.push(found);
        return Err(Stop::Mistakes);
    }
    Ok(division)
}

/// How the stream is divided, if there is one.
pub(super) fn found_division(place: &Place, run: &mut RunNotes) -> Result<Division, Stop> {
    let Some(division) = place.division().map_err(world)? else {
        let found = unusable_stream::absent(&place.names.stream, &place.address);
        run.findings.push(found);
        return Err(Stop::Mistakes);
    };
    Ok(division)
}

/// Makes what the watch keeps, and gives what is judged by, as a text, a version.
pub(super) fn prepare(
    place: &Place,
    judged_by: &str,
    division: &Division,
    run: &mut RunNotes,
) -> Result<u32, Stop> {
    let plan = |name: String, subject: String, keep: Keep| StreamPlan {
        name,
        subject,
        replicas: division.replicas,
        keep,
        facts: Vec::new(),
    };
    let bucket = plan(
        place.names.bucket(),
        place.names.bucket_subjects(),
        Keep::Values,
    );
    place.made(&bucket).map_err(world)?;
    for partition in 0..division.partitions {
        let verdicts = plan(
            place.names.verdicts(partition),
            place.names.verdict_subject(partition),
            Keep::Messages(None),
        );
        place.made(&verdicts).map_err(world)?;
    }
    version_of(place, judged_by).map_err(|why| match why {
        NoVersion::Broker(error) => world(error),
        NoVersion::Others(version) => {
            let found = unusable_stream::other_properties(&place.names.watch, version);
            run.findings.push(found);
            Stop::Mistakes
        }
    })
}
