//! The boundary: what the other side asks and what numbers both sides know, each declared
//! once. `js/src/protocol.ts` is made from here: `npm run protocol`.

mod field;
mod questions;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typescript;

pub(crate) use field::Encoded;
pub(crate) use questions::{begin, Begun};
