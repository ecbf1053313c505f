import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { ApiContext } from './api-context.ts'
import { front, TARGET_LENGTH_MAX } from './dispatcher.ts'
import { Problem } from './problem.ts'
import { requestIdOf } from './request-id.ts'
import { routes } from './routes.ts'
import { sendThrown } from './send-error.ts'

/** Headers together with the request line may take this much; more is refused with 431 (RFC 6585, 5). */
const HEADER_BYTES_MAX = 32 * 1024

/** The HTTP server of one node, not yet listening. */
export function createApiServer(api: ApiContext): Server {
  const router = getRequestListener(routes(api).fetch, { overrideGlobalObjects: false })
  const answer = front(api, router)
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      // A caller who is silent for this long in the middle of a request is not coming back.
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      // Longer than the idle time of the usual load balancers (60 s), so that it is they who close.
      keepAliveTimeout: 65_000,
      // Asked for below, because Node's own refusal says nothing.
      requireHostHeader: false,
    },
    (request, response) => {
      if (namesHost(request)) answer(request, response)
      else sendThrown(noHost(), { request, response, requestId: requestIdOf(request) }, api)
    },
  )
  server.on('clientError', (fault: NodeJS.ErrnoException, socket) => {
    // A file takes as long as it takes; whoever reads it has limits of its own.
    if (fault.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || api.isUploading?.(socket) !== true)
      answerMalformed(fault, socket)
  })
  return server
}

/** RFC 9112, 3.2. */
function namesHost({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.host !== undefined || httpVersionMinor === 0
}

function noHost(): Problem {
  const message = 'The request must name its host in the header Host (RFC 9112, 3.2).'
  return new Problem('malformed-request', message, { headers: { connection: 'close' } })
}

/** What cannot be parsed never becomes a request, and is answered here. */
function answerMalformed(fault: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex): void {
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = problemOfFault(fault)
  const body = Buffer.from(problem.body)
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.toString('latin1')}`,
    'latin1',
  )
}

function problemOfFault(fault: NodeJS.ErrnoException & { rawPacket?: Buffer }): Problem {
  switch (fault.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isLongTarget(fault.rawPacket)
        ? new Problem('uri-too-long', `The request target must be at most ${TARGET_LENGTH_MAX} characters.`)
        : new Problem(
            'headers-too-large',
            `The request's headers must take at most ${HEADER_BYTES_MAX} bytes together.`,
          )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request-timeout', 'The request must arrive whole within 30 seconds.')
    default:
      return new Problem('malformed-request', 'The request must be well-formed HTTP/1.1 (RFC 9112).')
  }
}

/** The overflow came before the first line had ended. */
function isLongTarget(packet: Buffer | undefined): boolean {
  const end = packet?.indexOf('\n') ?? 0
  return end === -1 || end > TARGET_LENGTH_MAX
}
