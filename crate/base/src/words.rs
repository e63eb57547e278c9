//! Enums that cross to JavaScript as numbers; both sides know each value by the same word.

/// Declares an enum in which each value has a number, its index, and a word.
#[macro_export]
macro_rules! words {
    ($(#[$of_all:meta])* $visible:vis enum $name:ident {
        $($(#[$of_one:meta])* $value:ident = $word:literal,)+
    }) => {
        $(#[$of_all])*
        $visible enum $name {
            $($(#[$of_one])* $value,)+
        }

        impl $name {
            /// The words of the values, indexed by number.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Returns the number that stands for the value in JavaScript.
            pub fn number(self) -> u8 {
                self as u8
            }
        }
    };
}
pub use words;
