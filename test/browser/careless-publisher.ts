import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DAY_MS } from '../../src/lib/time.ts'

/**
 * A publisher with errors: eight valid slots, and among them a line that is not JSON, a slot that ends before it starts, and
 * a slot of an unknown schedule. While `isAway`, it responds 503; while `isEmptied`, it has no slots.
 */
export class CarelessPublisher implements AsyncDisposable {
  isAway = false
  isEmptied = false
  readonly #goodSlots: number
  readonly #nameOf: (plain: string) => string
  readonly #server = createServer((request, response) => {
    const body = this.isAway
      ? undefined
      : this.#body(String(request.url).replace(/\?.*/, ''), `http://${request.headers.host}`)
    response.writeHead(body === undefined ? 503 : 200, { 'cache-control': 'max-age=60' }).end(body)
  })

  private constructor(options: { goodSlots?: number; nameOf?: (plain: string) => string }) {
    this.#goodSlots = options.goodSlots ?? 8
    this.#nameOf = options.nameOf ?? ((plain) => plain)
  }

  static async open(options: { goodSlots?: number; nameOf?: (plain: string) => string } = {}) {
    const publisher = new CarelessPublisher(options)
    publisher.#server.listen(0, '127.0.0.1')
    await once(publisher.#server, 'listening')
    return publisher
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/$bulk-publish`
  }

  #body(path: string, origin: string): string | undefined {
    if (path === '/Slot.ndjson') return this.isEmptied ? '' : slots(this.#goodSlots)
    return FILES[path]?.(origin, this.#nameOf)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}

const STARTED_AT_MS = Date.now()

const FILES: Readonly<Record<string, (origin: string, nameOf: (plain: string) => string) => string>> = {
  '/$bulk-publish': (origin) =>
    JSON.stringify({
      transactionTime: new Date(STARTED_AT_MS).toISOString(),
      request: `${origin}/$bulk-publish`,
      output: ['Location', 'Schedule', 'Slot'].map((type) => ({ type, url: `${origin}/${type}.ndjson` })),
    }),
  '/Location.ndjson': (_, nameOf) =>
    lines({
      resourceType: 'Location',
      id: 'harbour',
      name: nameOf('Harbour Clinic'),
      address: { line: [nameOf('3 Quay Street')], city: nameOf('Gloucester'), state: 'MA', postalCode: '01930' },
    }),
  '/Schedule.ndjson': (_, nameOf) =>
    lines({
      resourceType: 'Schedule',
      id: 'checks',
      serviceType: [{ coding: [{ code: '57', display: nameOf('Immunization') }] }],
      actor: [{ reference: 'Location/harbour' }],
    }),
}

function slots(good: number): string {
  return lines(
    ...Array.from({ length: good }, (_, day) => slot(`good-${day}`, day + 1)),
    '{"resourceType":"Slot","id":"cut off',
    { ...slot('backwards', 2), end: instant(1) },
    { ...slot('lost', 3), schedule: { reference: 'Schedule/nowhere' } },
  )
}

function slot(id: string, inDays: number): object {
  return {
    resourceType: 'Slot',
    id,
    schedule: { reference: 'Schedule/checks' },
    status: 'free',
    start: instant(inDays),
    end: instant(inDays + 1 / 48),
  }
}

function instant(inDays: number): string {
  return new Date(STARTED_AT_MS + inDays * DAY_MS).toISOString()
}

function lines(...all: readonly (object | string)[]): string {
  return all.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
}
