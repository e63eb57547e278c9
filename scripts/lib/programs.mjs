// Finds the programs that tests need beside Node: browsers, a web server.
import { recall, remember } from './fingerprint.mjs'
import { Failure } from './shell.mjs'

/**
 * Returns the path of a program that works: the one that a variable such as `NGINX_PATH` names, one
 * at a usual place, or one that `install` installs.
 */
export async function findProgram({ name, places, works, install }) {
  const named = namedProgram(name)
  if (named) {
    if (await works(named)) return kept(name, named)
    throw new Failure(`${variableOf(name)} is ${named}, which does not start as ${name}`)
  }
  for (const place of places) {
    if (await works(place)) return kept(name, place)
  }
  return kept(name, await install())
}

/** Returns the program that a variable names, or the one of an earlier run: for direct calls of vitest. */
export function foundProgram(name) {
  return namedProgram(name) ?? recall(name).file
}

function kept(name, file) {
  remember(name, { file })
  return file
}

function namedProgram(name) {
  return process.env[variableOf(name)] || undefined
}

function variableOf(name) {
  return `${name.toUpperCase()}_PATH`
}
