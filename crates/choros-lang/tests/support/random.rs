//! Random processes, with an independent notion of what they are.

use std::fmt::Write;

/// Numbers from a seed (Steele, Lea and Flood's SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A process as a tree.
#[derive(Debug, Clone)]
pub enum Tree {
    Skip,
    /// Index in [`EVENTS`].
    Event(usize),
    /// `;`, `+`, `|` or `[>` on two or more.
    Chain(&'static str, Vec<Tree>),
    /// `|>` or `*`, with an index in [`GUARDS`].
    Prefix(&'static str, usize, Box<Tree>),
}

pub const EVENTS: [&str; 8] = [
    "A[a,b]",
    "B[b,a].<x>",
    "C[a,b].x",
    "D[a,c].(x + 1)",
    "E[c,b].\"text\"",
    "F[b,c].OK",
    "tau",
    "G[a,b].(l = <y>, m = x)",
];

pub const GUARDS: [&str; 6] = [
    "p > 0",
    "q > 0",
    "r > 0",
    "p - q - r > 1 and not (q < 2 or true)",
    "(p + 1) * -q != r div 2 => p == q => r <= 3",
    "if p > q then length([p, q]) > 1 else (p + q) + r > 0",
];

impl Tree {
    /// A tree of about this many leaves over the first `events` and `guards`.
    pub fn random(random: &mut Random, leaves: usize, events: usize, guards: usize) -> Tree {
        if leaves <= 1 {
            return match random.below(8) {
                0 | 1 => Tree::Skip,
                2 if guards > 0 => Tree::prefixed(random, leaves, events, guards),
                _ => Tree::Event(random.below(events)),
            };
        }
        if guards > 0 && random.below(4) == 0 {
            return Tree::prefixed(random, leaves, events, guards);
        }
        let operator = *random.pick(&[";", ";", "+", "|", "[>"]);
        let count = 2 + random.below(leaves.min(4) - 1);
        let operands = (0..count)
            .map(|_| {
                let share = leaves / count + random.below(2);
                Tree::random(random, share.clamp(1, leaves - 1), events, guards)
            })
            .collect();
        Tree::Chain(operator, operands)
    }

    fn prefixed(random: &mut Random, leaves: usize, events: usize, guards: usize) -> Tree {
        let sign = *random.pick(&["|>", "*"]);
        let guard = random.below(guards);
        // A prefix takes a leaf of its own, so that trees end.
        let inner = Tree::random(random, leaves.saturating_sub(1), events, guards);
        Tree::Prefix(sign, guard, Box::new(inner))
    }

    /// As text, with parentheses around everything.
    pub fn text(&self) -> String {
        match self {
            Tree::Skip => "skip".to_owned(),
            Tree::Event(event) => EVENTS[*event].to_owned(),
            Tree::Chain(operator, operands) => {
                let operands: Vec<String> = operands
                    .iter()
                    .map(|it| format!("({})", it.text()))
                    .collect();
                operands.join(operator)
            }
            Tree::Prefix(sign, guard, inner) => {
                format!("[{}]{sign}({})", GUARDS[*guard], inner.text())
            }
        }
    }

    /// Its structure, without priorities.
    pub fn shape(&self) -> String {
        match self {
            Tree::Skip => "skip".to_owned(),
            Tree::Event(event) => EVENTS[*event].to_owned(),
            Tree::Chain(operator, operands) => {
                let mut out = format!("({operator}");
                for operand in operands {
                    let _ = write!(out, " {}", operand.shape());
                }
                out + ")"
            }
            Tree::Prefix(sign, guard, inner) => {
                format!("({sign} {} {})", GUARDS[*guard], inner.shape())
            }
        }
    }
}
