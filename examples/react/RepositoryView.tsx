import type { GitObject, Repository } from 'packlens'
import { open } from 'packlens'
import { useEffect, useState } from 'react'

interface Props {
  /** The address of a bare repository. */
  readonly url: string
  readonly revision?: string
}

/** Shows a directory or a file of a repository; a click opens an entry. */
export function RepositoryView({ url, revision = 'HEAD' }: Props) {
  const [path, setPath] = useState('')
  const { value: repository, error: unopened } = useRepository(url)
  const { value: object, error: unread } = useObject(repository, `${revision}:${path}`)
  const error = unopened ?? unread
  return (
    <section>
      <nav>
        <button type="button" disabled={path === ''} onClick={() => setPath(parentOf(path))}>
          ..
        </button>
        <code>{`${revision}:${path}`}</code>
      </nav>
      {error && <p role="alert">{error.message}</p>}
      {object?.type === 'tree' && (
        <ul>
          {object.entries.map(({ name, isTree, isSubmodule }) => (
            <li key={name}>
              <button
                type="button"
                disabled={isSubmodule}
                onClick={() => setPath(path ? `${path}/${name}` : name)}
              >
                {isTree ? `${name}/` : name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {object?.type === 'blob' && <pre>{object.text()}</pre>}
    </section>
  )
}

/** The result of a call, once it has one. */
interface Outcome<T> {
  readonly value?: T
  readonly error?: Error
}

/** Opens a repository, and closes it when the address changes or the component is unmounted. */
function useRepository(url: string): Outcome<Repository> {
  const [outcome, setOutcome] = useState<Outcome<Repository>>({})
  useEffect(() => {
    const { signal, end } = abortable()
    const opening = open(url, { signal })
    opening.then(
      (value) => signal.aborted || setOutcome({ value }),
      (error) => signal.aborted || setOutcome({ error }),
    )
    return () => {
      end()
      setOutcome({})
      opening.then((repository) => repository.close()).catch(() => {})
    }
  }, [url])
  return outcome
}

/** Reads an object, and stops when another one is shown or the component is unmounted. */
function useObject(repository: Repository | undefined, spec: string): Outcome<GitObject> {
  const [outcome, setOutcome] = useState<Outcome<GitObject>>({})
  useEffect(() => {
    if (!repository) return
    const { signal, end } = abortable()
    repository.read(spec, { signal }).then(
      (value) => signal.aborted || setOutcome({ value }),
      (error) => signal.aborted || setOutcome({ error }),
    )
    return () => {
      end()
      setOutcome({})
    }
  }, [repository, spec])
  return outcome
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, end: () => controller.abort() }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}
