/** examples/edge-function: a repository in an S3-compatible server, read by workerd. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openSync } from 'packlens'
import { afterAll, expect, test } from 'vitest'
import { copyServed } from '../node/servers/served.ts'
import { fixture, root } from '../node/support.ts'
import { makeProject, run, tool } from './support.ts'

const workerd = tool('@cloudflare', 'workerd-linux-64', 'bin', 'workerd')
// On other platforms npm does not install it: its package is for Linux on x64.
const isHere = existsSync(workerd) || (process.platform === 'linux' && process.arch === 'x64')

const KEYS = { S3_ACCESS_KEY: 'S3RVER', S3_SECRET_KEY: 'S3RVER' }

/** Listens at a free port, and prints a line for each request. */
const storage = `
const { default: S3rver } = await import(${JSON.stringify(tool('s3rver', 'lib', 's3rver.js'))})
const server = new S3rver({ port: 0, directory: 'storage', silent: true, configureBuckets: [{ name: 'bucket' }] })
server.middleware.unshift(async (context, next) => {
  await next()
  const { method, path, status, headers } = context
  console.log(JSON.stringify({ method, path, status, range: headers.range ?? null }))
})
const { port } = await server.run()
console.log('port ' + port)
`

const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill()
})

/** Starts a program; returns what it printed up to a line that `pattern` finds, and after it. */
async function start(folder: string, command: string, args: string[], pattern: RegExp, env = {}) {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env } })
  children.push(child)
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output.text += text
    })
  }
  let found: RegExpExecArray | null = null
  while (!found) {
    if (child.exitCode !== null) throw new Error(output.text)
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
    found = pattern.exec(output.text)
  }
  return { output, port: found[1] ?? '' }
}

test.runIf(isHere)('serves files of a private bucket by ranges', async () => {
  const of = fixture('main')
  const folder = makeProject('edge-function', { 'storage.mjs': storage })
  const example = path.join(root, 'examples', 'edge-function')
  for (const name of readdirSync(example)) cpSync(path.join(example, name), path.join(folder, name))
  const project = path.join(folder, 'project.git')
  copyServed(of, project)

  const s3 = await start(folder, process.execPath, ['storage.mjs'], /^port (\d+)$/m)
  const env = { ...KEYS, S3_URL: `http://127.0.0.1:${s3.port}/bucket/project.git` }
  const upload = (variables: typeof env) =>
    run(folder, process.execPath, ['upload.mjs', 'project.git'], variables)
  expect(await upload(env)).toEqual({ status: 0, stdout: '', stderr: '' })
  const flags = ['worker.js', '--bundle', '--format=esm', '--external:./packlens.wasm']
  const build = [...flags, '--outfile=out.js', '--log-level=error']
  const built = await run(folder, process.execPath, [tool('esbuild', 'bin', 'esbuild'), ...build])
  expect(built).toEqual({ status: 0, stdout: '', stderr: '' })

  const config = readFileSync(path.join(folder, 'config.capnp'), 'utf8')
  expect(config).toContain('address = "127.0.0.1:8080"')
  writeFileSync(path.join(folder, 'config.capnp'), config.replace('127.0.0.1:8080', '127.0.0.1:0'))
  const args = ['serve', 'config.capnp', '--control-fd=1']
  const { port } = await start(folder, workerd, args, /"listen".*"port":(\d+)/, env)
  const ask = (name: string) => fetch(`http://127.0.0.1:${port}/${name}`)

  const local = openSync(project)
  const before = s3.output.text.length
  for (const [name, type] of [
    ['README.md', 'text/markdown'],
    ['imported/other/chapter-4.txt', 'text/plain'],
  ] as const) {
    const { data, oid } = local.readBlob(`HEAD:${name}`)
    const answer = await ask(name)
    expect([name, answer.status, await answer.text()]).toEqual([name, 200, `${Buffer.from(data)}`])
    expect(answer.headers.get('etag')).toBe(`"${oid}"`)
    expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    const received = Number(answer.headers.get('x-received-bytes'))
    expect(received).toBeGreaterThan(1000)
    // Of these 123 KB a read brings 48 KiB: what is before the needed byte, and after it.
    expect(received).toBeLessThan((sizeOfPacks(project) * 2) / 3)
  }
  expect((await ask('no/such/file')).status).toBe(404)
  expect((await ask('imported')).status).toBe(404)
  expect((await ask('..%2fREADME.md')).status).toBe(404)
  expect((await ask('%zz')).status).toBe(400)
  local.close()

  // The server was asked for ranges of the pack only.
  const lines = s3.output.text.slice(before).trim().split('\n')
  const requests = lines.map((line) => JSON.parse(line) as Record<string, string | number | null>)
  const ofPacks = requests.filter(({ path }) => /\.pack$/.test(`${path}`))
  expect(ofPacks.length).toBeGreaterThan(1)
  for (const { method, range, status } of ofPacks) {
    expect([method, status, /^bytes=\d+-\d+$/.test(`${range}`)]).toEqual(['GET', 206, true])
  }
  expect((await upload({ ...env, S3_ACCESS_KEY: 'WRONG' })).stderr).toContain('InvalidAccessKeyId')
})

function sizeOfPacks(project: string): number {
  const folder = path.join(project, 'objects', 'pack')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pack'))
    .reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0)
}
