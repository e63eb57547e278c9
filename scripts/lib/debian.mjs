// Installs programs that are packages of Debian, where the system has apt.
import { outputOf, run } from './shell.mjs'

export const hasApt = () => outputOf('apt-get', ['--version']) !== null

export const isRoot = () => process.getuid?.() === 0

/** Installs a package as root. */
export function installByApt(name) {
  return withNewLists(() => {
    const args = ['install', '-qq', '-y', '--no-install-recommends', name]
    // On a system with an init, a package may start a server of its own.
    return run('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } })
  })
}

/**
 * Installs, and if that fails again with new lists of packages: they may be missing, or name a
 * version that was replaced.
 */
export async function withNewLists(install) {
  try {
    await install()
  } catch {
    await (isRoot() && run('apt-get', ['-qq', 'update']).catch(() => {}))
    await install()
  }
}
