// Finds a Firefox for the tests of pages, or installs Debian's.
import { existsSync } from 'node:fs'
import { hasApt, installByApt, isRoot } from './debian.mjs'
import { findProgram } from './programs.mjs'
import { note } from './report.mjs'
import { Failure, outputOf } from './shell.mjs'

const usualPlaces = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
]

/** Returns the path of a Firefox that starts. */
export function findFirefox() {
  return findProgram({ name: 'firefox', places: usualPlaces, works, install: installFirefox })
}

function works(file) {
  return existsSync(file) && outputOf(file, ['--version']) !== null
}

async function installFirefox() {
  if (!hasApt() || !isRoot()) throw new Failure(advice)
  note("no Firefox found: installing Debian's (apt-get, 90 MB, once)")
  await installByApt('firefox-esr').catch((error) => {
    throw new Failure(`${error.message}\n${advice}`)
  })
  const found = usualPlaces.find(works)
  if (!found) throw new Failure(advice)
  return found
}

const advice =
  "The tests of pages need a Firefox. Install it ('apt-get install firefox-esr'), or name one: " +
  'FIREFOX_PATH=/path/to/firefox'
