//! Graphs in XML: text that no one would write, and the service of Example 12.

use choros_base::SourceMap;
use choros_data::Terms;
use choros_model::stg::read_stga;
use choros_testkit::{fuzz, seed_from_env};

const GRAPH: &str = r#"<?xml version="1.0"?>
<STGA name="Sq" initstate="0">
  <states><state name="0"><freeVariables><variable>y0</variable></freeVariables></state><state name="1"/></states>
  <transitions>
    <transition><source>0</source><destination>1</destination>
      <guard><![CDATA[y1 >= y0 and true]]></guard>
      <event type="external"><name>Request</name><sender>c</sender><receiver>s</receiver>
        <direction>interaction</direction><data><y1>country/code</y1><weight>y0</weight></data></event>
      <actions><action_1><![CDATA[y2 := y1 * 2]]></action_1></actions></transition>
    <transition><source>1</source><destination>0</destination><event type="internal"/></transition>
  </transitions>
</STGA>"#;

#[test]
fn no_document_is_too_strange() {
    fuzz(
        seed_from_env(),
        2_000,
        &[GRAPH, "<STGA/>", "<a>&lt;</a>"],
        |text| {
            let (mut terms, mut sources) = (Terms::new(), SourceMap::new());
            let file = sources.add("fuzz.stga", text);
            let (stg, diagnostics) = read_stga(file, text, &mut terms);
            assert!(!stg.nodes().is_empty());
            for diagnostic in &diagnostics {
                for label in &diagnostic.labels {
                    assert!(label.span.range().end <= text.len());
                }
            }
        },
    );
}

#[test]
fn which_name_is_the_variable_shows_elsewhere() {
    let (mut terms, mut sources) = (Terms::new(), SourceMap::new());
    let file = sources.add("sq.stga", GRAPH);
    let (stg, diagnostics) = read_stga(file, GRAPH, &mut terms);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    // `y0` is a variable, so in `<weight>y0</weight>` the label is `weight`, and the guard takes it for known, as it
    // does `y1`.
    assert_eq!(
        stg.edges()[0].event.text(&terms),
        "Request[c,s].(\"country/code\" = y1, weight = y0)"
    );
}
