//! PACT's text log (Listing 5.1 of Nguyen's thesis): the address of the service, then two lines per message.

use choros_model::observation::Number;

use super::problem::RecordFlaw;
use super::time::day_first;

/// The first line of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Moment {
    at: Number,
    /// The time of sending in milliseconds since 1970, which is the identity of the message.
    sent: Option<String>,
}

/// A message of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) at: Number,
    pub(super) sends: bool,
    pub(super) partner: String,
    pub(super) id: Option<String>,
    pub(super) operation: String,
}

/// `29/08/2013 15:17:30.128`, followed by ` (1377782250320)` for a sending.
pub(super) fn moment(line: &str) -> Result<Moment, RecordFlaw> {
    let (time, sent) = match line.split_once('(') {
        Some((time, sent)) => (time, Some(sent.trim_end().trim_end_matches(')').trim())),
        None => (line, None),
    };
    let at = day_first(time).ok_or_else(|| RecordFlaw::Malformed {
        what: "a record begins with a time such as 29/08/2013 15:17:30.128, which is missing"
            .to_owned(),
        offset: 0,
    })?;
    Ok(Moment {
        at,
        sent: sent.filter(|sent| !sent.is_empty()).map(str::to_owned),
    })
}

/// `RECEIVE | partner | id | operation` or `SEND | partner | | operation`.
pub(super) fn message(moment: Moment, line: &str) -> Result<Message, RecordFlaw> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let malformed = |what: &str| RecordFlaw::Malformed {
        what: what.to_owned(),
        offset: 0,
    };
    let [action, partner, id, operation] = parts[..] else {
        return Err(malformed(
            "the second line of a record has four parts, separated by `|`",
        ));
    };
    let sends = match action {
        "SEND" => true,
        "RECEIVE" => false,
        _ => return Err(malformed("an action is SEND or RECEIVE")),
    };
    if partner.is_empty() || operation.is_empty() {
        return Err(malformed("the partner or the operation is missing"));
    }
    let id = match id {
        "" => moment.sent,
        id => Some(id.to_owned()),
    };
    Ok(Message {
        at: moment.at,
        sends,
        partner: partner.to_owned(),
        id,
        operation: operation.to_owned(),
    })
}
