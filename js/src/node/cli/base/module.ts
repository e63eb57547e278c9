/** Loads the module for the command line. */
import { readFileSync } from 'node:fs'
import { addFullQuestions } from '../../../session/full-questions.js'
import { loadReader, offerModules } from '../../../session/modules.js'
import { withRest } from '../../../session/rest.js'
import { expectSync } from '../../../session/task.js'
import { publishedFile } from './published.js'

/** Loads the full module of the package, once. */
export function loadModule(): void {
  addFullQuestions()
  offerModules({
    full: () => readFileSync(publishedFile('wasm/packlens_bg.wasm')),
    whole: (full) => withRest(full, () => readFileSync(publishedFile('wasm/packlens_rest.wasm'))),
  })
  expectSync(loadReader())
}
