//! The header that precedes an object's content when it is hashed.

use crate::object_type::ObjectType;

/// The longest type, a space, the most digits of a size, and a NUL.
const MOST: usize = 6 + 1 + 20 + 1;

/// `<type> SP <size> NUL`.
pub(crate) struct ObjectHead {
    bytes: [u8; MOST],
    start: usize,
}

impl ObjectHead {
    pub(crate) fn new(object_type: ObjectType, size: u64) -> ObjectHead {
        let mut head = ObjectHead { bytes: [0; MOST], start: MOST };
        head.push(0);
        let mut rest = size;
        loop {
            head.push(b'0'.wrapping_add((rest % 10) as u8));
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        head.push(b' ');
        object_type.name().bytes().rev().for_each(|byte| head.push(byte));
        head
    }

    fn push(&mut self, byte: u8) {
        self.start = self.start.saturating_sub(1);
        if let Some(place) = self.bytes.get_mut(self.start) {
            *place = byte;
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_head_is_type_and_size() {
        for (object_type, size, head) in [
            (ObjectType::Blob, 0, "blob 0\0"),
            (ObjectType::Tree, 1234567890, "tree 1234567890\0"),
            (ObjectType::Commit, u64::MAX, "commit 18446744073709551615\0"),
        ] {
            assert_eq!(ObjectHead::new(object_type, size).as_bytes(), head.as_bytes());
        }
    }
}
