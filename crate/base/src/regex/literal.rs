//! Finds bytes that every match of an expression has, so that texts without them are skipped.

use super::case::other_case;
use super::{is_raw, Node, Set};

/// Returns the longest run of characters that every match has, and whether that is all that the
/// expression asks for.
pub(super) fn of(node: &Node, fold_case: bool) -> (Vec<u8>, bool) {
    let mut runs = Runs { fold_case, now: Vec::new(), best: Vec::new(), is_whole: true };
    runs.visit(node);
    runs.end();
    let is_whole = runs.is_whole;
    (runs.best, is_whole)
}

struct Runs {
    fold_case: bool,
    now: Vec<u8>,
    best: Vec<u8>,
    /// Whether nothing but one run was found.
    is_whole: bool,
}

impl Runs {
    fn visit(&mut self, node: &Node) {
        match node {
            Node::Empty => {}
            Node::All(nodes) => nodes.iter().for_each(|node| self.visit(node)),
            Node::Either(nodes) if nodes.len() == 1 => {
                nodes.iter().for_each(|node| self.visit(node));
            }
            Node::One(set) => match self.byte_of(set) {
                Some(bytes) => self.now.extend(bytes),
                None => self.end_run(),
            },
            Node::Repeat(node, least, _) if *least > 0 => {
                // The first time is certain; what follows it is not.
                self.end_run();
                self.visit(node);
                self.end_run();
            }
            Node::Either(_) | Node::Repeat(..) | Node::Anchor(_) => self.end_run(),
        }
    }

    /// Returns the bytes of the only character in a set.
    fn byte_of(&self, set: &Set) -> Option<Vec<u8>> {
        let [(from, to)] = set.ranges.as_slice() else { return None };
        let is_one = from == to && !set.negated && set.classes.is_empty();
        if !is_one || (self.fold_case && other_case(*from).is_some()) {
            return None;
        }
        match is_raw(*from) {
            true => Some(vec![u32::from(*from) as u8]),
            false => Some(from.to_string().into_bytes()),
        }
    }

    fn end_run(&mut self) {
        self.is_whole = false;
        self.end();
    }

    fn end(&mut self) {
        let now = std::mem::take(&mut self.now);
        if now.len() > self.best.len() {
            self.best = now;
        }
    }
}
