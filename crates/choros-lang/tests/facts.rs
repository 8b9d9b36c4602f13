//! Sizes that the papers print: facts 1, 2, 3 and 15 about SChorA (Tables 3.4 and 3.5 of Nguyen's thesis).

mod support;

use choros_model::stg::FreeVariables;
use support::{Script, counts, listing};

#[test]
fn fact_1_sizes_of_choreographies() {
    let mut shopping = Script::example("online-shopping");
    assert_eq!(shopping.counts("order"), counts(4, 4, 3));
    let mut mutation = Script::process(
        "Request[b,v].<y1> ; ([y1>=5] |> Tel[b,v] ; Abort[v,b] + [y1<5] |> Confirm[v,b])",
    );
    assert_eq!(mutation.counts("c"), counts(5, 5, 4));
    let mut example_5 = Script::process(
        "Request[b,v].<y1> ; ([y1>=5] |> Tel[b,v].y ; ([y>=10] |> Abort[v,b] + [y<10] |> skip) \
         + [y1<5] |> Confirm[v,b])",
    );
    assert_eq!(example_5.counts("c"), counts(6, 5, 4));
    assert_eq!(
        Script::example("market").counts("market"),
        counts(10, 10, 8)
    );
    assert_eq!(Script::example("rfq").counts("rfq"), counts(8, 8, 6));
    assert_eq!(Script::example("tss").counts("tss"), counts(12, 11, 8));
    assert_eq!(Script::example("loop").counts("loop"), counts(4, 4, 2));
}

#[test]
fn fact_2_sizes_of_products() {
    let cases = [
        ("online-shopping", "order_services", counts(4, 4, 3)),
        ("market", "market_services", counts(9, 10, 8)),
        ("market", "delegating_services", counts(26, 27, 16)),
        ("rfq", "eager_services", counts(7, 8, 6)),
        ("rfq", "rfq_services", counts(8, 8, 6)),
        ("tss", "tss_services", counts(12, 11, 8)),
    ];
    for (example, component, expected) in cases {
        let mut script = Script::example(example);
        assert_eq!(script.counts(component), expected, "{component}");
    }
}

#[test]
fn fact_3_free_variables() {
    let mut script = Script::example("online-shopping");
    let stg = script.stg("order");
    let free = FreeVariables::of(&stg, &script.terms);
    let shown: Vec<(&str, Vec<&str>)> = stg
        .node_ids()
        .map(|id| {
            let variables = free.names_at(id, &script.terms);
            (stg.node(id).label.as_str(), variables)
        })
        .collect();
    assert_eq!(shown, [("1", vec![]), ("2", vec!["x1"]), ("3", vec![])]);
}

#[test]
fn fact_15_statistics_of_example_6() {
    let mut script = Script::example("extended-shopping");
    assert_eq!(script.counts("extended_shop"), counts(11, 9, 9));
    assert_eq!(script.stg("extended_shop").roles().len(), 4);
}

#[test]
fn fact_15_listing_a_4_parses_and_names_an_undeclared_component() {
    let script = Script::new(
        r#"/* This script show STG of online shopping choreography which involves 2
      roles: b (buyer), v (vendor)
      We declare 2 components using DOT and chorD language. */
   DECLARATIONS
       component spec STG
       0; 1; 2; 3; //list of states
                        //list of transitions
           0 -> 1 [label="request[b,v].<x>"];
           1 -> 2 [label="[x<=0] error[v,b]."];
           2 -> 1 [label="request[b,v].<x>"];
           1 -> 3 [label="[x>0] response[v,b].<x1>"];
       end component

       component impl chorD
           request[b,v].<y>; (response[v,b].<y1>
             + [y<=0] * (error[v,b]; request[b,v].<y>))
       end component

   //List of commands
   COMMANDS
       showSTG shopping impl //display graphically
       projection spec SYNC //project spec under sync. communication mode
       conformance impl spec //check conformance
"#,
    );
    assert_eq!(
        script.findings(),
        ["CH0101 there is no component `shopping`"]
    );
    let texts: Vec<&str> = script
        .model
        .commands()
        .iter()
        .map(|command| command.text.as_str())
        .collect();
    assert_eq!(
        texts,
        [
            "showSTG shopping impl",
            "projection spec SYNC",
            "conformance impl spec"
        ]
    );
    let concerned: Vec<bool> = script
        .model
        .commands()
        .iter()
        .map(|command| command.concerns(&script.diagnostics[0]))
        .collect();
    assert_eq!(concerned, [true, false, false]);
}

/// The numbering of the thesis' case study (chapter 5), where 4 is the state after `√`.
#[test]
fn states_are_numbered_as_in_the_thesis() {
    let mut script = Script::example("online-shopping");
    let stg = script.stg("shop");
    assert_eq!(
        listing(&stg, &script.terms),
        [
            "1 -[true] req[b,v].<x>-> 2",
            "2 -[x <= 0] error[v,b]-> 3",
            "2 -[x > 0] sell[v,w].x-> 5",
            "3 -[true] √",
            "5 -[x <= 0] error[w,v]-> 3",
            "5 -[x > 0] info[w,v]-> 6",
            "6 -[true] resp[v,b]-> 3",
        ]
    );
}
