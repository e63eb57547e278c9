// Which snippets of the documents show which symbols of the package, found by the compiler.
import path from 'node:path'
import ts from 'typescript'
import { distDir, inRoot } from '../paths.mjs'

/** The entries of the package and their declarations; the first of `packlens` is that of Node. */
export const ENTRIES = {
  packlens: ['index.node.d.ts', 'index.d.ts'],
  'isomorphic-git': ['isomorphic-git/index.d.ts'],
}

/** The most levels of type arguments and members of unions that an expression shows. */
const DEPTH = 4

/**
 * Returns, by entry, the exported symbols and the methods of classes, such as `Refs.list`, each
 * with its examples: `snippets` that name it, or have an expression of its type. Those that name
 * it come first. Also the symbols without a comment.
 */
export function examplesOf(snippets) {
  const declared = (name) => path.join(distDir, 'api', name)
  const names = snippets.map((_, at) => inRoot('target', 'site', `snippet-${at}.ts`))
  const entryFiles = Object.values(ENTRIES).flat().map(declared)
  const program = programOf(
    [...entryFiles, ...names],
    new Map(names.map((name, at) => [name, snippets[at].text])),
  )
  const checker = program.getTypeChecker()

  const symbols = new Map()
  const entries = Object.entries(ENTRIES).map(([entry, files]) => {
    const found = new Map()
    for (const file of files) {
      const module = checker.getSymbolAtLocation(program.getSourceFile(declared(file)))
      for (const exported of checker.getExportsOfModule(module)) {
        const target = aliased(checker, exported)
        const known = found.get(exported.name) ?? exampleList(checker, target)
        found.set(exported.name, known)
        symbols.set(target, known)
        for (const [name, member] of methodsOf(checker, target)) {
          const method = `${exported.name}.${name}`
          if (!found.has(method)) found.set(method, exampleList(checker, member))
          symbols.set(member, found.get(method))
        }
      }
    }
    return [entry, found]
  })

  names.forEach((name, at) => {
    const add = (symbol, kind) => symbols.get(symbol)?.[kind].add(snippets[at])
    visit(program.getSourceFile(name), checker, add)
  })
  return new Map(entries)
}

/**
 * Returns the best example for a symbol: one that names it before one of its type. A constant may
 * have that of its type, a call without promises that of the call with promises.
 */
export function exampleFor(symbols, name) {
  const found = symbols.get(name)
  if (found === undefined) return null
  const [own] = [...found.named, ...found.typed]
  if (own) return own
  const other = found.type ?? name.replace(/^Sync/, '')
  return other === name ? null : exampleFor(symbols, other)
}

function exampleList(checker, symbol) {
  const hasComment = symbol.getDocumentationComment(checker).length > 0
  return { hasComment, type: typeNameOf(symbol), named: new Set(), typed: new Set() }
}

/** The name of the type of a constant, such as `Unsupported`. */
function typeNameOf(symbol) {
  const [declaration] = symbol.declarations ?? []
  return declaration && ts.isVariableDeclaration(declaration)
    ? declaration.type?.getText().replace(/.*\./, '')
    : undefined
}

function programOf(files, texts) {
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: ['node'],
    typeRoots: [inRoot('node_modules', '@types')],
    strict: true,
    skipLibCheck: true,
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile } = host
  host.fileExists = (file) => texts.has(file) || fileExists(file)
  host.readFile = (file) => texts.get(file) ?? readFile(file)
  return ts.createProgram(files, options, host)
}

/** Calls `add` with each symbol that a snippet names, and each that is the type of an expression. */
function visit(node, checker, add) {
  if (ts.isIdentifier(node)) {
    const symbol = checker.getSymbolAtLocation(node)
    if (symbol && !ts.isImportSpecifier(node.parent)) add(aliased(checker, symbol), 'named')
  }
  if (ts.isExpression(node) || ts.isBindingElement(node)) {
    addType(checker.getTypeAtLocation(node), checker, add)
    const expected = ts.isObjectLiteralExpression(node) && checker.getContextualType(node)
    if (expected) addType(expected, checker, add)
  }
  ts.forEachChild(node, (child) => visit(child, checker, add))
}

function addType(type, checker, add, depth = DEPTH) {
  for (const symbol of [type.aliasSymbol, type.symbol]) if (symbol) add(symbol, 'typed')
  if (depth === 0) return
  const inner = [
    ...(type.isUnionOrIntersection() ? type.types : []),
    ...(type.isClassOrInterface() ? checker.getBaseTypes(type) : []),
    ...(type.objectFlags & ts.ObjectFlags.Reference ? checker.getTypeArguments(type) : []),
  ]
  for (const one of inner) addType(one, checker, add, depth - 1)
}

function aliased(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** The methods of an exported class or interface of calls, also inherited ones. */
function methodsOf(checker, symbol) {
  if (!(symbol.flags & ts.SymbolFlags.Class)) return []
  return checker
    .getDeclaredTypeOfSymbol(symbol)
    .getProperties()
    .filter(({ flags, name }) => flags & ts.SymbolFlags.Method && !name.startsWith('__'))
    .map((member) => [member.name, member])
}
