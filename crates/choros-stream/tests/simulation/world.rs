//! Processes, messages on their way, and time; everything from a seed.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use choros_stream::{Entry, Fault, Judge, Order, Pace, Report, Told, Worker};
use choros_testkit::Random;

use crate::broker::{Broker, Fence};

/// How a world misbehaves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weather {
    pub(crate) processes: usize,
    pub(crate) partitions: usize,
    pub(crate) fence: Fence,
    /// Until this time messages are lost, late and doubled, and processes crash and pause.
    pub(crate) storm: u64,
    /// Nothing may take longer.
    pub(crate) end: u64,
}

/// What a process does when time comes.
enum Event<S, V> {
    /// A worker asks what to do.
    Step {
        at: Whom,
    },
    /// A request reaches the broker.
    Arrive {
        from: Whom,
        number: u64,
        then: u64,
        order: Order<S, V>,
    },
    /// An answer reaches its worker.
    Reply {
        to: Whom,
        number: u64,
        then: u64,
        report: Report<S>,
    },
    /// The broker keeps what it said it had kept.
    Flush {
        partition: usize,
    },
    Append {
        partition: usize,
        entry: Entry,
    },
    Mishap,
}

/// A worker in one of the runs of its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Whom {
    process: usize,
    partition: usize,
    run: u64,
}

struct Process<J: Judge> {
    run: u64,
    /// One per partition, with the number of the request that it waits for.
    workers: Vec<(Worker<J>, u64)>,
    paused_until: u64,
    down_until: u64,
    clock: Rc<Cell<u64>>,
    /// Its clock runs so many thousandths fast or slow, and began at another time.
    rate: u64,
    offset: u64,
}

/// Makes what judges, by the clock of its process.
type Make<J> = Box<dyn Fn(&Rc<Cell<u64>>) -> J>;

pub(crate) struct World<J: Judge> {
    weather: Weather,
    random: Random,
    now: u64,
    count: u64,
    events: BinaryHeap<Reverse<(u64, u64, usize)>>,
    contents: Vec<Option<Event<J::State, J::Verdict>>>,
    processes: Vec<Process<J>>,
    pub(crate) brokers: Vec<Broker<J>>,
    make: Make<J>,
    /// Faults with which workers stopped.
    pub(crate) faults: Vec<Fault>,
    pub(crate) takeovers: usize,
}

const PACE: Pace = Pace {
    patience: 200,
    heartbeat: 40,
    poll: 15,
    every: 5,
    most: 4,
};

/// A request that is not answered by then is given up.
const TIMEOUT: u64 = 30;

impl<J: Judge> World<J> {
    pub(crate) fn new(
        weather: Weather,
        seed: u64,
        make: impl Fn(&Rc<Cell<u64>>) -> J + 'static,
    ) -> World<J> {
        let mut random = Random::new(seed);
        let process = |random: &mut Random| Process {
            run: 0,
            workers: Vec::new(),
            paused_until: 0,
            down_until: 0,
            clock: Rc::new(Cell::new(0)),
            rate: 900 + random.below(200) as u64,
            offset: random.below(5_000) as u64,
        };
        let processes = (0..weather.processes)
            .map(|_| process(&mut random))
            .collect();
        let brokers = (0..weather.partitions).map(|_| Broker::new("s1", weather.fence));
        let mut world = World {
            weather,
            now: 0,
            count: 0,
            events: BinaryHeap::new(),
            contents: Vec::new(),
            processes,
            brokers: brokers.collect(),
            make: Box::new(make),
            faults: Vec::new(),
            takeovers: 0,
            random,
        };
        for process in 0..weather.processes {
            world.start(process);
        }
        world.after(10, Event::Mishap);
        world
    }

    /// An entry that comes at some time.
    pub(crate) fn append(&mut self, partition: usize, at: u64, entry: Entry) {
        self.after(at, Event::Append { partition, entry });
    }

    fn after(&mut self, delay: u64, event: Event<J::State, J::Verdict>) {
        let place = self.contents.len();
        self.contents.push(Some(event));
        self.count += 1;
        self.events
            .push(Reverse((self.now + delay, self.count, place)));
    }

    fn is_stormy(&self) -> bool {
        self.now < self.weather.storm
    }

    /// A process begins, or begins again: what it knew is gone.
    fn start(&mut self, number: usize) {
        let process = &mut self.processes[number];
        process.run += 1;
        let (run, clock) = (process.run, process.clock.clone());
        process.workers.clear();
        for partition in 0..self.weather.partitions {
            let judge = (self.make)(&clock);
            let name = format!("w{number}.{run}");
            let worker = Worker::new(name, "s1".to_owned(), PACE, judge);
            self.processes[number].workers.push((worker, 0));
            let at = Whom {
                process: number,
                partition,
                run,
            };
            let delay = self.processes[number].down_until.saturating_sub(self.now);
            self.after(1 + delay, Event::Step { at });
        }
    }

    /// Lets time pass until everything was told, or for too long; whether it was told.
    pub(crate) fn run(&mut self, is_done: impl Fn(&[Broker<J>]) -> bool) -> bool {
        while let Some(Reverse((time, _, place))) = self.events.pop() {
            self.now = time;
            if time > self.weather.end || !self.faults.is_empty() {
                return false;
            }
            let Some(event) = self.contents[place].take() else {
                continue;
            };
            self.happen(event);
            if !self.is_stormy() && is_done(&self.brokers) {
                return true;
            }
        }
        false
    }

    /// The worker, unless its process is another run by now, or is not there; a paused one comes later.
    fn is_there(&self, at: Whom) -> bool {
        let process = &self.processes[at.process];
        process.run == at.run && process.down_until <= self.now
    }

    fn paused(&self, at: Whom) -> Option<u64> {
        let until = self.processes[at.process].paused_until;
        (until > self.now).then(|| until - self.now)
    }

    fn local(&mut self, process: usize) -> u64 {
        let process = &self.processes[process];
        let local = process.offset + self.now * process.rate / 1000;
        process.clock.set(local);
        local
    }

    fn happen(&mut self, event: Event<J::State, J::Verdict>) {
        match event {
            Event::Append { partition, entry } => self.brokers[partition].entries.push(entry),
            Event::Flush { partition } => self.brokers[partition].flush(),
            Event::Mishap => self.mishap(),
            Event::Step { at } if self.is_there(at) => {
                if let Some(delay) = self.paused(at) {
                    return self.after(delay, Event::Step { at });
                }
                self.step(at);
            }
            Event::Arrive {
                from,
                number,
                then,
                order,
            } => {
                let is_publish = matches!(order, Order::Publish { .. });
                let part = (is_publish && self.is_stormy() && self.random.percent(10))
                    .then(|| self.random.below(3));
                let report = self.brokers[from.partition].answer(&order, part);
                if is_publish && self.weather.fence == Fence::AnsweredTooEarly {
                    let delay = 1 + self.random.below(200) as u64;
                    let partition = from.partition;
                    self.after(delay, Event::Flush { partition });
                }
                let Some(report) = report else { return };
                if self.is_stormy() && self.random.percent(8) {
                    return;
                }
                let delay = self.delay();
                let reply = Event::Reply {
                    to: from,
                    number,
                    then,
                    report,
                };
                self.after(delay, reply);
            }
            Event::Reply {
                to,
                number,
                then,
                report,
            } if self.is_there(to) => {
                if let Some(delay) = self.paused(to) {
                    let again = Event::Reply {
                        to,
                        number,
                        then,
                        report,
                    };
                    return self.after(delay, again);
                }
                let now = self.local(to.process);
                let (worker, waits_for) = &mut self.processes[to.process].workers[to.partition];
                if *waits_for != number {
                    return;
                }
                *waits_for = 0;
                let owned = worker.owns();
                worker.hear(report, then, now);
                self.takeovers += usize::from(!owned && worker.owns());
                if self.is_stormy() && self.random.percent(2) {
                    let (worker, _) = &mut self.processes[to.process].workers[to.partition];
                    worker.release();
                }
                self.after(0, Event::Step { at: to });
            }
            Event::Step { .. } | Event::Reply { .. } => {}
        }
    }

    /// Mostly short; in a storm sometimes longer than anyone waits.
    fn delay(&mut self) -> u64 {
        if self.is_stormy() && self.random.percent(6) {
            return self.random.below(800) as u64;
        }
        1 + self.random.below(6) as u64
    }

    fn step(&mut self, at: Whom) {
        let now = self.local(at.process);
        let (worker, waits_for) = &mut self.processes[at.process].workers[at.partition];
        if *waits_for != 0 {
            return;
        }
        match worker.next(now) {
            Order::Wait { until } => {
                let rate = self.processes[at.process].rate;
                let delay = (until.saturating_sub(now) * 1000).div_ceil(rate);
                self.after(delay.max(1), Event::Step { at });
            }
            Order::Stop(fault) => self.faults.push(fault),
            order => {
                self.count += 1;
                let number = self.count;
                *waits_for = number;
                let lost = self.is_stormy() && self.random.percent(8);
                let copies = match (lost, self.is_stormy() && self.random.percent(8)) {
                    (true, _) => 0,
                    (false, true) => 2,
                    (false, false) => 1,
                };
                for _ in 0..copies {
                    let delay = self.delay();
                    let order = order.clone();
                    let arrive = Event::Arrive {
                        from: at,
                        number,
                        then: now,
                        order,
                    };
                    self.after(delay, arrive);
                }
                let given_up = Event::Reply {
                    to: at,
                    number,
                    then: now,
                    report: Report::Unanswered,
                };
                self.after(TIMEOUT, given_up);
            }
        }
    }

    /// A process crashes, or stops for a while and knows nothing of it.
    fn mishap(&mut self) {
        if !self.is_stormy() {
            for process in &mut self.processes {
                process.paused_until = process.paused_until.min(self.now);
            }
            return;
        }
        let delay = 20 + self.random.below(120) as u64;
        self.after(delay, Event::Mishap);
        let number = self.random.below(self.weather.processes);
        let length = self.random.below(600) as u64;
        if self.random.percent(50) {
            self.processes[number].paused_until = self.now + length;
        } else {
            if self.weather.fence == Fence::AnsweredTooEarly {
                self.brokers.iter_mut().for_each(|it| it.early.clear());
            }
            self.processes[number].down_until = self.now + length;
            self.processes[number].paused_until = 0;
            self.start(number);
        }
    }
}

/// What was told, in order.
pub(crate) fn told<J: Judge>(broker: &Broker<J>) -> &[Told<J::Verdict>] {
    &broker.verdicts
}
