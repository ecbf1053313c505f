import { createServer } from 'node:http'
import { parseArgs } from 'node:util'

// The baseline of all speeds: node:http with one constant body, or with several in turn, which the processor's cache does not hold.

const { values } = parseArgs({
  options: { port: { type: 'string' }, bytes: { type: 'string' }, bodies: { type: 'string', default: '1' } },
})
const bodies = Array.from({ length: Number(values.bodies) }, () => Buffer.alloc(Number(values.bytes), 'x'))
let sent = 0

createServer((_request, response) => {
  const body = bodies[sent++ % bodies.length]
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
}).listen(Number(values.port), '127.0.0.1', () => console.log('listening'))
