/** The text of the first page in German. */
import type { ComponentChild } from 'preact'
import type { FirstWords } from '../first'
import { counted, formatNumber } from '../language'

const branches = (number: number) => counted(number, { one: '# Branch', other: '# Branches' })
const commits = (number: number) => counted(number, { one: '# Commit', other: '# Commits' })
const entries = (number: number) => counted(number, { one: '# Eintrag', other: '# Einträge' })
/** In the dative case, which follows `von` and `unter`. */
const objects = (number: number) => counted(number, { one: '# Objekt', other: '# Objekten' })

export const first: FirstWords = {
  skip: 'Zum Inhalt springen',
  dismiss: 'Ausblenden',
  about: 'Ein Blick in ein Git-Repository, im Browser.',
  language: 'Sprache',
  reading: 'Wird gelesen…',
  loading: 'Wird geladen…',
  more: 'Mehr laden',
  stop: 'Anhalten',
  noMessage: '(keine Nachricht)',
  nobody: 'niemand',
  isHead: ' (HEAD)',

  openAnother: 'Ein anderes Repository öffnen',
  openFolder: 'Ordner öffnen…',
  openPack: 'Pack, Bundle oder Zip öffnen…',
  openAddress: 'Über eine Adresse öffnen',
  addressHint: 'https://…/projekt.git',
  address: 'Adresse eines Repositorys',
  open: 'Öffnen',
  orDrop: 'oder hier ablegen',
  keepsNoFolder:
    'Dieser Browser merkt sich keinen Ordner und nennt das Öffnen Hochladen: Nichts wird hochgeladen.',
  folderInput: 'Ordner eines Repositorys',
  packInput: 'Pack und Index',
  drop: 'Hier einen Ordner mit einem Repository, dessen Zip-Datei, ein Bundle oder eine .pack-Datei mit ihrer .idx-Datei ablegen',
  recent: 'Zuletzt geöffnet',
  recentHint: 'Zuletzt geöffnet…',
  showsFolder: (name: ComponentChild) => ['Diese Seite zeigt den Ordner ', name],
  asksBefore: 'Der Browser fragt nach, bevor die Seite den Ordner wieder lesen darf.',
  openAgain: 'Wieder öffnen',
  cancel: 'Abbrechen',
  opening: (name: ComponentChild, step: string | null) => [
    'Wird geöffnet: ',
    name,
    step === null ? '…' : ` – ${step}`,
  ],
  still: (step: string) => `Noch nicht fertig: ${step}`,
  progress: { index: 'Index', tips: 'Neueste Commits', unpack: 'Entpackt' },
  steps: {
    server: 'der Server wird gefragt, was er hat',
    names: (done: number) =>
      counted(done, {
        one: 'Namen werden gelesen, bisher #',
        other: 'Namen werden gelesen, bisher #',
      }),
    refs: (done: number) => `Branches und Tags werden gelesen, bisher ${formatNumber(done)}`,
    unpack: (done: string, total: string) => `wird entpackt, ${done} von ${total}`,
    index: (done: number, total: number) =>
      `der Index wird erstellt, ${formatNumber(done)} von ${objects(total)}`,
    tipsSoFar: (done: number) =>
      `die neuesten Commits werden gesucht, bisher unter ${objects(done)}`,
    tips: (done: number, total: number) =>
      `die neuesten Commits werden gesucht, ${formatNumber(done)} von ${objects(total)}`,
  },
  received: (requests: number, size: string) =>
    `${counted(requests, { one: '# Anfrage', other: '# Anfragen' })}, ${size} empfangen`,
  receivedOf: (requests: number, size: string, total: string) =>
    `${counted(requests, { one: '# Anfrage', other: '# Anfragen' })}, ${size} von ${total} empfangen`,

  repository: 'Repository',
  packs: (number: number) => counted(number, { one: '# Pack', other: '# Packs' }),
  embedded: {
    history: 'die Geschichte dieses Projekts, für diese Seite gepackt',
    sample: 'ein kleines Repository mit Eigenheiten, falls es keine Geschichte zu packen gibt',
  },
  fromFolder: 'ein Ordner, auf diesem Computer gelesen; nichts wird hochgeladen',
  fromBundle: 'ein Bundle, hier indiziert, auf diesem Computer gelesen; nichts wird hochgeladen',
  fromIndexed: 'ein Pack mit seinem Index, auf diesem Computer gelesen; nichts wird hochgeladen',
  fromPack: 'ein Pack, hier indiziert, auf diesem Computer gelesen; nichts wird hochgeladen',
  fromZip: 'eine Zip-Datei, auf diesem Computer gelesen; nichts wird hochgeladen',
  fromServer: (host: string) => `von ${host} gelesen, nur die Teile, die gebraucht werden`,

  refLabel: 'Branch oder Tag',
  branches: 'Branches',
  tags: 'Tags',
  remotes: 'Remote-Branches',
  tips: 'Neueste Commits: ein Pack hat keine Branches',
  otherRefs: 'Andere Refs',
  counts: {
    branches,
    tags: (number: number) => counted(number, { one: '# Tag', other: '# Tags' }),
    remotes: (number: number) =>
      counted(number, { one: '# Remote-Branch', other: '# Remote-Branches' }),
  },
  commitCalled: (id: string) => `Commit ${id}`,
  unborn: (branch: string) => `${branch} (HEAD, noch keine Commits)`,
  detached: (id: string) => `HEAD, losgelöst bei ${id}`,
  noCommits: 'Noch keine Commits',
  empty: 'Dieses Repository ist leer. ',
  emptyPack: 'Dieses Pack enthält keine Commits.',
  firstCommit: (branch: ComponentChild) => [
    branch,
    ' heißt der Branch, den der erste Commit anlegen wird.',
  ],
  thereAreRefs: (number: number) =>
    counted(number, { one: 'Es gibt # andere Ref:', other: 'Es gibt # andere Refs:' }),

  titles: {
    files: (name: string) => name,
    blame: (name: string) => `Blame von ${name}`,
    history: (name: string) => `Verlauf von ${name}`,
    search: (name: string) => `Suche in ${name}`,
    commit: (id: string) => `Commit ${id}`,
    commitFiles: 'Dateien eines Commits',
    refs: 'Branches und Tags',
    compare: (old: string, changed: string) => `${old} und ${changed}`,
  },
  path: 'Pfad',
  views: 'Ansichten dieses Pfads',
  tabs: { code: 'Code', files: 'Dateien', blame: 'Blame', history: 'Verlauf', search: 'Suche' },
  tag: (name: string) => `Tag ${name}`,
  tagTitle: (name: ComponentChild) => ['Tag ', name],
  noTagger: 'ohne Verfasser',
  copy: 'Kopieren',
  copied: 'Kopiert',
  ids: {
    object: { copy: 'Die Id kopieren', copied: 'Die Id wurde kopiert' },
    commit: { copy: 'Die Id des Commits kopieren', copied: 'Die Id des Commits wurde kopiert' },
    tag: { copy: 'Die Id des Tags kopieren', copied: 'Die Id des Tags wurde kopiert' },
  },

  files: 'Dateien',
  entries,
  allEntries: (number: number) =>
    counted(number, { one: '# Eintrag anzeigen', other: 'Alle # Einträge anzeigen' }),
  emptyFolder: 'Dieser Ordner ist leer.',
  columns: { name: 'Name', change: 'Letzte Änderung', date: 'Datum', size: 'Größe' },
  toFiles: 'Zu den Dateien',
  pathHistory: 'Der Verlauf dieses Pfads',
  up: 'Zum Ordner darüber',
  kinds: { submodule: 'Submodul', symlink: 'symbolischer Link', executable: 'ausführbar' },
  zip: 'Als Zip herunterladen',
  stopZip: (progress: string) => `Anhalten (${progress})`,
  history: 'Verlauf',
  newest: 'Neueste Commits',
  commits,
  allCommits: (number: number) =>
    counted(number, { one: '# Commit: das ist alles.', other: '# Commits: das sind alle.' }),
  shallow: (number: number) =>
    `${commits(number)}. Was davor war, ist nicht in diesem Repository: es ist vielleicht ein flacher Klon.`,

  find: 'Eine Datei finden',

  whatWasRead: 'Was gelesen wurde',
  inTotal: 'Insgesamt',
  alsoRead: (size: string) => ` · ${size} gelesen`,
  read: (size: string) => `${size} gelesen`,
  readOf: (size: string, total: string) => `${size} von ${total} gelesen`,
  details: 'Einzelheiten',
  actions: {
    opening: 'Öffnen',
    sizes: 'Größen',
    lastChanges: 'Letzte Änderungen',
    commits: 'Commits',
    archive: 'Archiv',
    image: 'Bild',
  },

  units: ['B', 'KiB', 'MiB', 'GiB', 'TiB'],
  seconds: (value: string) => `${value} s`,
  milliseconds: (value: string) => `${value} ms`,
  bytes: (number: number) => counted(number, { one: '# Byte', other: '# Bytes' }),
  noDate: 'kein Datum',
  after1970: (seconds: number) => `${seconds} Sekunden nach 1970`,
  justNow: 'gerade eben',
}
