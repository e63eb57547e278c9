//! Which of the two modules this is compiled into: the reader or the full one.
//!
//! The reader is what a page loads first. It leaves out what it does not answer itself, in two
//! ways that need no `cfg` where they are used: code after [`require_full`], and values of type
//! [`FullOnly`]. Either of them returns an error that asks for the full module, which then
//! begins the question anew. So both must come before an answer has any output.
//!
//! The full module is in two files. What only functions named `in_rest` call is in the second
//! one, the rest, which is loaded into the same instance: see `tools/split`. Before such a function is
//! called, [`require_rest`] must have returned `Ok`.

use crate::error::{Error, Need, Result};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this is the full module, which answers every question.
pub const IS_FULL: bool = !cfg!(feature = "reader");

/// Returns an error that asks for the full module, unless this is it. In the reader the
/// compiler leaves out the code after `require_full()?`, because it never runs.
///
/// # Errors
///
/// A need for the module: see [`Need::Module`].
#[inline(always)]
pub fn require_full() -> Result<()> {
    match IS_FULL {
        true => Ok(()),
        false => Err(Error::missing(Need::Module { rest: false })),
    }
}

/// Whether the rest is loaded. It always is where nothing splits the module.
static HAS_REST: AtomicBool = AtomicBool::new(true);

/// Reports whether the rest of this module is loaded.
pub fn set_rest(is_loaded: bool) {
    HAS_REST.store(is_loaded, Ordering::Relaxed);
}

/// Returns an error that asks for the rest of the full module, unless it is loaded.
///
/// # Errors
///
/// A need for the module: see [`Need::Module`].
#[inline(always)]
pub fn require_rest() -> Result<()> {
    match IS_FULL && HAS_REST.load(Ordering::Relaxed) {
        true => Ok(()),
        false => Err(Error::missing(Need::Module { rest: true })),
    }
}

#[cfg(not(feature = "reader"))]
type InFull<T> = T;

/// There is no value of this type, so the compiler leaves out what handles one.
#[cfg(feature = "reader")]
#[derive(Clone, Copy, Debug)]
enum InFull<T> {
    #[expect(dead_code, reason = "the type has no values, but has to name its parameter")]
    Never(std::convert::Infallible, std::marker::PhantomData<T>),
}

/// A value that only the full module can make. In the reader this type has no values: an
/// `Option` of it is always `None`, and a variant of an enum that holds it takes no code.
#[derive(Clone, Copy, Debug)]
pub struct FullOnly<T>(InFull<T>);

impl<T> FullOnly<T> {
    /// Makes a value.
    ///
    /// # Errors
    ///
    /// In the reader a need for the full module; `make` is not called then.
    #[inline(always)]
    pub fn new(make: impl FnOnce() -> T) -> Result<FullOnly<T>> {
        require_full()?;
        FullOnly::made(make)
    }

    #[cfg(not(feature = "reader"))]
    fn made(make: impl FnOnce() -> T) -> Result<FullOnly<T>> {
        Ok(FullOnly(make()))
    }

    #[cfg(feature = "reader")]
    fn made(_: impl FnOnce() -> T) -> Result<FullOnly<T>> {
        Err(Error::missing(Need::Module { rest: false }))
    }

    /// Makes a value of another, which only the full module has either.
    #[cfg(not(feature = "reader"))]
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> FullOnly<U> {
        FullOnly(make(self.0))
    }

    /// Makes a value of another, which only the full module has either.
    #[cfg(feature = "reader")]
    pub fn map<U>(self, _: impl FnOnce(T) -> U) -> FullOnly<U> {
        match self.0 {
            InFull::Never(never, _) => match never {},
        }
    }

    /// Returns the value.
    #[cfg(not(feature = "reader"))]
    pub fn into_inner(self) -> T {
        self.0
    }

    /// Returns the value.
    #[cfg(feature = "reader")]
    pub fn into_inner(self) -> T {
        match self.0 {
            InFull::Never(never, _) => match never {},
        }
    }
}

impl<T> Deref for FullOnly<T> {
    type Target = T;

    #[cfg(not(feature = "reader"))]
    fn deref(&self) -> &T {
        &self.0
    }

    #[cfg(feature = "reader")]
    fn deref(&self) -> &T {
        match self.0 {
            InFull::Never(never, _) => match never {},
        }
    }
}

impl<T> DerefMut for FullOnly<T> {
    #[cfg(not(feature = "reader"))]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }

    #[cfg(feature = "reader")]
    fn deref_mut(&mut self) -> &mut T {
        match self.0 {
            InFull::Never(never, _) => match never {},
        }
    }
}
