// The jobs of wasm-git, inside its process.
import createModule from 'wasm-git/lg2.js'

export async function start({ job, repository, file }) {
  return {
    'first-blob': async (to) => {
      for (const line of await linesOf(repository, ['cat-file', '-p', file])) to.text(`${line}\n`)
    },
    count: count(repository),
    'count-graph': count(repository),
  }[job]
}

function count(repository) {
  return async (to) => {
    const lines = await linesOf(repository, ['rev-list', 'HEAD'])
    to.text(`${lines.length}\n`)
  }
}

/** Runs a command of libgit2's examples in an instance of its own. */
async function linesOf(repository, [command, ...args]) {
  const lines = []
  const lg2 = await createModule({ print: (line) => lines.push(line), printErr: console.error })
  lg2.FS.mkdir('/repository')
  lg2.FS.mount(lg2.FS.filesystems.NODEFS, { root: repository }, '/repository')
  lg2.FS.chdir('/repository')
  lg2.callMain([command, ...args])
  return lines
}
