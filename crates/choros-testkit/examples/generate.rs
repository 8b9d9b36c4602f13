//! Writes a random choreography as a SChorA script to standard output.
//!
//! `cargo run --release -p choros-testkit --example generate -- [STATES [BRANCHES [ROLES [OPERATIONS [DATA_LEVEL [SEED]]]]]]`

use choros_testkit::{Shape, random_choreography};

fn main() {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse().ok())
        .collect();
    let number = |position: usize, default: u64| numbers.get(position).copied().unwrap_or(default);
    let shape = Shape {
        states: number(0, 1_000) as usize,
        branches: number(1, 5) as usize,
        roles: number(2, 5) as usize,
        operations: number(3, 20) as usize,
        data_level: number(4, 2) as usize,
        contradictions: 10,
    };
    #[expect(clippy::print_stdout, reason = "the script is what is asked for")]
    {
        print!("{}", random_choreography(shape, number(5, 1)).script());
    }
}
