// The engines that can be compared, each with the reason if it is missing.
import * as git from './git.mjs'
import * as gitoxide from './gitoxide.mjs'
import * as isomorphicGit from './isomorphic-git.mjs'
import * as node from './node.mjs'
import { ownFolder, packlens } from './packlens.mjs'
import * as packlensCli from './packlens-cli.mjs'
import * as packlensIsomorphicGit from './packlens-isomorphic-git.mjs'
import * as wasmGit from './wasm-git.mjs'

/** Functions by the engine's name; git is the first one. */
export const engines = {
  git: () => git,
  node: () => node,
  packlens: () => packlens('packlens', ownFolder),
  'packlens-cli': () => packlensCli,
  gitoxide: () => gitoxide,
  'wasm-git': () => wasmGit,
  'packlens-isomorphic-git': () => packlensIsomorphicGit,
  'isomorphic-git': () => isomorphicGit,
}
