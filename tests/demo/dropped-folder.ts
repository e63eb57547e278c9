/** Folders as drops have them, where a browser gives no handle. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { JSHandle, Page } from 'playwright'
import { inRoot } from '../../scripts/lib/paths.mjs'

type Files = readonly { readonly parts: string[]; readonly bytes: readonly number[] | null }[]

/** Returns the content of a fixture, for the page to write; folders have no bytes. */
export function filesOf(fixture: string): Files {
  const folder = inRoot('target', 'fixtures', fixture)
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const file = path.join(entry.parentPath, entry.name)
    const bytes = entry.isFile() ? Array.from(readFileSync(file)) : null
    return { parts: path.relative(folder, file).split(path.sep), bytes }
  })
}

interface OldWriter {
  onwriteend: (event: unknown) => void
  write(blob: Blob): void
}

interface OldFile {
  createWriter(done: (writer: OldWriter) => void, failed: (error: Error) => void): void
}

declare global {
  interface Window {
    webkitRequestFileSystem(
      type: number,
      size: number,
      done: (system: FileSystem) => void,
      failed: (error: Error) => void,
    ): void
  }
}

/** Chromium's old interface, the only one that gives real entries without a user’s drop. */
export function storedFolder(page: Page, files: Files): Promise<JSHandle<FileSystemEntry>> {
  return page.evaluateHandle(async (files) => {
    const system = await new Promise<FileSystem>((resolve, reject) => {
      window.webkitRequestFileSystem(0, 1 << 20, resolve, reject)
    })
    const made = (directory: FileSystemDirectoryEntry, name: string, isFile: boolean) =>
      new Promise<FileSystemEntry>((resolve, reject) => {
        if (isFile) directory.getFile(name, { create: true }, resolve, reject)
        else directory.getDirectory(name, { create: true }, resolve, reject)
      })
    const top = await made(system.root, 'plain', false)
    for (const { parts, bytes } of files) {
      let at = top
      for (const [depth, part] of parts.entries()) {
        const isFile = bytes !== null && depth === parts.length - 1
        at = await made(at as FileSystemDirectoryEntry, part, isFile)
      }
      if (bytes === null) continue
      await new Promise((resolve, reject) => {
        const write = (writer: OldWriter) => {
          writer.onwriteend = resolve
          writer.write(new Blob([Uint8Array.from(bytes)]))
        }
        ;(at as unknown as OldFile).createWriter(write, reject)
      })
    }
    return top
  }, files)
}

/**
 * Firefox gives entries for what a user drops alone: these are objects that answer as the standard
 * says, later than they are asked, and with at most 100 entries of a folder at a time.
 */
export function describedFolder(page: Page, files: Files): Promise<JSHandle<object>> {
  return page.evaluateHandle((files) => {
    const byPath = new Map(files.map(({ parts, bytes }) => [parts.join('/'), bytes]))
    const pathIn = (base: string, path: string) => [base, path].filter(Boolean).join('/')
    const absent = () => new DOMException('no such entry', 'NotFoundError')
    const fileAt = (path: string, bytes: readonly number[]) => ({
      isFile: true,
      isDirectory: false,
      name: path.split('/').at(-1),
      file: (done: (file: File) => void) =>
        setTimeout(() => done(new File([Uint8Array.from(bytes)], path))),
    })
    const entryAt = (path: string): object => {
      const bytes = byPath.get(path)
      return bytes ? fileAt(path, bytes) : folderAt(path)
    }
    const folderAt = (base: string) => {
      const find =
        (isFile: boolean) =>
        (path: string, _: object, done: (entry: object) => void, failed: (error: Error) => void) =>
          setTimeout(() => {
            const inner = pathIn(base, path)
            const isThere = inner === '' || byPath.has(inner)
            if (isThere && isFile === Boolean(byPath.get(inner))) done(entryAt(inner))
            else failed(absent())
          })
      const createReader = () => {
        const parent = (path: string) => path.split('/').slice(0, -1).join('/')
        const left = [...byPath.keys()].filter((path) => parent(path) === base)
        const readEntries = (done: (entries: object[]) => void) =>
          setTimeout(() => done(left.splice(0, 100).map(entryAt)))
        return { readEntries }
      }
      return {
        isFile: false,
        isDirectory: true,
        name: base.split('/').at(-1) || 'plain',
        getFile: find(true),
        getDirectory: find(false),
        createReader,
      }
    }
    return folderAt('')
  }, files)
}
