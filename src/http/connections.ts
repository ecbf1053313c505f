import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isPublicAddress } from '../feeds/http/public-address.ts'
import { KeyedCounts } from '../lib/keyed-counts.ts'
import { addressBlock, unmappedAddress } from '../lib/network-address.ts'

/** The limits of the connections of one server. */
export interface ConnectionLimits {
  /** In all; further ones are closed at once. */
  readonly connectionsMax: number
  /** From one public address block. Other addresses are those of proxies and balancers, which carry many clients. */
  readonly connectionsPerAddressMax: number
  /** A client that takes nothing for this long while something waits to be sent is disconnected. */
  readonly stalledMs: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  connectionsMax: 16_384,
  connectionsPerAddressMax: 1024,
  stalledMs: 30_000,
}

/** The limits of a node. Behind trusted proxies every connection is a proxy's, so none is limited by its address. */
export function connectionLimits(
  { connectionsMax, connectionsPerAddressMax }: Pick<ConnectionLimits, 'connectionsMax' | 'connectionsPerAddressMax'>,
  trustedProxies: number,
): ConnectionLimits {
  const perAddressMax = trustedProxies > 0 ? connectionsMax : connectionsPerAddressMax
  return { ...CONNECTION_LIMITS, connectionsMax, connectionsPerAddressMax: perAddressMax }
}

/** The stalled clients are found within this part of `stalledMs`. */
const SWEEPS = 6

/** The state of an open connection. */
interface Connection {
  readonly socket: Socket
  readonly block: string | undefined
  /** To the newest request. */
  response: ServerResponse | undefined
  /** When the client last took something, or nothing waited to be sent. */
  takenAtMs: number
  written: number
  queued: number
}

/** The open connections of one server, within limits. */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #open = new Map<Duplex, Connection>()
  readonly #perBlock = new KeyedCounts()
  readonly #closing: (() => void)[] = []
  #sweeping: NodeJS.Timeout | undefined

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = limits
    server.maxConnections = limits.connectionsMax
    server.on('connection', (socket) => this.#add(socket))
    // Node itself would close all idle connections of one age in one turn of the event loop.
    server.on('timeout', (socket) => this.#closeIdle(socket))
    server.on('listening', () => {
      this.#sweeping = setInterval(() => this.#sweep(), limits.stalledMs / SWEEPS).unref()
    })
    server.on('close', () => clearInterval(this.#sweeping))
    // Node itself would also close connections whose response has ended and is still being sent.
    server.closeIdleConnections = () => {
      for (const { socket, response } of this.#open.values()) if (isSent(response)) socket.destroy()
    }
  }

  /** Notes the response to the newest request of its connection. */
  note(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection !== undefined) connection.response = response
  }

  /** The response to the newest request of a connection. */
  responseOn(socket: Duplex): ServerResponse | undefined {
    return this.#open.get(socket)?.response
  }

  /** Closes a connection soon: few at once, because thousands may expire in one moment, and their clients may return as one. */
  closeSoon(close: () => void): void {
    if (this.#closing.push(close) === 1) this.#closeLater()
  }

  #closeLater(): void {
    setTimeout(() => this.#closeSome(), CLOSING_PAUSE_MS).unref()
  }

  #closeSome(): void {
    const count = Math.max(CLOSED_AT_ONCE, Math.ceil(this.#closing.length / CLOSING_PARTS))
    for (const close of this.#closing.splice(0, count)) close()
    if (this.#closing.length > 0) this.#closeLater()
  }

  #add(socket: Socket): void {
    const block = this.#blockOf(socket.remoteAddress)
    if (block !== undefined && this.#perBlock.countOf(block) >= this.#limits.connectionsPerAddressMax) {
      socket.destroy()
      return
    }
    if (block !== undefined) this.#perBlock.add(block)
    const counters = { takenAtMs: 0, written: 0, queued: 0 }
    this.#open.set(socket, { socket, block, response: undefined, ...counters })
    socket.once('close', () => this.#remove(socket, block))
  }

  #remove(socket: Socket, block: string | undefined): void {
    this.#open.delete(socket)
    if (block !== undefined) this.#perBlock.remove(block)
  }

  /** Undefined if the address is not limited. */
  #blockOf(address = ''): string | undefined {
    const { connectionsMax, connectionsPerAddressMax } = this.#limits
    if (connectionsPerAddressMax >= connectionsMax) return undefined
    const plain = unmappedAddress(address)
    return isPublicAddress(plain) ? addressBlock(plain) : undefined
  }

  #closeIdle(socket: Socket): void {
    this.closeSoon(() => {
      if (isSent(this.responseOn(socket))) socket.destroy()
    })
  }

  #sweep(): void {
    const nowMs = performance.now()
    for (const connection of this.#open.values()) {
      if (takesNothing(connection, nowMs) && nowMs - connection.takenAtMs >= this.#limits.stalledMs)
        // A reset frees what the kernel still holds for the client.
        connection.socket.resetAndDestroy()
    }
  }
}

/** Also true before the first. */
function isSent(response: ServerResponse | undefined): boolean {
  return response === undefined || response.writableFinished
}

/** Each takes about 50 µs. */
const CLOSED_AT_ONCE = 4
const CLOSING_PAUSE_MS = 2
/** However many there are, most are closed within a second. */
const CLOSING_PARTS = 500

/** Updates the counters. False if nothing waits to be sent, or if the client took something since the last sweep. */
function takesNothing(connection: Connection, nowMs: number): boolean {
  const { socket } = connection
  const waiting = socket.writableLength
  if (waiting === 0) {
    connection.takenAtMs = nowMs
    return false
  }
  const written = socket.bytesWritten - waiting
  const queued = kernelQueue(socket)
  const isStill = written === connection.written && queued === connection.queued
  if (!isStill) Object.assign(connection, { takenAtMs: nowMs, written, queued })
  return isStill
}

/**
 * Bytes of the write in progress that the kernel has not taken. Node has no public name for it: its own socket timeout reads the same
 * property. Without it, only whole writes would count as progress.
 */
function kernelQueue(socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): number {
  return socket._handle?.writeQueueSize ?? 0
}
