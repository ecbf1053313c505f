import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'

// Entry of a process that attacks a service: hold-sockets.ts <port> <path of a large file> <idle> <dribbling> <silent> <never reading>
// Prints "holding" once all connections were opened, then keeps each kind up until it is killed. At the lowest priority: only its
// sockets delay others, not what it computes.

const [port, file, ...counts] = process.argv.slice(2)
setPriority(constants.priority.PRIORITY_LOW)
const [idle, dribbling, silent, neverReading] = counts.map(Number)

const SILENT_BODY =
  'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n'

await openAll(idle, () => {})
await openAll(dribbling, (socket) => {
  socket.write('GET /v1/scheduling/slots HTTP/1.1\r\nX-Slow: ')
  const timer = setInterval(() => socket.write('x'), 1000)
  socket.once('close', () => clearInterval(timer))
})
await openAll(silent, (socket) => socket.write(SILENT_BODY))
await openAll(neverReading, (socket) => {
  socket.pause()
  socket.write(`GET ${file} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(20))
})
console.log('holding')

/** Opens connections, a hundred at a time, and opens each again after it is closed. */
async function openAll(count: number, attack: (socket: Socket) => void): Promise<void> {
  for (let opened = 0; opened < count; opened += 100)
    await Promise.all(Array.from({ length: Math.min(100, count - opened) }, () => open(attack)))
}

function open(attack: (socket: Socket) => void): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      attack(socket)
      resolve()
    })
    socket.on('data', () => undefined).on('error', () => undefined)
    socket.once('close', () => {
      resolve()
      setTimeout(() => void open(attack), 200)
    })
  })
}
