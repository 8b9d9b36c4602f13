//! Runs the vendor: `vendor [--port N] [--warehouse ADDRESS] [--fault NAME]`.

mod vendor;

use vendor::{Fault, Vendor, service};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut port = 8080;
    let mut vendor = Vendor {
        warehouse: "127.0.0.1:9001".to_owned(),
        fault: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} lacks its value"))?;
        match word.as_str() {
            "--port" => port = value.parse()?,
            "--warehouse" => vendor.warehouse = value,
            "--fault" => {
                let known = Fault::ALL.into_iter().find(|(name, _)| *name == value);
                vendor.fault = Some(known.ok_or(format!("`{value}` is no fault"))?.1);
            }
            _ => return Err(format!("`{word}` is not known").into()),
        }
    }
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
        axum::serve(listener, service(vendor)).await?;
        Ok(())
    })
}
