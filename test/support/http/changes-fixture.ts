import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { SerializedRequest, SerializedResponse } from '../../../src/http/serialized-http.ts'
import { CHANGES_PATH } from '../../../src/http/v1/list-changes/list-changes.ts'
import { ChangesHandler } from '../../../src/http/v1/list-changes/serve-changes.ts'
import { defined } from '../../../src/lib/optional.ts'
import type { Slot } from '../../../src/slot/slot.ts'
import type { ChangeLog } from '../../../src/store/contracts/change-log.ts'
import type { Store } from '../../../src/store/contracts/store.ts'
import { syncSource } from '../../../src/sync/sync-source.ts'
import { connectorOfSlots, openTempStore, syncParts } from '../store/temp-store.ts'

/** The clock of the store and of the operation. */
export const NOW_MS = Date.UTC(2029, 5, 1)

/** A change in a response. */
export interface Change {
  readonly change: 'added' | 'changed' | 'removed'
  readonly id?: string
  readonly start?: string
  readonly slot?: { readonly id: string; readonly end: string; readonly status: string }
}

/** A parsed response. */
export interface ChangesAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: {
    readonly changes: readonly Change[]
    readonly revision: string
    readonly error?: string
    readonly message?: string
    readonly parameter?: string
  }
  /** The query string of the next page. */
  readonly next: string | undefined
}

/** A store with one source, synced as the service does, and the operation on it. */
export class Clinic {
  readonly store: Store
  readonly faults: unknown[] = []
  readonly #handler: ChangesHandler

  private constructor(store: Store, log: ChangeLog) {
    this.store = store
    this.#handler = new ChangesHandler({
      log,
      baseUrl: 'https://slots.example',
      now: () => NOW_MS,
      onError: (error) => this.faults.push(error),
    })
  }

  /** Without slots; `log` replaces the change log of the store. */
  static async open(t: TestContext, log?: ChangeLog): Promise<Clinic> {
    const store = await openTempStore(t, () => NOW_MS)
    await store.sources.add({ slug: 'clinic', url: 'https://clinic.test/', strict: false })
    // Every published snapshot is applied without review.
    await store.sources.setReviewPolicy('clinic', 'nothing')
    return new Clinic(store, log ?? store.changeLog)
  }

  /** Replaces all slots. */
  async publish(slots: readonly Slot[]): Promise<void> {
    const connector = connectorOfSlots(() => slots)
    const run = await syncSource(syncParts(this.store, connector, { clock: () => NOW_MS }), 'clinic')
    assert.equal(run?.outcome.outcome, 'ok')
  }

  /** The newest revision, as an export would send it. */
  async revision(): Promise<string> {
    const { store, revision } = await this.store.revisionFeed.open(undefined).then(async (changes) => {
      await changes.close()
      return changes
    })
    return `${store.toString(36)}.${revision.toString(36)}`
  }

  async ask(search: string): Promise<ChangesAnswer> {
    const {
      status,
      headers: told,
      body,
    } = await this.respond({
      method: 'GET',
      target: `${CHANGES_PATH}${search === '' ? '' : '?'}${search}`,
      headers: [],
      address: '192.0.2.1',
      requestId: 'r1',
      operation: CHANGES_PATH,
    })
    const byName = Object.fromEntries(told)
    const next = /^<https:\/\/slots\.example\/v1\/scheduling\/changes\?([^>]*)>; rel="next"$/.exec(byName.link ?? '')
    assert.equal(next === null, byName.link === undefined)
    return { status, headers: byName, body: JSON.parse(new TextDecoder().decode(body)), next: next?.[1] }
  }

  respond(request: SerializedRequest): Promise<SerializedResponse> {
    return this.#handler.handle(request)
  }

  /** All pages, starting with this query string. */
  async pages(search: string): Promise<ChangesAnswer[]> {
    const pages: ChangesAnswer[] = []
    for (let next: string | undefined = search; next !== undefined; next = pages.at(-1)?.next) {
      assert.ok(pages.length < 1000, 'there must be an end')
      const page = await this.ask(next)
      assert.equal(page.status, 200, page.body.message)
      pages.push(page)
    }
    return pages
  }
}

/** A mirror of the slots, by id, as JSON, maintained as the guide describes. */
export function applyTo(copy: Map<string, string>, changes: readonly Change[]): void {
  for (const { change, id, slot } of changes) {
    if (change === 'removed') copy.delete(id ?? '')
    else if (slot !== undefined) copy.set(slot.id, JSON.stringify(slot))
  }
}

/** A slot in the form of `/v1`. */
export function served({ startMs: _start, endMs: _end, offering, ...own }: Slot): object {
  const { capacity, identifier, ...rest } = own
  const { details: _, ...shared } = offering
  return { ...rest, ...defined({ capacity, identifier }), ...shared }
}
