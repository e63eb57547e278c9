//! What precedes the paths that a repository asks for, if it is in the work tree of another one.

use super::Files;
use crate::error::Result;
use crate::module::FullOnly;
#[cfg(not(feature = "reader"))]
use std::borrow::Cow;
use std::ops::Deref;

/// The place of a repository; the reader, which looks into no other one, has no code for it.
#[derive(Debug, Default)]
pub(super) struct Prefix(Option<FullOnly<Vec<u8>>>);

impl Prefix {
    #[cfg(feature = "reader")]
    pub(super) fn full<'a>(&self, path: &'a [u8]) -> impl Deref<Target = [u8]> + use<'a> {
        path
    }

    /// Returns the path by which the source knows a file.
    #[cfg(not(feature = "reader"))]
    pub(super) fn full<'a>(&self, path: &'a [u8]) -> impl Deref<Target = [u8]> + use<'a> {
        match &self.0 {
            Some(own) if !own.is_empty() => Cow::Owned([own.as_slice(), path].concat()),
            _ => Cow::Borrowed(path),
        }
    }
}

impl Files {
    /// Puts `prefix` before the paths that are asked for from now on, after the present one: they are
    /// those of a repository in the work tree. Returns what [`Files::leave`] needs.
    ///
    /// # Errors
    ///
    /// In the reader a need for the full module.
    pub fn enter(&mut self, prefix: &[u8]) -> Result<usize> {
        let own = match &mut self.prefix.0 {
            Some(own) => own,
            none => none.insert(FullOnly::new(Vec::new)?),
        };
        let length = own.len();
        own.extend_from_slice(prefix);
        Ok(length)
    }

    /// Returns to the paths before [`Files::enter`].
    pub fn leave(&mut self, length: usize) {
        if let Some(own) = &mut self.prefix.0 {
            own.truncate(length);
        }
    }
}
