/** Loads the module for the command line. */
import { readFileSync } from 'node:fs'
import { addFullQuestions } from '../../../session/full-questions.js'
import { fullInstance, loadReader, offerModules } from '../../../session/modules.js'
import { withRest } from '../../../session/rest.js'
import { expectSync } from '../../../session/task.js'
import { publishedFile } from './published.js'

/** The reader is compiled in a third of the time, and answers what most short commands ask. */
export type ModuleName = 'reader' | 'full'

/** What only the full module answers: reflogs, messages, the index, merge bases, shortened ids. */
const ASKS_MUCH = /^--short|@\{|^:|\^\{\/|\.\.\./

/** Variables of repositories that only the full module reads. */
const ONLY_FULL = /^\s*(promisor|partialclone|refstorage)\b/im

/**
 * Returns the module that answers revisions, and options about them. A wrong one costs no more
 * than the time to load the other.
 */
export function moduleFor(specs: readonly string[]): ModuleName {
  return specs.some((spec) => ASKS_MUCH.test(spec)) ? 'full' : 'reader'
}

/** Returns the module for a repository with such a `config`. */
export function moduleOf(config: string, wanted: ModuleName): ModuleName {
  return ONLY_FULL.test(config) ? 'full' : wanted
}

/** Loads a module of the package, once: for the reader also the full one does, if it is loaded. */
export function loadModule(module: ModuleName = 'full'): void {
  addFullQuestions()
  offerModules({
    reader: () => readFileSync(publishedFile('wasm/packlens_reader.wasm')),
    full: () => readFileSync(publishedFile('wasm/packlens_bg.wasm')),
    whole: (full) => withRest(full, () => readFileSync(publishedFile('wasm/packlens_rest.wasm'))),
  })
  if (module === 'reader') expectSync(loadReader())
  else expectSync(fullInstance())
}
