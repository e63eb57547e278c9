//! The order of the entries of a tree.

use crate::object::Mode;

/// What is wrong with an entry behind another.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Disorder {
    Unsorted,
    Duplicate,
}

/// Files that a directory of the same name may still follow, for a name sorts as if a
/// slash stood behind it if it is that of a directory: between `foo` and `foo/` there
/// may be `foo.bar`.
#[derive(Default)]
pub(super) struct Candidates<'a>(Vec<&'a [u8]>);

impl<'a> Candidates<'a> {
    /// Looks at an entry and the one behind it.
    pub(super) fn look(
        &mut self,
        (first_mode, first): (Mode, &'a [u8]),
        (mode, name): (Mode, &'a [u8]),
    ) -> Option<Disorder> {
        let shared = first.iter().zip(name).take_while(|(one, other)| one == other).count();
        let end = |name: &[u8], mode: Mode| match name.get(shared) {
            Some(byte) => *byte,
            None if mode.is_tree() => b'/',
            None => 0,
        };
        if shared == first.len() && shared == name.len() {
            return Some(Disorder::Duplicate);
        }
        let (before, behind) = (end(first, first_mode), end(name, mode));
        let differ_inside = shared < first.len() && shared < name.len();
        if !differ_inside {
            if before == 0 && is_less_than_slash(behind) {
                self.0.push(first);
            } else if behind == b'/' && is_less_than_slash(before) && self.follows(name) {
                return Some(Disorder::Duplicate);
            }
        }
        (before >= behind).then_some(Disorder::Unsorted)
    }

    /// Tells whether a directory has the name of a file before it.
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
