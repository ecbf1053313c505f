import { type AddressInfo, createServer, type Socket } from 'node:net'

// Receivers of events on all addresses of 127.0.0.0/8: `/healthy` responds at once, `/dead` never. Prints its port, `first` when healthy
// ones get the first event, and `last` when they have as many as the argument says. Of HTTP, it reads the path and the length only, so that
// it takes little of the processor from the sender.

const expected = Number(process.argv[2])
const HEAD_END = '\r\n\r\n'
const LENGTH = /^content-length: *(\d+)/im
const RESPONSE = 'HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n'

let received = 0

/** Requests follow each other: none begins before the response to the one before. */
function receive(socket: Socket): void {
  let head = ''
  let [bytes, requestBytes] = [0, Number.POSITIVE_INFINITY]
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    bytes += chunk.length
    if (!head.includes(HEAD_END)) {
      head += chunk.toString('latin1')
      const headLength = head.indexOf(HEAD_END) + HEAD_END.length
      if (headLength >= HEAD_END.length) requestBytes = headLength + Number(LENGTH.exec(head)?.[1])
    }
    if (bytes < requestBytes) return
    if (head.startsWith('POST /healthy ')) respond(socket)
    head = ''
    bytes = 0
    requestBytes = Number.POSITIVE_INFINITY
  })
}

function respond(socket: Socket): void {
  socket.write(RESPONSE)
  received++
  if (received === 1) console.log('first')
  if (received === expected) console.log('last')
}

const server = createServer({ noDelay: true }, receive)
server.listen(0, '0.0.0.0', () => console.log((server.address() as AddressInfo).port))
