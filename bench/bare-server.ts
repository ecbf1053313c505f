import { createServer } from 'node:http'
import { parseArgs } from 'node:util'

// The baseline of all speeds: node:http with one constant body.

const { values } = parseArgs({ options: { port: { type: 'string' }, bytes: { type: 'string' } } })
const body = Buffer.alloc(Number(values.bytes), 'x')

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
}).listen(Number(values.port), '127.0.0.1', () => console.log('listening'))
