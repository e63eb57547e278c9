//! The boundary to JavaScript: the questions, and the numbers that both sides share, each
//! declared once. `npm run protocol` generates `js/src/base/protocol.ts` from here.

mod choices;
mod field;
mod questions;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typescript;

pub(crate) use field::Encoded;
pub(crate) use questions::{begin, Begun};
