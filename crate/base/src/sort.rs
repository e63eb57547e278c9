//! Sorts lists of any type with code for few types.
//!
//! Each type that the library's sort is compiled for adds 5 to 20 KB to the module. So indices
//! are sorted as numbers, and the elements are permuted afterwards.

use crate::module::IS_FULL;
use crate::oid::ObjectId;
use std::cmp::Ordering;

/// Sorts numbers.
#[inline(never)]
pub fn numbers(list: &mut [u64]) {
    if !IS_FULL {
        return heap_sort(list, &|one, other| one < other);
    }
    #[allow(clippy::disallowed_methods, reason = "one of the two that there are")]
    list.sort_unstable();
}

/// Returns the indices of a list in the order of their keys; equal keys keep their order.
pub fn places_by(keys: impl Iterator<Item = u32>) -> impl Iterator<Item = usize> {
    let mut places: Vec<u64> = (0..).zip(keys).map(|(at, key)| keyed(key, at)).collect();
    numbers(&mut places);
    places.into_iter().map(place)
}

/// Sorts a list; equal elements keep their order.
pub fn by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    by_keys(list, |_| 0, compare);
}

/// Sorts names by their bytes.
pub fn names(list: &mut [Vec<u8>]) {
    by(list, Vec::cmp);
}

/// Sorts by an id of each element; elements with the same id keep their order.
pub fn by_id<T>(list: &mut [T], id: impl Fn(&T) -> &ObjectId) {
    by_keys(list, |item| begin(id(item).as_bytes()), |one, other| id(one).cmp(id(other)));
}

/// Returns the first 4 bytes of an id as a number with the same order.
pub fn begin(id: &[u8]) -> u32 {
    id.first_chunk().map_or(0, |begin| u32::from_be_bytes(*begin))
}

/// Sorts by a key of each element, and elements with the same key by comparison; equal
/// elements keep their order.
pub fn by_keys<T>(list: &mut [T], key: impl Fn(&T) -> u32, compare: impl Fn(&T, &T) -> Ordering) {
    if list.len() < 2 {
        return;
    }
    let mut places: Vec<u64> =
        (0..).zip(list.iter()).map(|(at, item)| keyed(key(item), at)).collect();
    finish(&mut places, &|one, other| match (list.get(one), list.get(other)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => Ordering::Equal,
    });
    for start in 0..list.len() {
        // Follows the cycle of elements that belong in each other's place.
        let mut at = start;
        while let Some(key) = places.get_mut(at) {
            let from = place(*key);
            *key = at as u64;
            if from == start {
                break;
            }
            list.swap(at, from);
            at = from;
        }
    }
}

/// Sorts indices by their keys, and those with the same key by comparing the elements.
#[inline(never)]
pub fn finish(places: &mut [u64], compare: &dyn Fn(usize, usize) -> Ordering) {
    numbers(places);
    let order = |one: u64, other: u64| compare(place(one), place(other)).then(one.cmp(&other));
    for same in places.chunk_by_mut(|one, other| one >> 32 == other >> 32) {
        if same.len() > 1 && !IS_FULL {
            heap_sort(same, &|one, other| order(one, other).is_lt());
        } else if same.len() > 1 {
            #[allow(clippy::disallowed_methods, reason = "the other one")]
            same.sort_unstable_by(|one, other| order(*one, *other));
        }
    }
}

/// Sorts in the reader: a tenth of the library's code, and about three times its time.
fn heap_sort(list: &mut [u64], is_less: &dyn Fn(u64, u64) -> bool) {
    for start in (0..list.len() / 2).rev() {
        sift_down(list, start, is_less);
    }
    for end in (1..list.len()).rev() {
        list.swap(0, end);
        if let Some(heap) = list.get_mut(..end) {
            sift_down(heap, 0, is_less);
        }
    }
}

/// Moves an element down until none below it is greater.
fn sift_down(heap: &mut [u64], mut at: usize, is_less: &dyn Fn(u64, u64) -> bool) {
    while let (Some(own), Some(left)) = (heap.get(at).copied(), at.checked_mul(2)) {
        let children = [left.saturating_add(1), left.saturating_add(2)];
        let values = children.map(|child| Some((*heap.get(child)?, child)));
        let [Some(mut greater), right] = values else { return };
        if let Some(right) = right.filter(|right| is_less(greater.0, right.0)) {
            greater = right;
        }
        if !is_less(own, greater.0) {
            return;
        }
        heap.swap(at, greater.1);
        at = greater.1;
    }
}

/// Combines a key and an index in one number.
pub fn keyed(key: u32, place: u32) -> u64 {
    (u64::from(key) << 32) | u64::from(place)
}

/// Returns the index in a combined number.
pub fn place(keyed: u64) -> usize {
    keyed as u32 as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns lists of all lengths up to 40, and longer ones, with few different values and
    /// with many.
    fn lists() -> Vec<Vec<(u32, usize)>> {
        let mut seed = 7u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as u32
        };
        let mut lists = Vec::new();
        for count in (0..40).chain([1000, 3001]) {
            for values in [1, 2, 5, 1 << 20] {
                lists.push((0..count).map(|at| (random() % values, at)).collect());
            }
        }
        lists
    }

    #[test]
    fn heaps_sort_as_the_library_does() {
        for list in lists() {
            let mut numbers: Vec<u64> =
                list.iter().map(|(key, at)| keyed(*key, *at as u32)).collect();
            numbers.reverse();
            let mut expected = numbers.clone();
            expected.sort();
            heap_sort(&mut numbers, &|one, other| one < other);
            assert_eq!(numbers, expected);
        }
    }

    fn sorted(list: &[(u32, usize)]) -> Vec<(u32, usize)> {
        let mut sorted = list.to_vec();
        sorted.sort();
        sorted
    }

    #[test]
    fn lists_are_sorted_and_equal_elements_keep_their_order() {
        for list in lists() {
            let sorted = sorted(&list);
            let mut compared = list.clone();
            by(&mut compared, |one, other| one.0.cmp(&other.0));
            assert_eq!(compared, sorted);
            let mut keyed = list.clone();
            by_keys(&mut keyed, |one| one.0 >> 10, |one, other| one.0.cmp(&other.0));
            assert_eq!(keyed, sorted);
            let places: Vec<_> = places_by(list.iter().map(|one| one.0)).collect();
            assert_eq!(places, sorted.iter().map(|one| one.1).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_list_turned_round_or_moved_by_one_is_sorted() {
        for moved in [1, 2, 499, 999] {
            let mut list: Vec<u32> = (0..1000).collect();
            list.rotate_left(moved);
            by(&mut list, u32::cmp);
            assert!(list.is_sorted(), "moved by {moved}");
            list.reverse();
            by(&mut list, u32::cmp);
            assert!(list.is_sorted(), "turned round");
        }
    }
}
