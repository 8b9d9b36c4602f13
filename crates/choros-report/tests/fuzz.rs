//! No text brings a reader of saved files down: reports, suites, certificates, proofs and states of monitors.

use choros_data::Terms;
use choros_report::{
    SavedCertificate, SavedMonitor, SavedProof, SavedSuite, SavedSymbolicSuite, Style, read_report,
    replay_frames, replay_text,
};
use choros_testkit::{fuzz, seed_from_env};

const REPORT: &str = r#"{"schema":2,"verb":"conform","outcomes":[{"name":"a","verdict":"fails","evidence":{"kind":"trace",
"steps":[{"event":"Ask[b,v].<x>","values":{"x":"3"}},{"event":"√"}]}}],"diagnostics":[],"interrupted":false}"#;
const SUITE: &str = r#"{"schema":1,"model":"atm.gc","tests":[{"name":"t1","under_test":"A","fairness":"fair","machines":[{"machine":
{"participant":"B","initial":"0","transitions":[{"from":"0","to":"1","partner":"A","direction":"send","message":"m"}]},
"success":["1"],"decides":[]}]}]}"#;
const SYMBOLIC: &str = r#"{"schema":2,"model":"m.stg","digest":"00","user":"USER","parameters":{"n":"5"},"coverage":"paths","tests":
[{"name":"test_1","symbols":[{"name":"x_0","sort":"Int"}],"condition":"x_0 >= 5","edges":[{"edge":0}],
"steps":[{"op":"Ask","from":"USER","to":"S","fields":[{"path":"x","term":"x_0"}]}],"values":{"x_0":"5"}}]}"#;
const CERTIFICATE: &str = r#"{"schema":1,"claim":{"verdict":"holds"},"question":{"verb":"conform","implementation":["m.schora#a"],
"specification":"m.schora#b","share":[]},"evidence":{"kind":"relation","pairs":[{"left":0,"right":0,"condition":"x > 0"}]}}"#;
const STATE: &str = r#"{"schema":1,"properties":"p","sequence":3,"observations":2,"verdict_bytes":10,"inputs":[{"path":"s","bytes":99,
"lines":2,"beginning":"00ff"}],"counts":[[1,0,0]],"logs":[{"service":"s","windows":[{"property":0,"left":1}]}]}"#;

#[test]
fn no_text_brings_a_reader_down() {
    let corpus = [REPORT, SUITE, SYMBOLIC, CERTIFICATE, STATE];
    fuzz(seed_from_env(), 4_000, &corpus, |text| {
        if let Ok(report) = read_report(text) {
            let _ = replay_frames(&report, &Style::PLAIN);
            let _ = replay_text(&report, &Style::PLAIN);
        }
        if let Ok(suite) = SavedSuite::of_json(text) {
            let mut terms = Terms::new();
            for player in suite.tests.iter().flat_map(|test| &test.machines) {
                let _ = player.machine.machine(&mut terms.names);
                for state in &player.success {
                    let _ = player.machine.state(state);
                }
            }
        }
        let _ = SavedSymbolicSuite::of_json(text);
        let _ = SavedCertificate::of_json(text);
        let _ = SavedProof::of_json(text);
        let _ = SavedMonitor::from_json(text);
    });
}
