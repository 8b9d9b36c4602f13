//! Products of the thesis' examples (fact 2: transitions/states of each), and what the rules say in detail.

mod support;

use choros_base::{Budget, Spent};
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

/// Customer, market, and whoever sells and keeps the money.
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
