import type { QuickPickItem } from 'vscode'
import { ThemeIcon, window } from 'vscode'
import type { Repositories } from './repositories'

/** Asks for a repository: a URL or URI that is typed, or a folder that is picked. */
export function askRepository(suggested: string): Promise<string | undefined> {
  const input = window.createInputBox()
  input.title = 'The repository: its URL on a server of files, or the URI of a folder'
  input.value = suggested
  input.buttons = [{ iconPath: new ThemeIcon('folder-opened'), tooltip: 'Pick a folder' }]
  input.ignoreFocusOut = true
  return answered(input, (answer) => {
    input.onDidAccept(() => answer(input.value))
    input.onDidTriggerButton(async () => {
      const [folder] =
        (await window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false })) ?? []
      if (folder) input.value = folder.toString()
    })
  })
}

/** Asks for a revision: a branch or tag of the repository, or any other that is typed. */
export function askRevision(
  repositories: Repositories,
  repository: string,
): Promise<string | undefined> {
  const pick = window.createQuickPick()
  pick.title = 'The revision'
  pick.placeholder = 'A branch, a tag, or any other revision, such as HEAD~1'
  pick.busy = true
  let known: readonly QuickPickItem[] = [{ label: 'HEAD' }]
  const list = () => {
    const { value } = pick
    const isKnown = value === '' || known.some(({ label }) => label === value)
    // After the others: Enter takes the first that fits, and this one if none does.
    const typed = { label: value, description: 'as typed', alwaysShow: true }
    pick.items = isKnown ? known : [...known, typed]
  }
  list()
  pick.onDidChangeValue(list)
  repositories
    .refsOf(repository)
    .then((refs) => {
      known = [...known, ...refs.map(([label, description]) => ({ label, description }))]
      list()
    })
    // Servers need not list their refs; any revision can be typed.
    .catch(() => {})
    .finally(() => {
      pick.busy = false
    })
  return answered(pick, (answer) => {
    pick.onDidAccept(() => answer(pick.selectedItems[0]?.label ?? pick.value))
  })
}

interface Question {
  show(): void
  dispose(): void
  onDidHide(listener: () => void): unknown
}

/** Shows a question until it is answered; `undefined` if it is closed before. */
function answered(
  question: Question,
  listen: (answer: (text: string) => void) => void,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    listen((text) => {
      resolve(text || undefined)
      question.dispose()
    })
    question.onDidHide(() => {
      resolve(undefined)
      question.dispose()
    })
    question.show()
  })
}
