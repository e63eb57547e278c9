// Finds an nginx for the tests of the URL source, or installs one.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { hasApt, installByApt, isRoot, withNewLists } from './debian.mjs'
import { cacheDir } from './paths.mjs'
import { findProgram } from './programs.mjs'
import { note } from './report.mjs'
import { Failure, outputOf, run } from './shell.mjs'

const packageDir = path.join(cacheDir, 'nginx')
const unpackedBinary = path.join(packageDir, 'unpacked', 'usr', 'sbin', 'nginx')

const usualPlaces = [
  'nginx',
  '/usr/sbin/nginx',
  '/usr/local/sbin/nginx',
  '/opt/homebrew/bin/nginx',
  unpackedBinary,
]

/** The path of an nginx that starts. */
export function findNginx() {
  return findProgram({ name: 'nginx', places: usualPlaces, works, install: installNginx })
}

function works(file) {
  return outputOf(file, ['-v']) !== null
}

async function installNginx() {
  if (!hasApt()) throw new Failure(advice)
  note(`no nginx found: ${isRoot() ? 'installing' : 'unpacking'} Debian's (apt-get, 1 MB, once)`)
  const install = isRoot() ? installByApt('nginx-light') : withNewLists(unpackFromApt)
  await install.catch((error) => {
    throw new Failure(`${error.message}\n${advice}`)
  })
  const found = usualPlaces.find(works)
  if (!found) throw new Failure(advice)
  return found
}

/** Without root the package cannot be installed, but its program runs from any folder. */
async function unpackFromApt() {
  rmSync(packageDir, { recursive: true, force: true })
  mkdirSync(packageDir, { recursive: true })
  await run('apt-get', ['-qq', 'download', 'nginx'], { cwd: packageDir })
  const file = readdirSync(packageDir).find((name) => name.endsWith('.deb'))
  if (!file) throw new Failure('apt-get downloaded nothing')
  await run('dpkg', ['-x', path.join(packageDir, file), path.join(packageDir, 'unpacked')])
  if (!existsSync(unpackedBinary)) throw new Failure('the package has no nginx in it')
}

const advice =
  "The tests of the URL source need an nginx. Install it ('apt-get install nginx-light', " +
  "'brew install nginx'), or name one: NGINX_PATH=/path/to/nginx"
