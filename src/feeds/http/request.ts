import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { WebLimits } from './limits.ts'

/** Nothing was heard for too long. */
export class Silence extends Error {
  override readonly name = 'Silence'
}

/** A request as it goes out: a GET unless `method` says otherwise. */
export interface Outgoing extends RequestOptions {
  readonly body?: string
}

/**
 * Sends a request and resolves with the head of the answer. Rejects if no connection stands within `connectMs`, or no head
 * has come `idleMs` after that.
 */
export async function exchange(url: URL, options: Outgoing, limits: WebLimits): Promise<IncomingMessage> {
  try {
    return await send(url, options, limits)
  } catch (error) {
    // The publisher may close a kept connection at the moment of our request; it has then not seen it (RFC 9112, 9.3.1).
    if (error instanceof StaleConnection) return send(url, options, limits)
    throw error
  }
}

class StaleConnection extends Error {}

function send(url: URL, { body, ...options }: Outgoing, limits: WebLimits): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options)
    const disarm = armTimers(request, limits)
    request.on('response', (response) => {
      disarm()
      resolve(response)
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      disarm()
      reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error)
    })
    request.end(body)
  })
}

/** Returns what stops the timers. */
function armTimers(request: ClientRequest, limits: WebLimits): () => void {
  const fail = (what: string, ms: number) =>
    request.destroy(new Silence(`${what} must come within ${ms} ms: got "nothing"`))
  let timer = setTimeout(fail, limits.connectMs, 'connection', limits.connectMs)
  const connected = () => {
    clearTimeout(timer)
    timer = setTimeout(fail, limits.idleMs, 'answer', limits.idleMs)
  }
  request.on('socket', (socket) => {
    if (!socket.connecting) connected()
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected)
  })
  return () => clearTimeout(timer)
}
