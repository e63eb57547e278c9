// Prints the progress of steps, their seconds, and a table at the end.
import { say } from './output.mjs'

/** Prints the current job, before anything that takes time. */
export function note(message) {
  say(`  - ${message}`)
}

export function heading(name, about) {
  say(`\n== ${name}: ${about}`)
}

export function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

/** One row a step; `result` is 'passed', 'failed' or 'not run', `failed` lists its tests. */
export function summary(rows) {
  const width = Math.max(...rows.map((row) => row.name.length))
  console.log('\nSummary')
  for (const { name, result, time, why } of rows) {
    const reason = why ? `  ${why}` : ''
    console.log(`  ${name.padEnd(width)}  ${result.padEnd(7)}  ${time.padStart(8)}${reason}`)
  }
  for (const { name, failed = [] } of rows) {
    for (const test of failed) console.log(`\n${name} failed in ${test}`)
  }
  const passed = rows.filter((row) => row.result === 'passed').length
  console.log(`\n${passed} passed, ${rows.length - passed} failed`)
}
