/** Makes HTML of Markdown in a worker, because that can take long for a long or an odd text. */
import { answerAll } from '../asked-worker'
import { blocksOf } from './blocks'

answerAll(async (text: string) => blocksOf(text))
