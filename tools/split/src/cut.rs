//! Makes two modules of one.

use crate::linked::Apart;
use crate::Result;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use walrus::ir::{dfs_in_order, Call, GlobalGet, GlobalSet, RefFunc, Value, Visitor};
use walrus::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId,
    FunctionKind, GlobalId, GlobalKind, ImportedFunction, Module, ModuleConfig, TableId,
};

/// The name of the module that the rest imports from: the exports of the first file.
const FIRST: &str = "0";

/// What both files agree on.
struct Agreed {
    /// The functions of the rest, by their position among all functions.
    apart: HashSet<usize>,
    /// The functions of the first file that the rest calls, by position, and their exported names.
    shared: HashMap<usize, String>,
    /// The globals that the rest uses, by position.
    globals: HashMap<usize, String>,
    /// The places in the table of functions of the rest that the first file calls.
    entries: HashMap<usize, u64>,
    /// The places of the table that a function of the rest has.
    places: Vec<(u64, usize)>,
    /// The size of the table.
    table_size: u64,
    /// The name of the memory: a rest of another build does not find it.
    memory: String,
}

/// Returns the first file and the rest.
pub(crate) fn cut(module: &[u8], apart: &Apart) -> Result<(Vec<u8>, Vec<u8>)> {
    let agreed = agree(&parse(module)?, module, apart)?;
    let first = first(parse(module)?, &agreed, apart)?;
    Ok((first, rest(parse(module)?, &agreed, apart)?))
}

fn parse(module: &[u8]) -> Result<Module> {
    let mut config = ModuleConfig::new();
    let parsed = config.generate_producers_section(false).parse(module);
    let mut module = parsed.map_err(|error| error.to_string())?;
    // They describe the linked module.
    for name in ["linking", "reloc.CODE", "reloc.DATA"] {
        module.customs.remove_raw(name);
    }
    Ok(module)
}

/// What a function refers to.
#[derive(Default)]
struct Uses {
    functions: HashSet<FunctionId>,
    globals: HashSet<GlobalId>,
}

impl<'a> Visitor<'a> for Uses {
    fn visit_call(&mut self, call: &Call) {
        self.functions.insert(call.func);
    }

    fn visit_ref_func(&mut self, function: &RefFunc) {
        self.functions.insert(function.func);
    }

    fn visit_global_get(&mut self, get: &GlobalGet) {
        self.globals.insert(get.global);
    }

    fn visit_global_set(&mut self, set: &GlobalSet) {
        self.globals.insert(set.global);
    }
}

fn agree(module: &Module, bytes: &[u8], apart: &Apart) -> Result<Agreed> {
    let position: HashMap<FunctionId, usize> =
        module.funcs.iter().enumerate().map(|(at, function)| (function.id(), at)).collect();
    let at = |id: &FunctionId| position.get(id).copied().unwrap_or_default();
    let mut all = Vec::new();
    for function in module.funcs.iter() {
        let mut uses = Uses::default();
        if let FunctionKind::Local(local) = &function.kind {
            dfs_in_order(&mut uses, local, local.entry_block());
        }
        all.push((function, uses));
    }
    let is_apart =
        |name: &Option<String>| name.as_ref().is_some_and(|name| apart.functions.contains(name));
    let exported: HashSet<FunctionId> = module
        .exports
        .iter()
        .filter_map(|export| match export.item {
            ExportItem::Function(function) => Some(function),
            _ => None,
        })
        .collect();
    let in_rest: HashSet<usize> = all
        .iter()
        .filter(|(function, _)| is_apart(&function.name) && !exported.contains(&function.id()))
        .map(|(function, _)| at(&function.id()))
        .collect();
    let mut shared: Vec<usize> = Vec::new();
    let mut globals: HashSet<GlobalId> = HashSet::new();
    let mut entered: Vec<usize> = Vec::new();
    for (function, uses) in &all {
        let called = uses.functions.iter().map(at);
        match in_rest.contains(&at(&function.id())) {
            true => {
                shared.extend(called.filter(|one| !in_rest.contains(one)));
                globals.extend(&uses.globals);
            }
            false => entered.extend(called.filter(|one| in_rest.contains(one))),
        }
    }
    for list in [&mut shared, &mut entered] {
        list.sort_unstable();
        list.dedup();
    }
    let names = |prefix: &'static str| (0..).map(move |number: usize| format!("{prefix}{number}"));
    let globals = module.globals.iter().enumerate().filter(|(_, one)| globals.contains(&one.id()));
    let table = module.tables.get(table(module)?);
    let mut places = Vec::new();
    for (start, functions) in segments(module)? {
        let here = functions.iter().zip(start..).map(|(function, place)| (place, at(function)));
        places.extend(here.filter(|(_, function)| in_rest.contains(function)));
    }
    if entered.is_empty() {
        return Err("no function of the rest is called: the two modules have other names".into());
    }
    let entries: HashMap<usize, u64> = entered.into_iter().zip(table.initial..).collect();
    let table_size = table.initial + entries.len() as u64;
    places.extend(entries.iter().map(|(function, place)| (*place, *function)));
    places.sort_unstable();
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    Ok(Agreed {
        apart: in_rest,
        shared: shared.into_iter().zip(names("")).collect(),
        globals: globals.map(|(at, _)| at).zip(names("g")).collect(),
        entries,
        places,
        table_size,
        memory: format!("m{:x}", hasher.finish()),
    })
}

fn table(module: &Module) -> Result<TableId> {
    match module.tables.main_function_table() {
        Ok(Some(table)) => Ok(table),
        _ => Err("the module has no table of functions, or several".into()),
    }
}

/// Returns the segments of the table: the first place of each, and its functions.
fn segments(module: &Module) -> Result<Vec<(u64, Vec<FunctionId>)>> {
    let mut segments = Vec::new();
    let table = table(module)?;
    for element in module.elements.iter() {
        match (&element.kind, &element.items) {
            (
                ElementKind::Active { table: of, offset: ConstExpr::Value(Value::I32(start)) },
                ElementItems::Functions(functions),
            ) if *of == table => {
                segments.push((u64::from(start.cast_unsigned()), functions.clone()))
            }
            _ => return Err("the table is filled in a way that is not known".into()),
        }
    }
    Ok(segments)
}

/// Replaces all segments of the table.
fn fill(module: &mut Module, mut places: Vec<(u64, FunctionId)>) -> Result<()> {
    let old: Vec<_> = module.elements.iter().map(walrus::Element::id).collect();
    let table = table(module)?;
    module.tables.get_mut(table).elem_segments.clear();
    old.into_iter().for_each(|id| module.elements.delete(id));
    places.sort_unstable_by_key(|(place, _)| *place);
    let follows = |one: &(u64, FunctionId), other: &(u64, FunctionId)| one.0 + 1 == other.0;
    for run in places.chunk_by(follows) {
        let Some((start, _)) = run.first() else { continue };
        let offset = ConstExpr::Value(Value::I32(
            u32::try_from(*start).map_err(|e| e.to_string())?.cast_signed(),
        ));
        let functions = run.iter().map(|(_, function)| *function).collect();
        let kind = ElementKind::Active { table, offset };
        let id = module.elements.add(kind, ElementItems::Functions(functions));
        module.tables.get_mut(table).elem_segments.insert(id);
    }
    Ok(())
}

/// Makes the first file: functions of the rest that it calls become calls through the table.
fn first(mut module: Module, agreed: &Agreed, apart: &Apart) -> Result<Vec<u8>> {
    let ids: Vec<FunctionId> = module.funcs.iter().map(walrus::Function::id).collect();
    let (table, memory) = (table(&module)?, memory(&module)?);
    let stays: HashSet<FunctionId> = ids
        .iter()
        .enumerate()
        .filter(|(at, _)| !agreed.apart.contains(at))
        .map(|(_, id)| *id)
        .collect();
    let mut places = Vec::new();
    for (start, functions) in segments(&module)? {
        places.extend((start..).zip(functions).filter(|(_, function)| stays.contains(function)));
    }
    fill(&mut module, places)?;
    for (at, id) in ids.iter().enumerate().filter(|(at, _)| agreed.apart.contains(at)) {
        match agreed.entries.get(&at) {
            Some(place) => enter(&mut module, *id, table, *place)?,
            None => module.funcs.delete(*id),
        }
    }
    for (at, name) in sorted(&agreed.shared) {
        let Some(id) = ids.get(*at) else { continue };
        module.exports.add(name, *id);
    }
    let globals: Vec<GlobalId> = module.globals.iter().map(walrus::Global::id).collect();
    for (at, name) in sorted(&agreed.globals) {
        let Some(id) = globals.get(*at) else { continue };
        module.exports.add(name, *id);
    }
    module.exports.add(&agreed.memory, memory);
    module.exports.add("t", table);
    let size = module.tables.get_mut(table);
    size.initial = agreed.table_size;
    size.maximum = size.maximum.map(|maximum| maximum.max(agreed.table_size));
    let segments: Vec<_> = module.data.iter().map(walrus::Data::id).collect();
    for id in segments {
        let data = module.data.get_mut(id);
        let start = start_of(data)?;
        for range in &apart.data {
            for at in range.clone() {
                let byte = at.checked_sub(start).and_then(|at| data.value.get_mut(at as usize));
                byte.into_iter().for_each(|byte| *byte = 0);
            }
        }
    }
    Ok(emit(module))
}

/// Gives a function a body that calls what is at a place of the table.
fn enter(module: &mut Module, id: FunctionId, table: TableId, place: u64) -> Result<()> {
    let ty = module.funcs.get(id).ty();
    let (params, results) = {
        let ty = module.types.get(ty);
        (ty.params().to_vec(), ty.results().to_vec())
    };
    let args: Vec<_> = params.iter().map(|param| module.locals.add(*param)).collect();
    let mut builder = FunctionBuilder::new(&mut module.types, &params, &results);
    let mut body = builder.func_body();
    args.iter().for_each(|arg| {
        body.local_get(*arg);
    });
    let place = u32::try_from(place).map_err(|error| error.to_string())?;
    body.i32_const(place.cast_signed()).call_indirect(ty, table);
    module.funcs.get_mut(id).kind = FunctionKind::Local(builder.local_func(args));
    Ok(())
}

/// Makes the rest: functions of the first file become imports.
fn rest(mut module: Module, agreed: &Agreed, apart: &Apart) -> Result<Vec<u8>> {
    let ids: Vec<FunctionId> = module.funcs.iter().map(walrus::Function::id).collect();
    let (table, memory) = (table(&module)?, memory(&module)?);
    let exports: Vec<_> = module.exports.iter().map(walrus::Export::id).collect();
    exports.into_iter().for_each(|id| module.exports.delete(id));
    module.start = None;
    let imports: Vec<_> = module.imports.iter().map(walrus::Import::id).collect();
    imports.into_iter().for_each(|id| module.imports.delete(id));
    let places = agreed.places.iter();
    fill(&mut module, places.filter_map(|(place, at)| Some((*place, *ids.get(*at)?))).collect())?;
    for (at, id) in ids.iter().enumerate().filter(|(at, _)| !agreed.apart.contains(at)) {
        let Some(name) = agreed.shared.get(&at) else {
            module.funcs.delete(*id);
            continue;
        };
        let ty = module.funcs.get(*id).ty();
        let import = module.imports.add(FIRST, name, *id);
        module.funcs.get_mut(*id).kind = FunctionKind::Import(ImportedFunction { import, ty });
    }
    let globals: Vec<GlobalId> = module.globals.iter().map(walrus::Global::id).collect();
    for (at, name) in sorted(&agreed.globals) {
        let Some(id) = globals.get(*at) else { continue };
        let import = module.imports.add(FIRST, name, *id);
        module.globals.get_mut(*id).kind = GlobalKind::Import(import);
    }
    let import = module.imports.add(FIRST, &agreed.memory, memory);
    let old: Vec<_> =
        module.data.iter().map(|data| (data.id(), start_of(data), data.value.clone())).collect();
    let imported = module.memories.get_mut(memory);
    imported.import = Some(import);
    imported.data_segments.clear();
    for (id, start, value) in old {
        module.data.delete(id);
        let start = start?;
        for range in &apart.data {
            let from = range.start.checked_sub(start).map(|at| at as usize);
            let bytes = from.and_then(|from| value.get(from..from + range.len()));
            let Some(bytes) = bytes else { continue };
            let offset = ConstExpr::Value(Value::I32(range.start.cast_signed()));
            let kind = DataKind::Active { memory, offset };
            let id = module.data.add(kind, bytes.to_vec());
            module.memories.get_mut(memory).data_segments.insert(id);
        }
    }
    let import = module.imports.add(FIRST, "t", table);
    let imported = module.tables.get_mut(table);
    imported.import = Some(import);
    imported.initial = agreed.table_size;
    imported.maximum = None;
    Ok(emit(module))
}

/// Returns a file: without what it does not use, and with names that profiles and traces can show.
fn emit(mut module: Module) -> Vec<u8> {
    walrus::passes::gc::run(&mut module);
    for function in module.funcs.iter_mut() {
        let name = function.name.take();
        function.name = name.map(|name| format!("{:#}", rustc_demangle::demangle(&name)));
    }
    module.emit_wasm()
}

fn memory(module: &Module) -> Result<walrus::MemoryId> {
    match module.memories.iter().collect::<Vec<_>>()[..] {
        [memory] => Ok(memory.id()),
        _ => Err("the module has not one memory".into()),
    }
}

fn start_of(data: &walrus::Data) -> Result<u32> {
    match &data.kind {
        DataKind::Active { offset: ConstExpr::Value(Value::I32(start)), .. } => {
            Ok(start.cast_unsigned())
        }
        _ => Err("a segment of data has no constant address".into()),
    }
}

fn sorted(names: &HashMap<usize, String>) -> Vec<(&usize, &String)> {
    let mut all: Vec<_> = names.iter().collect();
    all.sort_unstable();
    all
}
