import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { SECOND_MS } from '../lib/time.ts'
import type { ApiContext } from './api-context.ts'
import { CONNECTION_LIMITS, Connections } from './connections.ts'
import { createDispatcher, TARGET_LENGTH_MAX } from './dispatcher.ts'
import { Problem } from './problem.ts'
import { RequestBatches } from './request-batches.ts'
import { secureResponses, securityBlock } from './secure-response.ts'

/** Limit of the request line and headers together; more is rejected with 431 (RFC 6585, 5). */
const HEADER_BYTES_MAX = 32 * 1024
const HEADERS_S_MAX = 15
const REQUEST_S_MAX = 30

/** The HTTP server of one node, not yet listening. */
export function createApiServer(api: ApiContext, limits = CONNECTION_LIMITS): Server {
  const batches = new RequestBatches(createDispatcher(api))
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_S_MAX * SECOND_MS,
      requestTimeout: REQUEST_S_MAX * SECOND_MS,
      // Often, so that few connections expire at once.
      connectionsCheckingInterval: 1000,
      // Longer than the idle timeout of common load balancers (60 s), so that they close connections first.
      keepAliveTimeout: 65_000,
      // Checked by the dispatcher, because Node's own response has no body.
      requireHostHeader: false,
      // A request without a body needs no stream of it: 5 of the 7 ticks that Node would schedule for it.
      optimizeEmptyRequests: true,
      ServerResponse: secureResponses(api.baseUrl),
    },
    (request, response) => {
      connections.note(request.socket, response)
      batches.add(request, response)
    },
  )
  // Node itself would answer 417 without a body. An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  const connections = new Connections(server, limits)
  const block = securityBlock(api.baseUrl)
  const reject = (error: ParseError, socket: Duplex) => rejectMalformed(error, socket, { connections, block })
  server.on('connection', (socket) => {
    // Before Node ends the connection of a client that has ended its side.
    socket.prependListener('end', batches.handleAll)
  })
  server.on('clientError', (error: ParseError, socket) => {
    batches.handleAll()
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') reject(error, socket)
    // Uploads have their own time limits.
    else if (socket instanceof Socket && socket.bytesRead === 0) connections.closeSoon(() => socket.destroy())
    else if (api.isUploading?.(socket) !== true) connections.closeSoon(() => reject(error, socket))
  })
  return server
}

type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }

/**
 * Responds to bytes that cannot be parsed as a request, and closes the connection. Waits for responses that precede, so that nothing is
 * written into the middle of one.
 */
function rejectMalformed(
  error: ParseError,
  socket: Duplex,
  { connections, block }: { connections: Connections; block: string },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const response = connections.responseOn(socket)
  if (response === undefined || response.writableFinished) writeProblem(error, socket, block)
  // The error is in the body of the request that is next to be answered.
  else if (response.socket !== null && !response.headersSent && !response.req.complete)
    writeProblem(error, socket, block)
  else if (!rejected.has(response)) {
    rejected.add(response)
    response.once('finish', () => {
      if (socket.writable) writeProblem(error, socket, block)
    })
  }
}

/** The responses after which their connection is closed: the parser reports each further packet as an error, too. */
const rejected = new WeakSet<ServerResponse>()

function writeProblem(error: ParseError, socket: Duplex, block: string): void {
  const problem = problemOfParseError(error)
  const body = Buffer.from(problem.body)
  // Node adds the date to other responses (RFC 9110, 6.6.1).
  const date = new Date().toUTCString()
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${block}Content-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\nDate: ${date}\r\nConnection: close\r\n\r\n${body.toString('latin1')}`,
    'latin1',
  )
}

function problemOfParseError(error: ParseError): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isLongTarget(error)
        ? new Problem('uri-too-long', `The request target must be at most ${TARGET_LENGTH_MAX} characters.`)
        : new Problem(
            'headers-too-large',
            `The request's headers must take at most ${HEADER_BYTES_MAX} bytes together.`,
          )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return TIMEOUT
    case 'HPE_INVALID_URL':
      return UNENCODED
    default:
      return MALFORMED
  }
}

// Made once: a stack trace costs more than the rest of a refusal.
const TIMEOUT = new Problem(
  'request-timeout',
  `The headers must arrive within ${HEADERS_S_MAX} seconds, and the whole request within ${REQUEST_S_MAX}.`,
)
const UNENCODED = new Problem(
  'malformed-request',
  'The URL has characters that must be percent-encoded, as ü is written %C3%BC.',
)
const MALFORMED = new Problem('malformed-request', 'The request must be well-formed HTTP/1.1 (RFC 9112).')

/** Whether the target is too long. Only the last packet is known, which may begin within the target or within a header. */
function isLongTarget({ rawPacket = Buffer.alloc(0), bytesParsed = 0 }: ParseError): boolean {
  const end = rawPacket.indexOf('\n')
  if (end === -1) return true
  const isRequestLine = / HTTP\/1\.\d\r?$/.test(rawPacket.toString('latin1', Math.max(0, end - 20), end))
  return isRequestLine && (end > TARGET_LENGTH_MAX || bytesParsed < end)
}
