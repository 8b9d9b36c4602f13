//! Random terms, as text.

use choros_testkit::Random;

/// What may be used at a place.
#[derive(Clone, Default)]
struct Scope {
    variables: Vec<&'static str>,
    names: Vec<&'static str>,
    labels: Vec<&'static str>,
}

/// A term without static errors; `size` bounds its parts, about.
pub(crate) fn random_term(random: &mut Random, size: usize) -> String {
    let mut budget = size;
    let count = 2 + random.below(3);
    let parts: Vec<String> = (0..count)
        .map(|_| component(random, &Scope::default(), &mut budget, 0))
        .collect();
    parts.join(" | ")
}

fn component(random: &mut Random, scope: &Scope, budget: &mut usize, depth: usize) -> String {
    if *budget == 0 || depth > 4 {
        return invoke(random, scope);
    }
    *budget -= 1;
    match random.below(14) {
        0..=3 => invoke(random, scope),
        4..=6 => receive(random, scope, budget, depth),
        7 => {
            let count = 2 + random.below(2);
            let branches: Vec<String> = (0..count)
                .map(|_| receive(random, scope, budget, depth))
                .collect();
            format!("( {} )", branches.join(" + "))
        }
        8 => {
            if scope.labels.is_empty() {
                invoke(random, scope)
            } else {
                format!("kill({})", random.pick(&scope.labels))
            }
        }
        9 => format!("{{ {} }}", body(random, scope, budget, depth)),
        10 => format!("* ( {} )", body(random, scope, budget, depth)),
        11 => {
            let mut inner = scope.clone();
            let variable = *random.pick(&["X", "Y"]);
            inner.variables.push(variable);
            format!("[{variable}] ( {} )", body(random, &inner, budget, depth))
        }
        12 => {
            let mut inner = scope.clone();
            let name = *random.pick(&["m", "n"]);
            inner.names.push(name);
            format!("[{name}#] ( {} )", body(random, &inner, budget, depth))
        }
        _ => {
            let mut inner = scope.clone();
            let label = *random.pick(&["k", "j"]);
            inner.labels.push(label);
            let inside = body(random, &inner, budget, depth);
            format!("[{label}] ( {inside} )")
        }
    }
}

fn body(random: &mut Random, scope: &Scope, budget: &mut usize, depth: usize) -> String {
    let count = 1 + random.below(3);
    let parts: Vec<String> = (0..count)
        .map(|_| component(random, scope, budget, depth + 1))
        .collect();
    parts.join(" | ")
}

fn invoke(random: &mut Random, scope: &Scope) -> String {
    let partner = if random.percent(20) && !scope.variables.is_empty() {
        *random.pick(&scope.variables)
    } else {
        name(random, scope)
    };
    let tuple: Vec<&str> = (0..random.below(3))
        .map(|_| {
            if random.percent(30) && !scope.variables.is_empty() {
                *random.pick(&scope.variables)
            } else {
                name(random, scope)
            }
        })
        .collect();
    format!("{partner}.o!<{}>", tuple.join(","))
}

fn receive(random: &mut Random, scope: &Scope, budget: &mut usize, depth: usize) -> String {
    let partner = name(random, scope);
    let mut tuple: Vec<&str> = Vec::new();
    for _ in 0..random.below(3) {
        let next = if random.percent(60) && !scope.variables.is_empty() {
            *random.pick(&scope.variables)
        } else {
            name(random, scope)
        };
        if !tuple.contains(&next) || !next.starts_with(char::is_uppercase) {
            tuple.push(next);
        }
    }
    let next = match random.below(3) {
        0 => "nil".to_owned(),
        _ => format!("( {} )", body(random, scope, budget, depth)),
    };
    format!("{partner}.o?<{}>. {next}", tuple.join(","))
}

fn name(random: &mut Random, scope: &Scope) -> &'static str {
    let known: &[&'static str] = if random.percent(50) && !scope.names.is_empty() {
        &scope.names
    } else {
        &["p", "q"]
    };
    known[random.below(known.len())]
}
