// Finds a WebKit for the tests of pages: on Debian WebKitGTK with its driver and a display, which
// it installs there as root.
import { existsSync } from 'node:fs'
import { hasApt, installByApt, isRoot } from './debian.mjs'
import { note } from './report.mjs'

const driver = '/usr/bin/WebKitWebDriver'
const display = '/usr/bin/Xvfb'

/** The programs, for a system that has them; `null` for others. */
export function webkit() {
  return existsSync(driver) && existsSync(display) ? { driver, display } : null
}

/** Installs them where that is possible; elsewhere the tests in WebKit are left out, and named. */
export async function installWebKit() {
  if (webkit()) return
  if (hasApt() && isRoot()) {
    note("no WebKit found: installing Debian's (apt-get, 60 MB, once)")
    await installByApt('webkit2gtk-driver')
    await installByApt('xvfb')
  }
  if (!webkit()) note('no WebKit: its tests are left out (apt-get install webkit2gtk-driver xvfb)')
}
