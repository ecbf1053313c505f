import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutErrorLinks } from '../../test/support/http/error-links.ts'
import { ask, index, NOW_MS, queue, SLOTS, sources } from '../../test/support/http/sample-server.ts'
import type { ApiContext } from '../http/api-context.ts'
import { respondToOperation } from './node-queries.ts'

const errors: unknown[] = []

async function answer(target: string, changes: Partial<ApiContext> = {}) {
  const parts = {
    index,
    queue,
    sources,
    isReady: () => true,
    now: () => NOW_MS,
    baseUrl: 'https://slots.example',
    onError: (error: unknown) => errors.push(error),
  }
  const { status, headers, body } = await respondToOperation({ target, by: { id: 'one', organizationId: 'org' } }, {
    ...parts,
    ...changes,
  } as ApiContext)
  return {
    status,
    headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
    body,
  }
}

const textOf = (body: Uint8Array) => new TextDecoder().decode(body)

test('responds to operations that are read from memory as to a caller', async () => {
  const id = (await ask(`${SLOTS}?limit=1`)).json.slots[0].id
  for (const target of [
    `${SLOTS}?state=MA&limit=3&cursor=`,
    `${SLOTS}/${id}`,
    `${SLOTS}/nothing`,
    `${SLOTS}?startAfter=2026-06-01T12:00:00Z&startBefore=2026-06-01T12:30:00Z&city=Nowhere`,
    '/v1/scheduling/facets?isVirtual=true',
    '/v1/scheduling/publishers',
    '/v1/scheduling/actors?limit=0',
  ]) {
    const served = await ask(target)
    const { status, headers, body } = await answer(target)
    const expected = withoutErrorLinks(served.text)
    assert.deepEqual([status, JSON.parse(textOf(body))], [served.status, expected], target)
    for (const name of ['link', 'next-available-start', 'content-type'])
      assert.equal(headers.get(name) ?? undefined, served.headers[name], `${target} ${name}`)
  }
})

test('copies the body, so that no larger buffer is cloned with it', async () => {
  const { body } = await answer('/v1/scheduling/publishers')
  assert.equal(body.buffer.byteLength, body.byteLength)
})

test('rejects other operations, requests before it is ready, and reports internal errors', async () => {
  for (const target of ['/v1/scheduling/changes?since=1.0', '/v1/nothing', '/livez'])
    assert.equal((await answer(target)).status, 404, target)
  const { status, headers } = await answer(SLOTS, { isReady: () => false })
  assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
  const broken = await answer(SLOTS, {
    now: () => {
      throw new Error('secret')
    },
  })
  assert.equal(broken.status, 500)
  assert.doesNotMatch(textOf(broken.body), /secret/)
  assert.match(String(errors.pop()), /secret/)
})
