// Writes the pages about the commands, of the descriptions that their help is made of.
import { DESCRIPTIONS } from '../../dist/node/cli/help/all.js'
import { GLOBAL } from '../../dist/node/cli/help/global.js'

/** Returns the pages of docs/commands by their names. */
export function commandPages() {
  const pages = new Map([['README.md', indexPage()]])
  for (const [name, description] of Object.entries(DESCRIPTIONS)) {
    pages.set(`${name}.md`, page(`packlens ${name}`, description))
  }
  return pages
}

function indexPage() {
  const rows = Object.entries(DESCRIPTIONS).map(
    ([name, { about }]) => `| [${name}](${name}.md) | ${prose(about)} |`,
  )
  return `${page('packlens', GLOBAL)}
## Commands

They take git's options and print what git prints; what is missing is in
[shortcomings](../shortcomings.md).

| command | what it does |
| --- | --- |
${rows.join('\n')}
`
}

function page(called, { about, usages, groups, notes }) {
  const forms = usages.map((form) => `${called} ${form}`).join('\n')
  const parts = [
    `# ${called}`,
    'Made by `npm run commands` of what its help is made of.',
    `${prose(about.charAt(0).toUpperCase() + about.slice(1))}.`,
    `\`\`\`\n${forms}\n\`\`\``,
    ...groups.map(group),
    ...(notes === undefined ? [] : [prose(notes)]),
  ]
  return `${parts.join('\n\n')}\n`
}

function group({ title, options }) {
  const rows = options.map(([names, about]) => {
    const shown = names
      .split(', ')
      .map((name) => `\`${name.replaceAll('|', '\\|')}\``)
      .join(', ')
    return `| ${shown} | ${prose(about)} |`
  })
  const head = title === undefined ? 'Options' : title
  return `## ${head}\n\n| option | what it does |\n| --- | --- |\n${rows.join('\n')}`
}

/** Returns text as Markdown: a value in angle brackets is no element of HTML. */
function prose(text) {
  return text
    .replace(/[*_|\\[\]]/g, '\\$&')
    .replace(/(?:%\([^)]*\))|<[^<>]*>/g, (code) => `\`${code.replaceAll('\\', '')}\``)
}
