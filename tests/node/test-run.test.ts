/** The arguments of `npm test`, the order of its steps, and how long tests wait. */
import { expect, test } from 'vitest'
import { steps } from '../../scripts/lib/steps.mjs'
import { chosenSteps, inLanes, parted } from '../../scripts/lib/test-run.mjs'
import config from '../../vitest.config.ts'

test('steps are named, and tests after one of them', () => {
  expect(parted([])).toEqual({ names: [], only: [] })
  expect(parted(['clippy', 'node'])).toEqual({ names: ['clippy', 'node'], only: [] })
  const only = ['fsck', '-t', 'strict']
  expect(parted(['node', ...only])).toEqual({ names: ['node'], only })
  expect(parted(['native', 'refs'])).toEqual({ names: ['native'], only: ['refs'] })
})

test('steps apart run only when they are named', () => {
  expect([...chosenSteps([])]).toContain('node')
  expect([...chosenSteps([])]).not.toContain('site')
  expect([...chosenSteps(['site'])]).toEqual(['set-up', 'site', 'tsc', 'wasm'])
})

test('tests can be named only after one step that has tests', () => {
  for (const args of [
    ['clippy', 'refs'],
    ['node', 'wasi', 'refs'],
  ]) {
    expect(() => parted(args)).toThrow(/'refs' is no step; tests are named after one of native/)
  }
})

/** Steps whose jobs end on request, and the list of started ones. */
function lanes(hasTwo: boolean) {
  const list = [
    { name: 'set-up' },
    { name: 'clippy', lane: 'cargo' },
    { name: 'tsc' },
    { name: 'native', lane: 'cargo', needs: ['tsc'] },
    { name: 'node', needs: ['tsc'] },
  ]
  const begun: string[] = []
  const ends = new Map<string, (result: string) => void>()
  const runOne = ({ name }: { name: string }) => {
    begun.push(name)
    return new Promise((resolve) => {
      ends.set(name, (result) => resolve({ name, result }))
    })
  }
  const end = async (name: string, result = 'passed') => {
    ends.get(name)?.(result)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { rows: inLanes(list, runOne, hasTwo), begun, end }
}

test('steps of cargo run beside the others, in two lanes', async () => {
  const { rows, begun, end } = lanes(true)
  await end('none')
  expect(begun).toEqual(['set-up'])
  await end('set-up')
  expect(begun).toEqual(['set-up', 'clippy', 'tsc'])
  await end('tsc')
  expect(begun).toEqual(['set-up', 'clippy', 'tsc', 'node'])
  await end('clippy', 'failed')
  expect(begun).toEqual(['set-up', 'clippy', 'tsc', 'node', 'native'])
  await end('native')
  await end('node')
  const results = (await rows).map(({ name, result }) => `${name} ${result}`)
  expect(results).toEqual([
    'set-up passed',
    'clippy failed',
    'tsc passed',
    'native passed',
    'node passed',
  ])
})

test('steps run in sequence on one core, and never before the steps that they need', async () => {
  const { rows, begun, end } = lanes(false)
  await end('none')
  await end('set-up')
  expect(begun).toEqual(['set-up', 'clippy'])
  await end('clippy')
  expect(begun).toEqual(['set-up', 'clippy', 'tsc'])
  await end('tsc', 'failed')
  expect((await rows).slice(3).map(({ name, result, why }) => [name, result, why])).toEqual([
    ['native', 'not run', 'needs tsc'],
    ['node', 'not run', 'needs tsc'],
  ])
})

test('steps of three lanes run at once; one that can run beside none prints directly', async () => {
  const list = [
    { name: 'set-up' },
    { name: 'native', lane: 'cargo' },
    { name: 'demo', lane: 'browser' },
    { name: 'node' },
  ]
  const besideOf = async (names: readonly string[]) => {
    const beside: string[] = []
    const runOne = async ({ name }: { name: string }, isBeside: boolean) => {
      if (isBeside) beside.push(name)
      return name === 'set-up' ? { name, result: 'passed' } : new Promise(() => {})
    }
    const chosen = list.filter(({ name }) => names.includes(name))
    void inLanes(chosen, runOne, true)
    await new Promise((resolve) => setImmediate(resolve))
    return beside
  }
  expect(await besideOf(['set-up', 'native', 'demo', 'node'])).toEqual(['native', 'demo'])
  expect(await besideOf(['set-up', 'demo'])).toEqual([])
})

test('while cargo compiles, all steps run that need nothing of it', async () => {
  const begun = new Set<string>()
  const runOne = ({ name, lane }: { name: string; lane?: string }) => {
    begun.add(name)
    return lane === 'cargo' ? new Promise(() => {}) : Promise.resolve({ name, result: 'passed' })
  }
  const usual = steps.filter(({ name }) => chosenSteps([]).has(name))
  void inLanes(usual, runOne, true)
  await new Promise((resolve) => setImmediate(resolve))
  const ofCargo = new Set(usual.filter(({ lane }) => lane === 'cargo').map(({ name }) => name))
  const free = usual.filter(
    ({ name, needs = [] }) => !ofCargo.has(name) && !needs.some((need) => ofCargo.has(need)),
  )
  expect([...begun]).toEqual(expect.arrayContaining(free.map(({ name }) => name)))
})

test('each step comes after those that it needs, or it would not wait for them', () => {
  for (const [at, { needs = [] }] of steps.entries()) {
    const before = steps.slice(0, at).map(({ name }) => name)
    expect(before).toEqual(expect.arrayContaining([...needs]))
  }
})

test('what a test polls for may take as long on a busy machine as what it waits for', () => {
  const projects = config.test?.projects ?? []
  expect(projects.length).toBeGreaterThan(0)
  for (const project of projects) {
    if (typeof project !== 'object' || !('test' in project)) throw new Error('a project of a file')
    const { name, expect: settings } = project.test ?? {}
    expect(settings?.poll?.timeout, `${name}`).toBeGreaterThanOrEqual(20_000)
  }
})
