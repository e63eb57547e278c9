// Runs the tests of one project of vitest.config.ts.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { inRoot, root } from './paths.mjs'
import { Failure, runNode } from './shell.mjs'

/**
 * Rejects with the tests that failed, which the summary lists at the end. `only`
 * is passed on: names of files, or `-t` and the name of a test.
 */
export async function vitest(project, only = []) {
  const record = inRoot('target', 'tests', `${project}.json`)
  rmSync(record, { force: true })
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${record}`]
  const vitestFile = inRoot('node_modules', 'vitest', 'vitest.mjs')
  try {
    await runNode(vitestFile, ['run', '--project', project, ...reports, ...only])
  } catch (error) {
    if (!existsSync(record)) throw error
    const failed = failedTests(JSON.parse(readFileSync(record, 'utf8')))
    throw new Failure(error.message, { cause: failed })
  }
}

/** Returns a line for each failed test, and the beginning of its error. */
function failedTests({ testResults }) {
  return testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = path.relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    // A file that cannot be loaded has no tests.
    if (failed.length === 0) return status === 'failed' ? [`${file}\n${beginning(message)}`] : []
    return failed.map(
      ({ fullName, failureMessages: [error = ''] }) =>
        `${file}: ${fullName.trim()}\n${beginning(error)}`,
    )
  })
}

function beginning(error) {
  const lines = error.split('\n').slice(0, 6)
  return lines.map((line) => `    ${line.slice(0, 300)}`).join('\n')
}
