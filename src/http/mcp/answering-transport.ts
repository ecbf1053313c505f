import { isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** Standard input and output. At the end of its input it answers the open requests, which the SDK's own class drops. */
export class AnsweringTransport extends StdioServerTransport {
  readonly #open = new Set<unknown>()
  #isEnding = false
  readonly #closed = Promise.withResolvers<void>()

  /** Resolves when nothing more is read or written. */
  get closed(): Promise<void> {
    return this.#closed.promise
  }

  override async start(): Promise<void> {
    const { onmessage } = this
    this.onmessage = (message) => {
      if (isJSONRPCRequest(message)) this.#open.add(message.id)
      onmessage?.(message)
      // A canceled request is not answered.
      if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
        this.#settle(message.params?.requestId)
    }
    await super.start()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message)
    if ('id' in message && !('method' in message)) this.#settle(message.id)
  }

  /** Called at the end of the input. */
  override async close(): Promise<void> {
    this.#isEnding = true
    if (this.#open.size > 0) return
    await super.close()
    this.#closed.resolve()
  }

  /** Closes without answers. */
  async abandon(): Promise<void> {
    this.#open.clear()
    await this.close()
  }

  #settle(id: unknown): void {
    this.#open.delete(id)
    if (this.#isEnding && this.#open.size === 0) void this.close()
  }
}
