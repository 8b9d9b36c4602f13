//! Where a broker is, and what its streams are called.

use std::fmt;

/// `nats://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]…]/NAME`, or `tls://…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokerAddress {
    /// Each with its scheme, as the client wants them; without user and password.
    pub servers: Vec<String>,
    pub user: Option<(String, String)>,
    pub is_encrypted: bool,
    /// What the names of all streams and subjects begin with.
    pub name: String,
}

/// What is wrong with an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadAddress(pub String);

impl fmt::Display for BadAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}; write it as nats://HOST:PORT/NAME, such as nats://localhost:4222/shop",
            self.0
        )
    }
}

impl BrokerAddress {
    pub fn parse(text: &str) -> Result<BrokerAddress, BadAddress> {
        let (scheme, rest) = text
            .split_once("://")
            .ok_or_else(|| BadAddress("the address has no scheme".to_owned()))?;
        let is_encrypted = match scheme {
            "nats" => false,
            "tls" => true,
            other => {
                return Err(BadAddress(format!("`{other}` is not `nats` or `tls`")));
            }
        };
        let (hosts, name) = rest.rsplit_once('/').unwrap_or((rest, ""));
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(BadAddress(
                "the name of the streams after the last `/` must have letters, digits, `-` and `_`"
                    .to_owned(),
            ));
        }
        let (user, hosts) = match hosts.rsplit_once('@') {
            Some((user, hosts)) => {
                let (user, password) = user.split_once(':').unwrap_or((user, ""));
                (Some((user.to_owned(), password.to_owned())), hosts)
            }
            None => (None, hosts),
        };
        let mut servers = Vec::new();
        for host in hosts.split(',') {
            if host.is_empty() || host.contains(['/', ' ']) {
                return Err(BadAddress(format!("`{host}` is not a host")));
            }
            servers.push(format!("{scheme}://{host}"));
        }
        Ok(BrokerAddress {
            servers,
            user,
            is_encrypted,
            name: name.to_owned(),
        })
    }
}

fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::BrokerAddress;

    #[test]
    fn addresses() {
        let address = BrokerAddress::parse("tls://u:p@a:1,b/shop-1").expect("an address");
        assert_eq!(address.servers, ["tls://a:1", "tls://b"]);
        assert_eq!(address.user, Some(("u".to_owned(), "p".to_owned())));
        assert!(address.is_encrypted);
        assert_eq!(address.name, "shop-1");
        for wrong in [
            "a:1/shop",
            "http://a/shop",
            "nats://a",
            "nats://a/",
            "nats:///x",
            "nats://a/b.c",
            "nats://a,/x",
        ] {
            assert!(BrokerAddress::parse(wrong).is_err(), "{wrong}");
        }
    }
}
