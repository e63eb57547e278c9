// The text of the viewer is in demo/src/words, where another language finds all of it.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { inRoot } from '../../scripts/lib/paths.mjs'

const folder = inRoot('demo', 'src')

/** The attributes that are shown or read aloud, and the properties of views that become these. */
const TEXT_ATTRIBUTES = new Set([
  ...['aria-label', 'title', 'placeholder', 'alt', 'label'],
  ...['text', 'what', 'why'],
])

/** Calls whose arguments are selectors or media queries. */
const SELECTORS = /\b(?:querySelector(?:All)?|closest|matchMedia|useMedia)$/

/** Modules of names for programs: languages with their files, shapes of icons. */
const MODULES_WITHOUT_TEXT = ['highlight/languages.ts', 'views/icon.tsx']

/** Literals that look like text, and are not. */
const NOT_TEXT: readonly (readonly [literal: RegExp, why: string])[] = [
  [/^HEAD$/, "git's own name"],
  [/^packlens$/, 'the name of this project'],
  [/^(?:Arrow(?:Up|Down)|Enter)$/, "the browser's name of a key"],
  [/^(?:Files|AbortError)$/, "the browser's name of a thing"],
  [/^OggS$/, 'the beginning of a file'],
  [/^\{\} gap$/, 'two classes'],
  [/^(?:a abbr|kbd li|align alt|type width)\b/, 'elements and attributes of Markdown'],
  [/^noopener noreferrer/, 'a relation of links'],
  [/^calc\(/, 'a length of CSS'],
  [/^M\{\}/, 'a shape of SVG'],
  [/^The script \{\} is not of this page$/, 'an error of this program, for the console'],
]

/** Returns the texts of a module that are not in the words, each with its line. */
function textsIn(name: string, code: string): string[] {
  const file = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node) => {
    const text = textOf(node)
    if (text !== null && isText(node, text)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      found.push(`${name}:${line + 1}: ${text.trim()}`)
    }
    if (!holdsNoText(node)) ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Returns the text of a literal, `{}` in place of what a template inserts; `null` for others. */
function textOf(node: ts.Node): string | null {
  if (ts.isJsxText(node)) return node.text.replaceAll(/&\w+;/g, '')
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
}

function isText(node: ts.Node, text: string): boolean {
  if (!/\p{L}/u.test(text) || NOT_TEXT.some(([literal]) => literal.test(text))) return false
  if (ts.isJsxText(node) || isShown(node)) return true
  // Prose has spaces, and other text of the page begins with a capital letter.
  return /\p{L}.* | .*\p{L}/su.test(text) || /^\p{Lu}\p{Ll}/u.test(text)
}

/** Returns whether a literal is, in some case, a child of an element or one of its texts. */
function isShown(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isJsxAttribute(parent)) return TEXT_ATTRIBUTES.has(parent.name.getText())
  if (ts.isJsxExpression(parent)) return ts.isJsxAttribute(parent.parent) ? isShown(parent) : true
  const isCase = ts.isConditionalExpression(parent) && node !== parent.condition
  const isOther = ts.isBinaryExpression(parent) && !isComparison(parent.operatorToken.kind)
  return isCase || isOther || ts.isParenthesizedExpression(parent) ? isShown(parent) : false
}

function isComparison(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.LessThanToken && kind <= ts.SyntaxKind.ExclamationEqualsEqualsToken
}

/** Names of modules, types, classes, selectors and keys. */
function holdsNoText(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node))
    return true
  if (ts.isJsxElement(node)) return node.openingElement.tagName.getText() === 'kbd'
  if (ts.isJsxAttribute(node)) return /^(?:class|d|viewBox|id)$/.test(node.name.getText())
  return ts.isCallExpression(node) && SELECTORS.test(node.expression.getText())
}

describe('The words of the viewer', () => {
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith(`words${path.sep}`))
    .filter((name) => !MODULES_WITHOUT_TEXT.includes(name.replaceAll(path.sep, '/')))

  test('are all of its text', () => {
    expect(modules.length).toBeGreaterThan(80)
    const left = modules.flatMap((name) =>
      textsIn(name, readFileSync(path.join(folder, name), 'utf8')),
    )
    expect(left).toEqual([])
  })

  test('would be found elsewhere', () => {
    const code = `
      const name = 'src/a.ts' + (route.type === 'path' ? \`#L\${line}\` : '')
      const titles = { text: 'Text', size: \`\${size} read\`, more: 'show more' }
      const view = <p class="card note" title={busy ? 'wait' : ''} aria-label="content">
        older <b class={busy ? 'busy page' : 'page'}>{copied ? 'copied' : name || 'nobody'}</b>
        <kbd>t</kbd> {route.type === 'path' ? 1 : 2} &lt;
      </p>`
    const texts = ['Text', '{} read', 'show more', 'wait', 'content', 'older', 'copied', 'nobody']
    const found = textsIn('a.tsx', code).map((text) => text.replace(/^a\.tsx:\d+: /, ''))
    expect(found).toEqual(texts)
  })
})
