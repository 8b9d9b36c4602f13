//! The report as one HTML page: no scripts, no network, pictures inside.

mod ansi;
mod evidence;
mod page;

pub use page::to_html;
