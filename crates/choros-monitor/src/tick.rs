//! Time that passes without a message.

use choros_model::observation::Number;

use crate::monitor::Monitor;
use crate::verdict::Mark;

impl Monitor {
    /// It is this time, in milliseconds: what was observed before has come, except for what may come late.
    ///
    /// Windows in time that end before are decided, as a message with this time would decide them.
    pub fn tick(&mut self, now: &Number) {
        self.begin();
        let slack = self.config.slack.unwrap_or(0);
        let bound = now.minus(&Number::from(i64::try_from(slack).unwrap_or(i64::MAX)));
        for number in 0..self.logs.len() {
            let mut ready = Vec::new();
            self.logs[number].reorder.release(&bound, &mut ready);
            for seen in &ready {
                self.judge(number, seen);
            }
            let mark = Mark {
                line: self.logs[number].last.line,
                at: Some(bound.clone()),
            };
            self.expire(number, &bound);
            self.tell(number, &mark);
        }
    }

    /// Decides the windows of a log that end before a time.
    fn expire(&mut self, number: usize, now: &Number) {
        let Monitor {
            logs,
            groups,
            effects,
            ..
        } = self;
        let log = &mut logs[number];
        for (group, windows) in &mut log.windows {
            let group = &groups[*group];
            if group.needs_time() {
                windows.expire_by_time(group, now, effects);
            }
        }
        if log.clock.as_ref().is_none_or(|clock| clock < now) {
            log.clock = Some(now.clone());
        }
    }
}
