import type { CommitObject } from 'packlens'
import { bodyOf, subjectOf } from '../reading/history'
import type { Page } from '../reading/page'
import type { Opened } from '../repository/opened'
import { formatRoute, pathRoute } from '../route'
import { formatWholeSize, shortId } from '../text/format'
import { first } from '../words/first'
import { pages } from '../words/pages'
import { Changes } from './changes'
import { Id } from './id'
import { Person, When } from './person'
import { Line } from './text'

type CommitPage = Extract<Page, { type: 'commit' }>

export function CommitView({ opened, page }: { opened: Opened; page: CommitPage }) {
  const { commit, parents } = page
  const [parent = null] = commit.parents
  const isCut = parent !== null && !parents.has(parent)
  return (
    <>
      <CommitFacts page={page} />
      {isCut ? (
        <p class="card note">{pages.cutHistory}</p>
      ) : (
        <Changes
          opened={opened}
          old={parent}
          changed={commit.oid}
          about={commit.parents.length > 1 ? pages.firstParent : undefined}
        />
      )}
    </>
  )
}

function CommitFacts({ page: { commit, parents } }: { page: CommitPage }) {
  const { oid, tree, author, committer, message, encoding, gpgsig, size } = commit
  const body = bodyOf(message)
  const { facts } = pages
  return (
    <section class="card" aria-labelledby="subject">
      <div class="card-head">
        <h2 id="subject">
          <Line text={subjectOf(message) || first.noMessage} />
        </h2>
      </div>
      {body ? <pre class="prose">{body}</pre> : null}
      <dl class="facts">
        <dt>{facts.commit}</dt>
        <dd>
          <Id oid={oid} kind="commit" /> <span class="faint">{formatWholeSize(size)}</span>
        </dd>
        <dt>{pages.author}</dt>
        <dd>
          <Person signature={author} />
          <br />
          <When signature={author} />
        </dd>
        <dt>{facts.committer}</dt>
        <dd>
          <Person signature={committer} />
          <br />
          <When signature={committer} />
        </dd>
        <dt>{commit.parents.length === 1 ? facts.parent : facts.parents}</dt>
        <dd>
          {commit.parents.length === 0 ? pages.noParent : null}
          {commit.parents.map((parent, at) => (
            <ParentLine key={at} oid={parent} commit={parents.get(parent)} />
          ))}
        </dd>
        <dt>{facts.tree}</dt>
        <dd>
          <a href={pathRoute(`id:${oid}`)}>{pages.browse}</a>{' '}
          <code class="faint">{shortId(tree)}</code>
        </dd>
        {encoding ? (
          <>
            <dt>{facts.encoding}</dt>
            <dd>
              <Line text={encoding} />
            </dd>
          </>
        ) : null}
        {gpgsig ? (
          <>
            <dt>{facts.signature}</dt>
            <dd>
              <details>
                <summary>{pages.signed}</summary>
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
        <code>{shortId(oid)}</code> <span class="faint">{pages.missingParent}</span>
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
