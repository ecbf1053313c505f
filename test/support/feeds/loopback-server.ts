import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** The certificate and key of `localhost`, in PEM. */
export interface Identity {
  readonly key: string
  readonly cert: string
}

/** A loopback server, with https if it has an identity, that records requests. Subclasses answer them. */
export abstract class LoopbackServer implements AsyncDisposable {
  /** `/path?query 200`, in order. */
  readonly log: string[] = []
  origin = ''
  readonly #server: Server
  readonly #home: string

  protected constructor(identity?: Identity) {
    const hear = (request: IncomingMessage, response: ServerResponse) => {
      response.on('finish', () => this.log.push(`${this.shown(request.url ?? '')} ${response.statusCode}`))
      this.answer(request, response)
    }
    this.#home = identity === undefined ? 'http://127.0.0.1' : 'https://localhost'
    this.#server = identity === undefined ? createServer(hear) : createSecureServer(identity, hear)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done))
    this.#server.closeAllConnections()
    await closed
  }

  /** The requests since the last call. */
  asked(): string[] {
    return this.log.splice(0)
  }

  protected async listen(): Promise<this> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening))
    this.origin = `${this.#home}:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  /** A URL in the form of the log. */
  protected shown(url: string): string {
    return url
  }

  protected abstract answer(request: IncomingMessage, response: ServerResponse): void
}
