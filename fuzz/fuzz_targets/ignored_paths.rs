#![no_main]
packlens_fuzz::target!();
