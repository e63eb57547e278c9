/** Hostile files: pipes, folders and junk in place of git's files. */
import { areRead } from './hostile/asked.ts'

areRead('files')
