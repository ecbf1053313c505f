import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { parentPort, type Transferable, workerData } from 'node:worker_threads'
import { keepShapes } from '../http/keep-shapes.ts'
import { closeServer, listen } from '../http/listen.ts'
import { requestIdOf } from '../http/request-context.ts'
import { createApiServer } from '../http/server.ts'
import { readSite } from '../http/site/site.ts'
import { ExportPump } from '../http/v1/export-slots/export-pump.ts'
import { FeedVersions } from '../http/v1/fhir-feed/feed-versions.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { UsageMeter } from '../keys/usage-meter.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { errorText } from '../lib/text.ts'
import { KnownSources } from '../slot-index/known-sources.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import { IndexFollower } from '../sync/follow-index.ts'
import type { IndexMessage } from '../sync/follow-messages.ts'
import { isCheck } from './answer-readiness.ts'
import { portsOf } from './dashboard-messages.ts'
import { AccountGate, GATE_LIMITS, UPLOAD_LIMITS } from './dashboard-proxy.ts'
import type { FromServingThread, ServingThreadOptions, ToServingThread } from './serving-messages.ts'
import { STOP } from './supervised-worker.ts'

// The entry of a further thread that answers callers; `ServingThreads` is the way in.

/** With the second after which the main thread has all counts written, a dashboard sees a key's first request in two. */
const USAGE_EVERY_MS = 500

if (parentPort === null) throw new Error('Cannot run a serving thread: it must be started as a thread')
const parent = parentPort
const options: ServingThreadOptions = workerData

const post = (message: FromServingThread, transfer: readonly Transferable[] = []) =>
  parent.postMessage(message, [...transfer])
const onEvent = (event: LogEvent) => post({ kind: 'event', event })

const index = new SlotIndex()
const keyRing = new KeyRing()
const meter = new UsageMeter()
const sources = new KnownSources()
const follower = new IndexFollower(index, keyRing, Date.now, sources)
const gate = new AccountGate({
  trustedProxies: options.trustedProxies,
  ...GATE_LIMITS,
  upload: { ...UPLOAD_LIMITS, bytesMax: options.uploadBytesMax },
  post(message) {
    if (message.kind === 'request') post(message, portsOf(message))
    return true
  },
})
const site = await readSite(options.siteFolder, options)
site.start()
const feedVersions = new FeedVersions(index)
const server = createApiServer({
  index,
  keyRing,
  sources,
  meter,
  exports: new ExportPump(Date.now),
  feedVersions,
  isReady: () => follower.isReady,
  now: Date.now,
  baseUrl: options.baseUrl,
  dashboardUrl: options.dashboardUrl,
  docsUrl: options.docsUrl,
  relay: (context) => gate.handle(context),
  isUploading: (socket) => gate.isUploading(socket),
  site,
  onError: (error, request) => {
    const text = errorText(error)
    onEvent({ level: 'error', message: 'request failed', fields: { error: text, request } })
  },
})
const [front] = server.listeners('request') as RequestListener[]
server.removeListener('request', front)
server.on('request', answer)
// To be held for as long as requests are answered; where there is no loopback, it goes without.
export const shapes = await keepShapes(answer).catch(() => [])

const telling = setInterval(tellUsage, USAGE_EVERY_MS)
let isLoaded = false
parent.on('message', (message: ToServingThread | typeof STOP) => {
  if (message === STOP) void stop()
  else hear(message)
})

/** Only the main thread knows how the node does. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  if (isCheck(request.method, request.url ?? '/'))
    gate.handle({ request, response, requestId: requestIdOf(request) })
  else front(request, response)
}

function closeAfterwards(_request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false
}

function hear(message: ToServingThread): void {
  if (message.kind === 'restart') follower.restart()
  else if (message.kind === 'follow') void take(message.message)
  else if (message.kind === 'listen')
    void listen(server, { host: options.host, port: message.port, isShared: true })
  else if (message.kind === 'drain') server.prependListener('request', closeAfterwards)
  else if (message.kind === 'response') gate.answer(message.id, message.response)
  else {
    keyRing.apply(message.keys)
    post({ kind: 'applied', id: message.id })
  }
}

/** Should it not fit, nobody catches it: the thread dies, and a new one is told everything. */
async function take(message: IndexMessage): Promise<void> {
  await follower.take(message)
  const memory = message.kind === 'born' ? message.batch.memory : undefined
  if (memory === undefined) post({ kind: 'taken' })
  else post({ kind: 'taken', memory }, [memory])
  if (!isLoaded && follower.isReady) {
    isLoaded = true
    post({ kind: 'loaded' })
  }
}

function tellUsage(): void {
  const batch = meter.drain()
  if (batch !== undefined) post({ kind: 'usage', batch })
}

async function stop(): Promise<void> {
  server.prependListener('request', closeAfterwards)
  if (server.listening) await closeServer(server)
  clearInterval(telling)
  feedVersions.close()
  await site.stop()
  tellUsage()
  parent.close()
}
