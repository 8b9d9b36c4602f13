//! stub
pub fn print(_: &super::Specification) -> String {
    String::new()
}
