import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ephemeral ports of Linux (32768) and other systems, so that until the caller listens, no `listen(0)` and no
 * outgoing connection of another test takes the port.
 */
const [PORT_MIN, PORT_MAX] = [15_000, 32_000]

/** A free port of the loopback address. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN))
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
