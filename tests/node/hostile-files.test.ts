/** Hostile files: pipes, folders and junk where git has something else. */
import { areRead } from './hostile/asked.ts'

areRead('files')
