/// How messages are written for people: as in the files that a run is about.
///
/// What other programs read back (`.stg`, DOT, `.aut`, SChorA) does not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Notation {
    /// As in the papers and SChorA scripts: `Charge[order,payment].(id = id)`.
    #[default]
    Calculus,
    /// As in the native language: `order -> payment: Charge(id)`.
    Native,
}
