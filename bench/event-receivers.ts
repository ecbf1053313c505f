import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// Receivers of events on all addresses of 127.0.0.0/8: `/healthy` responds at once, `/dead` never. GET responds with the number of events
// that healthy ones got. Prints its port.

let received = 0
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(String(received))
  request.resume()
  if (request.url === '/dead') return
  request.once('end', () => {
    received++
    response.writeHead(204).end()
  })
})
server.listen(0, '0.0.0.0', () => console.log((server.address() as AddressInfo).port))
