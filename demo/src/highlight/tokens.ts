/** The kinds of tokens that have a color, and how the worker sends them. */

/** The names of CSS highlights, after `code-`: see styles/code.css. */
export const KINDS = [
  'comment',
  'keyword',
  'string',
  'number',
  'name',
  'type',
  'attribute',
  'meta',
  'added',
  'removed',
] as const

export type Kind = (typeof KINDS)[number]

/** Three numbers for each token: its start, its end, and the index of its kind. */
export type Tokens = Uint32Array<ArrayBuffer>

/** Asks for the tokens of a text. */
export interface Question {
  readonly language: string
  readonly text: string
}

/** The kinds of the scopes of highlight.js. Other scopes have the color of the text. */
const SCOPES: Readonly<Record<string, Kind>> = {
  comment: 'comment',
  quote: 'comment',
  keyword: 'keyword',
  'selector-tag': 'keyword',
  literal: 'number',
  number: 'number',
  symbol: 'number',
  string: 'string',
  regexp: 'string',
  char: 'string',
  link: 'string',
  title: 'name',
  section: 'name',
  name: 'name',
  type: 'type',
  built_in: 'type',
  class: 'type',
  'selector-class': 'type',
  attr: 'attribute',
  attribute: 'attribute',
  property: 'attribute',
  variable: 'attribute',
  'template-variable': 'attribute',
  'selector-attr': 'attribute',
  meta: 'meta',
  doctag: 'meta',
  bullet: 'meta',
  addition: 'added',
  deletion: 'removed',
}

/** Returns the kind of a class such as `hljs-keyword`; `null` for the color of the text. */
export function kindOf(className: string): Kind | null {
  return SCOPES[className.replace(/^hljs-/, '')] ?? null
}
