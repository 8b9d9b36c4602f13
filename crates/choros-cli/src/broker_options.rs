//! Options of verbs that meet a broker.

use std::path::PathBuf;
use std::time::Duration;

use choros::verbs::BrokerRequest;
use clap::Args;

use crate::shell::Shell;

/// How a broker knows who asks.
#[derive(Args)]
pub(crate) struct BrokerOptions {
    /// Credentials for the broker, as `nsc` writes them
    #[arg(long, value_name = "FILE", requires = "stream")]
    credentials: Option<PathBuf>,
    /// Checks the broker's certificate against these (PEM) instead of the system's
    #[arg(long, value_name = "FILE", requires = "stream")]
    ca: Option<PathBuf>,
    /// The certificate with which this process introduces itself (PEM)
    #[arg(long, value_name = "FILE", requires_all = ["stream", "key"])]
    cert: Option<PathBuf>,
    /// The key of that certificate (PEM)
    #[arg(long, value_name = "FILE", requires_all = ["stream", "cert"])]
    key: Option<PathBuf>,
}

impl BrokerOptions {
    pub(crate) fn request(self, address: String, shell: &Shell) -> BrokerRequest {
        shell.secrets.note_address(&address);
        BrokerRequest {
            address,
            credentials: self.credentials,
            roots: self.ca,
            identity: self.cert.zip(self.key),
        }
    }
}

/// A number of seconds, also a part of one.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "write a number of seconds, such as 2 or 0.5".to_owned();
    let number: f64 = text.parse().map_err(|_| wrong())?;
    if !(0.01..=1e9).contains(&number) {
        return Err(wrong());
    }
    Ok(Duration::from_secs_f64(number))
}
