import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { resolveByDns } from './resolve-by-dns.ts'

const TYPE_A = 1
const NOT_FOUND = 3
const NAME_AT = 12

test('resolves a name while those of others wait for their servers', async (t) => {
  const server = await NameServer.open(t)
  const ended: string[] = []
  const waiting = Array.from({ length: 8 }, async (_, n) => {
    await assert.rejects(server.lookUp(`silent-${n}.test`), { code: 'ENOTFOUND' })
    ended.push('silent')
  })
  assert.deepEqual(await server.lookUp('good.test'), [{ address: '8.8.8.8', family: 4 }])
  ended.push('good')
  server.respond()
  await Promise.all(waiting)
  assert.equal(ended[0], 'good')
})

test('rejects a name that does not exist', async (t) => {
  const server = await NameServer.open(t)
  await assert.rejects(server.lookUp('unknown.test'), { code: 'ENOTFOUND', message: /^Cannot resolve unknown\.test: / })
})

/** Knows `good.test`, without IPv6, and responds to questions about `silent-…` when it is told to. */
class NameServer {
  readonly #socket = createSocket('udp4')
  #held: (() => void)[] | undefined = []

  static async open(t: TestContext): Promise<NameServer> {
    const server = new NameServer()
    server.#socket.on('message', (question, { port, address }) => {
      const send = () => server.#socket.send(answerTo(question), port, address)
      if (server.#held !== undefined && question.includes('silent')) server.#held.push(send)
      else send()
    })
    server.#socket.bind(0, '127.0.0.1')
    await once(server.#socket, 'listening')
    t.after(() => server.#socket.close())
    return server
  }

  lookUp(name: string): Promise<LookupAddress[]> {
    const resolve = resolveByDns([`127.0.0.1:${this.#socket.address().port}`])
    return new Promise((done, fail) => {
      resolve(name, { all: true }, (error, addresses) => (error === null ? done(addresses) : fail(error)))
    })
  }

  respond(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const send of held) send()
  }
}

/** RFC 1035, 4.1: the header, the question, and for an address a resource record that refers to its name. */
function answerTo(question: Buffer): Buffer {
  const nameEnd = question.indexOf(0, NAME_AT)
  const isKnown = question.includes('good')
  const hasAddress = isKnown && question.readUInt16BE(nameEnd + 1) === TYPE_A
  const header = Buffer.alloc(NAME_AT)
  question.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 + (isKnown ? 0 : NOT_FOUND), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(hasAddress ? 1 : 0, 6)
  const record = Buffer.from([0xc0, NAME_AT, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, 8, 8, 8, 8])
  return Buffer.concat([header, question.subarray(NAME_AT, nameEnd + 5), ...(hasAddress ? [record] : [])])
}
