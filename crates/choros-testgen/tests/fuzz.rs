//! No text makes the reader of oracles panic or hang, and every finding lies within the text.

use choros_base::SourceMap;
use choros_testgen::read_oracle;
use choros_testkit::{fuzz, seed_from_env};

const ORACLE: &str = "\
# where a test has succeeded
success_states:
  B: [2, 5]
  C:
    - 3
    - 'q 4'
order: [A, B, C]
channels: [A-B, B-A]
";

#[test]
fn oracles() {
    let corpus = [ORACLE, "success_states: {B: [1, 2], C: [3]}"];
    fuzz(seed_from_env(), 4_000, &corpus, |text| {
        let mut map = SourceMap::new();
        let file = map.add("oracle.yaml", text);
        let (oracle, findings) = read_oracle(file, text);
        let words = oracle.states.iter().flat_map(|(_, states)| states);
        for word in words.chain(&oracle.order) {
            assert_eq!(map.text_of(word.span), word.text, "{text}");
        }
        for finding in findings {
            for label in &finding.labels {
                assert!(label.span.range().end <= text.len(), "{finding:?}\n{text}");
            }
        }
    });
}
