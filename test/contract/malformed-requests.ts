import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { ContractService } from './contract-service.ts'
import { ResponseValidator } from './response-validator.ts'

const MALFORMED: Readonly<Record<string, number>> = {
  'no HTTP at all\r\n\r\n': 400,
  'GET /v1/scheduling/slots HTTP/1.1\r\n\r\n': 400,
  [`GET /v1/scheduling/slots HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(33_000)}\r\n\r\n`]: 431,
  [`GET /v1/scheduling/slots?city=${'x'.repeat(33_000)} HTTP/1.1\r\nHost: x\r\n\r\n`]: 414,
}

/** Sends malformed requests and validates the responses against the document. */
export async function checkMalformedRequests({ client, document }: ContractService): Promise<void> {
  const validator = new ResponseValidator(document)
  for (const [sent, status] of Object.entries(MALFORMED)) {
    const answer = parseAnswer(await exchange(client.origin, sent))
    assert.equal(answer.status, status, sent.slice(0, 60))
    validator.validateUnparsed(answer)
  }
}

async function exchange({ hostname, port }: URL, sent: string): Promise<string> {
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  // The service resets the connection if bytes arrive after it has closed it.
  socket.on('error', () => undefined)
  socket.setTimeout(20_000, () => socket.destroy())
  socket.write(sent)
  await once(socket, 'close')
  return text
}

function parseAnswer(text: string) {
  const [head, body] = text.split('\r\n\r\n')
  const [line, ...fields] = head.split('\r\n')
  const headers = fields.map((field) => field.split(/: (.*)/s, 2)).map(([name, value]) => [name.toLowerCase(), value])
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    sent: Buffer.from(body ?? ''),
    text: body ?? '',
  }
}
