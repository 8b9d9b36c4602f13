//! Which command goes on from here.

/// Who asks whether formulas hold.
pub fn formulas_are_asked(path: &str) -> String {
    format!("`choros verify MODEL --formulas {path}` asks whether they hold")
}

/// Who uses abstraction rules.
pub fn rules_are_used(path: &str) -> String {
    format!("`choros verify MODEL --rules {path}` uses them")
}
