//! Values that are chosen by a word, as the library declares them.

use std::ffi::OsStr;
use std::marker::PhantomData;

use choros::base::Choice;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};

/// Reads one of the words of a type; help and completions list them with what they mean.
pub(crate) fn choice<T: Choice>() -> Words<T> {
    Words(PhantomData)
}

/// The words of a type.
#[derive(Clone)]
pub(crate) struct Words<T>(PhantomData<fn() -> T>);

impl<T: Choice> TypedValueParser for Words<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, Error> {
        let words = PossibleValuesParser::new(possible::<T>());
        let word = words.parse_ref(command, argument, value)?;
        T::chosen(&word).ok_or_else(|| Error::new(clap::error::ErrorKind::InvalidValue))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(possible::<T>()))
    }
}

fn possible<T: Choice>() -> impl Iterator<Item = PossibleValue> {
    let choices = T::CHOICES.iter();
    choices.map(|(word, _, meaning)| PossibleValue::new(*word).help(*meaning))
}
