//! One table of questions, the same answers from every solver.

mod solvers;
mod table;

use std::cell::RefCell;
use std::rc::Rc;

use choros_smt::{RecordedBackend, Recorder, Recording};

#[test]
fn z3_in_process() {
    if let Some(mut open) = solvers::in_process() {
        table::run(&mut *open);
    }
}

#[test]
fn z3_by_pipe() {
    if let Some(mut open) = solvers::z3() {
        table::run(&mut *open);
    }
}

#[test]
fn cvc5_by_pipe() {
    if let Some(mut open) = solvers::cvc5() {
        table::run(&mut *open);
    }
}

#[test]
fn recorded() {
    let Some(mut open) = solvers::in_process() else {
        return;
    };
    let recording = Rc::new(RefCell::new(Recording::default()));
    table::run(&mut || Box::new(Recorder::new(open(), recording.clone())));
    // Through text, as from a file.
    let text = recording.borrow().text();
    let read = Recording::parse(&text).expect("what was written can be read");
    assert_eq!(read, *recording.borrow());
    assert!(read.len() > 80);
    table::run(&mut || Box::new(RecordedBackend::new(read.clone())));
}
