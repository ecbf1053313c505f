import assert from 'node:assert/strict'
import { ADDRESSES_PER_KEY, EMPTY_USAGE, type LoggedRequest } from '../../../../src/keys/usage-batch.ts'
import { MINUTE_MS } from '../../../../src/lib/time.ts'
import { COMMAND_LINE } from '../../../../src/store/contracts/audit.ts'
import type { LogFilter } from '../../../../src/store/contracts/request-log.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import type { Guarantees } from './harness.ts'
import { keyOf } from './samples.ts'

/** `RequestLog`, and the part of `UsageStore.add()` that writes it. */
export const REQUEST_LOG_GUARANTEES: Guarantees = {
  'keeps every part of a request, newest first, with the key of its organization only': async ({ store }) => {
    const [acme, other] = await organizations(store)
    const first = requestOf(1, { userAgent: 'curl/8', address: '192.0.2.1' })
    const second = requestOf(2, { status: 400, error: 'Invalid parameter', message: 'No.', parameter: 'state' })
    await log(store, [second, first, requestOf(3, { keyId: 'gone' }), requestOf(4, { keyId: 'other', leftOut: 7 })])
    assert.deepEqual(await store.requestLog.list({ organizationId: acme }, { limit: 10 }), [
      { ...second, entry: 2 },
      { ...first, entry: 1 },
    ])
    assert.deepEqual(await times(store, { organizationId: other }), [4])
    assert.deepEqual(await times(store, { organizationId: acme, keyId: 'other' }), [])
  },

  'numbers the requests of two nodes without gaps, and pages through them': async ({ store, open }) => {
    const [organizationId] = await organizations(store)
    const other = await open()
    await Promise.all([1, 3, 5].map((n) => log(n === 3 ? other : store, [requestOf(n), requestOf(n + 1)])))
    const pages = await Promise.all([undefined, 5, 3, 1].map((before) => page(store, organizationId, before)))
    assert.deepEqual(
      pages.map((entries) => entries.map(({ entry }) => entry)),
      [[6, 5], [4, 3], [2, 1], []],
    )
  },

  'finds the same as a filter in memory': async ({ store }) => {
    const [organizationId] = await organizations(store)
    const targets = ['/v1/scheduling/slots?state=CA', '/v1/scheduling/slots?state=ca', '/mcp', '/v1/100%25_']
    const requests = Array.from({ length: 60 }, (_, n) =>
      requestOf(n, {
        keyId: n % 3 === 0 ? 'k2' : 'k1',
        status: [200, 304, 400, 404, 503][n % 5],
        method: n % 7 === 0 ? 'POST' : 'GET',
        target: targets[n % 4],
        requestId: `r${n % 20}`,
        ...(n % 2 === 0 && { address: `192.0.2.${n % 6}` }),
      }),
    )
    await log(store, requests)
    for (const [filter, holds] of FILTERS) {
      const expected = requests.filter(holds).map(({ atMs }) => atMs)
      assert.notEqual(expected.length, 0, JSON.stringify(filter))
      assert.deepEqual(await times(store, { organizationId, ...filter }), expected.reverse(), JSON.stringify(filter))
    }
  },

  'reads past thousands of entries that do not match': async ({ store }) => {
    const [organizationId] = await organizations(store)
    await log(store, [requestOf(0, { status: 500 }), ...Array.from({ length: 12_000 }, (_, n) => requestOf(n + 1))])
    assert.deepEqual(await times(store, { organizationId, status: 5 }), [0])
    assert.deepEqual(await times(store, { organizationId, status: 404 }), [])
  },

  'begins at the newest entry, whatever entry is asked from': async ({ store }) => {
    const [organizationId] = await organizations(store)
    await log(store, [requestOf(1), requestOf(2)])
    const from = { beforeEntry: Number.MAX_SAFE_INTEGER, limit: 10 }
    assert.deepEqual(await store.requestLog.list({ organizationId, status: 404 }, from), [])
    assert.equal((await store.requestLog.list({ organizationId }, from)).length, 2)
  },

  'takes the requests of more keys at once than a statement has parameters': async ({ store }) => {
    const [organizationId] = await organizations(store)
    await log(store, [requestOf(1), ...Array.from({ length: 70_000 }, (_, n) => requestOf(2, { keyId: `gone ${n}` }))])
    assert.deepEqual(await times(store, { organizationId }), [1])
  },

  'deletes old entries behind one whose time was wrong': async ({ store }) => {
    const [organizationId] = await organizations(store)
    for (const n of [9_000, 10, 20, 500]) await log(store, [requestOf(n)])
    await store.requestLog.deleteBefore(100)
    assert.deepEqual(await times(store, { organizationId }), [500, 9_000])
  },

  'keeps the newest entries of each organization': async ({ store }) => {
    const [organizationId, other] = await organizations(store)
    const add = (requests: LoggedRequest[]) => store.usage.add({ ...EMPTY_USAGE, logged: requests }, 5)
    await add([requestOf(1, { keyId: 'other' })])
    for (const from of [0, 3, 6]) await add([0, 1, 2].map((n) => requestOf(from + n)))
    assert.deepEqual(await times(store, { organizationId }), [8, 7, 6, 5, 4])
    assert.deepEqual(await times(store, { organizationId: other }), [1])
  },

  'deletes entries before a time, also more than one batch': async ({ store }) => {
    const [organizationId, other] = await organizations(store)
    await log(store, [
      ...Array.from({ length: 6_000 }, (_, n) => requestOf(n)),
      ...[10, 5_999].map((atMs) => requestOf(atMs, { keyId: 'other' })),
    ])
    await store.requestLog.deleteBefore(5_998)
    assert.deepEqual(await times(store, { organizationId }), [5_999, 5_998])
    assert.deepEqual(await times(store, { organizationId: other }), [5_999])
    await store.requestLog.deleteBefore(7_000)
    await log(store, [requestOf(7_000)])
    assert.deepEqual((await page(store, organizationId))[0].entry, 6_001)
  },

  'deletes the log of a deleted organization, whatever its age': async ({ store }) => {
    const [organizationId, other] = await organizations(store)
    await log(store, [requestOf(1), requestOf(2), requestOf(3, { keyId: 'other' })])
    await store.organizations.remove(organizationId, COMMAND_LINE, 'as operator')
    await store.requestLog.deleteBefore(0)
    assert.deepEqual(await times(store, { organizationId }), [])
    assert.deepEqual(await times(store, { organizationId: other }), [3])
    await log(store, [requestOf(4)])
    await store.requestLog.deleteBefore(0)
    assert.deepEqual(await times(store, { organizationId }), [])
  },

  'adds up the requests that were left out, by key and period': async ({ store }) => {
    const [organizationId] = await organizations(store)
    await log(store, [requestOf(1, { leftOut: 3 }), requestOf(2), requestOf(3, { keyId: 'k2', leftOut: 40 })])
    const leftOut = (filter: object) => store.requestLog.leftOut({ organizationId, ...filter })
    assert.deepEqual(
      await Promise.all([leftOut({}), leftOut({ keyId: 'k1' }), leftOut({ fromMs: 2 }), leftOut({ toMs: 1 })]),
      [43, 3, 40, 0],
    )
    const searched: LogFilter = {
      organizationId,
      status: 404,
      method: 'POST',
      target: 'x',
      address: 'y',
      requestId: 'z',
    }
    assert.deepEqual(
      [await store.requestLog.leftOut(searched), await store.requestLog.leftOut({ ...searched, keyId: 'k1' })],
      [43, 3],
    )
  },

  'keeps the addresses of a key that were seen last, and never moves them back': async ({ store }) => {
    const [organizationId, other] = await organizations(store)
    const add = (uses: readonly (readonly [number, number])[], keyId = 'k1') =>
      store.usage.add({
        ...EMPTY_USAGE,
        addresses: uses.map(([n, atMs]) => ({ keyId, address: `192.0.2.${n}`, atMs: atMs * MINUTE_MS })),
      })
    await add(Array.from({ length: ADDRESSES_PER_KEY }, (_, n) => [n, 100 + n]))
    await add([[1, 500]])
    await add([
      [1, 400],
      [200, 600],
    ])
    await add([[9, 700]], 'gone')
    await add([[200, 600.9]])
    const addresses = await store.requestLog.addresses({ organizationId, keyId: 'k1' }, 0)
    assert.equal(addresses.length, ADDRESSES_PER_KEY)
    assert.deepEqual(addresses.slice(0, 2), [
      { address: '192.0.2.200', firstSeenMs: 600 * MINUTE_MS, lastSeenMs: 600 * MINUTE_MS },
      { address: '192.0.2.1', firstSeenMs: 101 * MINUTE_MS, lastSeenMs: 500 * MINUTE_MS },
    ])
    assert.ok(!addresses.some(({ address }) => address === '192.0.2.0'))
    assert.deepEqual(await store.requestLog.addresses({ organizationId: other, keyId: 'k1' }, 0), [])
    await store.requestLog.deleteAddressesBefore(501 * MINUTE_MS)
    const left = await store.requestLog.addresses({ organizationId, keyId: 'k1' }, 0)
    assert.deepEqual(
      left.map(({ lastSeenMs }) => lastSeenMs),
      [600 * MINUTE_MS],
    )
  },
}

type Condition = readonly [filter: Omit<LogFilter, 'organizationId'>, holds: (request: LoggedRequest) => boolean]

const FILTERS: readonly Condition[] = [
  [{}, () => true],
  [{ keyId: 'k2' }, ({ keyId }) => keyId === 'k2'],
  [{ requestId: 'r7' }, ({ requestId }) => requestId === 'r7'],
  [{ status: 404 }, ({ status }) => status === 404],
  [{ status: 4 }, ({ status }) => status >= 400 && status < 500],
  [{ method: 'POST' }, ({ method }) => method === 'POST'],
  [{ target: 'state=CA' }, ({ target }) => target.includes('state=CA')],
  [{ target: '%25_' }, ({ target }) => target.includes('%25_')],
  [{ address: '192.0.2.4' }, ({ address }) => address === '192.0.2.4'],
  [{ fromMs: 10, toMs: 20 }, ({ atMs }) => atMs >= 10 && atMs < 20],
  [{ keyId: 'k1', status: 2, target: 'slots' }, (r) => r.keyId === 'k1' && r.status === 200 && /slots/.test(r.target)],
]

/** Acme with the keys k1 and k2, and another organization with the key `other`. Returns their ids. */
async function organizations(store: Store): Promise<[string, string]> {
  const [acme, other] = [await store.organizations.create('Acme'), await store.organizations.create('Other')]
  for (const id of ['k1', 'k2']) await store.keys.put(keyOf({ id, organizationId: acme.id }))
  await store.keys.put(keyOf({ id: 'other', organizationId: other.id }))
  return [acme.id, other.id]
}

function log(store: Store, logged: readonly LoggedRequest[]): Promise<void> {
  return store.usage.add({ ...EMPTY_USAGE, logged })
}

function requestOf(atMs: number, more: Partial<LoggedRequest> = {}): LoggedRequest {
  const base = { keyId: 'k1', method: 'GET', target: '/v1/scheduling/slots', status: 200, durationUs: 120 }
  return { ...base, atMs, requestId: `r${atMs}`, leftOut: 0, ...more }
}

async function times(store: Store, filter: LogFilter): Promise<number[]> {
  return (await store.requestLog.list(filter, { limit: 1000 })).map(({ atMs }) => atMs)
}

function page(store: Store, organizationId: string, beforeEntry?: number) {
  return store.requestLog.list({ organizationId }, { limit: 2, ...(beforeEntry !== undefined && { beforeEntry }) })
}
