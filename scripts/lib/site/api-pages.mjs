// Adds examples to the pages that TypeDoc makes: of each symbol a snippet of the documents.
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { filesUnder } from '../fingerprint.mjs'
import { exampleFor, examplesOf } from './examples.mjs'
import { linkTo, slugOf } from './pages.mjs'
import { SCRIPTS, snippetsIn } from './snippets.mjs'

/** Appends examples to the pages in a folder, which has a folder for each entry of the package. */
export function addExamples(folder) {
  const all = examplesOf(snippetsIn(SCRIPTS).filter(({ document }) => document.startsWith('docs/')))
  for (const [entry, symbols] of all) {
    for (const file of filesUnder(path.join(folder, entry))) {
      const name = path.basename(file, '.md')
      const example = exampleFor(symbols, name)
      if (example) appendFileSync(file, shown(example) + methodsShown(symbols, name))
    }
  }
}

function shown(example) {
  return `\n## Example\n\n${linkOf(example)}:\n\n\`\`\`ts\n${example.text}\`\`\`\n`
}

function methodsShown(symbols, name) {
  const methods = [...symbols.keys()].filter((key) => key.startsWith(`${name}.`))
  if (methods.length === 0) return ''
  const rows = methods.map((key) => `| \`${key}\` | ${linkOf(exampleFor(symbols, key))} |\n`)
  return `\n## Examples of its calls\n\n| call | example |\n| --- | --- |\n${rows.join('')}`
}

const linkOf = ({ document, heading }) => `[${heading}](${linkTo(document, `#${slugOf(heading)}`)})`
