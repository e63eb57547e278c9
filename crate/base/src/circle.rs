//! Detects objects that lead to each other in a cycle, which replace refs can make.

use crate::oid::ObjectId;

/// Watches a chain of objects, each of which leads to the next, for a repetition. Brent's
/// algorithm keeps only one object, and detects a cycle after at most three times the objects
/// on the way.
pub struct Circle<T = ObjectId> {
    kept: T,
    /// How many objects came after the kept one.
    steps: u64,
    /// The number of objects after which another one is kept.
    until: u64,
}

impl<T: Copy + PartialEq> Circle<T> {
    /// Begins with the first object of the chain.
    pub fn new(first: T) -> Circle<T> {
        Circle { kept: first, steps: 0, until: 1 }
    }

    /// Takes the next object. Returns the length of the cycle, if this object closes one.
    pub fn closed_by(&mut self, next: &T) -> Option<u64> {
        self.steps = self.steps.saturating_add(1);
        if *next == self.kept {
            return Some(self.steps);
        }
        if self.steps == self.until {
            *self = Circle { kept: *next, steps: 0, until: self.until.saturating_mul(2) };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oid::HashKind;

    fn id(number: u64) -> ObjectId {
        ObjectId::from_hex(HashKind::Sha1, format!("{number:040x}").as_bytes()).unwrap()
    }

    #[test]
    fn a_circle_is_found_wherever_it_begins() {
        for (before, length) in (0..40).flat_map(|before| (1..40).map(move |len| (before, len))) {
            let at =
                |step: u64| if step < before { step } else { before + (step - before) % length };
            let mut circle = Circle::new(id(at(0)));
            let closing = (1..).find_map(|step| Some((step, circle.closed_by(&id(at(step)))?)));
            let (step, found) = closing.unwrap();
            assert_eq!(found, length, "{before} {length}");
            assert!(step <= 3 * (before + length), "{before} {length}");
        }
    }

    #[test]
    fn a_line_has_none() {
        let mut circle = Circle::new(id(0));
        assert!((1..10_000).all(|step| circle.closed_by(&id(step)).is_none()));
    }
}
