//! Random systems and formulas.

use choros_model::lts::ExplicitLts;
use choros_testkit::Random;

use super::system;

/// Labels with several actions, and propositions.
pub(crate) const RULES: &str = "
    Action a<$1>   -> a($1)
    Action b<$1>   -> b($1)
    Action m<$1,$2> -> a($1)
    Action m<$1,$2> -> b($2)
    State  a<$1>   -> p($1)
    State  m       -> q
    State  b<1>    -> p(1)
";

/// A small system.
pub(crate) fn random_system(random: &mut Random) -> ExplicitLts {
    let states = 1 + random.below(6);
    let steps = random.below(3 * states);
    let lines: Vec<String> = (0..steps)
        .map(|_| {
            let label = *random.pick(&["a<1>", "a<2>", "b<1>", "b<2>", "m<1,2>", "c", "tau"]);
            format!("{} {label} {}", random.below(states), random.below(states))
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    system(&lines)
}

/// Writes random closed formulas.
pub(crate) struct Writer<'r> {
    random: &'r mut Random,
    scope: Vec<String>,
    next: usize,
}

impl<'r> Writer<'r> {
    pub(crate) fn new(random: &'r mut Random) -> Self {
        Writer {
            random,
            scope: Vec::new(),
            next: 0,
        }
    }

    pub(crate) fn formula(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.percent(10) {
            return match self.random.below(4) {
                0 => "true".to_owned(),
                1 => "q".to_owned(),
                _ => format!("p({})", self.value()),
            };
        }
        let inner = depth - 1;
        match self.random.below(12) {
            0 => format!("not ({})", self.formula(inner)),
            1 => format!("({} and {})", self.formula(inner), self.formula(inner)),
            2 => format!("({} or {})", self.formula(inner), self.formula(inner)),
            3 => format!("({} implies {})", self.formula(inner), self.formula(inner)),
            4 => {
                let quantifier = *self.random.pick(&["E", "A"]);
                let (actions, part) = self.binding(inner);
                format!("{quantifier}X {{{actions}}} ({part})")
            }
            5 => {
                let (actions, part) = self.binding(inner);
                format!("[{actions}] ({part})")
            }
            6 => {
                let (actions, part) = self.binding(inner);
                format!("<{actions}> ({part})")
            }
            7 => format!(
                "{}G ({})",
                *self.random.pick(&["E", "A"]),
                self.formula(inner)
            ),
            8 => format!(
                "{}F ({})",
                *self.random.pick(&["E", "A"]),
                self.formula(inner)
            ),
            9 => {
                let quantifier = *self.random.pick(&["E", "A"]);
                let (actions, part) = self.binding(inner);
                format!("{quantifier}F {{{actions}}} ({part})")
            }
            _ => {
                let quantifier = *self.random.pick(&["E", "A"]);
                let operator = *self.random.pick(&["U", "W"]);
                let left = self.formula(inner);
                let steps = self.actions(2);
                if self.random.percent(30) {
                    let right = self.formula(inner);
                    return format!("{quantifier}[({left}) {{{steps}}} {operator} ({right})]");
                }
                let (last, right) = self.binding(inner);
                format!("{quantifier}[({left}) {{{steps}}} {operator} {{{last}}} ({right})]")
            }
        }
    }

    fn value(&mut self) -> String {
        if !self.scope.is_empty() && self.random.percent(60) {
            return format!("${}", self.random.pick(&self.scope));
        }
        self.random.pick(&["1", "2"]).to_string()
    }

    /// An action formula and a formula that its binder reaches.
    fn binding(&mut self, depth: usize) -> (String, String) {
        if self.random.percent(40) {
            return (self.actions(2), self.formula(depth));
        }
        self.next += 1;
        let variable = format!("v{}", self.next);
        let actions = format!("{}(${variable})", *self.random.pick(&["a", "b"]));
        self.scope.push(variable);
        let part = self.formula(depth);
        self.scope.pop();
        (actions, part)
    }

    fn actions(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.percent(50) {
            return match self.random.below(6) {
                0 | 1 => "tt".to_owned(),
                2 => "tau".to_owned(),
                3 => "a".to_owned(),
                _ => format!("{}({})", *self.random.pick(&["a", "b"]), self.value()),
            };
        }
        match self.random.below(3) {
            0 => format!("not ({})", self.actions(depth - 1)),
            1 => format!(
                "({} and {})",
                self.actions(depth - 1),
                self.actions(depth - 1)
            ),
            _ => format!(
                "({} or {})",
                self.actions(depth - 1),
                self.actions(depth - 1)
            ),
        }
    }
}
