import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { connectorsOf } from '../../src/feeds/connectors.ts'
import { mintApiKey } from '../../src/keys/mint-key.ts'
import { SLOT_STATUSES } from '../../src/slot/slot.ts'
import { COMMAND_LINE } from '../../src/store/contracts/audit.ts'
import type { Store } from '../../src/store/contracts/store.ts'
import { openStore } from '../../src/store/open-store.ts'
import { syncSource } from '../../src/sync/sync-source.ts'
import { eventually } from '../support/eventually.ts'
import { Publisher } from '../support/feeds/publisher.ts'
import { RunningService } from '../support/running-service.ts'
import { Client } from './ask.ts'
import { PublishedDocument } from './published-document.ts'
import { LIMITED, SUSPENDED } from './requests.ts'
import { SLUGS, variedFeeds } from './varied-feeds.ts'

/** A slot in a response. */
export type ServedSlot = Readonly<Record<string, unknown>> & { readonly id: string }

/** A service with every kind of slot, and values that occur in it. */
export interface ContractService {
  readonly client: Client
  readonly document: PublishedDocument
  /** An API key per concurrent caller: exports are limited per key. */
  readonly keys: readonly string[]
  /** All served slots, of every status, ended or not. */
  readonly slots: readonly ServedSlot[]
  /** Revisions before and after slots were added, changed and removed. */
  readonly revisions: readonly string[]
  /** Cursors of the list without filters. */
  readonly cursors: readonly string[]
  /** File names of the published feed. */
  readonly files: readonly string[]
  /** Pages of its updates. */
  readonly updatePages: readonly string[]
  readonly updateFiles: readonly string[]
  /** Moves on by a minute, because tests and verifications of subscriptions are limited per minute. */
  endMinute(): Promise<void>
}

/** Starts a service that has synced two generations of three feeds; one more feed is unavailable, and one is paused. Stopped after the test. */
export async function startContractService(t: TestContext, callers: number): Promise<ContractService> {
  const service = await RunningService.prepare()
  const publisher = await Publisher.open(variedFeeds(0, Date.now()))
  const store = await openStore(String(service.env.DATABASE_URL))
  const client = new Client(service.origin)
  t.after(async () => {
    client[Symbol.dispose]()
    await service[Symbol.asyncDispose]()
    await store.close()
    await publisher[Symbol.asyncDispose]()
  })
  const keys = await createKeys(store, callers)
  await addSources(store, publisher.origin)
  for (const slug of SLUGS) await sync(store, slug)
  await service.serve()
  const before = await exportAll(client, keys[0])
  const get = async (target: string) => client.ask({ method: 'GET', target, headers: { 'x-api-key': keys[0] } })
  const first = nextOf((await get('/v1/fhir/$bulk-publish')).text)
  Object.assign(publisher.files, variedFeeds(1, Date.now()))
  for (const slug of SLUGS) await sync(store, slug)
  const after = await untilShown(store, client, keys[0])
  const update = nextOf((await get(first)).text)
  const updateFiles = filesOf((await get(update)).text)
  const page = await get('/v1/scheduling/slots?limit=7&cursor=')
  const changes = await get(`/v1/scheduling/changes?limit=7&since=${before.revision}`)
  const { text } = await get('/openapi.json')
  return {
    client,
    document: new PublishedDocument(text),
    keys,
    slots: after.slots,
    revisions: [before.revision, after.revision, JSON.parse(changes.text).revision],
    cursors: [/cursor=([^>&]+)>; rel="next"/.exec(String(page.headers.link))?.[1] ?? ''],
    updatePages: [first, update].map(lastSegment),
    updateFiles,
    files: filesOf((await get('/v1/fhir/$bulk-publish')).text),
    endMinute: () => endMinute(store),
  }
}

async function endMinute({ signIn: { queries } }: Store): Promise<void> {
  await queries.deleteFrom('throttles').execute()
  await queries.updateTable('subscription_events').set({ requested_at_ms: null }).execute()
}

function filesOf(manifest: string): string[] {
  const { output } = JSON.parse(manifest) as { output: { url: string }[] }
  return output.map(({ url }) => lastSegment(url))
}

function lastSegment(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

/** The path of the next page of a manifest. */
function nextOf(manifest: string): string {
  return new URL(JSON.parse(manifest).link[0].url).pathname
}

async function createKeys(store: Store, callers: number): Promise<string[]> {
  const { id: organizationId } = await store.organizations.create('Good Health')
  const minted = Array.from({ length: callers }, (_, n) => mintApiKey({ organizationId, name: `${n}` }, Date.now()))
  for (const { key } of minted) await store.keys.put(key)
  const suspended = await store.organizations.create('Suspended')
  await store.keys.put({ ...SUSPENDED.key, organizationId: suspended.id })
  await store.organizations.suspend(suspended.id, 'Unused', COMMAND_LINE)
  await store.keys.put({ ...LIMITED.key, organizationId })
  return minted.map(({ secret }) => secret)
}

async function addSources(store: Store, origin: string): Promise<void> {
  for (const slug of [...SLUGS, 'missing', 'paused'])
    await store.sources.add({
      slug,
      name: `The ${slug}`,
      url: `${origin}/${slug}/$bulk-publish`,
      strict: false,
    })
  await store.sources.setPaused('paused', true)
}

async function sync(store: Store, slug: string): Promise<void> {
  const connectorOf = connectorsOf({ allowPrivateSources: true })
  const parts = { connectorOf, clock: Date.now, random: Math.random, everyMsDefault: 3_600_000 }
  const run = await syncSource({ store, ...parts }, slug)
  assert.notEqual(run?.outcome.outcome, 'failed', run?.outcome.error)
}

/** Waits until the service serves the synced slots. */
async function untilShown(store: Store, client: Client, key: string): ReturnType<typeof exportAll> {
  const synced = (await store.sources.list()).reduce((sum, { slotCount }) => sum + slotCount, 0)
  let found = await exportAll(client, key)
  await eventually(async () => {
    found = await exportAll(client, key)
    return found.slots.length === synced
  })
  return found
}

async function exportAll(client: Client, key: string): Promise<{ slots: ServedSlot[]; revision: string }> {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/x-ndjson' }
  const slots: ServedSlot[] = []
  let revision = ''
  for (const status of SLOT_STATUSES) {
    const target = `/v1/scheduling/slots?status=${status}&startAfter=2000-01-01T00:00:00Z`
    const answer = await client.ask({ method: 'GET', target, headers })
    assert.equal(answer.status, 200, answer.text)
    slots.push(
      ...answer.text
        .trimEnd()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    )
    revision = String(answer.headers['slots-revision'])
  }
  return { slots, revision }
}
