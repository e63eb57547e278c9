// Runs a wasm32-wasip1 program of tests on Node's own WASI: cargo's runner for the
// core's tests with a 32-bit usize. The whole file system is accessible, as for a native
// test. Such a program has one thread: the tests are distributed to as many instances
// of it as there are cores.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { WASI } from 'node:wasi'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** Runs the program in this thread; returns its exit code. */
async function run({ module, file, args, stdout = 1 }) {
  const preopens = { '/': '/' }
  const settings = { version: 'preview1', args: [file, ...args], env: process.env, preopens }
  const wasi = new WASI({ ...settings, stdout })
  return wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()))
}

/** Runs the program in a thread of its own. */
function runApart(program) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: program })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a thread of tests ended with ${code}`)))
  })
}

/** Returns the names of the tests that some filters select. */
async function listed(program) {
  const folder = mkdtempSync(path.join(tmpdir(), 'packlens-wasi-'))
  const list = path.join(folder, 'list')
  const stdout = openSync(list, 'w')
  const args = [...program.args, '--list', '--format', 'terse']
  const code = await run({ ...program, args, stdout })
  closeSync(stdout)
  const text = readFileSync(list, 'utf8')
  rmSync(folder, { recursive: true })
  if (code !== 0) throw new Error(`the list of tests ended with ${code}`)
  return text.split('\n').flatMap((line) => (line.endsWith(': test') ? [line.slice(0, -6)] : []))
}

if (isMainThread) {
  const [file, ...args] = process.argv.slice(2)
  const program = { module: await WebAssembly.compile(readFileSync(file)), file, args }
  // Options that only list are answered by one instance.
  const names = args.some((arg) => arg.startsWith('-')) ? [] : await listed(program)
  const parts = Math.min(availableParallelism(), names.length)
  const hands = Array.from({ length: parts }, (_, hand) =>
    names.filter((_, at) => at % parts === hand),
  )
  const codes = await Promise.all(
    parts > 1
      ? hands.map((hand) => runApart({ ...program, args: ['--exact', ...hand] }))
      : [run(program)],
  )
  process.exitCode = Math.max(...codes)
} else {
  parentPort.postMessage(await run(workerData))
}
