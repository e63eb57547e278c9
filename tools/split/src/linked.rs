//! Finds what only functions named `in_rest` reach, by the relocations of a linked module.

use crate::Result;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use wasmparser::{
    ExternalKind, Imports, KnownCustom, Linking, Name, Parser, Payload, RelocationEntry,
    RelocationType, SymbolInfo, TypeRef,
};

/// What goes to the second file.
#[derive(Debug, Default)]
pub(crate) struct Apart {
    /// The names of functions.
    pub(crate) functions: HashSet<String>,
    /// The addresses of constant data.
    pub(crate) data: Vec<Range<u32>>,
}

/// A function by its index, or a symbol of data by its index.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
enum Node {
    Function(u32),
    Data(u32),
}

/// The parts of a module that the graph is made of.
#[derive(Default)]
struct Parts<'a> {
    imported: u32,
    /// The places of the functions' code in the file.
    bodies: Vec<Range<usize>>,
    exported: Vec<u32>,
    /// The segments of data: their places in the file and their addresses.
    segments: Vec<(Range<usize>, u32)>,
    code: Section,
    data: Section,
    symbols: Vec<SymbolInfo<'a>>,
    relocations: Vec<(u32, Vec<RelocationEntry>)>,
    names: HashMap<u32, &'a str>,
}

/// The index of a section, and where its content begins in the file.
#[derive(Clone, Copy, Default)]
struct Section {
    index: u32,
    start: usize,
}

/// Returns the functions and the data that nothing else reaches than functions named `in_rest`.
pub(crate) fn only_in_rest(module: &[u8]) -> Result<Apart> {
    let parts = parts(module).map_err(|error| error.to_string())?;
    let data = DataSymbols::of(&parts);
    let edges = edges(&parts, &data)?;
    let is_entry = |function: &u32| parts.names.get(function).is_some_and(|name| is_in_rest(name));
    let roots = parts.exported.iter().filter(|one| !is_entry(one));
    let mut todo: Vec<Node> = roots.map(|function| Node::Function(*function)).collect();
    let mut reached: HashSet<Node> = todo.iter().copied().collect();
    while let Some(node) = todo.pop() {
        for next in edges.get(&node).into_iter().flatten() {
            let enters = matches!(next, Node::Function(function) if is_entry(function));
            if !enters && reached.insert(*next) {
                todo.push(*next);
            }
        }
    }
    let mut apart = Apart { data: data.apart(&parts, &reached), ..Apart::default() };
    // A name that several functions have decides for none of them.
    let mut stay = HashSet::new();
    for (function, name) in &parts.names {
        match reached.contains(&Node::Function(*function)) || *function < parts.imported {
            true => stay.insert(*name),
            false => apart.functions.insert((*name).to_string()),
        };
    }
    apart.functions.retain(|name| !stay.contains(name.as_str()));
    match apart.functions.iter().any(|name| is_in_rest(name)) {
        true => Ok(apart),
        false => Err("no function is named `in_rest`, or the names are not mangled as v0".into()),
    }
}

/// Returns whether the last part of a mangled name is `in_rest`.
fn is_in_rest(name: &str) -> bool {
    name.starts_with("_R") && name.ends_with("7in_rest")
}

fn parts(module: &[u8]) -> wasmparser::Result<Parts<'_>> {
    let mut parts = Parts::default();
    let mut index = 0_u32;
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        match &payload {
            Payload::ImportSection(imports) => {
                for import in imports.clone() {
                    if let Imports::Single(_, import) = import? {
                        parts.imported += u32::from(matches!(import.ty, TypeRef::Func(_)));
                    }
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports.clone() {
                    let export = export?;
                    if export.kind == ExternalKind::Func {
                        parts.exported.push(export.index);
                    }
                }
            }
            Payload::CodeSectionStart { range, .. } => {
                parts.code = Section { index, start: range.start };
            }
            Payload::CodeSectionEntry(body) => parts.bodies.push(body.range()),
            Payload::DataSection(segments) => {
                parts.data = Section { index, start: segments.range().start };
                for segment in segments.clone() {
                    let segment = segment?;
                    let start = segment.range.end - segment.data.len();
                    parts.segments.push((start..segment.range.end, address(&segment)?));
                }
            }
            Payload::CustomSection(section) => match section.as_known() {
                KnownCustom::Linking(linking) => {
                    for part in linking.subsections() {
                        if let Linking::SymbolTable(symbols) = part? {
                            parts.symbols =
                                symbols.into_iter().collect::<wasmparser::Result<_>>()?;
                        }
                    }
                }
                KnownCustom::Reloc(relocations) => {
                    let all =
                        relocations.entries().into_iter().collect::<wasmparser::Result<_>>()?;
                    parts.relocations.push((relocations.section_index(), all));
                }
                KnownCustom::Name(names) => {
                    for kind in names {
                        if let Name::Function(names) = kind? {
                            for name in names {
                                let name = name?;
                                parts.names.insert(name.index, name.name);
                            }
                        }
                    }
                }
                _ => {}
            },
            _ => {}
        }
        let is_section = !matches!(
            payload,
            Payload::CodeSectionEntry(_) | Payload::Version { .. } | Payload::End(_)
        );
        index += u32::from(is_section);
    }
    Ok(parts)
}

/// Returns the address of a segment, which is a constant.
fn address(segment: &wasmparser::Data<'_>) -> wasmparser::Result<u32> {
    let wasmparser::DataKind::Active { offset_expr, .. } = &segment.kind else {
        return Ok(0);
    };
    match offset_expr.get_operators_reader().read()? {
        wasmparser::Operator::I32Const { value } => Ok(value.cast_unsigned()),
        _ => Ok(0),
    }
}

/// The symbols of data, by segment and offset.
struct DataSymbols {
    /// Segment, offset, size, and the index of the symbol; sorted.
    sorted: Vec<(u32, u32, u32, u32)>,
}

impl DataSymbols {
    fn of(parts: &Parts<'_>) -> DataSymbols {
        let defined = parts.symbols.iter().zip(0..).filter_map(|(symbol, index)| match symbol {
            SymbolInfo::Data { symbol: Some(data), .. } => {
                Some((data.index, data.offset, data.size, index))
            }
            _ => None,
        });
        let mut sorted: Vec<_> = defined.collect();
        sorted.sort_unstable();
        DataSymbols { sorted }
    }

    /// Returns the symbols that have the byte at an offset.
    fn at(&self, segment: u32, offset: u32) -> impl Iterator<Item = u32> + '_ {
        let has = move |&&(of, start, size, _): &&(u32, u32, u32, u32)| {
            of == segment && start <= offset && offset - start < size.max(1)
        };
        self.sorted.iter().filter(has).map(|one| one.3)
    }

    /// Returns the addresses of bytes that only symbols have which are not reached.
    fn apart(&self, parts: &Parts<'_>, reached: &HashSet<Node>) -> Vec<Range<u32>> {
        let mut bytes: BTreeMap<u32, bool> = BTreeMap::new();
        for &(segment, offset, size, index) in &self.sorted {
            let Some((_, address)) = parts.segments.get(segment as usize) else { continue };
            let stays = reached.contains(&Node::Data(index));
            for at in 0..size {
                *bytes.entry(address + offset + at).or_default() |= stays;
            }
        }
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for (at, _) in bytes.into_iter().filter(|(_, stays)| !stays) {
            match ranges.last_mut() {
                Some(last) if last.end == at => last.end += 1,
                _ => ranges.push(at..at + 1),
            }
        }
        ranges
    }
}

/// Returns what each function and each symbol of data refers to.
fn edges(parts: &Parts<'_>, data: &DataSymbols) -> Result<HashMap<Node, BTreeSet<Node>>> {
    let mut edges: HashMap<Node, BTreeSet<Node>> = HashMap::new();
    for (section, relocations) in &parts.relocations {
        for relocation in relocations {
            let from = match *section {
                index if index == parts.code.index => vec![function_at(parts, relocation)?],
                index if index == parts.data.index => data_at(parts, data, relocation)?,
                _ => continue,
            };
            let Some(to) = target(parts, relocation)? else { continue };
            for from in from {
                edges.entry(from).or_default().insert(to);
            }
        }
    }
    match edges.is_empty() {
        true => Err("the module has no relocations: link it with --emit-relocs".into()),
        false => Ok(edges),
    }
}

fn function_at(parts: &Parts<'_>, relocation: &RelocationEntry) -> Result<Node> {
    let at = parts.code.start + relocation.offset as usize;
    let index = parts.bodies.partition_point(|body| body.end <= at);
    match parts.bodies.get(index) {
        Some(body) if body.contains(&at) => Ok(Node::Function(parts.imported + index as u32)),
        _ => Err(format!("a relocation at {at} is in no function")),
    }
}

fn data_at(
    parts: &Parts<'_>,
    data: &DataSymbols,
    relocation: &RelocationEntry,
) -> Result<Vec<Node>> {
    let at = parts.data.start + relocation.offset as usize;
    let segment = parts.segments.iter().position(|(range, _)| range.contains(&at));
    let Some((segment, (range, _))) = segment.and_then(|one| Some((one, parts.segments.get(one)?)))
    else {
        return Err(format!("a relocation at {at} is in no segment"));
    };
    let found: Vec<Node> =
        data.at(segment as u32, (at - range.start) as u32).map(Node::Data).collect();
    match found.is_empty() {
        true => Err(format!("a relocation at {at} is in no symbol")),
        false => Ok(found),
    }
}

/// Returns the function or the data that a relocation refers to.
fn target(parts: &Parts<'_>, relocation: &RelocationEntry) -> Result<Option<Node>> {
    use RelocationType::{
        FunctionIndexLeb, GlobalIndexLeb, MemoryAddrI32, MemoryAddrLeb, MemoryAddrSleb,
        TableIndexI32, TableIndexSleb, TableNumberLeb, TypeIndexLeb,
    };
    let symbol = parts.symbols.get(relocation.index as usize);
    match (relocation.ty, symbol) {
        (TypeIndexLeb | GlobalIndexLeb | TableNumberLeb, _) => Ok(None),
        (
            FunctionIndexLeb | TableIndexI32 | TableIndexSleb,
            Some(SymbolInfo::Func { index, .. }),
        ) => Ok(Some(Node::Function(*index))),
        (
            MemoryAddrI32 | MemoryAddrLeb | MemoryAddrSleb,
            Some(SymbolInfo::Data { symbol: Some(_), .. }),
        ) => Ok(Some(Node::Data(relocation.index))),
        // Addresses that the linker defines, such as the end of the data.
        (MemoryAddrI32 | MemoryAddrLeb | MemoryAddrSleb, Some(SymbolInfo::Data { .. })) => Ok(None),
        (ty, _) => Err(format!("a relocation of an unknown kind: {ty:?}")),
    }
}
