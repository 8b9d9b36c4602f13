//! Products and trees of the two case studies of Bentakouk's thesis, held against the figures of their fixtures.

mod common;

use common::{case, example, sizes};

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
