import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a server that can fall silent without closing anything: as when a cable is cut. */
export class Road implements AsyncDisposable {
  readonly port: number
  readonly #target: number
  readonly #server: Server
  readonly #open = new Set<Socket>()
  #isHushed = false

  private constructor(server: Server, target: number) {
    this.#server = server
    this.#target = target
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (socket) => this.#lead(socket))
  }

  static async open(target: number): Promise<Road> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Road(server, target)
  }

  /** From now on nothing passes, and nobody is told. */
  hush(): void {
    this.#isHushed = true
    for (const socket of this.#open) socket.unpipe().pause()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
    await closed
  }

  #lead(socket: Socket): void {
    this.#keep(socket)
    if (this.#isHushed) return
    const onward = connect(this.#target, '127.0.0.1')
    this.#keep(onward)
    socket.pipe(onward).pipe(socket)
    socket.once('close', () => onward.destroy())
    onward.once('close', () => socket.destroy())
  }

  #keep(socket: Socket): void {
    this.#open.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => this.#open.delete(socket))
  }
}
