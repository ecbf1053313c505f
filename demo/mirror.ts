import { setTimeout as sleep } from 'node:timers/promises'

/** A slot as the API serves it; docs/guide/slots.md lists the fields. */
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
  /** The address of the service: `https://slots.example.org`. */
  readonly origin: string
  readonly apiKey: string
  /** Filters of the list, the same in every request: `state=MA&isVirtual=true`. */
  readonly filters?: string
}

/** A mirror of the slots: one export, then the changes. */
export class SlotMirror {
  /** By id, as of the last update. */
  slots = new Map<string, Slot>()
  readonly #options: MirrorOptions
  /** The revision of the copy. With a database, write slots and revision in one transaction. */
  #revision: string | undefined

  constructor(options: MirrorOptions) {
    this.#options = options
  }

  /** Brings the copy up to date. Throws on failure; the copy keeps its state, and the next call continues from it. */
  async update(): Promise<void> {
    if (this.#revision === undefined) await this.#export()
    while (await this.#readPage());
    this.#dropEnded()
  }

  /** Loads everything. The old copy stays until the new one is complete. */
  async #export(): Promise<void> {
    const response = await this.#get('/v1/scheduling/slots', '', 'application/x-ndjson')
    if (!response.ok || response.body === null) throw await errorOf(response)
    const slots = new Map<string, Slot>()
    for await (const line of linesOf(response.body)) {
      const slot: Slot = JSON.parse(line)
      slots.set(slot.id, slot)
    }
    if (slots.size !== Number(response.headers.get('slots-total'))) throw new Error('The export is truncated')
    this.#revision = response.headers.get('slots-revision') ?? undefined
    this.slots = slots
  }

  /** Applies one page of changes; true if there is another. */
  async #readPage(): Promise<boolean> {
    const response = await this.#get('/v1/scheduling/changes', `limit=1000&since=${this.#revision}`)
    // The revision is too old or belongs to another database: the next update exports everything.
    if (response.status === 410) this.#revision = undefined
    if (!response.ok) throw await errorOf(response)
    const page = (await response.json()) as ChangesPage
    for (const each of page.changes) {
      if (each.change === 'removed') this.slots.delete(each.id)
      else this.slots.set(each.slot.id, each.slot)
    }
    this.#revision = page.revision
    return /rel="next"/.test(response.headers.get('link') ?? '')
  }

  /** A slot that has ended leaves the list without a change record. */
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

async function errorOf(response: Response): Promise<Error> {
  return new Error(`Cannot mirror: status ${response.status}: ${await response.text()}`)
}

if (import.meta.main) {
  const { SLOTS_ORIGIN = 'http://localhost:8080', SLOTS_API_KEY = '', SLOTS_FILTERS = '' } = process.env
  const mirror = new SlotMirror({ origin: SLOTS_ORIGIN, apiKey: SLOTS_API_KEY, filters: SLOTS_FILTERS })
  for (;;) {
    try {
      await mirror.update()
      console.log(`${mirror.slots.size} slots`)
    } catch (error) {
      console.error(String(error))
    }
    await sleep(10_000)
  }
}
