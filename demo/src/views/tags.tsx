import type { TagObject } from 'packlens'
import { first } from '../words/first'
import { Id } from './id'
import { Person, When } from './person'
import { Line } from './text'

/** Shows the annotated tags that were peeled to the page's object. */
export function Tags({ tags }: { tags: readonly TagObject[] }) {
  return (
    <>
      {tags.map((tag) => (
        <section key={tag.oid} class="card" aria-label={first.tag(tag.name)}>
          <div class="card-head file-head">
            <h2>{first.tagTitle(<Line text={tag.name} />)}</h2>
            {tag.tagger ? (
              <Tagger tagger={tag.tagger} />
            ) : (
              <span class="faint">{first.noTagger}</span>
            )}
            <Id oid={tag.oid} kind="tag" />
          </div>
          {tag.message ? <pre class="prose">{tag.message.trimEnd()}</pre> : null}
        </section>
      ))}
    </>
  )
}

function Tagger({ tagger }: { tagger: NonNullable<TagObject['tagger']> }) {
  return (
    <span>
      <Person signature={tagger} /> · <When signature={tagger} />
    </span>
  )
}
