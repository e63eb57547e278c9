// The declarations that are published: of all that tsc writes, what the entries of the
// package export and what that is made of. The rest names types that users may not have.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/** Writes to `to` what `entries`, files below `from`, lead to. */
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
  // A set is gone through to its end, what is added meanwhile too.
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

/** The statement of a file that a declaration is in. */
function statementOf(node) {
  let at = node
  while (at.parent && !ts.isSourceFile(at.parent)) at = at.parent
  return at.parent ? at : undefined
}

/** What a file keeps of a statement. */
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

/** The text of a statement, without members that are not for users. */
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
