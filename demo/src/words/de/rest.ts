/** The text of counters, zip files and Markdown in German. */
import { formatNumber } from '../language'
import type { MarkdownWords } from '../markdown'
import type { WorkWords } from '../work'
import type { ZipWords } from '../zip'

export const work: WorkWords = {
  title: 'Zähler',
  columns: {
    action: 'Vorgang',
    time: 'Zeit',
    read: 'Gelesen',
    inflated: 'Entpackt',
    objects: 'Objekte',
  },
  requests: 'Anfragen',
  received: (requests: number, size: string) => `${formatNumber(requests)}, ${size} empfangen`,
  read: 'Gelesen',
  of: (size: string, total: string) => `${size} von ${total}`,
  blocks: 'Blöcke',
  evicted: (read: number, evicted: number) =>
    `${formatNumber(read)}, davon ${formatNumber(evicted)} verdrängt`,
  objects: 'Objekte',
  bases: 'Basen aus dem Cache',
  forDeltas: (bases: number, deltas: number) =>
    `${formatNumber(bases)} für ${formatNumber(deltas)} Deltas`,
  memory: 'Höchster Speicher',
}

export const zip: ZipWords = {
  noRepository:
    'sie enthält kein Repository. Aus einem Ordner mit einem Ordner .git machen, mit versteckten Dateien.',
  failed: (file: string, detail: unknown) => `${file} kann nicht geöffnet werden: ${detail}`,
  manyNames: (most: number) =>
    `sie hat mehr als ${formatNumber(most)} Dateien und Ordner. Entpacken und den Ordner öffnen.`,
  large: (most: string) =>
    `mehr als ${most} würden entpackt. Selbst entpacken und den Ordner öffnen.`,
}

export const markdown: MarkdownWords = {
  slow: 'Die Darstellung dieses Texts dauert zu lange.',
  task: 'Aufgabe',
  alerts: {
    note: 'Hinweis',
    tip: 'Tipp',
    important: 'Wichtig',
    warning: 'Warnung',
    caution: 'Vorsicht',
  },
  outside: 'Ein Bild eines anderen Servers, das nicht geladen wird',
}
