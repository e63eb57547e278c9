/** What the page says of errors in German. */
import type { ErrorWords } from '../errors'

const STILL = 'Was vorher gezeigt wurde, geht weiterhin.'

export const errors: ErrorWords = {
  codes: {
    NOT_FOUND: [
      'Das gibt es nicht',
      'Einen Ordner wählen, der ein Git-Repository enthält. In einem flachen Klon fehlen Objekte, die nur git holen kann.',
    ],
    PROMISED: [
      'Dieses Objekt wurde nie geholt',
      'Das Repository ist ein partieller Klon: git holt fehlende Objekte bei Bedarf.',
    ],
    AMBIGUOUS: ['Diese kurze Id steht für mehrere Objekte', 'Mehr ihrer Ziffern verwenden.'],
    WRONG_TYPE: [
      'Dieses Objekt hat einen anderen Typ',
      'Zurückgehen und einem anderen Link folgen.',
    ],
    CORRUPT: [
      'Das Repository ist beschädigt oder keines',
      'Ist es eines, zeigt "git fsck" den Schaden; meistens hilft ein neuer Klon.',
    ],
    UNSUPPORTED: [
      'packlens kann dieses Format noch nicht lesen',
      'Das Format ist vielleicht neuer als diese Version; die Meldung darunter nennt es.',
    ],
    LIMIT: [
      'Dieses Objekt ist zu groß für die Seite',
      'Es stattdessen mit git auf dem Computer öffnen.',
    ],
    CHANGED: [
      'Die Dateien haben sich geändert, während sie gelesen wurden',
      'git hat das Repository vielleicht neu gepackt: es noch einmal öffnen.',
    ],
    NETWORK: [
      'Der Server hat anders geantwortet als erwartet',
      'Später noch einmal versuchen. Ein Server einer anderen Seite muss Seiten das Lesen erlauben: mit den Headern "Access-Control-Allow-Origin: *" und "Access-Control-Expose-Headers: Content-Range, ETag" und mit Byte-Bereichen.',
    ],
    SOURCE: [
      'Eine Datei konnte nicht gelesen werden',
      'Ihre Rechte prüfen und das Repository noch einmal öffnen; die Meldung darunter nennt sie.',
    ],
    BAD_INPUT: [
      'Das kann nicht geöffnet werden',
      'Einen Ordner mit einem Repository oder eine .pack-Datei wählen.',
    ],
    ABORTED: ['Angehalten', 'Nichts wurde geändert.'],
    CLOSED: ['Inzwischen wurde ein anderes Repository geöffnet', 'Mit jenem weitermachen.'],
    INTERNAL: [
      'packlens hat intern versagt',
      'Das ist ein Fehler: bitte mit der Meldung darunter melden. Andere Seiten gehen weiterhin.',
    ],
  },
  own: {
    offline: ['Es gibt kein Netz', `${STILL} Noch einmal versuchen, sobald es eines gibt.`],
    part: [
      'Ein Teil dieser Seite konnte nicht geladen werden',
      `${STILL} Die Seite neu laden, sobald ihr Server erreichbar ist.`,
    ],
    notFound: ['Hier ist nichts', 'Oben einen anderen Branch oder Tag wählen, oder zurückgehen.'],
    absent: [
      'Das ist nicht im Repository',
      'Die Id prüfen. In einem flachen oder partiellen Klon fehlen Objekte, die nur git holen kann.',
    ],
    refused: [
      'Der Browser hat abgelehnt',
      'Der Browser hat die Seite das nicht lesen lassen. Noch einmal versuchen, oder einen anderen Ordner wählen.',
    ],
  },
  other: 'Das hat nicht funktioniert',

  noRef: (rev: string) => `Dieses Repository hat keinen Branch oder Tag namens ${rev}.`,
  noCommits: (ref: string) => `${ref} hat keine Commits.`,
  nothingToCompare: 'Es gibt nichts zu vergleichen.',
  noCommit: (oid: string, type: string) => `${oid} ist ein Objekt vom Typ ${type}, kein Commit.`,
  noTree: (ref: string) => `${ref} ist kein Baum.`,
  noPath: (path: string, ref: string) => `${path} gibt es in ${ref} nicht.`,
  missing: (oid: string) => `${oid} fehlt.`,

  noAddress: (address: string) =>
    `„${address}“ ist keine Adresse eines Webservers. Sie beginnt mit https:// und führt zum Ordner eines Repositorys, wie https://example.com/projekt.git`,
  noEmbedded: (file: string) => `Das Repository dieser Seite fehlt (${file}).`,
  noRepository: (folder: string) =>
    `${folder} enthält kein Repository: einen Ordner wählen, der einen Ordner .git hat.`,
  indexOnly: 'Ein Index enthält keine Objekte: auch die .pack-Datei wählen, die dazugehört.',
  choosePack:
    'Eine .pack-Datei wählen, mit ihrer .idx-Datei, falls vorhanden, ein .bundle, oder einen Ordner oder eine .zip-Datei mit einem Repository.',
  youChose: (advice: string, files: string) => `${advice} (Gewählt wurde ${files}.)`,
}
