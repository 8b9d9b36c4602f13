//! Who does several pieces of work at the same time.

use std::fmt::Debug;

/// A piece of work.
pub type Job<'j> = Box<dyn FnOnce() + Send + 'j>;

/// Who does the work that can be divided.
///
/// Engines are pure and start no threads: a shell gives them a crew, and they give it jobs.
/// What they answer must not depend on how many there are or who is done first.
pub trait Crew: Debug + Send + Sync {
    /// How many jobs are done at the same time.
    fn members(&self) -> usize;

    /// The fewest pieces of work that are worth dividing.
    fn worth_dividing(&self) -> usize;

    /// Does all jobs, in whatever order, and comes back when all are done.
    fn carry_out<'j>(&self, jobs: Vec<Job<'j>>);
}

/// One after the other.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Crew for Alone {
    fn members(&self) -> usize {
        1
    }

    fn worth_dividing(&self) -> usize {
        usize::MAX
    }

    fn carry_out<'j>(&self, jobs: Vec<Job<'j>>) {
        for job in jobs {
            job();
        }
    }
}
