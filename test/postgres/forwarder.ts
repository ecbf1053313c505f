import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A loopback port that forwards to a configurable port, like a proxy in front of a database, and can stop forwarding. */
export class Forwarder implements AsyncDisposable {
  readonly port: number
  readonly #server: ReturnType<typeof createServer>
  readonly #open = new Set<Socket>()
  #target: number | undefined
  #isSilent = false

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (socket) => this.#forward(socket))
  }

  static async open(): Promise<Forwarder> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Forwarder(server)
  }

  /** Sets the port of new connections, and closes the open ones. Without a port, connections are accepted and nothing is forwarded. */
  lead(target: number | undefined): void {
    this.#target = target
    for (const socket of this.#open) socket.destroy()
  }

  /** Stops forwarding without closing connections, like a cut cable. */
  silence(): void {
    this.#isSilent = true
    for (const socket of this.#open) socket.unpipe().pause()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.lead(undefined)
    await closed
  }

  #forward(socket: Socket): void {
    this.#keep(socket)
    if (this.#target === undefined || this.#isSilent) return
    const onward = connect(this.#target, '127.0.0.1')
    this.#keep(onward)
    socket.pipe(onward).pipe(socket)
    socket.once('close', () => onward.destroy())
    onward.once('close', () => socket.destroy())
  }

  #keep(socket: Socket): void {
    this.#open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.once('close', () => this.#open.delete(socket))
  }
}
