//! Reftables by git, by JGit and by Dulwich: git's answers, in parts of any size and with any
//! byte changed.

mod counts;
mod damage;
mod gone;
mod hostile;
mod opened;
mod read;
mod repository;
mod stacks;
mod write;
