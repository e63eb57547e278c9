//! A module that `tools/split` cuts in tests: what each file needs is reached in another way.

#![no_std]

use core::hint::black_box;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

static COMMON: [u8; 16] = *b"common to both!!";
static FIRST: [u8; 16] = *b"the first's data";
static REST: [u8; 16] = *b"data of the rest";

trait Answer {
    fn answer(&self, at: usize) -> u32;
}

struct Common;
struct Late;

/// The sum of a byte of each text.
#[inline(never)]
fn common(text: &[u8; 16], at: usize) -> u32 {
    let byte = |text: &[u8; 16]| u32::from(*black_box(text).get(at % 16).unwrap_or(&0));
    byte(text).wrapping_mul(31).wrapping_add(byte(&COMMON))
}

impl Answer for Common {
    #[inline(never)]
    fn answer(&self, at: usize) -> u32 {
        common(&FIRST, at)
    }
}

impl Answer for Late {
    #[inline(never)]
    fn answer(&self, at: usize) -> u32 {
        common(&REST, at).wrapping_mul(7)
    }
}

/// Calls through a table of virtual functions, which is data.
#[inline(never)]
fn asked(answer: &dyn Answer, at: usize) -> u32 {
    black_box(answer).answer(at)
}

mod rest {
    #[inline(never)]
    pub fn in_rest(at: usize) -> u32 {
        super::asked(&super::Late, at).wrapping_add(1)
    }
}

#[no_mangle]
pub extern "C" fn first(at: usize) -> u32 {
    asked(&Common, at)
}

#[no_mangle]
pub extern "C" fn late(at: usize) -> u32 {
    #[cfg(not(feature = "whole"))]
    return rest::in_rest(black_box(at));
    #[cfg(feature = "whole")]
    asked(&Late, at)
}
