//! Garbage problems: no panic, no hanging, and an error wherever nothing is read.

use choros_base::{MemorySources, SourceMap, has_errors};
use choros_data::Terms;
use choros_solve::read;
use choros_testkit::{fuzz, seed_from_env};
use choros_xml::document::Library;

const SCHEMA: &str = include_str!("../../../examples/solve/order.xsd");
const PROBLEM: &str = include_str!("../../../examples/solve/order.solve");
const WORDS: &str = include_str!("../../../examples/solve/words.solve");
const RECURSIVE: &str = include_str!("../../choros-xml/tests/rubbish/recursive.xsd");
const WSDL: &str = include_str!("../../choros-xml/tests/rubbish/rich.wsdl");

#[test]
fn rubbish_problems() {
    let seed = seed_from_env();
    fuzz(
        seed,
        3000,
        &[
            PROBLEM,
            WORDS,
            "import \"x.wsdl\" var a: xs:int xpath \"$a = 1\"",
        ],
        |text| {
            let mut files = MemorySources::default();
            files.add("order.xsd", SCHEMA);
            files.add("x.wsdl", WSDL);
            files.add("other.xsd", RECURSIVE);
            let mut sources = SourceMap::new();
            let mut library = Library::new(&files, &mut sources);
            let mut terms = Terms::new();
            let problem = read(&mut library, &mut terms, "p.solve", text);
            assert_eq!(problem.is_none(), has_errors(&library.diagnostics));
            if let Some(problem) = problem {
                let _ = problem.background(&mut terms);
                #[cfg(feature = "tree-script")]
                let _ = choros_solve::tree_script(&terms, &problem, 1);
            }
        },
    );
}
