//! The papers' examples, for the page to show.

use choros_web::Example;

macro_rules! example {
    ($path:literal, $source:literal, $about:literal) => {
        Example {
            path: $path,
            text: include_str!(concat!("../../../examples/", $path)),
            source: $source,
            about: $about,
        }
    };
}

/// What the gallery holds.
pub(crate) const GALLERY: &[Example] = &[
    example!(
        "online-shopping.chor",
        "SChorA",
        "Buyer, vendor and warehouse: realizable once the warehouse is told"
    ),
    example!(
        "online-shopping.schora",
        "SChorA",
        "The same as the thesis writes it, with its commands"
    ),
    example!(
        "extended-shopping.chor",
        "SChorA",
        "The shop with more branches"
    ),
    example!("market.chor", "SChorA", "An e-market with several buyers"),
    example!(
        "rfq.chor",
        "SChorA",
        "A request for quotation, with loops over data"
    ),
    example!("tss.chor", "SChorA", "A train station service"),
    example!("loop.chor", "SChorA", "A loop whose bound is data"),
    example!(
        "order/order.pact",
        "PACT",
        "An order, as passive testing sees it"
    ),
    example!(
        "atm.gc",
        "ChorTest",
        "A cash machine, a bank and a customer"
    ),
    example!(
        "simple-atm.gc",
        "ChorTest",
        "The cash machine without its loops"
    ),
    example!(
        "atm.fsa",
        "ChorTest",
        "The machines of the cash machine, with queues between them"
    ),
    example!(
        "ping-pong.fsa",
        "ChorTest",
        "Two machines that answer each other"
    ),
    example!("request-reply.gc", "ChorTest", "The smallest conversation"),
    example!("smtp.gc", "ChorTest", "Sending mail"),
    example!("two-buyer.gc", "ChorTest", "Two buyers who share the price"),
    example!(
        "is-even.gc",
        "ChorTest",
        "A service that says whether a number is even"
    ),
    example!(
        "bank.cows",
        "CMC",
        "A credit request to a bank; some requests stay without an answer"
    ),
    example!("bank-one-client.cows", "CMC", "The bank with one client"),
    example!(
        "automotive-one-car.cows",
        "CMC",
        "A car that breaks down finds help on the road"
    ),
    example!("bank.socl", "CMC", ""),
    example!("automotive.socl", "CMC", ""),
    example!(
        "xloan/xloan-r.stg",
        "ABPEL",
        "The loan approval, as a symbolic graph"
    ),
    example!("xloan/xloan-r-select.tp", "ABPEL", ""),
];
