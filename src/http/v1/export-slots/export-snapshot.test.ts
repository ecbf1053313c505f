import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { apiContextOf } from '../../../../test/support/http/api-context.ts'
import { listenOnLoopback } from '../../../../test/support/listen-on-loopback.ts'
import { ChangingIndex } from '../../../../test/support/slot-index/changing-index.ts'
import { KeyRing } from '../../../keys/key-ring.ts'
import { mintApiKey } from '../../../keys/mint-key.ts'
import { slotId } from '../../../slot/ids.ts'
import type { Offering, Slot } from '../../../slot/slot.ts'
import { KnownSources } from '../../../slot-index/known-sources.ts'
import { SlotIndex } from '../../../slot-index/slot-index.ts'
import { OpenSnapshots } from '../../../slot-index/snapshots/open-snapshots.ts'
import { createApiServer } from '../../server.ts'
import { FeedVersions } from '../fhir-feed/feed-versions.ts'

const SLOTS = 25_000

test('exports one complete snapshot despite concurrent commits and releases', async (t) => {
  const harness = await Harness.start(t)
  const answer = await harness.export()
  const taking = takeSlowly(answer, () => harness.change())
  const lines = (await taking).split('\n')
  assert.ok(harness.revision > 3, `${harness.revision} revisions`)
  assert.equal(lines.pop(), '')
  assert.equal(lines.length, SLOTS)
  const slots = lines.map((line) => JSON.parse(line) as Slot & Offering)
  assert.deepEqual(new Set(slots.map(({ scheduleId }) => scheduleId)), new Set(['revision-1']))
  assert.equal(new Set(slots.map(({ id }) => id)).size, SLOTS)
  assert.equal(harness.snapshots.size, 0)
  assert.equal(harness.heldRevision(), harness.revision)
})

test('drops a stalled caller while others continue, and frees its snapshot when it leaves', async (t) => {
  const harness = await Harness.start(t)
  const answer = await harness.export()
  await harness.change()
  assert.equal(harness.snapshots.size, 1)
  for (let n = 0; n < 20; n++) assert.equal(await harness.total(), SLOTS)
  assert.equal(harness.snapshots.size, 1)
  answer.destroy()
  await eventually(() => harness.snapshots.size === 0)
})

class Harness {
  readonly snapshots = new OpenSnapshots()
  readonly #changing = new ChangingIndex({ index: new SlotIndex(this.snapshots) })
  readonly #secret: string
  readonly #server
  #held = slotsOf(1)

  private constructor() {
    this.#changing.change({ put: this.#held, whole: true })
    const { index } = this.#changing
    const keyRing = new KeyRing()
    const { secret, key } = mintApiKey({ organizationId: 'o', name: 'n' }, 0)
    keyRing.apply([key])
    this.#secret = secret
    this.#server = createApiServer(
      apiContextOf({
        index,
        keyRing,
        sources: new KnownSources(),
        feedVersions: new FeedVersions({ index, sources: new KnownSources(), baseUrl: '' }),
        now: () => 0,
        baseUrl: '',
      }),
    )
  }

  static async start(t: TestContext): Promise<Harness> {
    const harness = new Harness()
    await listenOnLoopback(t, harness.#server)
    return harness
  }

  get revision(): number {
    return this.#changing.revision
  }

  async export(): Promise<IncomingMessage> {
    return this.#ask({ accept: 'application/x-ndjson' })
  }

  async total(): Promise<number> {
    let text = ''
    for await (const piece of await this.#ask({})) text += piece
    return JSON.parse(text).total
  }

  /** The revision whose slots the index shows. */
  heldRevision(): number {
    const page = this.#changing.index.select({ status: 'free', sort: 'start', limit: 1, offset: 0 }, 0)
    return Number(JSON.parse(page.body.toString()).slots[0].scheduleId.slice('revision-'.length))
  }

  /** All slots change, and keep their ids. */
  async change(): Promise<void> {
    const put = slotsOf(this.revision + 1)
    await inPieces(this.#changing.steps({ remove: this.#held, put }))
    this.#held = put
  }

  async #ask(headers: Record<string, string>): Promise<IncomingMessage> {
    const { port } = this.#server.address() as AddressInfo
    const path = '/v1/scheduling/slots'
    const asked = request({
      port,
      host: '127.0.0.1',
      path,
      agent: false,
      headers: { ...headers, 'x-api-key': this.#secret },
    })
    const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage]
    asked.on('error', () => {})
    return answer
  }
}

/** Lets a change happen after every so many bytes. */
async function takeSlowly(answer: IncomingMessage, meanwhile: () => Promise<void>): Promise<string> {
  const pieces: Buffer[] = []
  let sinceChange = 0
  for await (const piece of answer) {
    pieces.push(piece)
    sinceChange += piece.length
    if (sinceChange < 3_000_000) continue
    sinceChange = 0
    await meanwhile()
  }
  return Buffer.concat(pieces).toString()
}

function slotsOf(revision: number): Slot[] {
  const name = 'x'.repeat(500)
  const offering: Offering = {
    publisher: 'north',
    scheduleId: `revision-${revision}`,
    isVirtual: false,
    location: { name },
  }
  return Array.from({ length: SLOTS }, (_, n) => {
    const [startMs, endMs] = [n * 60_000, n * 60_000 + 60_000]
    const [start, end] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()]
    return {
      id: slotId('north', 'a', String(n), { startMs, endMs }),
      status: 'free',
      start,
      end,
      startMs,
      endMs,
      offering,
    }
  })
}

async function inPieces(work: Generator<void, void>): Promise<void> {
  for (const _ of work) await new Promise((resolve) => setImmediate(resolve))
}
