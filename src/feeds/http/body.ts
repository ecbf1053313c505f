import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { truncate } from '../../lib/text.ts'
import type { WebLimits } from './limits.ts'
import { Silence } from './request.ts'

/** An answer is longer than it may be, or its encoding is none that was asked for. */
export class Unacceptable extends Error {
  override readonly name = 'Unacceptable'
}

/**
 * The content of an answer, decoded, in pieces as they come. Throws if it stays silent or takes too long, is too long
 * (as sent or decoded), or ends before its end.
 */
export async function* readBody(response: IncomingMessage, limits: WebLimits): AsyncGenerator<Buffer> {
  const stream = decoded(response, limits)
  const pieces = stream[Symbol.asyncIterator]()
  const clock = new WaitingClock(stream, limits)
  let bytes = 0
  try {
    for (;;) {
      const next = await clock.during(pieces.next())
      if (next.done) break
      bytes += next.value.length
      if (bytes > limits.bodyBytesMax)
        throw new Unacceptable(`body must be at most ${limits.bodyBytesMax} bytes: got "more"`)
      yield next.value
    }
    if (!response.complete) throw new Unacceptable('body must be whole: got "a cut connection"')
  } finally {
    response.destroy()
    stream.destroy()
  }
}

/** The answer behind a count of its bytes and, if it is compressed, a decoder. */
function decoded(response: IncomingMessage, limits: WebLimits): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const gunzip = GUNZIPPED.has(encoding)
  if (!gunzip && encoding !== 'identity' && encoding !== '') {
    throw new Unacceptable(`content-encoding must be gzip or identity: got "${truncate(encoding, 50)}"`)
  }
  const counted = pipeline(response, countBytes(limits.wireBytesMax), ignore)
  const last = gunzip ? pipeline(counted, createGunzip({ chunkSize: 65_536 }), ignore) : counted
  // A failure between two reads is reported by the next read; without a listener it would end the process.
  last.on('error', ignore)
  return last
}

/** `pipeline` reports a failure by destroying its last stage, too. */
function ignore(): void {}

const GUNZIPPED = new Set(['gzip', 'x-gzip'])

function countBytes(bytesMax: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > bytesMax)
        return done(new Unacceptable(`answer must be at most ${bytesMax} bytes: got "more"`))
      done(null, chunk)
    },
  })
}

/** Counts only the time that we wait for the publisher: what we take to read and write between two pieces is ours. */
class WaitingClock {
  readonly #stream: Readable
  readonly #limits: WebLimits
  #waitedMs = 0

  constructor(stream: Readable, limits: WebLimits) {
    this.#stream = stream
    this.#limits = limits
  }

  async during<T>(piece: Promise<T>): Promise<T> {
    const { idleMs, wholeMs } = this.#limits
    const leftMs = wholeMs - this.#waitedMs
    const timer = leftMs < idleMs ? this.#arm(leftMs, 'the end', wholeMs) : this.#arm(idleMs, 'more', idleMs)
    const since = performance.now()
    try {
      return await piece
    } finally {
      clearTimeout(timer)
      this.#waitedMs += performance.now() - since
    }
  }

  #arm(ms: number, what: string, limitMs: number): NodeJS.Timeout {
    const silence = () =>
      this.#stream.destroy(new Silence(`${what} must come within ${limitMs} ms: got "nothing"`))
    return setTimeout(silence, Math.max(0, ms))
  }
}
