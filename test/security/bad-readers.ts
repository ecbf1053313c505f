import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { constants, setPriority } from 'node:os'

// Entry of a process that reads the open feed of a service as badly as it can: bad-readers.ts <port> <path of a large file>
// Each request comes from another address, as a trusted proxy would report it. Prints "reading" once all have begun, and goes on until
// it is killed. At the lowest priority: only its requests delay others, not what it computes.

const [port, file] = process.argv.slice(2)
setPriority(constants.priority.PRIORITY_LOW)

const MANY = { manifests: 32, ends: 16, slow: 40 }
/** What a slow reader takes at a time, a little more often than the service demands of a reader. */
const SLOW_BYTES = 150_000
const SLOW_MS = 5000

let addresses = 0
const agent = new Agent({ keepAlive: true, maxSockets: MANY.manifests + MANY.ends })
const size = Number((await head()).headers['content-length'])
await Promise.all([
  ...Array.from({ length: MANY.manifests }, () => ask('/fhir/$bulk-publish', {})),
  ...Array.from({ length: MANY.ends }, () => ask(file, { range: `bytes=${size - 10}-` })),
  ...Array.from({ length: MANY.slow }, () => readSlowly()),
])
for (let n = 0; n < MANY.manifests; n++) void forever(() => ask('/fhir/$bulk-publish', {}))
for (let n = 0; n < MANY.ends; n++) void forever(() => ask(file, { range: n % 2 ? 'bytes=0-' : `bytes=${size - 10}-` }))
console.log('reading')

async function forever(act: () => Promise<void>): Promise<never> {
  for (;;) await act()
}

async function head(): Promise<IncomingMessage> {
  const sent = request({ port, path: file, method: 'HEAD' }).end()
  const [response] = await once(sent, 'response')
  return response.resume()
}

/** Takes at most the beginning of the response. */
function ask(path: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve) => {
    const sent = request({ port, path, agent, headers: { ...headers, 'x-forwarded-for': newAddress() } })
    sent.once('response', (response) => {
      let bytes = 0
      response.on('data', (piece) => {
        bytes += piece.length
        if (bytes > 1_000_000) response.destroy()
      })
    })
    sent.once('error', () => undefined).once('close', () => resolve())
    sent.end()
  })
}

function readSlowly(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', resolve)
    socket.write(`GET ${file} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${newAddress()}\r\n\r\n`)
    let bytes = 0
    const timer = setInterval(() => {
      bytes = 0
      socket.resume()
    }, SLOW_MS)
    socket.on('data', (piece) => {
      bytes += piece.length
      if (bytes > SLOW_BYTES) socket.pause()
    })
    socket
      .once('error', () => undefined)
      .once('close', () => {
        clearInterval(timer)
        setTimeout(() => void readSlowly(), 500)
      })
  })
}

/** Of a million /64 networks. */
function newAddress(): string {
  const network = addresses++ % 1_000_000
  return `2a00:${(network >> 12).toString(16)}:${(network & 0xfff).toString(16)}::1`
}
