/** The text of the pages after the first one in German. */
import type { ComponentChild } from 'preact'
import { counted } from '../language'
import type { PageWords } from '../pages'

const lines = (number: number) => counted(number, { one: '# Zeile', other: '# Zeilen' })

export const pages: PageWords = {
  content: 'Inhalt',
  search: 'Suchen',
  author: 'Autor',
  before: 'Vorher',
  after: 'Nachher',

  filesBeside: 'Dateien dieser Revision',
  emptyFile: 'Diese Datei ist leer.',
  kinds: {
    empty: 'Leere Datei',
    text: 'Text',
    image: 'Bild',
    media: 'Ton oder Film',
    document: 'Dokument',
    binary: 'Binärdatei',
  },
  executable: (kind: string) => `${kind}, ausführbar`,
  howShown: 'Wie die Datei gezeigt wird',
  preview: 'Vorschau',
  code: 'Code',
  wrap: 'Umbrechen',
  copyText: 'Text kopieren',
  textCopied: 'Der Text wurde kopiert',
  raw: 'Rohtext',
  inNewTab: 'In einem neuen Tab',
  noTab:
    'Der Browser hat keinen Tab geöffnet: der Seite das erlauben, oder die Datei herunterladen.',
  download: 'Herunterladen',
  cutTo: (size: string) => `Diese Datei ist groß: nur ihre ersten ${size} werden gezeigt.`,
  cut: 'Diese Datei ist groß: nur der Anfang ihres Texts wird gezeigt.',
  showAll: (size: string) => `Alle ${size} anzeigen`,
  downloadRest: 'Zum Rest die Datei herunterladen.',
  turns:
    'Dieser Text hat Zeichen, die die Schreibrichtung umkehren: Teile davon können in anderer Reihenfolge sein, als es aussieht.',
  encoding: (name: string) => `Dieser Text ist in ${name}.`,
  encodings: { 'utf-16le': 'UTF-16, Little Endian', 'utf-16be': 'UTF-16, Big Endian' },
  unknownEncoding:
    'Dieser Text ist nicht UTF-8. Er wird als Latin-1 gezeigt, was falsch sein kann.',
  lfs: (size: string) =>
    `Das ist ein Zeiger von Git LFS: die Datei selbst, von ${size}, ist nicht im Repository.`,
  notText: 'Das ist kein Text.',
  asBytes: (why: string, size: string) => `${why} Die ersten ${size} als Bytes:`,
  bytes: 'Bytes',
  cannotShow: (type: string) => `Das beginnt wie ${type}, aber der Browser kann es nicht zeigen.`,
  cannotPlay: (type: string) =>
    `Das beginnt wie ${type}, aber der Browser kann es nicht abspielen.`,
  openDocument: 'Dieses Dokument im Browser öffnen',
  imageSize: (type: string, width: number, height: number) => `${type}, ${width} × ${height} Pixel`,
  imageText: 'Der Inhalt dieser Datei',

  blame: 'Wer jede Zeile zuletzt geändert hat',
  blameNoText: 'Das ist kein Text: keine Zeile hat einen Autor.',
  ignores: 'Revisionen ignorieren',
  ignoresWhich: 'Die Commits, die .git-blame-ignore-revs nennt, etwa solche, die nur formatieren',
  walking: 'Der Verlauf wird zurückverfolgt…',
  older: 'älter',
  newer: 'neuer',
  fileBefore: 'Die Datei vor dieser Änderung',

  symlink: 'Symbolischer Link',
  pointsAt: (target: ComponentChild) => ['Er zeigt auf ', target, '.'],
  pointsOutside: (target: ComponentChild) => [
    'Er zeigt auf ',
    target,
    ', außerhalb dieses Repositorys.',
  ],
  submodule: 'Submodul',
  submoduleNote:
    'Das ist ein Commit eines anderen Repositorys, dessen Dateien nicht in diesem sind.',
  gitmodulesUnnamed: 'Die Datei .gitmodules nennt jenes Repository nicht.',
  gitmodulesFailed: (why: ComponentChild) => [
    'Die Datei .gitmodules kann nicht gelesen werden: ',
    why,
  ],
  gitmodulesNoAddress: 'Die Datei .gitmodules hat keine Adresse dafür.',
  notOpened: (address: ComponentChild) => [
    'Seine Adresse ist ',
    address,
    ', die diese Seite nicht öffnet.',
  ],
  newTab: (link: ComponentChild) => ['Ein neuer Tab öffnet ', link],

  facts: {
    commit: 'Commit',
    committer: 'Committer',
    parent: 'Vorgänger',
    parents: 'Vorgänger',
    tree: 'Baum',
    encoding: 'Kodierung',
    signature: 'Signatur',
  },
  cutHistory:
    'Der Commit vor diesem ist nicht in diesem Repository: seine Änderungen sind unbekannt.',
  firstParent: 'verglichen mit dem ersten Vorgänger',
  noParent: 'keiner: hier beginnt der Verlauf',
  missingParent: 'ist nicht in diesem Repository',
  browse: 'Die Dateien dieses Commits ansehen',
  signed: 'Es gibt eine; sie wird hier nicht geprüft',

  changes: 'Geänderte Dateien',
  comparing: 'Wird verglichen…',
  changed: (number: number, done: boolean) =>
    done
      ? counted(number, { one: '# geänderte Datei', other: '# geänderte Dateien' })
      : counted(number, {
          one: 'Die erste geänderte Datei',
          other: 'Die ersten # geänderten Dateien',
        }),
  moreFiles: 'Mehr Dateien anzeigen',
  files: 'Dateien',
  addedRemoved: (path: string, added: number, removed: number) =>
    `${path}: ${added} hinzugefügt, ${removed} entfernt`,
  layout: 'Darstellung der Änderungen',
  unified: 'Untereinander',
  split: 'Nebeneinander',
  statuses: {
    added: 'hinzugefügt',
    deleted: 'gelöscht',
    modified: 'geändert',
    'type-changed': 'Typ geändert',
    renamed: 'umbenannt',
    copied: 'kopiert',
  },
  similar: (status: string, percent: number) => `${status}, zu ${percent} % gleich`,
  showLines: (number: number) => `${lines(number)} anzeigen`,
  submoduleChange: (old: ComponentChild, changed: ComponentChild) => [
    'Submodul: ',
    old ?? 'nichts',
    ' → ',
    changed ?? 'nichts',
  ],
  mode: (old: string, changed: string) => `Modus ${old} → ${changed}`,
  tooLarge: 'Das ist zu groß für einen Vergleich.',
  changedLines: (path: string) => `Geänderte Zeilen von ${path}`,
  noLineFeed: ' (kein Zeilenumbruch am Ende)',
  side: (name: string, size: string, isImage: boolean) =>
    `${name}: ${size}${isImage ? '' : ', kein Text'}`,

  compared: 'Was verglichen wird',
  sinceParted: 'seit sich beide trennten',
  swap: 'Tauschen',
  commits: 'Commits',
  pathCommits: 'Commits, die diesen Pfad geändert haben',
  noCommits: 'Hier gibt es keine Commits.',
  searchCommits: 'Commits suchen',
  message: 'Nachricht',
  messageLabel: 'Text der Nachricht',

  refs: 'Branches und Tags',
  filter: 'Nach Namen filtern',
  allNames: (number: number) =>
    counted(number, { one: '# Namen anzeigen', other: 'Alle # Namen anzeigen' }),
  distance: 'Commits, die HEAD fehlen, und die nur HEAD hat',

  searchFiles: 'In Dateien suchen',
  searching: 'Wird gesucht… ',
  hits: (hits: number, inFiles: number, done: boolean) => {
    const files = counted(inFiles, { one: '# Datei', other: '# Dateien' })
    return `${done ? '' : 'Bisher '}${lines(hits)} in ${files}.`
  },
  text: 'Text',
  textLabel: 'Gesuchter Text',
  matchCase: 'Groß- und Kleinschreibung beachten',
  regexp: 'Regulärer Ausdruck',
  binaryHit: 'Diese Binärdatei passt.',

  findLabel: 'Buchstaben des Pfads',
  findHint: 'Eine Datei an Buchstaben ihres Pfads finden',
  readingNames: 'Namen werden gelesen…',
  noFile: 'Keine Datei passt.',
  keysTitle: 'Tasten',
  keys: {
    t: 'eine Datei finden',
    '/': 'in Dateien suchen',
    'j, k, ↓, ↑': 'nächster und voriger Eintrag einer Liste',
    h: 'der Verlauf dessen, was gezeigt wird',
    b: 'wer jede Zeile einer Datei zuletzt geändert hat',
    y: 'eine Adresse, die bleibt: der Commit anstelle des Branches',
    u: 'der Ordner darüber',
    '?': 'diese Tasten',
  },
  close: 'Schließen',

  actions: {
    fileNames: 'Dateinamen',
    blame: 'Blame',
    changes: 'Änderungen',
    commits: 'Commits',
    history: 'Verlauf',
    search: 'Suche',
    submodule: 'Submodul',
    branches: 'Branches',
    whole: 'Ganze Datei',
    download: 'Herunterladen',
    raw: 'Rohtext',
  },
}
