#!/usr/bin/env node
// Writes docs/module-graph.md: which crate and which folder of js/src uses which, as pictures.
//
//   npm run graph
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { inRoot } from './lib/paths.mjs'

const page = inRoot('docs', 'module-graph.md')

/** Returns the text of the page, from the current manifests and imports. */
export function modulesPage() {
  const uses = usesOfFolders()
  return `# Module graph

Made by \`npm run graph\` from the manifests and imports; a test fails when it is out of date.

## Crates

An arrow leads from a crate to one that its manifest depends on.

${mermaid(usesOfCrates())}

## Folders of js/src

An arrow leads from a folder to one whose modules its modules import. Files that are in no folder
stand for themselves. Imports of types alone are left out: nothing is loaded for them, and so are
imports that wait until the code is needed. The command line, \`node/cli\`, is one node here.

${mermaid(among(uses, (folder) => (folder.startsWith(CLI) ? CLI : folder)))}

## Folders of the command line

Those of \`js/src/node/cli\`: \`commands\` has a file for each command, the others what it uses. An
arrow that a way over other folders implies is left out.

${mermaid(withoutImplied(among(uses, (folder) => folder.split(`${CLI}/`)[1])))}
`
}

const CLI = 'node/cli'

/** Returns pairs of crates: the user and the used one. */
function usesOfCrates() {
  const folders = readdirSync(inRoot('crate')).sort()
  return folders.flatMap((folder) => {
    const manifest = readFileSync(inRoot('crate', folder, 'Cargo.toml'), 'utf8')
    const used = Array.from(manifest.matchAll(/path = "\.\.\/(\w+)"/g), ([, name]) => name)
    return used.map((name) => ({ from: folder, to: name }))
  })
}

/** Returns pairs of folders of js/src: the user and the used one. */
export function usesOfFolders() {
  const root = inRoot('js', 'src')
  const files = readdirSync(root, { recursive: true }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('wasm'),
  )
  const uses = new Map()
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8')
    for (const [, from] of text.matchAll(
      /^(?:import|export) (?!type\b)[^'"]*?['"](\.[^'"]+)['"]/gm,
    )) {
      const used = path.join(path.dirname(file), from.replace(/\.js$/, '.ts'))
      const use = { from: folderOf(file), to: folderOf(used) }
      if (use.from === use.to) continue
      uses.set(`${use.from} ${use.to}`, use)
    }
  }
  return [...uses.keys()].sort().map((key) => uses.get(key))
}

/** Returns the uses between what `nameOf` makes of their ends; those without a name are left out. */
function among(uses, nameOf) {
  const named = uses.map(({ from, to }) => ({ from: nameOf(from), to: nameOf(to) }))
  const between = named.filter(({ from, to }) => from && to && from !== to)
  return [...new Map(between.map((use) => [`${use.from} ${use.to}`, use])).values()]
}

/** Leaves out the uses that a chain of others implies; there are no circles. */
function withoutImplied(uses) {
  const usedBy = (name) => uses.filter(({ from }) => from === name).map(({ to }) => to)
  const reaches = (name, goal) => usedBy(name).some((used) => used === goal || reaches(used, goal))
  return uses.filter(
    ({ from, to }) => !usedBy(from).some((used) => used !== to && reaches(used, to)),
  )
}

function folderOf(file) {
  const folder = path.dirname(file).replaceAll('\\', '/')
  return folder === '.' ? file : folder
}

/** A node's name has to be a word; its label may be any text. */
function mermaid(uses) {
  const id = (name) => name.replace(/\W/g, '_')
  const names = [...new Set(uses.flatMap(({ from, to }) => [from, to]))].sort()
  const nodes = names.map((name) => `  ${id(name)}["${name}"]`)
  const arrow = ({ from, to }) => `  ${id(from)} --> ${id(to)}`
  return ['```mermaid', 'graph TD', ...nodes, ...uses.map(arrow), '```'].join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(page, modulesPage())
}
