//! The papers' examples, for the page to show.

use choros_web::Example;

/// Reads the texts into the program: by source, each path with what it is about.
macro_rules! gallery {
    ($($source:literal: $($path:literal $about:literal)*;)*) => {
        &[$($(Example {
            path: $path,
            text: include_str!(concat!("../../../examples/", $path)),
            source: $source,
            about: $about,
        },)*)*]
    };
}

/// What the gallery holds.
pub(crate) const GALLERY: &[Example] = gallery! {
    "SChorA":
        "online-shopping.chor" "Buyer, vendor and warehouse: realizable once the warehouse is informed"
        "online-shopping.schora" "The same as the thesis writes it, with its commands"
        "extended-shopping.chor" "The shop with more branches"
        "market.chor" "An e-market with several buyers"
        "rfq.chor" "A request for quotation, with loops over data"
        "tss.chor" "A train station service"
        "loop.chor" "A loop whose bound is data";
    "PACT":
        "order/order.pact" "An order, as passive testing sees it";
    "ChorTest":
        "atm.gc" "A cash machine, a bank and a customer"
        "simple-atm.gc" "The cash machine without its loops"
        "atm.fsa" "The machines of the cash machine, with queues between them"
        "ping-pong.fsa" "Two machines that answer each other"
        "request-reply.gc" "The smallest conversation"
        "smtp.gc" "Sending mail"
        "two-buyer.gc" "Two buyers who share the price"
        "is-even.gc" "A service that says whether a number is even";
    "CMC":
        "bank.cows" "A credit request to a bank; some requests stay without an answer"
        "bank-one-client.cows" "The bank with one client"
        "automotive-one-car.cows" "A car that breaks down finds help on the road"
        "bank.socl" ""
        "automotive.socl" "";
    "ABPEL":
        "xloan/xloan-r.stg" "The loan approval, as a symbolic graph"
        "xloan/xloan-r-select.tp" "";
};
