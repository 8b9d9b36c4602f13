//! Names of fields, headers and parameters whose values are secrets wherever they stand.

/// Whether a name says that its value is a secret: `password`, `X-Api-Key`, `refreshToken`, `user[pwd]`.
///
/// A name is taken apart at capitals and at signs, so that `secretary` and `tokenizer` are not meant by `secret` and
/// `token`.
pub fn is_secret(name: &str) -> bool {
    let words = words(name);
    if words.iter().any(|word| WORDS.contains(&word.as_str())) {
        return true;
    }
    let joined = words.concat();
    ANYWHERE.iter().any(|part| joined.contains(part))
        || LAST.iter().any(|part| joined.ends_with(part))
}

const WORDS: &[&str] = &[
    "auth",
    "authorization",
    "bearer",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "csc",
    "cvc",
    "cvc2",
    "cvv",
    "cvv2",
    "jwt",
    "otp",
    "pass",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "pin",
    "pwd",
    "secret",
    "secrets",
    "token",
    "tokens",
    "totp",
];

/// Several words, with or without a sign between them.
const ANYWHERE: &[&str] = &[
    "accesskey",
    "apikey",
    "cardnumber",
    "encryptionkey",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "secretkey",
    "sessid",
    "sessionid",
    "signingkey",
];

/// Names written in one piece: `authtoken`, `clientsecret`.
const LAST: &[&str] = &["cookie", "secret", "token", "tokens"];

/// `X-Api-Key`, `apiKey` and `APIKey` are `api` and `key`, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let letters: Vec<char> = name.chars().collect();
    for (position, letter) in letters.iter().enumerate() {
        let before = position.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(position + 1);
        let begins = letter.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() || after.is_some_and(|after| after.is_lowercase())
            });
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::is_secret;

    #[test]
    fn names_of_secrets() {
        for name in [
            "Authorization",
            "Proxy-Authorization",
            "Cookie",
            "Set-Cookie",
            "X-Api-Key",
            "apiKey",
            "APIKey",
            "api_key",
            "accessToken",
            "refresh_token",
            "authtoken",
            "PASSWORD",
            "userPassword",
            "oldpasswords",
            "@pwd",
            "user[passwd]",
            "client_secret",
            "clientsecret",
            "privateKey",
            "JSESSIONID",
            "PHPSESSID",
            "cardNumber",
            "CVV",
            "pin",
        ] {
            assert!(is_secret(name), "{name}");
        }
    }

    #[test]
    fn other_names() {
        for name in [
            "",
            "key",
            "card",
            "author",
            "authors",
            "secretary",
            "tokenizer",
            "passenger",
            "compass",
            "session",
            "spin",
            "pinned",
            "cookiecutter",
            "monkey",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
