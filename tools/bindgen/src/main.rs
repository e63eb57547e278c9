//! A stand-in for the `wasm-bindgen` command line, at exactly the version of
//! the library in Cargo.lock.
//!
//! It understands the flags that `wasm-pack build` passes, so wasm-pack finds
//! it on PATH and downloads nothing. It builds in a fraction of the time that
//! the full command line takes.

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    match run(env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("wasm-bindgen: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut args: impl Iterator<Item = String>) -> Result<(), String> {
    let mut bindgen = Bindgen::new();
    // The command line's default. The library's own leaves `init()` without
    // the address of the module.
    bindgen.omit_default_module_path(false).typescript(true);

    let mut input = None;
    let mut out_dir = None;
    let mut target = String::from("web");
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "-V" | "--version" => {
                println!("wasm-bindgen {}", env!("CARGO_PKG_VERSION"));
                return Ok(());
            }
            "--out-dir" => out_dir = Some(value()?),
            "--out-name" => {
                bindgen.out_name(&value()?);
            }
            "--target" => target = value()?,
            flag if flag.starts_with('-') => apply_switch(&mut bindgen, flag)?,
            file => input = Some(file.to_owned()),
        }
    }

    let input = input.ok_or("no .wasm file was given")?;
    let out_dir = out_dir.ok_or("--out-dir is needed")?;
    bindgen.input_path(input);
    select_target(&mut bindgen, &target)?;
    bindgen.generate(out_dir).map_err(|error| format!("{error:?}"))
}

fn apply_switch(bindgen: &mut Bindgen, flag: &str) -> Result<(), String> {
    match flag {
        "--typescript" => bindgen.typescript(true),
        "--no-typescript" => bindgen.typescript(false),
        "--debug" => bindgen.debug(true),
        "--keep-debug" => bindgen.keep_debug(true),
        "--no-demangle" => bindgen.demangle(false),
        "--omit-default-module-path" => bindgen.omit_default_module_path(true),
        _ => return Err(format!("unknown flag {flag}")),
    };
    Ok(())
}

fn select_target(bindgen: &mut Bindgen, target: &str) -> Result<(), String> {
    let selected = match target {
        // A trapped instance cannot be used again: `__wbg_reset_state` lets
        // the glue put a fresh one in its place without loading the page anew.
        "web" => bindgen.reset_state_function(true).web(true),
        "nodejs" => bindgen.nodejs(true),
        "bundler" => bindgen.bundler(true),
        _ => return Err(format!("unknown target {target}")),
    };
    selected.map(drop).map_err(|error| format!("{error:?}"))
}
