//! Random choreographies in Chor with logs of their services, and faults in them: the experiments of section 4.1.7 of
//! Nguyen's thesis.

use crate::Random;

/// A Chor activity over numbered channels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Activity {
    /// Does nothing.
    Skip,
    /// A message on a channel.
    Channel(usize),
    /// One after the other.
    Sequence(Vec<Activity>),
    /// One of them.
    Choice(Vec<Activity>),
    /// All of them, in any order.
    Parallel(Vec<Activity>),
}

/// A choreography: its activity, and sender and receiver of each channel.
#[derive(Debug, Clone)]
pub struct RandomChor {
    /// What happens.
    pub activity: Activity,
    /// Sender and receiver of each channel, from 1.
    pub channels: Vec<(usize, usize)>,
    /// How many services there are.
    pub services: usize,
}

/// One observation: whether it is a sending, the channel, the number of the message in its run, the time.
pub type Seen = (bool, usize, usize, u64);

/// What is done to a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFault {
    /// A message that did not happen is added.
    Add,
    /// An observation is removed.
    Remove,
    /// An observation becomes one of another channel.
    Replace,
    /// Two neighbours change places.
    Reorder,
}

impl LogFault {
    /// All of them.
    pub const ALL: [LogFault; 4] = [
        LogFault::Add,
        LogFault::Remove,
        LogFault::Replace,
        LogFault::Reorder,
    ];
}

impl RandomChor {
    /// A random choreography: each channel occurs once.
    pub fn new(services: usize, channels: usize, seed: u64) -> RandomChor {
        let mut random = Random::new(seed);
        let ends = (0..channels)
            .map(|_| {
                let from = random.below(services);
                let to = (from + 1 + random.below(services - 1)) % services;
                (from + 1, to + 1)
            })
            .collect();
        let all: Vec<usize> = (0..channels).collect();
        RandomChor {
            activity: tree(&all, &mut random),
            channels: ends,
            services,
        }
    }

    /// A choreography of this length in one line between two services.
    pub fn line(length: usize) -> RandomChor {
        RandomChor {
            activity: Activity::Sequence((0..length).map(Activity::Channel).collect()),
            channels: (0..length).map(|it| (1 + it % 2, 2 - it % 2)).collect(),
            services: 2,
        }
    }

    /// Seven services, eleven channels, 277 200 traces: chains of 3, 3, 2, 2 and 1 messages beside each other,
    /// 11! / (3! · 3! · 2! · 2!).
    pub fn many_traces() -> RandomChor {
        let chains: [&[usize]; 5] = [&[0, 1, 2], &[3, 4, 5], &[6, 7], &[8, 9], &[10]];
        let chain = |chain: &[usize]| {
            Activity::Sequence(chain.iter().map(|&it| Activity::Channel(it)).collect())
        };
        RandomChor {
            activity: Activity::Parallel(chains.into_iter().map(chain).collect()),
            // Within a chain each message is sent by the receiver of the one before, so that logs tell their order.
            channels: vec![
                (1, 2),
                (2, 3),
                (3, 4),
                (4, 5),
                (5, 6),
                (6, 7),
                (7, 1),
                (1, 3),
                (2, 5),
                (5, 1),
                (6, 3),
            ],
            services: 7,
        }
    }

    /// The choreography as text.
    pub fn text(&self) -> String {
        self.written(&self.activity)
    }

    fn written(&self, activity: &Activity) -> String {
        let (parts, sign) = match activity {
            Activity::Skip => return "skip".to_owned(),
            Activity::Channel(channel) => {
                let (from, to) = self.channels[*channel];
                return format!("c{channel}[{from},{to}]");
            }
            Activity::Sequence(parts) => (parts, ";\n"),
            Activity::Choice(parts) => (parts, " [] "),
            Activity::Parallel(parts) => (parts, " | "),
        };
        if parts.is_empty() {
            return "skip".to_owned();
        }
        let parts: Vec<String> = parts.iter().map(|part| self.written(part)).collect();
        format!("({})", parts.join(sign))
    }

    /// One run: channels in the order in which they are used.
    pub fn run(&self, random: &mut Random) -> Vec<usize> {
        run(&self.activity, random)
    }

    /// What each service sees of a run, with times: a sending and then its reception, before the next message.
    pub fn logs(&self, run: &[usize]) -> Vec<Vec<Seen>> {
        let mut logs = vec![Vec::new(); self.services];
        for (number, &channel) in run.iter().enumerate() {
            let (from, to) = self.channels[channel];
            let time = 10 * number as u64;
            logs[from - 1].push((true, channel, number, time));
            logs[to - 1].push((false, channel, number, time + 5));
        }
        logs
    }

    /// Changes one operator of the choreography: a sequence becomes a parallel, a parallel a sequence, a choice a
    /// sequence.
    pub fn change_operator(&mut self, random: &mut Random) {
        let count = operators(&self.activity);
        if count > 0 {
            change(&mut self.activity, &mut random.below(count));
        }
    }
}

/// Puts a fault into one of the logs; a log that is too short for it stays as it is.
pub fn disturb(logs: &mut [Vec<Seen>], fault: LogFault, channels: usize, random: &mut Random) {
    let index = random.below(logs.len());
    let log = &mut logs[index];
    match fault {
        LogFault::Add => {
            let at = random.below(log.len() + 1);
            let time = log.get(at).map_or(0, |seen| seen.3);
            log.insert(
                at,
                (random.percent(50), random.below(channels), usize::MAX, time),
            );
        }
        LogFault::Remove if !log.is_empty() => {
            log.remove(random.below(log.len()));
        }
        LogFault::Replace if !log.is_empty() => {
            let at = random.below(log.len());
            log[at].1 = random.below(channels);
        }
        LogFault::Reorder if log.len() > 1 => {
            let at = random.below(log.len() - 1);
            log.swap(at, at + 1);
        }
        _ => {}
    }
}

/// Exchanges neighbours at `percent` of the places of each log.
pub fn reorder(logs: &mut [Vec<Seen>], percent: u32, random: &mut Random) {
    for log in logs {
        for at in 1..log.len() {
            if random.percent(percent) {
                log.swap(at - 1, at);
            }
        }
    }
}

/// A log as JSON Lines.
pub fn json_lines(chor: &RandomChor, log: &[Seen]) -> String {
    let mut out = String::new();
    for &(sends, channel, number, at) in log {
        let (from, to) = chor.channels[channel];
        let direction = if sends { "send" } else { "recv" };
        out.push_str(&format!(
            "{{\"at\":{at},\"dir\":\"{direction}\",\"from\":\"{from}\",\"to\":\"{to}\",\"op\":\"c{channel}\",\"id\":\"{number}\"}}\n"
        ));
    }
    out
}

fn tree(channels: &[usize], random: &mut Random) -> Activity {
    if let [only] = channels {
        return Activity::Channel(*only);
    }
    let cut = 1 + random.below(channels.len() - 1);
    let parts = vec![
        tree(&channels[..cut], random),
        tree(&channels[cut..], random),
    ];
    match random.below(10) {
        0..=4 => Activity::Sequence(parts),
        5..=6 => Activity::Choice(parts),
        _ => Activity::Parallel(parts),
    }
}

fn run(activity: &Activity, random: &mut Random) -> Vec<usize> {
    match activity {
        Activity::Skip => Vec::new(),
        Activity::Channel(channel) => vec![*channel],
        Activity::Sequence(parts) => parts.iter().flat_map(|part| run(part, random)).collect(),
        Activity::Choice(parts) => {
            if parts.is_empty() {
                Vec::new()
            } else {
                run(random.pick(parts), random)
            }
        }
        Activity::Parallel(parts) => {
            let mut runs: Vec<std::collections::VecDeque<usize>> =
                parts.iter().map(|part| run(part, random).into()).collect();
            let mut whole = Vec::new();
            loop {
                runs.retain(|run| !run.is_empty());
                if runs.is_empty() {
                    return whole;
                }
                let index = random.below(runs.len());
                whole.extend(runs[index].pop_front());
            }
        }
    }
}

fn operators(activity: &Activity) -> usize {
    match activity {
        Activity::Skip | Activity::Channel(_) => 0,
        Activity::Sequence(parts) | Activity::Choice(parts) | Activity::Parallel(parts) => {
            1 + parts.iter().map(operators).sum::<usize>()
        }
    }
}

/// Changes the operator with this number, counted from the outside.
fn change(activity: &mut Activity, number: &mut usize) -> bool {
    let parts = match activity {
        Activity::Skip | Activity::Channel(_) => return false,
        Activity::Sequence(parts) | Activity::Choice(parts) | Activity::Parallel(parts) => parts,
    };
    if *number == 0 {
        let parts = std::mem::take(parts);
        *activity = match activity {
            Activity::Sequence(_) => Activity::Parallel(parts),
            _ => Activity::Sequence(parts),
        };
        return true;
    }
    *number -= 1;
    parts.iter_mut().any(|part| change(part, number))
}
