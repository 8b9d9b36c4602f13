//! Garbage in place of processes: findings, no panic, no loop without end.

use choros_base::{Budget, MemorySources, SourceMap, has_errors};
use choros_bpel::calculus::unfold;
use choros_bpel::process::{Options, read_process};
use choros_data::Terms;
use choros_testkit::{fuzz, seed_from_env};
use choros_xml::document::Library;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/xloan");

fn text(name: &str) -> String {
    std::fs::read_to_string(format!("{FOLDER}/{name}")).expect("an example")
}

fn read(files: &MemorySources, process: &str) {
    let mut sources = SourceMap::new();
    let mut library = Library::new(files, &mut sources);
    let mut terms = Terms::new();
    let Some(document) = library.add("p.bpel", process.into()) else {
        return;
    };
    let read = read_process(&mut library, &mut terms, &document, Options::default());
    let wrong = has_errors(&library.diagnostics);
    if let Some(read) = read.filter(|_| !wrong) {
        // A process may have more states than anyone waits for.
        let _ = unfold(&mut terms, &read.process, &read.name, &Budget::steps(500));
    }
}

#[test]
fn changed_processes_never_panic() {
    let mut files = MemorySources::default();
    for name in [
        "LoanService.wsdl",
        "BankService.wsdl",
        "BlackList.wsdl",
        "LS.xsd",
        "BK.xsd",
        "BL.xsd",
        "RefSchemaLS.xsd",
    ] {
        files.add(name, text(name));
    }
    let process = text("xloan.bpel");
    fuzz(seed_from_env(), 200, &[&process], |text| read(&files, text));
}
