//! The register of all codes.

use choros_base::{CodeInfo, nearest};

/// Every code there is, in the order of numbers.
pub fn codes() -> Vec<&'static CodeInfo> {
    let mut codes: Vec<&'static CodeInfo> = [
        #[cfg(feature = "bindings")]
        choros_bind::CODES,
        choros_data::CODES,
        #[cfg(feature = "openapi")]
        choros_import::CODES,
        choros_lang::CODES,
        choros_lang::gchor::CODES,
        choros_model::CODES,
        choros_realize::CODES,
        choros_realize::gchor::CODES,
        choros_conform::CODES,
        choros_query::socl::CODES,
        choros_exec::CODES,
        choros_testgen::CODES,
        choros_cows::CODES,
        #[cfg(feature = "bpel")]
        choros_bpel::CODES,
        choros_monitor::CODES,
        choros_query::property::CODES,
        choros_query::purpose::CODES,
        choros_symex::CODES,
        #[cfg(feature = "bpel")]
        choros_xml::CODES,
        #[cfg(feature = "bpel")]
        choros_solve::CODES,
        choros_codes::CODES,
    ]
    .into_iter()
    .flatten()
    .copied()
    .collect();
    codes.sort_by_key(|info| info.code);
    codes
}

/// The code with this number or name, or the one most like it; `CH0301`, `ch301` and `301` are one number.
pub fn code(text: &str) -> Result<&'static CodeInfo, Option<&'static CodeInfo>> {
    let all = codes();
    let number = number(text);
    let find = |text: &str| {
        let wanted = |info: &&&CodeInfo| info.code.eq_ignore_ascii_case(text) || info.name == text;
        all.iter().find(wanted).copied()
    };
    if let Some(info) = find(text).or_else(|| find(&format!("CH{:04}", number?))) {
        return Ok(info);
    }
    Err(nearest(text, all.iter().flat_map(|info| [info.code, info.name])).and_then(find))
}

/// The number of a code that is written in a hurry.
fn number(text: &str) -> Option<u16> {
    let digits = text.trim_start_matches(['c', 'C', 'h', 'H']);
    digits.parse().ok()
}
