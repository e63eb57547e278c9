//! What the comparisons with git by language share: their arguments, random numbers, and git.

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Numbers that are the same in every run with a seed.
pub struct Random(u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0).checked_rem(end).unwrap_or(0)
    }

    /// Returns one of some texts.
    pub fn one_of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts.get(self.below(texts.len())).copied().unwrap_or("")
    }
}

/// The arguments of a comparison: `[--git git] [--lines N] [--seed 1]`.
pub struct Asked {
    pub git: String,
    /// How many lines of each language are compared.
    pub lines: usize,
    pub random: Random,
}

impl Asked {
    pub fn new(lines: usize) -> Result<Asked, Box<dyn Error>> {
        let given: Vec<String> = env::args().skip(1).collect();
        let value = |name: &str| {
            let pairs = given.iter().zip(given.iter().skip(1));
            pairs.filter(|(option, _)| *option == name).map(|(_, value)| value.clone()).next_back()
        };
        let git = value("--git").unwrap_or_else(|| "git".into());
        let git = match git.contains('/') {
            true => Path::new(&git).canonicalize()?.display().to_string(),
            false => git,
        };
        let lines = value("--lines").map_or(Ok(lines), |lines| lines.parse())?;
        let seed = value("--seed").map_or(Ok(1), |seed| seed.parse())?;
        Ok(Asked { git, lines, random: Random(seed) })
    }

    /// Returns what `git diff --no-index -U0` prints of `a` and `b` among files of a language.
    pub fn diff(
        &self,
        language: &str,
        files: impl Iterator<Item = (String, String)>,
        options: &[&str],
    ) -> Result<Vec<u8>, Box<dyn Error>> {
        let root = env::temp_dir().join(format!("packlens-languages-{}", std::process::id()));
        drop(fs::remove_dir_all(&root));
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&root))?;
            fs::write(path, text)?;
        }
        fs::write(root.join(".gitattributes"), format!("* diff={language}\n"))?;
        let run = |arguments: &[&str]| {
            let mut command = Command::new(&self.git);
            command.args(arguments).current_dir(&root).env("GIT_CONFIG_GLOBAL", "/dev/null");
            command.env("GIT_CONFIG_NOSYSTEM", "1").env("LC_ALL", "C.UTF-8").output()
        };
        run(&["init", "-q", "."])?;
        let arguments = [&["diff", "--no-index", "-U0"], options, &["a", "b"]].concat();
        let out = run(&arguments)?.stdout;
        fs::remove_dir_all(&root)?;
        Ok(out)
    }
}

/// Ends the process with an error if there are differences.
pub fn end(differences: usize) -> ! {
    println!("{differences} differences");
    std::process::exit(i32::from(differences > 0));
}
