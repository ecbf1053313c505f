import { setTimeout as sleep } from 'node:timers/promises'

/** A slot as the API serves it; docs/guide/slots.md lists its fields. */
export interface Slot {
  readonly id: string
  readonly end: string
  readonly [field: string]: unknown
}

interface ChangesPage {
  readonly changes: readonly (
    | { readonly change: 'added' | 'changed'; readonly slot: Slot }
    | { readonly change: 'removed'; readonly id: string }
  )[]
  readonly revision: string
}

export interface MirrorOptions {
  /** Where the service is: `https://slots.example.org`. */
  readonly origin: string
  readonly apiKey: string
  /** Which slots to keep, as in the list: `state=MA&isVirtual=true`. The same in every request. */
  readonly filters?: string
}

/** A copy of the slots: one export, then the changes. */
export class SlotMirror {
  /** By id; as of the last update. */
  slots = new Map<string, Slot>()
  readonly #options: MirrorOptions
  /** How far the copy has come. Whoever keeps it in a database writes both in one transaction. */
  #revision: string | undefined

  constructor(options: MirrorOptions) {
    this.#options = options
  }

  /** Makes the copy what the list is now. Throws if that failed; what was copied stays, and the next call goes on from there. */
  async update(): Promise<void> {
    if (this.#revision === undefined) await this.#export()
    while (await this.#readPage());
    this.#dropEnded()
  }

  /** Begins anew. The old copy stays until the new one is whole. */
  async #export(): Promise<void> {
    const response = await this.#get('/v1/scheduling/slots', '', 'application/x-ndjson')
    if (!response.ok || response.body === null) throw await faultOf(response)
    const slots = new Map<string, Slot>()
    for await (const line of linesOf(response.body)) {
      const slot: Slot = JSON.parse(line)
      slots.set(slot.id, slot)
    }
    if (slots.size !== Number(response.headers.get('slots-total'))) throw new Error('The export was cut off')
    this.#revision = response.headers.get('slots-revision') ?? undefined
    this.slots = slots
  }

  /** Whether there is another page. */
  async #readPage(): Promise<boolean> {
    const response = await this.#get('/v1/scheduling/changes', `limit=1000&since=${this.#revision}`)
    // Away for longer than the service remembers, or it has another database now: the next update begins anew.
    if (response.status === 410) this.#revision = undefined
    if (!response.ok) throw await faultOf(response)
    const page = (await response.json()) as ChangesPage
    for (const each of page.changes) {
      if (each.change === 'removed') this.slots.delete(each.id)
      else this.slots.set(each.slot.id, each.slot)
    }
    this.#revision = page.revision
    return /rel="next"/.test(response.headers.get('link') ?? '')
  }

  /** A slot that has ended leaves the list without a change that tells of it. */
  #dropEnded(): void {
    const now = Date.now()
    for (const [id, { end }] of this.slots) if (Date.parse(end) <= now) this.slots.delete(id)
  }

  #get(path: string, search: string, accept = 'application/json'): Promise<Response> {
    const { origin, apiKey, filters = '' } = this.#options
    return fetch(`${origin}${path}?${filters}&${search}`, {
      headers: { authorization: `Bearer ${apiKey}`, accept },
      signal: AbortSignal.timeout(600_000),
    })
  }
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function faultOf(response: Response): Promise<Error> {
  return new Error(`Cannot mirror: got ${response.status} ${await response.text()}`)
}

if (import.meta.main) {
  const { SLOTS_ORIGIN = 'http://localhost:8080', SLOTS_API_KEY = '', SLOTS_FILTERS = '' } = process.env
  const mirror = new SlotMirror({ origin: SLOTS_ORIGIN, apiKey: SLOTS_API_KEY, filters: SLOTS_FILTERS })
  for (;;) {
    try {
      await mirror.update()
      console.log(`${mirror.slots.size} slots`)
    } catch (fault) {
      console.error(String(fault))
    }
    await sleep(10_000)
  }
}
