//! Checks the order of a tree's entries.

use crate::object::{byte_in_order, Mode};

/// A fault in the order of two neighbouring entries.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Disorder {
    Unsorted,
    Duplicate,
}

/// The files whose name a later directory may repeat. The name of a directory sorts as if a
/// slash followed it, so `foo.bar` may come between the file `foo` and the directory `foo`.
#[derive(Default)]
pub(super) struct Candidates<'a>(Vec<&'a [u8]>);

impl<'a> Candidates<'a> {
    /// Checks an entry against the one before it.
    pub(super) fn look(
        &mut self,
        (first_mode, first): (Mode, &'a [u8]),
        (mode, name): (Mode, &'a [u8]),
    ) -> Option<Disorder> {
        let shared = first.iter().zip(name).take_while(|(one, other)| one == other).count();
        if shared == first.len() && shared == name.len() {
            return Some(Disorder::Duplicate);
        }
        let before = byte_in_order(first_mode, first, shared);
        let after = byte_in_order(mode, name, shared);
        let differ_inside = shared < first.len() && shared < name.len();
        if !differ_inside {
            if before == 0 && is_less_than_slash(after) {
                self.0.push(first);
            } else if after == b'/' && is_less_than_slash(before) && self.follows(name) {
                return Some(Disorder::Duplicate);
            }
        }
        (before >= after).then_some(Disorder::Unsorted)
    }

    /// Returns whether a directory repeats the name of an earlier file.
    fn follows(&mut self, name: &[u8]) -> bool {
        while let Some(file) = self.0.pop() {
            match name.strip_prefix(file) {
                Some([]) => return true,
                Some([byte, ..]) if is_less_than_slash(*byte) => {
                    self.0.push(file);
                    return false;
                }
                _ => {}
            }
        }
        false
    }
}

fn is_less_than_slash(byte: u8) -> bool {
    0 < byte && byte < b'/'
}
