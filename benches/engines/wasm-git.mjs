// wasm-git, from npm: libgit2 by Emscripten, whose answers are lines of text. The bytes
// of files are lost in these, so it does no jobs of many objects.
import { benchPackage, javascript } from './javascript.mjs'

export const name = 'wasm-git'

export function version() {
  return benchPackage(name)
}

const does = ['first-blob', 'count', 'count-graph']

export const jobs = Object.fromEntries(
  does.map((job) => [job, (task) => [javascript('wasm-git-jobs.mjs', job, task)]]),
)
