use choros_base::{Budget, SourceMap};
use choros_cows::{CowsLts, Options, read};
use choros_model::lts::{Lts, explore};
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut map = SourceMap::new();
        let file = map.add(path.clone(), text.clone());
        let (_, program, found) = read(file, &text);
        for d in &found {
            println!(
                "{} {} {:?}",
                d.code.code,
                d.message,
                d.primary().map(|s| map.locate(s))
            );
        }
        let Some(program) = program else { continue };
        let start = std::time::Instant::now();
        let mut lts = CowsLts::new(&program, Options::default());
        let e = explore(&mut lts, &Budget::steps(20_000_000));
        println!(
            "{path}: {:?} {:?} clusters {} bytes {} {}",
            e.counts(),
            start.elapsed(),
            lts.known_clusters(),
            lts.bytes(),
            lts.may_repeat_states()
        );
        if e.counts().states < 40 {
            for s in e.lts.states() {
                println!("{}", lts.term(s));
                for (a, t) in e.lts.transitions(s) {
                    println!(
                        "  {:?} -{}-> {:?}",
                        s,
                        e.lts.action(*a).text(e.lts.terms()),
                        t
                    );
                }
            }
        }
    }
}
