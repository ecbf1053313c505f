import { parentPort, workerData } from 'node:worker_threads'
import { MINUTE_MS } from '../lib/time.ts'
import { checkFeed } from '../validator/check-feed.ts'
import type { CheckProgress } from '../validator/progress.ts'
import { checkSourceFeed } from '../validator/source-feed.ts'
import { webFeed } from '../validator/web-feed.ts'
import { giveWay } from './lower-priority.ts'
import type { CheckThreadOptions, FromCheckThread } from './run-check.ts'

// The entry of a thread that checks one feed, and ends; `checkRunner()` is the way in.

if (parentPort === null) throw new Error('Cannot run the check thread: it must be started as a thread')
const port = parentPort
const { url, strict, source, secrets, allowPrivate, wholeMs, bytesMax }: CheckThreadOptions = workerData

/** Nobody reads faster. */
const PROGRESS_EVERY_MS = 250

const stopping = new AbortController()
port.on('message', (reason: string) => stopping.abort(new Error(reason)))
const timer = setTimeout(
  () => stopping.abort(new Error(`a check takes at most ${wholeMs / MINUTE_MS} minutes`)),
  wholeMs,
)
giveWay()
const post = (message: FromCheckThread) => port.postMessage(message)
let toldAtMs = 0
const onProgress = (progress: CheckProgress) => {
  if (Date.now() - toldAtMs < PROGRESS_EVERY_MS) return
  toldAtMs = Date.now()
  post({ progress })
}
const { signal } = stopping
const options = { signal, bytesMax, onProgress }
const secretOf = (name: string) => (Object.hasOwn(secrets, name) ? secrets[name] : undefined)
post({
  report: await (source === undefined
    ? checkFeed(webFeed(url, { allowPrivate }, signal), { ...options, strict })
    : checkSourceFeed({ ...source, strict }, { allowPrivate, secretOf }, options)),
})
clearTimeout(timer)
port.close()
