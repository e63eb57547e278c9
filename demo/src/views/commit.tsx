import type { CommitObject } from 'packlens'
import { bodyOf, subjectOf } from '../reading/history'
import type { Page } from '../reading/page'
import type { Opened } from '../repository/opened'
import { formatRoute, pathRoute } from '../route'
import { formatWholeSize, shortId } from '../text/format'
import { Changes } from './changes'
import { Id } from './id'
import { Person, When } from './person'
import { Line } from './text'

type CommitPage = Extract<Page, { type: 'commit' }>

export function CommitView({ opened, page }: { opened: Opened; page: CommitPage }) {
  const { commit, parents } = page
  const [first = null] = commit.parents
  const isCut = first !== null && !parents.has(first)
  return (
    <>
      <CommitFacts page={page} />
      {isCut ? (
        <p class="card note">
          The commit before this one is not in this repository, so its changes are unknown.
        </p>
      ) : (
        <Changes
          opened={opened}
          old={first}
          changed={commit.oid}
          about={commit.parents.length > 1 ? 'compared with the first parent' : undefined}
        />
      )}
    </>
  )
}

function CommitFacts({ page: { commit, parents } }: { page: CommitPage }) {
  const { oid, tree, author, committer, message, encoding, gpgsig, size } = commit
  const body = bodyOf(message)
  return (
    <section class="card" aria-labelledby="subject">
      <div class="card-head">
        <h2 id="subject">
          <Line text={subjectOf(message) || '(no message)'} />
        </h2>
      </div>
      {body ? <pre class="prose">{body}</pre> : null}
      <dl class="facts">
        <dt>Commit</dt>
        <dd>
          <Id oid={oid} label="commit id" /> <span class="faint">{formatWholeSize(size)}</span>
        </dd>
        <dt>Author</dt>
        <dd>
          <Person signature={author} />
          <br />
          <When signature={author} />
        </dd>
        <dt>Committer</dt>
        <dd>
          <Person signature={committer} />
          <br />
          <When signature={committer} />
        </dd>
        <dt>{commit.parents.length === 1 ? 'Parent' : 'Parents'}</dt>
        <dd>
          {commit.parents.length === 0 ? 'none: this is where the history begins' : null}
          {commit.parents.map((parent, at) => (
            <ParentLine key={at} oid={parent} commit={parents.get(parent)} />
          ))}
        </dd>
        <dt>Tree</dt>
        <dd>
          <a href={pathRoute(`id:${oid}`)}>Browse the files of this commit</a>{' '}
          <code class="faint">{shortId(tree)}</code>
        </dd>
        {encoding ? (
          <>
            <dt>Encoding</dt>
            <dd>
              <Line text={encoding} />
            </dd>
          </>
        ) : null}
        {gpgsig ? (
          <>
            <dt>Signature</dt>
            <dd>
              <details>
                <summary>There is one; it is not checked here</summary>
                <pre class="prose">{gpgsig}</pre>
              </details>
            </dd>
          </>
        ) : null}
      </dl>
    </section>
  )
}

function ParentLine({ oid, commit }: { oid: string; commit: CommitObject | undefined }) {
  if (!commit) {
    return (
      <div>
        <code>{shortId(oid)}</code> <span class="faint">is not in this repository</span>
      </div>
    )
  }
  return (
    <div>
      <a href={formatRoute({ type: 'commit', oid })}>
        <code>{shortId(oid)}</code> <Line text={subjectOf(commit.message)} />
      </a>
    </div>
  )
}
