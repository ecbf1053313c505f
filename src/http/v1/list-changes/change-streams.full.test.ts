import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { eventually } from '../../../../test/support/eventually.ts'
import { applyTo, served } from '../../../../test/support/http/changes-fixture.ts'
import { type EventStream, QUICK_LIMITS, StreamService } from '../../../../test/support/http/stream-service.ts'
import { slotOf } from '../../../../test/support/store/temp-store.ts'
import type { Slot } from '../../../slot/slot.ts'

/** Publishes these slots. */
const publication = fc.uniqueArray(fc.nat(9), { maxLength: 8 })

/** What happens to the connection before a publication, and after its first events. */
const break_ = fc.record({ before: fc.boolean(), afterEvents: fc.option(fc.nat(4), { nil: undefined }) })

test('sends each change once and in order, however often the connection breaks', async (t) => {
  const service = await StreamService.start(t)
  const steps = fc.array(fc.tuple(publication, break_), { maxLength: 8 })
  const property = fc.asyncProperty(steps, async (steps) => {
    await service.publish([])
    const reader = await Reader.open(service)
    for (const [n, [places, { before, afterEvents }]] of steps.entries()) {
      const slots = places.map((place) => slotOf(place, { capacity: n + 1 }))
      if (before) reader.disconnect()
      await service.publish(slots)
      if (before) await reader.connect()
      if (afterEvents !== undefined) await reader.breakAfter(afterEvents)
      await reader.catchUp()
      assert.deepEqual(reader.copy, jsonById(slots))
    }
    reader.disconnect()
    assert.equal(new Set(reader.ids).size, reader.ids.length)
  })
  await fc.assert(property, { numRuns: 40 })
})

test('disconnects a client that does not read, also after the end of its stream', async (t) => {
  const service = await StreamService.start(t, { ...QUICK_LIMITS, stalledMsMax: 1000 })
  const stream = await service.open('', { organization: 'revoked' })
  stream.response.pause()
  await service.publish(Array.from({ length: 20_000 }, (_, n) => slotOf(n)))
  await eventually(() => service.isBlocked)
  service.revoke('revoked')
  await eventually(() => service.streams.size === 0)
  await assert.rejects(stream.text(), { code: 'ECONNRESET' })
})

/** A client that keeps a copy of the slots and resumes as browsers do. */
class Reader {
  readonly copy = new Map<string, string>()
  /** Of all events. */
  readonly ids: string[] = []
  readonly #service: StreamService
  #stream: EventStream
  #lastId = ''

  private constructor(service: StreamService, stream: EventStream) {
    this.#service = service
    this.#stream = stream
  }

  /** Begins with the current slots, of which there must be none. */
  static async open(service: StreamService): Promise<Reader> {
    const reader = new Reader(service, await service.open())
    await reader.catchUp()
    return reader
  }

  disconnect(): void {
    this.#stream.close()
  }

  async connect(): Promise<void> {
    this.#stream = await this.#service.open('?since=1.1', { headers: { 'last-event-id': this.#lastId } })
  }

  async breakAfter(events: number): Promise<void> {
    const newest = await this.#service.clinic.revision()
    for (let n = 0; n < events && this.#lastId !== newest; n++) await this.#next()
    this.disconnect()
    await this.connect()
  }

  /** Reads until the newest revision. */
  async catchUp(): Promise<void> {
    const newest = await this.#service.clinic.revision()
    while (this.#lastId !== newest) await this.#next()
  }

  async #next(): Promise<void> {
    const event = await this.#stream.next()
    assert.ok(event, 'the stream must not end')
    this.#lastId = event.id
    if (event.data === undefined) return
    this.ids.push(event.id)
    applyTo(this.copy, [event.data])
  }
}

function jsonById(slots: readonly Slot[]): Map<string, string> {
  return new Map(slots.map((slot) => [slot.id, JSON.stringify(served(slot))]))
}
