// npm run commands: writes docs/commands of the descriptions of the command line.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { commandPages } from './lib/command-pages.mjs'
import { inRoot } from './lib/paths.mjs'

const folder = inRoot('docs', 'commands')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const [name, text] of commandPages()) writeFileSync(inRoot('docs', 'commands', name), text)
