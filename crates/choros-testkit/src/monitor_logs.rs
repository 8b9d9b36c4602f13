//! Logs with known verdicts, for measuring monitors.
//!
//! *P1*: every Request(weight = x) is followed within 2 messages by Response(price, fee) with fee == 2x or 3x.
//! *P2*: every Request is followed within 64 messages by the Response of its session, with fee == 2x or 3x; up to 16
//! sessions are interleaved, some answers are lost, some are wrong.
//!
//! The random numbers are those of the Mersenne Twister as Python seeds and uses it, so that the counts can be compared
//! with published ones.

/// Which kind of log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MonitorLog {
    /// One conversation after the other.
    P1,
    /// Sixteen at a time.
    P2,
}

/// One message of such a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogMessage {
    /// `Request`, `Response` or `Other`.
    pub operation: &'static str,
    /// The session, or a code.
    pub session: u64,
    weight: u64,
    price: u64,
    fee: u64,
}

/// What a monitor must find.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedVerdicts {
    /// Windows that pass.
    pub pass: u64,
    /// The positions, from 0, of messages that open a failing window.
    pub failing: Vec<u64>,
    /// Windows that the end of the log cuts.
    pub inconclusive: u64,
}

impl MonitorLog {
    /// The property, in the text form.
    pub fn property(self) -> &'static str {
        match self {
            MonitorLog::P1 => {
                "property P1 on s {\n  context Request[c,s]?(weight = x)\n  within 2 messages\n  expect Response[s,c]!(fee = f) where f == 2 * x or f == 3 * x\n}\n"
            }
            MonitorLog::P2 => {
                "property P2 on s {\n  context Request[c,s]?(weight = x)\n  with session\n  within 64 messages\n  expect Response[s,c]!(fee = f) where f == 2 * x or f == 3 * x\n}\n"
            }
        }
    }

    /// At least `count` messages (just this many for P1).
    pub fn messages(self, count: usize, seed: u32) -> Vec<LogMessage> {
        let mut random = MersenneTwister::new(seed);
        match self {
            MonitorLog::P1 => one_after_the_other(count, &mut random),
            MonitorLog::P2 => interleaved(count, &mut random),
        }
    }

    /// The verdicts, by looking at the whole log.
    pub fn expected(self, messages: &[LogMessage]) -> ExpectedVerdicts {
        let window = match self {
            MonitorLog::P1 => 2,
            MonitorLog::P2 => 64,
        };
        let mut expected = ExpectedVerdicts::default();
        for (position, request) in messages.iter().enumerate() {
            if request.operation != "Request" {
                continue;
            }
            let after = &messages[position + 1..];
            let is_met = after.iter().take(window).any(|message| {
                let is_own = self == MonitorLog::P1 || message.session == request.session;
                let fees = [2 * request.weight, 3 * request.weight];
                message.operation == "Response" && is_own && fees.contains(&message.fee)
            });
            if is_met {
                expected.pass += 1;
            } else if after.len() < window {
                expected.inconclusive += 1;
            } else {
                expected.failing.push(position as u64);
            }
        }
        expected
    }
}

impl LogMessage {
    /// The observation as a line of JSON.
    pub fn line(&self, position: usize) -> String {
        let (direction, from, to) = match self.operation {
            "Request" => ("recv", "c", "s"),
            _ => ("send", "s", "c"),
        };
        let data = match self.operation {
            "Request" => format!("\"weight\":{}", self.weight),
            "Response" => format!("\"price\":{},\"fee\":{}", self.price, self.fee),
            _ => format!("\"code\":{}", self.session),
        };
        format!(
            "{{\"at\":{position},\"by\":\"s\",\"dir\":\"{direction}\",\"from\":\"{from}\",\"to\":\"{to}\",\"op\":\"{}\",\"id\":\"m{position}\",\"session\":\"{}\",\"data\":{{{data}}}}}\n",
            self.operation, self.session
        )
    }
}

fn one_after_the_other(count: usize, random: &mut MersenneTwister) -> Vec<LogMessage> {
    let mut messages = Vec::with_capacity(count + 8);
    let plain = |operation, session| LogMessage {
        operation,
        session,
        weight: 0,
        price: 0,
        fee: 0,
    };
    while messages.len() < count {
        let weight = random.between(1, 1000);
        let fee = if random.unit() >= 0.01 {
            weight * (2 + random.below(2))
        } else {
            weight * 5 + 1
        };
        messages.push(LogMessage {
            weight,
            ..plain("Request", random.between(1, 1_000_000))
        });
        if random.unit() < 0.5 {
            messages.push(plain("Other", random.between(1, 1_000_000)));
        }
        let session = random.between(1, 1_000_000);
        messages.push(LogMessage {
            price: random.between(1, 5000),
            fee,
            ..plain("Response", session)
        });
        while random.unit() < 0.3 {
            messages.push(plain("Other", random.between(1, 1_000_000)));
        }
    }
    messages.truncate(count);
    messages
}

fn interleaved(count: usize, random: &mut MersenneTwister) -> Vec<LogMessage> {
    let mut messages = Vec::with_capacity(count + 8);
    let mut pending: Vec<(u64, u64)> = Vec::new();
    let mut next = 0;
    while messages.len() < count {
        if !pending.is_empty() && (pending.len() >= 16 || random.unit() < 0.5) {
            let position = random.below(pending.len() as u64) as usize;
            let (session, weight) = pending.remove(position);
            let luck = random.unit();
            if luck < 0.005 {
                continue;
            }
            let price = random.between(1, 5000);
            let fee = if luck >= 0.01 {
                weight * (2 + random.below(2))
            } else {
                5 * weight + 1
            };
            messages.push(LogMessage {
                operation: "Response",
                session,
                weight: 0,
                price,
                fee,
            });
        } else {
            next += 1;
            let weight = random.between(1, 1000);
            pending.push((next, weight));
            messages.push(LogMessage {
                operation: "Request",
                session: next,
                weight,
                price: 0,
                fee: 0,
            });
        }
    }
    messages
}

/// MT19937 (Matsumoto and Nishimura 1998), seeded and read as Python's `random` does.
struct MersenneTwister {
    state: [u32; 624],
    index: usize,
}

impl MersenneTwister {
    fn new(seed: u32) -> Self {
        let mut state = [0u32; 624];
        state[0] = 19_650_218;
        for index in 1..624 {
            let before = state[index - 1];
            state[index] = 1_812_433_253u32
                .wrapping_mul(before ^ (before >> 30))
                .wrapping_add(index as u32);
        }
        // Initialisation by an array of one word: the seed.
        let mut index = 1;
        for _ in 0..624 {
            let before = state[index - 1];
            state[index] = (state[index] ^ (before ^ (before >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(seed);
            index += 1;
            if index == 624 {
                state[0] = state[623];
                index = 1;
            }
        }
        for _ in 0..623 {
            let before = state[index - 1];
            state[index] = (state[index] ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941))
                .wrapping_sub(index as u32);
            index += 1;
            if index == 624 {
                state[0] = state[623];
                index = 1;
            }
        }
        state[0] = 0x8000_0000;
        MersenneTwister { state, index: 624 }
    }

    fn word(&mut self) -> u32 {
        if self.index == 624 {
            for index in 0..624 {
                let bits = (self.state[index] & 0x8000_0000)
                    | (self.state[(index + 1) % 624] & 0x7fff_ffff);
                let odd = if bits & 1 == 1 { 0x9908_b0df } else { 0 };
                self.state[index] = self.state[(index + 397) % 624] ^ (bits >> 1) ^ odd;
            }
            self.index = 0;
        }
        let mut word = self.state[self.index];
        self.index += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// From 0 up to 1, with 53 bits.
    fn unit(&mut self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// Below a bound of at most 32 bits, by trying again.
    fn below(&mut self, bound: u64) -> u64 {
        let bits = 64 - bound.leading_zeros();
        loop {
            let value = u64::from(self.word() >> (32 - bits));
            if value < bound {
                return value;
            }
        }
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::MonitorLog;

    /// The counts that the definition of these logs gives for seed 7: pass, fail, inconclusive, sum of failing
    /// positions.
    #[test]
    fn the_counts_are_the_published_ones() {
        for (kind, count, pass, fail, inconclusive, sum) in [
            (MonitorLog::P1, 1_000, 319, 7, 1, 3_786),
            (MonitorLog::P1, 10_000, 3_361, 42, 1, 216_984),
            (MonitorLog::P1, 100_000, 33_812, 358, 1, 18_054_784),
            (MonitorLog::P2, 1_000, 484, 16, 4, 6_730),
            (MonitorLog::P2, 10_000, 4_834, 180, 2, 943_630),
            (MonitorLog::P2, 100_000, 48_264, 1_841, 6, 92_505_916),
        ] {
            let messages = kind.messages(count, 7);
            let expected = kind.expected(&messages);
            assert_eq!(messages.len(), count, "{kind:?}");
            assert_eq!(
                (
                    expected.pass,
                    expected.failing.len(),
                    expected.inconclusive,
                    expected.failing.iter().sum::<u64>()
                ),
                (pass, fail, inconclusive, sum),
                "{kind:?} {count}"
            );
        }
    }
}
