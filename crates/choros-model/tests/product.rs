//! Products of the thesis' examples (fact 2: transitions/states of each), and what the rules say in detail.

mod support;

use choros_base::{Budget, StopReason};
use choros_data::{Op, Sort, Term, Terms};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Field, FieldValue, NodeId, Product, ProductNote, Stg,
    StgBuilder, product,
};
use support::{L, act, choice, event, lines, par, seq, var, when};

fn compose(components: &[Stg], terms: &mut Terms) -> Product {
    let components: Vec<&Stg> = components.iter().collect();
    product("product", &components, &Budget::steps(10_000), terms).expect("within the budget")
}

/// Transitions and states, as the thesis counts them.
fn sizes(stg: &Stg) -> (usize, usize) {
    let counts = stg.counts();
    (counts.transitions, counts.states)
}

fn compare(terms: &mut Terms, op: Op, name: &str, value: i64) -> Term {
    let variable = var(terms, name);
    let variable = terms.var(variable);
    let value = terms.int(value);
    terms.compare(op, variable, value)
}

fn is(terms: &mut Terms, name: &str, symbol: &str) -> Term {
    let variable = var(terms, name);
    let variable = terms.var(variable);
    let symbol = terms.names.intern(symbol);
    let symbol = terms.atom(Sort::SYMBOL, symbol);
    terms.equal(variable, symbol)
}

/// `first!; second?` and the like.
fn sequence(terms: &mut Terms, events: &[&str]) -> L {
    let events: Vec<L> = events.iter().map(|text| act(terms, text)).collect();
    seq(events)
}

#[test]
fn online_shopping_has_4_transitions_and_4_states() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let request = act(t, "Request[b,v]!<y1>");
    let answer = choice(act(t, "Abort[v,b]?"), act(t, "Confirm[v,b]?"));
    let buyer = seq([request, answer]).graph("buyer", t);
    let request = act(t, "Request[b,v]?<z1>");
    let small = compare(t, Op::Less, "z1", 5);
    let large = compare(t, Op::GreaterEqual, "z1", 5);
    let confirm = when(small, act(t, "Confirm[v,b]!"));
    let abort = when(large, act(t, "Abort[v,b]!"));
    let vendor = seq([request, choice(confirm, abort)]).graph("vendor", t);
    let product = compose(&[buyer, vendor], t);
    assert_eq!(sizes(&product.stg), (4, 4));
    assert_eq!(product.notes, vec![]);
    assert_eq!(
        lines(&product.stg, &terms),
        [
            "1.1 -Request[b,v].<y1> / z1 := y1-> 2.2",
            "2.2 -[z1 < 5] Confirm[v,b]-> 3.3",
            "2.2 -[z1 >= 5] Abort[v,b]-> 3.3",
            "3.3 -end",
        ]
    );
    assert_eq!(product.stg.parameters(&terms), vec![]);
}

/// Customer, market, and the one that sells and keeps the money.
fn market(terms: &mut Terms) -> [Stg; 2] {
    let t = terms;
    let (dear, cheap) = (
        compare(t, Op::GreaterEqual, "x2", 100),
        compare(t, Op::Less, "x2", 100),
    );
    let buy = sequence(t, &["buy[c,m]!<xS>", "result[m,c]?<x5S>"]);
    let ask = sequence(t, &["priceReq[c,m]!<x1>", "priceRes[m,c]?<x2>"]);
    let decide = choice(when(dear, L::Skip), when(cheap, buy));
    let customer = par(seq([ask, decide]), act(t, "receipt[b,c]?<x6>")).graph("c", t);
    let price = sequence(t, &["priceReq[c,m]?<y1>", "priceRes[m,c]!<y2>"]);
    let (accepted, fine) = (is(t, "y3S", "ACCEPT"), is(t, "y5S", "OK"));
    let pay = when(fine, act(t, "pay[m,b]!<y6>"));
    let order = sequence(
        t,
        &[
            "orderReq[m,s]!<y4>",
            "orderRes[s,m]?<y5S>",
            "result[m,c]!y5S",
        ],
    );
    let sell = seq([act(t, "buy[c,m]?<y3S>"), when(accepted, seq([order, pay]))]);
    let market = par(price, sell).graph("m", t);
    [customer, market]
}

#[test]
fn market_has_9_transitions_and_10_states() {
    let mut terms = Terms::new();
    let [customer, market] = market(&mut terms);
    let seller = sequence(&mut terms, &["orderReq[m,s]?<z1>", "orderRes[s,m]!<z2S>"]);
    let seller = seller.graph("s", &mut terms);
    let bank = sequence(&mut terms, &["pay[m,b]?<w1>", "receipt[b,c]!<w2>"]);
    let bank = bank.graph("b", &mut terms);
    let product = compose(&[customer, market, seller, bank], &mut terms);
    assert_eq!(sizes(&product.stg), (9, 10));
    assert_eq!(product.stg.counts().messages, 8);
    assert_eq!(product.notes, vec![]);
}

#[test]
fn market_with_delegates_has_26_transitions_and_27_states() {
    let mut terms = Terms::new();
    let [customer, market] = market(&mut terms);
    let t = &mut terms;
    let mut components = vec![customer, market];
    for (who, input, datum, output, delegates) in [
        (
            "s",
            "orderReq[m,s]",
            "z1",
            "orderRes[s,m]!<z2S>",
            ["s2", "s3"],
        ),
        ("b", "pay[m,b]", "w1", "receipt[b,c]!<w2>", ["b2", "b3"]),
    ] {
        let conditions = [Op::Greater, Op::LessEqual].map(|op| compare(t, op, datum, 10));
        let mut branches = Vec::new();
        for (condition, delegate) in conditions.into_iter().zip(delegates) {
            let (ask, answer) = (
                format!("ask{delegate}[{who},{delegate}]"),
                format!("answer{delegate}[{delegate},{who}]"),
            );
            let there = sequence(t, &[&format!("{ask}!"), &format!("{answer}?")]);
            branches.push(when(condition, there));
            let back = sequence(t, &[&format!("{ask}?"), &format!("{answer}!")]);
            components.push(back.graph(delegate, t));
        }
        let [large, small] = <[L; 2]>::try_from(branches).expect("two branches");
        let input = act(t, &format!("{input}?<{datum}>"));
        let all = seq([input, choice(large, small), act(t, output)]);
        components.push(all.graph(who, t));
    }
    let product = compose(&components, t);
    assert_eq!(sizes(&product.stg), (26, 27));
    assert_eq!(product.stg.counts().messages, 16);
    assert_eq!(components.len(), 8);
}

fn request_for_quotation(terms: &mut Terms, may_decline: bool) -> Product {
    let t = terms;
    let ask = sequence(t, &["request[b,s]!", "offer[s,b]?"]);
    let mut accept = sequence(t, &["accept[b,s]!", "confirm[s,b]?"]);
    let mut ship = sequence(t, &["orderShipment[s,h]?", "confirmShipment[h,s]!"]);
    if may_decline {
        accept = choice(accept, L::Skip);
        ship = choice(ship, L::Skip);
    }
    let buyer = seq([ask, accept]).graph("b", t);
    let offer = sequence(t, &["request[b,s]?", "offer[s,b]!"]);
    let deliver = sequence(
        t,
        &[
            "accept[b,s]?",
            "confirm[s,b]!",
            "orderShipment[s,h]!",
            "confirmShipment[h,s]?",
        ],
    );
    let seller = seq([offer, choice(L::Skip, deliver)]).graph("s", t);
    let shipper = ship.graph("h", t);
    compose(&[buyer, seller, shipper], t)
}

#[test]
fn request_for_quotation_has_7_transitions_and_8_states_or_8_and_8() {
    let mut terms = Terms::new();
    assert_eq!(sizes(&request_for_quotation(&mut terms, false).stg), (7, 8));
    assert_eq!(sizes(&request_for_quotation(&mut terms, true).stg), (8, 8));
}

#[test]
fn train_station_has_12_transitions_and_11_states() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let invoice = choice(act(t, "invoice[b,c]?"), L::Skip);
    let answers = par(act(t, "result[t,c]?"), invoice);
    let customer = seq([act(t, "request[c,t]!"), answers]).graph("c", t);
    let invoice = choice(act(t, "invoice[b,c]!"), L::Skip);
    let booked = sequence(t, &["book[t,b]?", "ack[b,t]!"]);
    let booking = seq([booked, invoice]).graph("b", t);
    let train = sequence(
        t,
        &[
            "request[c,t]?",
            "info[t,a]!",
            "infoAvail[a,t]?",
            "itinerary[a,t]?",
            "book[t,b]!",
            "ack[b,t]?",
            "result[t,c]!",
        ],
    );
    let train = train.graph("t", t);
    let availability = sequence(t, &["info[t,a]?", "infoAvail[a,t]!", "itinerary[a,t]!"]);
    let availability = availability.graph("a", t);
    let product = compose(&[customer, booking, train, availability], t);
    assert_eq!(sizes(&product.stg), (12, 11));
}

/// A graph from `(source, event, target)`, whose nodes without edges terminate.
fn sinks(name: &str, edges: &[(u32, &str, u32)], terms: &mut Terms) -> Stg {
    graph(name, Ending::Sinks, edges, terms)
}

fn graph(name: &str, ending: Ending, edges: &[(u32, &str, u32)], terms: &mut Terms) -> Stg {
    let mut builder = StgBuilder::new(name, ending);
    let last = edges.iter().map(|&(source, _, target)| source.max(target));
    for node in 0..=last.max().unwrap_or(0) {
        builder.node(node.to_string());
    }
    for &(source, text, target) in edges {
        let event = match text {
            "tick" => Event::Tick,
            "raise f" => Event::Raise(terms.names.intern("f")),
            message => event(terms, message),
        };
        let edge = Edge {
            source: NodeId(source),
            target: NodeId(target),
            guard: Term::TRUE,
            event,
            updates: vec![],
            origin: None,
        };
        builder.edge(terms, edge);
    }
    builder.finish(NodeId(0))
}

#[test]
fn a_product_that_is_stuck_does_not_terminate() {
    let mut terms = Terms::new();
    let left = sinks("left", &[(0, "m[a,b]!", 1), (1, "n[b,a]?", 2)], &mut terms);
    let right = sinks("right", &[(0, "m[a,b]?", 1)], &mut terms);
    let product = compose(&[left, right], &mut terms);
    assert_eq!(product.stg.ending(), Ending::Sinks);
    // After m, the left one waits forever: no edge leaves 1.1, and it has not terminated.
    assert_eq!(lines(&product.stg, &terms), ["0.0 -m[a,b]-> 1.1"]);
    assert_eq!(
        product.notes,
        [ProductNote::Partnerless {
            message: "n[b,a]".into(),
            direction: Direction::Receive,
            component: ("left".into(), None),
        }]
    );
    assert_eq!(
        product.notes[0].to_string(),
        "`left` receives `n[b,a]`, but no other component sends it"
    );
}

#[test]
fn where_endings_are_mixed_the_product_ends_explicitly_and_says_so() {
    let mut terms = Terms::new();
    let left = sinks("left", &[(0, "m[a,b]!", 1)], &mut terms);
    let right = act(&mut terms, "m[a,b]?").graph("right", &mut terms);
    let product = compose(&[left, right], &mut terms);
    assert_eq!(product.stg.ending(), Ending::Explicit);
    assert_eq!(
        lines(&product.stg, &terms),
        ["0.1 -m[a,b]-> 1.2", "1.2 -end"]
    );
    assert_eq!(
        product.notes,
        [ProductNote::MixedEndings {
            sinks: vec!["left".into()]
        }]
    );
}

#[test]
fn data_that_do_not_fit_keep_a_message_from_happening_and_are_reported_once() {
    let mut terms = Terms::new();
    for (sent, received, reason) in [
        (
            "m[a,b]!",
            "m[a,b]?<y>",
            "no datum sent and one datum expected",
        ),
        (
            "m[a,b]!<x>",
            "m[a,b]?",
            "one datum sent and no datum expected",
        ),
        (
            "m[a,b]!<x>",
            "m[a,b]?<yS>",
            "field 1 is sent as Int and expected as Symbol",
        ),
    ] {
        let left = sinks(
            "left",
            &[(0, "tau", 1), (0, sent, 2), (1, "tau", 0)],
            &mut terms,
        );
        let right = sinks("right", &[(0, received, 1)], &mut terms);
        let product = compose(&[left, right], &mut terms);
        assert_eq!(product.stg.nodes().len(), 2);
        let notes: Vec<String> = product.notes.iter().map(ToString::to_string).collect();
        assert_eq!(
            notes,
            [format!(
                "`m[a,b]` from `left` never reaches `right`: {reason}"
            )]
        );
    }
}

#[test]
fn labels_decide_which_fields_meet() {
    let mut terms = Terms::new();
    let mut ends = Vec::new();
    for (name, text, labels) in [
        ("left", "m[a,b]!", ["price", "fee"]),
        ("right", "m[a,b]?", ["fee", "price"]),
        ("odd", "m[a,b]?", ["fee", "cost"]),
    ] {
        let mut stg = sinks(name, &[(0, text, 1)], &mut terms);
        let mut builder = StgBuilder::new(name, Ending::Sinks);
        builder.node("0");
        builder.node("1");
        let mut edge = stg.edges()[0].clone();
        if let Event::Message(message) = &mut edge.event {
            message.fields = labels
                .map(|label| Field {
                    label: Some(terms.names.intern(label)),
                    value: FieldValue::Bind(var(&mut terms, &format!("{name}_{label}"))),
                })
                .to_vec();
        }
        builder.edge(&mut terms, edge);
        stg = builder.finish(NodeId(0));
        ends.push(stg);
    }
    let product = compose(&ends, &mut terms);
    assert_eq!(
        lines(&product.stg, &terms)[0],
        "0.0.0 -m[a,b].(price = <left_price>, fee = <left_fee>) / right_fee := left_fee; \
         right_price := left_price-> 1.1.0"
    );
    assert_eq!(
        product.notes[0].to_string(),
        "`m[a,b]` from `left` never reaches `odd`: there is not exactly one field `price` on both sides"
    );
}

#[test]
fn equal_names_are_kept_apart() {
    let mut terms = Terms::new();
    // x and k occur in both, y in one; k is a parameter of both, and stays two.
    let left = sinks(
        "my-left",
        &[(0, "m[a,b]!<x>", 1), (1, "n[a,b]!k", 2)],
        &mut terms,
    );
    let right = sinks(
        "right",
        &[
            (0, "m[a,b]?<x>", 1),
            (1, "n[a,b]?<y>", 2),
            (2, "o[b,b].k", 3),
        ],
        &mut terms,
    );
    let product = compose(&[left, right], &mut terms);
    assert_eq!(
        lines(&product.stg, &terms),
        [
            "0.0 -m[a,b].<x@my_left> / x@right := x@my_left-> 1.1",
            "1.1 -n[a,b].k@my_left / y := k@my_left-> 2.2",
            "2.2 -o[b,b].k@right-> 2.3",
            "2.3 -end",
        ]
    );
    let parameters: Vec<&str> = product
        .stg
        .parameters(&terms)
        .iter()
        .map(|&parameter| terms.variable_text(parameter))
        .collect();
    assert_eq!(parameters, ["k@my_left", "k@right"]);
}

#[test]
fn a_component_may_occur_twice() {
    let mut terms = Terms::new();
    let one = sinks("one", &[(0, "tau", 1), (1, "o[a,b].<x>", 2)], &mut terms);
    let product = compose(&[one.clone(), one], &mut terms);
    // Two independent chains of three nodes.
    assert_eq!(product.stg.nodes().len(), 9);
    let names: Vec<&str> = product
        .stg
        .variables(&terms)
        .iter()
        .map(|&variable| terms.variable_text(variable))
        .collect();
    assert_eq!(names, ["x@one", "x@one2"]);
    assert_eq!(product.notes, vec![]);
}

#[test]
fn time_passes_for_all_timed_components_at_once() {
    let mut terms = Terms::new();
    let alarm = graph(
        "alarm",
        Ending::Sinks,
        &[(0, "tick", 1), (1, "tick", 2)],
        &mut terms,
    );
    let short = graph("short", Ending::Sinks, &[(0, "tick", 1)], &mut terms);
    let untimed = graph("untimed", Ending::Sinks, &[(0, "raise f", 1)], &mut terms);
    let product = compose(&[alarm, short, untimed], &mut terms);
    assert_eq!(
        lines(&product.stg, &terms),
        [
            "0.0.0 -raise f-> 0.0.1",
            "0.0.0 -tick-> 1.1.0",
            "0.0.1 -tick-> 1.1.1",
            // The short one has ended and does not hold time up.
            "1.1.0 -raise f-> 1.1.1",
            "1.1.0 -tick-> 2.1.0",
            "1.1.1 -tick-> 2.1.1",
            "2.1.0 -raise f-> 2.1.1",
            "2.1.1 -end",
        ]
    );
}

#[test]
fn terminations_combine() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let low = compare(t, Op::Less, "x", 0);
    let high = compare(t, Op::Greater, "x", 9);
    let odd = compare(t, Op::Equal, "y", 1);
    let two = choice(when(low, L::Skip), when(high, L::Skip)).graph("two", t);
    let one = when(odd, L::Skip).graph("one", t);
    let none = act(t, "m[a,b]!").graph("none", t);
    let joint = compose(&[two.clone(), one.clone()], t);
    assert_eq!(
        lines(&joint.stg, &terms),
        ["1.1 -[x < 0 and y == 1] end", "1.1 -[x > 9 and y == 1] end"]
    );
    let joint = compose(&[two, one, none], &mut terms);
    assert_eq!(lines(&joint.stg, &terms), Vec::<String>::new());
}

#[test]
fn the_budget_bounds_the_tuples() {
    let mut terms = Terms::new();
    let chain: Vec<(u32, &str, u32)> = (0..9).map(|node| (node, "tau", node + 1)).collect();
    let chain = sinks("chain", &chain, &mut terms);
    let components = [&chain, &chain, &chain];
    let result = product("all", &components, &Budget::steps(999), &mut terms);
    assert_eq!(result.err(), Some(StopReason::Steps(999)));
    let result = product("all", &components, &Budget::steps(1_000), &mut terms);
    let product = result.expect("ten nodes to the third are a thousand tuples");
    assert_eq!(product.tuples.len(), 1_000);
    assert_eq!(product.tuples[0], [NodeId(0); 3]);
    assert_eq!(product.tuples[999], [NodeId(9); 3]);
}

#[test]
fn no_components_at_all_terminate() {
    let mut terms = Terms::new();
    let product = compose(&[], &mut terms);
    assert_eq!(lines(&product.stg, &terms), [" -end"]);
}
