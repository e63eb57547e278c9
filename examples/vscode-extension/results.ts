import type { Disposable, TreeDataProvider, TreeItem, TreeView } from 'vscode'
import { commands, EventEmitter, window } from 'vscode'

/** A row of a view. */
export interface Row {
  readonly item: TreeItem
  /** Reads the rows below it. */
  readonly children?: () => Promise<Row[]>
}

export interface Page {
  readonly rows: readonly Row[]
  /** Reads the next page; `null` after the last one. */
  readonly more: (() => Promise<Page>) | null
}

/** A view of a list that is read a page at a time. */
export class Results implements TreeDataProvider<Row>, Disposable {
  readonly #changed = new EventEmitter<undefined>()
  readonly onDidChangeTreeData = this.#changed.event
  readonly #id: string
  readonly #view: TreeView<Row>
  readonly #command: Disposable
  readonly #moreRow: Row
  #rows: readonly Row[] = []
  #more: Page['more'] = null
  /** Differs for each list, so that the page of an earlier one is dropped. */
  #list = {}

  constructor(id: string) {
    const command = `${id}.more`
    this.#id = id
    this.#view = window.createTreeView(id, { treeDataProvider: this })
    this.#command = commands.registerCommand(command, async () => {
      if (this.#more) await this.#read(this.#more)
    })
    this.#moreRow = { item: { label: 'More …', command: { command, title: 'More' } } }
  }

  getTreeItem({ item }: Row): TreeItem {
    return item
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (row) return (await row.children?.()) ?? []
    return [...this.#rows, ...(this.#more ? [this.#moreRow] : [])]
  }

  /** Shows the first page of another list; `about` says which. */
  async show(about: string, first: () => Promise<Page>): Promise<void> {
    this.#list = {}
    this.#rows = []
    this.#view.description = about
    await commands.executeCommand(`${this.#id}.focus`)
    await this.#read(first)
  }

  dispose(): void {
    this.#view.dispose()
    this.#command.dispose()
    this.#changed.dispose()
  }

  /** Appends the next page; says in the view why it cannot, and tries again when it is told to. */
  async #read(read: () => Promise<Page>): Promise<void> {
    const list = this.#list
    this.#more = null
    this.#tell('Reading …')
    try {
      const { rows, more } = await read()
      if (list !== this.#list) return
      this.#rows = [...this.#rows, ...rows]
      this.#more = more
      this.#tell(this.#rows.length > 0 ? '' : 'Nothing was found.')
    } catch (error) {
      if (list !== this.#list) return
      this.#more = read
      this.#tell(error instanceof Error ? error.message : String(error))
    }
  }

  #tell(message: string): void {
    this.#view.message = message
    this.#changed.fire(undefined)
  }
}
