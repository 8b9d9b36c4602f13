//! The patterns of service properties: section 2.3 of Fantechi et al., with their variants.
//!
//! They speak of actions `request`, `responseOk`, `responseFail`, `cancel` and `undo`, and of propositions
//! `accepting_request`, `accepting_cancel` and `accepting_undo`, which abstraction rules make from what a model does.

use super::print::literal;

/// A pattern; its formula is made by naming an interaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// 1: always capable of accepting a request.
    Available,
    /// 1': accepts requests again and again.
    WeaklyAvailable,
    /// 2: may accept further requests before it responds.
    Parallel,
    /// 3: accepts no request before it has responded to the last.
    Sequential,
    /// 4: accepts no request after the first.
    OneShot,
    /// 5: always responds that it failed.
    OffLine,
    /// 6: can be cancelled until it responds, which is fair to clients.
    Cancelable,
    /// 6': cannot be cancelled after it responded, which is fair to the service.
    CancelableService,
    /// 7: some success can be undone.
    Revocable,
    /// 7': every success can be undone until it was.
    RevocableStrong,
    /// 8: responds at least once.
    Responsive,
    /// 9: responds at most once.
    SingleResponse,
    /// 10: responds twice or more often.
    MultipleResponse,
    /// 11: never responds.
    NoResponse,
    /// 12: always responds with success.
    Reliable,
    /// Responds exactly once (section 7.2).
    SingleResponsive,
}

impl Pattern {
    /// The twelve of the paper's Table III, in its order.
    pub const TWELVE: [Pattern; 12] = [
        Pattern::Available,
        Pattern::Parallel,
        Pattern::Sequential,
        Pattern::OneShot,
        Pattern::OffLine,
        Pattern::Cancelable,
        Pattern::Revocable,
        Pattern::Responsive,
        Pattern::SingleResponse,
        Pattern::MultipleResponse,
        Pattern::NoResponse,
        Pattern::Reliable,
    ];

    /// All, each variant after its pattern.
    pub const EVERY: [Pattern; 16] = [
        Pattern::Available,
        Pattern::WeaklyAvailable,
        Pattern::Parallel,
        Pattern::Sequential,
        Pattern::OneShot,
        Pattern::OffLine,
        Pattern::Cancelable,
        Pattern::CancelableService,
        Pattern::Revocable,
        Pattern::RevocableStrong,
        Pattern::Responsive,
        Pattern::SingleResponse,
        Pattern::MultipleResponse,
        Pattern::NoResponse,
        Pattern::Reliable,
        Pattern::SingleResponsive,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Pattern::Available => "available",
            Pattern::WeaklyAvailable => "weakly-available",
            Pattern::Parallel => "parallel",
            Pattern::Sequential => "sequential",
            Pattern::OneShot => "one-shot",
            Pattern::OffLine => "off-line",
            Pattern::Cancelable => "cancelable",
            Pattern::CancelableService => "cancelable-service",
            Pattern::Revocable => "revocable",
            Pattern::RevocableStrong => "revocable-strong",
            Pattern::Responsive => "responsive",
            Pattern::SingleResponse => "single-response",
            Pattern::MultipleResponse => "multiple-response",
            Pattern::NoResponse => "no-response",
            Pattern::Reliable => "reliable",
            Pattern::SingleResponsive => "single-responsive",
        }
    }

    /// The pattern with this name.
    pub fn named(name: &str) -> Option<Pattern> {
        Self::EVERY
            .into_iter()
            .find(|pattern| pattern.name() == name)
    }

    /// Its formula for an interaction, as text.
    pub fn formula(self, interaction: &str) -> String {
        let i = literal(interaction);
        let request = format!("AG [request({i},$v)]");
        let response = format!("responseOk({i},$v) or responseFail({i},$v)");
        match self {
            Pattern::Available => format!("AG accepting_request({i})"),
            Pattern::WeaklyAvailable => format!("AG AF accepting_request({i})"),
            Pattern::Parallel => {
                format!("{request} E[true {{not ({response})}} U accepting_request({i})]")
            }
            Pattern::Sequential => {
                format!("{request} A[not accepting_request({i}) {{tt}} U {{{response}}} true]")
            }
            Pattern::OneShot => format!("{request} AG not accepting_request({i})"),
            Pattern::OffLine => format!("{request} AF {{responseFail({i},$v)}} true"),
            Pattern::Cancelable => {
                format!("{request} A[accepting_cancel({i},$v) {{tt}} W {{{response}}} true]")
            }
            Pattern::CancelableService => {
                format!("AG [responseOk({i},$v)] not EF <cancel({i},$v)> true")
            }
            Pattern::Revocable => {
                format!("EF {{responseOk({i},$v)}} EF accepting_undo({i},$v)")
            }
            Pattern::RevocableStrong => format!(
                "AG [responseOk({i},$v)] A[accepting_undo({i},$v) {{tt}} W {{undo({i},$v)}} true]"
            ),
            Pattern::Responsive => format!("{request} AF {{{response}}} true"),
            Pattern::SingleResponse => {
                format!("{request} not EF {{{response}}} EF {{{response}}} true")
            }
            Pattern::MultipleResponse => {
                format!("{request} AF {{{response}}} AF {{{response}}} true")
            }
            Pattern::NoResponse => format!("{request} not EF {{{response}}} true"),
            Pattern::Reliable => format!("{request} AF {{responseOk({i},$v)}} true"),
            Pattern::SingleResponsive => {
                format!("{request} AF {{{response}}} not EF {{{response}}} true")
            }
        }
    }
}

/// The patterns and the interaction that `NAME:interaction` or `all:interaction` stands for; `None` where there is no
/// such pattern or no interaction.
pub fn patterns_named(text: &str) -> Option<(Vec<Pattern>, &str)> {
    let (name, interaction) = text.split_once(':')?;
    let interaction = interaction.trim();
    if interaction.is_empty() {
        return None;
    }
    let patterns = match name.trim() {
        "all" => Pattern::TWELVE.to_vec(),
        name => vec![Pattern::named(name)?],
    };
    Some((patterns, interaction))
}
