import type { MessagePort } from 'node:worker_threads'
import { BodyTruncated } from '../http/serialized-http.ts'

/**
 * How the body of one request passes from the thread that hears its sender to the one that reads it: straight, by a port of
 * its own, and no faster than it is read.
 *
 *     hears                                     reads
 *       piece ────────────────────────────────▶
 *       ◀──────────────────────────────── taken   never more than `WINDOW_BYTES` are on their way
 *       end | cut ────────────────────────────▶
 *
 * Either side closes the port when it is done, or no longer cares.
 */
export type ToBodyReader =
  | { readonly kind: 'piece'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end' }
  /** It will never come whole. */
  | { readonly kind: 'cut' }

export interface ToBodySender {
  readonly kind: 'taken'
  readonly bytes: number
}

/** So much of a body may be on its way to whoever reads it: what the thread that answers `/v1` holds of it at most, with one piece more. */
export const WINDOW_BYTES = 256 * 1024

/** A body as it comes through a port. Fails with `BodyTruncated` if it is cut off; to cancel it closes the port. */
export function bodyFrom(port: MessagePort): ReadableStream<Uint8Array<ArrayBuffer>> {
  const waiting: ToBodyReader[] = []
  let wake = () => {}
  const tell = (message: ToBodyReader) => {
    waiting.push(message)
    wake()
  }
  port.on('message', tell)
  port.once('close', () => tell({ kind: 'cut' }))
  return new ReadableStream(
    {
      async pull(controller) {
        while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
        const [next] = waiting.splice(0, 1)
        if (next.kind === 'piece') {
          controller.enqueue(next.bytes)
          port.postMessage({ kind: 'taken', bytes: next.bytes.length } satisfies ToBodySender)
          return
        }
        port.close()
        if (next.kind === 'end') controller.close()
        else controller.error(new BodyTruncated())
      },
      cancel: () => port.close(),
    },
    // Nothing is taken before somebody reads.
    { highWaterMark: 0 },
  )
}
