// Makes the published declarations: of all that tsc writes, the exports of the package's
// entries and the types in them. Other declarations name types that users may not have.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/** Writes to `to` the declarations that are reachable from `entries`, files below `from`. */
export function publishTypes(from, to, entries) {
  const files = entries.map((name) => path.join(from, name))
  const options = { module: ts.ModuleKind.NodeNext, lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'] }
  const program = ts.createProgram(files, { ...options, types: ['node'], skipLibCheck: true })
  const checker = program.getTypeChecker()
  const isOurs = (file) => !path.relative(from, file.fileName).startsWith('..')
  const needed = new Set()

  const take = (symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    for (const declaration of target.declarations ?? []) {
      const statement = statementOf(declaration)
      if (statement && isOurs(statement.getSourceFile())) needed.add(statement)
    }
  }
  for (const file of files) {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(file))
    for (const exported of checker.getExportsOfModule(symbol)) take(exported)
  }
  const visit = (node) => {
    if (isInternal(node)) return
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
    if (symbol) take(symbol)
    ts.forEachChild(node, visit)
  }
  // Iterating over a set includes members that are added meanwhile.
  for (const statement of needed) visit(statement)

  rmSync(to, { recursive: true, force: true })
  const sources = new Set([...needed].map((statement) => statement.getSourceFile()))
  for (const file of files) sources.add(program.getSourceFile(file))
  for (const source of sources) {
    for (const { moduleSpecifier } of source.statements.filter(ts.isExportDeclaration)) {
      const symbol = moduleSpecifier && checker.getSymbolAtLocation(moduleSpecifier)
      if (symbol) sources.add(symbol.valueDeclaration)
    }
    const isNeeded = (symbol) => {
      const target = symbol && checker.getAliasedSymbol(symbol)
      return target?.declarations?.some((one) => needed.has(statementOf(one))) === true
    }
    const texts = source.statements.flatMap((statement) =>
      textOf(statement, {
        needed,
        isNeeded: (name) => isNeeded(checker.getSymbolAtLocation(name)),
      }),
    )
    const head = source.libReferenceDirectives.map(
      ({ fileName }) => `/// <reference lib="${fileName}" />\n`,
    )
    const copy = path.join(to, path.relative(from, source.fileName))
    mkdirSync(path.dirname(copy), { recursive: true })
    writeFileSync(copy, head.join('') + texts.join('').trimStart())
  }
}

/** Returns the statement of a file that contains a declaration. */
function statementOf(node) {
  let at = node
  while (at.parent && !ts.isSourceFile(at.parent)) at = at.parent
  return at.parent ? at : undefined
}

/** Returns the published part of a statement. */
function textOf(statement, { needed, isNeeded }) {
  if (ts.isImportDeclaration(statement)) {
    const names = statement.importClause?.namedBindings
    if (!names || !ts.isNamedImports(names)) return []
    const kept = names.elements.filter(({ name }) => isNeeded(name))
    if (kept.length === 0) return []
    const list = kept.map((one) => one.getText().replace(/^type /, '')).join(', ')
    return [`import type { ${list} } from ${statement.moduleSpecifier.getText()};\n`]
  }
  const isLocalExport = ts.isExportDeclaration(statement) && !statement.moduleSpecifier
  if (isLocalExport && !statement.exportClause.elements.some(({ name }) => isNeeded(name))) {
    return []
  }
  const isKept = [ts.isExportDeclaration, ts.isExportAssignment, ts.isModuleDeclaration]
  if (!needed.has(statement) && !isKept.some((is) => is(statement))) return []
  return [withoutInternal(statement)]
}

/** Returns the text of a statement, without internal members. */
function withoutInternal(statement) {
  const text = statement.getSourceFile().text
  let at = statement.getFullStart()
  let kept = ''
  for (const member of statement.members ?? []) {
    if (!isInternal(member)) continue
    kept += text.slice(at, member.getFullStart())
    at = member.end
  }
  return kept + text.slice(at, statement.end)
}

function isInternal(node) {
  return ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal')
}
