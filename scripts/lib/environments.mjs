// The bundlers and runtimes that test the published package, and that package.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { filesUnder, fingerprint, recall, remember } from './fingerprint.mjs'
import { cacheDir, distDir, inRoot, targetDir } from './paths.mjs'
import { note } from './report.mjs'
import { installInto } from './setup.mjs'
import { npm } from './shell.mjs'

/** The folder of the tools. They take 1 GB, so they are no dependencies of this package. */
export const toolsDir = path.join(cacheDir, 'environments')

/** The folder of the projects that the tests make. */
export const projectsDir = path.join(targetDir, 'environments')

/** The folder of the package's tarball, and of its installation. */
export const publishedDir = path.join(projectsDir, 'published')

/** Installs what tests/environments/tools/package-lock.json names, unless it is installed. */
export async function installEnvironments() {
  mkdirSync(toolsDir, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) {
    const [from, to] = [inRoot('tests', 'environments', 'tools', name), path.join(toolsDir, name)]
    const isSame = existsSync(to) && readFileSync(from).equals(readFileSync(to))
    if (!isSame) copyFileSync(from, to)
  }
  // Not `ci`: it requires the packages for all systems, which a mirror of the registry may
  // lack. No scripts: their downloads are available as packages as well.
  await installInto(toolsDir, ['install', '--no-save', '--ignore-scripts'])
}

/** Packs the package as it would be published, and has npm install the tarball. */
export async function packPackage() {
  const inputs = fingerprint([
    ...filesUnder(distDir),
    ...['package.json', 'README.md'].map((name) => inRoot(name)),
  ])
  if (recall('published').inputs === inputs && existsSync(publishedPackage())) return
  note('the package as it is published (target/environments)')
  rmSync(publishedDir, { recursive: true, force: true })
  mkdirSync(publishedDir, { recursive: true })
  await npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', publishedDir])
  const tarball = filesUnder(publishedDir).find((file) => file.endsWith('.tgz'))
  await npm(['install', '--prefix', publishedDir, '--no-save', '--offline', tarball])
  remember('published', { inputs })
}

/** Copies the package into a project, unchanged. */
export function givePackage(project) {
  const to = path.join(project, 'node_modules', 'packlens')
  cpSync(publishedPackage(), to, { recursive: true })
}

function publishedPackage() {
  return path.join(publishedDir, 'node_modules', 'packlens')
}
