//! Products and trees of the two case studies of Bentakouk's thesis, held against the figures of their fixtures.

mod common;

use choros_smt::Satisfiability;
use choros_symex::{SymbolSource, TreeNodeId};
use common::{case, case_of, example, sizes};

#[test]
fn sizes_of_the_fixtures_and_their_products() {
    let mut loan = case("xloan/xloan-r.stg");
    let counts = loan.graph.counts();
    assert_eq!((counts.states, counts.transitions), (47, 58));
    assert_eq!(
        loan.product_sizes(&example("xloan/xloan-r-any.tp"))[0],
        (47, 105)
    );
    assert_eq!(
        loan.product_sizes(&example("xloan/xloan-r-select.tp")),
        [(80, 112), (74, 103)]
    );
    let mut econf = case("econference/econf-c1.stg");
    let counts = econf.graph.counts();
    assert_eq!((counts.states, counts.transitions), (49, 57));
    for (purpose, before_and_after) in [
        ("tp1", [(66, 82), (49, 59)]),
        ("tp2", [(71, 96), (64, 88)]),
        ("tp3", [(85, 113), (68, 85)]),
    ] {
        let text = example(&format!("econference/{purpose}.tp"));
        assert_eq!(econf.product_sizes(&text), before_and_after, "{purpose}");
    }
}

#[test]
fn growth_of_the_loan_with_the_depth() {
    let mut loan = case("xloan/xloan-r.stg");
    assert_eq!(loan.graph.variables.len(), 29);
    let table = [
        (5, [42, 5, 1, 0]),
        (6, [48, 5, 1, 0]),
        (7, [82, 15, 2, 0]),
        (8, [136, 25, 2, 4]),
        (9, [211, 40, 4, 8]),
        (10, [329, 65, 10, 14]),
        (11, [473, 90, 15, 24]),
        (12, [671, 130, 26, 34]),
        (13, [934, 180, 38, 50]),
        (14, [1276, 245, 54, 70]),
    ];
    for (depth, expected) in table {
        let tree = loan.tree(depth, false);
        assert_eq!(sizes(&tree), expected, "at depth {depth}");
        assert!(tree.checks < tree.nodes.len(), "one check per node at most");
    }
}

/// Fact 25: 29 symbols at the root, the request is vs29, RI is vs30.
#[test]
fn numbers_of_symbols() {
    let mut loan = case("xloan/xloan-r.stg");
    let tree = loan.tree(1, false);
    let root = tree.node(TreeNodeId::ROOT);
    assert_eq!(root.symbols.len(), 29);
    let first = root.children[0];
    let label = tree.node(first).label.as_ref().unwrap();
    assert_eq!(label.text(&loan.terms), "USER.request?vs29");
    let ri = loan.graph.variables.iter().copied();
    let ri = ri
        .into_iter()
        .find(|&it| loan.terms.variable_text(it) == "RI");
    let symbol = tree.symbol(first, ri.unwrap()).unwrap();
    assert_eq!(loan.terms.variable_text(symbol), "vs30");
    assert_eq!(
        tree.condition_text(first, &loan.terms),
        ["vs30 == vs29", "vs31 == false"].map(str::to_owned)
    );
}

/// Fact 32: before `request!` in the approving branch, `USER.request!` may come; after `select?`, `USER.select!`.
#[test]
fn what_may_come() {
    let mut loan = case("xloan/xloan-r.stg");
    let tree = loan.tree(10, false);
    let user = [loan.interface.user];
    let heads = |node: TreeNodeId| -> Vec<String> {
        let may = tree.may(node, &user);
        let labels = may.observations.iter().map(|&it| tree.node(it));
        let mut heads: Vec<String> = labels
            .map(|node| {
                let message = node.label.as_ref().unwrap().message().unwrap();
                message.head.text(&loan.terms)
            })
            .collect();
        heads.dedup();
        heads
    };
    let find = |text: &str| {
        tree.ids()
            .find(|&id| {
                let label = tree.node(id).label.as_ref();
                label.is_some_and(|it| it.text(&loan.terms).starts_with(text))
            })
            .unwrap()
    };
    assert_eq!(heads(find("BK.approve?")), ["USER.request!"]);
    assert_eq!(heads(find("USER.select?")), ["USER.select!"]);
    // After the answer to the request the user has to act, unless the bank is told to cancel: nothing may come.
    assert!(heads(find("USER.request!")).is_empty());
}

/// Fact 36: π = x > 2 and y > x; after x = 3, y = 5 is allowed and y = 3 is not.
#[test]
fn a_condition_is_kept_for_later_answers() {
    let mut online = case_of(
        "stg online stopped\ninitial 0\n0 -> 1: o[USER,M]?<x>\n1 -> 2: [x > 2] ask[M,P]!x\n\
         2 -> 3: ask[P,M]?<y>\n3 -> 4: [y > x] o[M,USER]!y",
    );
    let tree = online.tree(9, false);
    let end = tree.ids().last().unwrap();
    let mut solver = choros_smt::find().unwrap();
    let terms = &mut online.terms;
    for conjunct in tree.solved_condition(end) {
        solver.assert(conjunct);
    }
    let received: Vec<_> = tree
        .symbols
        .iter()
        .filter(|symbol| symbol.source == SymbolSource::Received)
        .map(|symbol| symbol.symbol)
        .collect();
    let (x, y) = (terms.var(received[0]), terms.var(received[1]));
    let [three, five] = [3, 5].map(|number| terms.int(number));
    let x_is_three = terms.equal(x, three);
    let y_is_five = terms.equal(y, five);
    let y_is_three = terms.equal(y, three);
    let mut ask = |formulas: &[_]| solver.satisfiable(terms, formulas).unwrap();
    assert_eq!(ask(&[x_is_three, y_is_five]), Satisfiability::Sat);
    assert_eq!(ask(&[x_is_three, y_is_three]), Satisfiability::Unsat);
}

/// A variable that is assigned twice on one edge gets one symbol, for the value at the end.
#[test]
fn assignments_go_one_after_the_other() {
    let mut model = case_of(
        "stg m stopped\nvariables x: Int, y: Int\ninitial 0\n0 -> 1: o[USER,M]?<x> / x := x + 1; y := x; x := 2 * x\n\
         1 -> 2: [y > x] tau\n1 -> 3: [x == 2 * y] o[M,USER]!x",
    );
    let tree = model.tree(9, false);
    let first = tree.node(TreeNodeId::ROOT).children[0];
    assert_eq!(
        tree.condition_text(first, &model.terms),
        ["vs3 == vs2 + 1", "vs4 == 2 * (vs2 + 1)"].map(str::to_owned)
    );
    let states: Vec<u32> = tree.nodes.iter().map(|node| node.state.0).collect();
    assert_eq!(states, [0, 1, 2, 3], "y > x for negative numbers");
}
