import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillIndex } from '../../../../test/support/fill-index.ts'
import {
  type Answer,
  ask,
  index,
  KEY,
  NOW_MS,
  OTHER_KEY,
  SLOTS,
  sampleSlots,
  state,
} from '../../../../test/support/http/sample-server.ts'
import type { Slot } from '../../../slot/slot.ts'

test('returns 200 with the page and the total, in order of start', async () => {
  const { status, headers, json } = await ask(`${SLOTS}?limit=2&offset=1`)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(json.total, 59)
  assert.deepEqual(Object.keys(json), ['slots', 'total'])
  assert.deepEqual(
    json.slots.map((slot: Slot) => slot.start),
    ['2026-06-01T13:00:00.000Z', '2026-06-01T14:00:00.000Z'],
  )
})

test('returns 400 naming the invalid parameter, the allowed values and the given value', async () => {
  const wrong: [string, string, RegExp][] = [
    ['state=Massachusets', 'state', /by code or name, such as MA or Massachusetts, or an ISO.*got "Massachusets"/],
    ['state=NSW', 'state', /ISO 3166-2 code, such as CA-ON/],
    ['state=US-ZZ', 'state', /such as MA/],
    ['state=+', 'state', /such as MA/],
    ['isVirtual=yes', 'isVirtual', /true or false.*got "yes"/],
    ['limit=0', 'limit', /from 1 to 100.*got "0"/],
    ['limit=101', 'limit', /got "101"/],
    ['limit=1e1', 'limit', /got "1e1"/],
    ['offset=-1', 'offset', /from 0 to 9007199254740991/],
    ['offset=9007199254740992', 'offset', /got "9007199254740992"/],
    ['status=entered-in-error', 'status', /free, busy/],
    ['startAfter=2026-06-01', 'startAfter', /RFC 3339/],
    ['startBefore=2026-06-01T00:00:00', 'startBefore', /offset/],
    ['startAfter=2026-06-01T00:00:00+00:00', 'startAfter', /%2B/],
    ['city=', 'city', /1 to 200/],
    ['limit=5&limit=5', 'limit', /must not be repeated/],
    ['colour=red', 'colour', /Unknown parameter "colour".*isVirtual/],
    ['__proto__=1', '__proto__', /Unknown parameter/],
    ['city=%ff', 'city', /city must be percent-encoded UTF-8: got "%ff"/],
    ['%ff=1', '%ff', /UTF-8/],
  ]
  for (const [search, parameter, message] of wrong) {
    const { status, json } = await ask(`${SLOTS}?${search}`)
    assert.equal(status, 400, search)
    assert.deepEqual([json.error, json.parameter], ['Invalid parameter', parameter])
    assert.match(json.message, message)
  }
})

test('filters by state and mode, and returns an empty page with the total past the end', async () => {
  assert.equal((await ask(`${SLOTS}?state=ma`)).json.total, 29)
  assert.equal((await ask(`${SLOTS}?state=CA&isVirtual=true&limit=1`)).json.total, 30)
  assert.equal((await ask(`${SLOTS}?state=CA&isVirtual=false`)).json.total, 0)
  assert.equal((await ask(`${SLOTS}?city=bOSTON&startAfter=2020-01-01T00:00:00%2B00:00`)).json.total, 30)
  assert.deepEqual((await ask(`${SLOTS}?offset=9007199254740991`)).json, { slots: [], total: 59 })
})

test('accepts the name of a state in any case, and codes of regions that have no slots', async () => {
  const totalOf = async (state: string) => (await ask(`${SLOTS}?state=${state}`)).json.total
  const total = await totalOf('MA')
  assert.ok(total > 0)
  for (const state of ['ma', 'Massachusetts', 'MASSACHUSETTS', 'US-MA', 'Commonwealth%20of+Massachusetts'])
    assert.equal(await totalOf(state), total, state)
  for (const state of ['ZZ', 'CA-ON', 'au-wa']) assert.equal(await totalOf(state), 0, state)
})

test('links to the first, previous, next and last page, keeping all other parameters', async () => {
  const { headers } = await ask(`${SLOTS}?state=MA&offset=10&limit=10`)
  const base = `https://slots.example${SLOTS}?state=MA&limit=10&offset=`
  assert.equal(
    headers.link,
    `<${base}0>; rel="first", <${base}0>; rel="prev", <${base}20>; rel="next", <${base}20>; rel="last"`,
  )
  const odd = await ask(`${SLOTS}?city=a>b"&limit=100`)
  assert.equal(
    odd.headers.link,
    `<https://slots.example${SLOTS}?city=a%3Eb%22&limit=100&offset=0>; rel="first", <https://slots.example${SLOTS}?city=a%3Eb%22&limit=100&offset=0>; rel="last"`,
  )
})

test('links are valid URLs, whatever the caller did not encode', async () => {
  const { headers } = await ask(`${SLOTS}?city=a|b\\c^d\`e{f}[g]&offset=0`)
  const [first] = String(headers.link).split(', ')
  assert.equal(first, `<https://slots.example${SLOTS}?city=a%7Cb%5Cc%5Ed%60e%7Bf%7D%5Bg%5D&offset=0>; rel="first"`)
})

test('keeps Link short enough for HTTP clients if the address is long', async () => {
  const publishers = Array.from({ length: 55 }, (_, n) => `publisher=${'x'.repeat(100)}${n}`)
  const filters = [...publishers, 'publisher=north', 'publisher=south'].join('&')
  for (const paging of ['limit=25', 'limit=25&cursor=']) {
    const links: string[] = []
    for (let path: string | undefined = `${SLOTS}?${filters}&${paging}`; path !== undefined; ) {
      const { headers }: Answer = await ask(path)
      const link = String(headers.link)
      assert.ok(link.length < 8192, `${link.length}`)
      links.push(...[...link.matchAll(/rel="(\w+)"/g)].map(([, rel = '']) => rel))
      path = /<https:\/\/slots\.example([^>]+)>; rel="next"/.exec(link)?.[1]
    }
    assert.deepEqual(links, ['next', 'next', paging.endsWith('=') ? 'first' : 'last'])
  }
})

test('follows rel="next" through every slot once', async () => {
  const seen: string[] = []
  for (let path: string | undefined = `${SLOTS}?limit=7`; path !== undefined; ) {
    const { headers, json }: Answer = await ask(path)
    seen.push(...json.slots.map((slot: Slot) => slot.id))
    path = /<https:\/\/slots\.example([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
  }
  assert.equal(seen.length, 59)
  assert.equal(new Set(seen).size, 59)
})

test('returns 304 for the same data and query, and 200 after a slot ends', async () => {
  const { headers } = await ask(`${SLOTS}?limit=3`)
  const etag = String(headers.etag)
  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const held = await ask(`${SLOTS}?limit=3`, { 'x-api-key': OTHER_KEY, 'if-none-match': tag })
    assert.deepEqual([held.status, held.text, held.headers.etag], [304, '', etag])
  }
  const other = await ask(`${SLOTS}?limit=4`, { 'x-api-key': KEY, 'if-none-match': etag })
  assert.equal(other.status, 200)
  state.nowMs += 3_600_000
  assert.equal((await ask(`${SLOTS}?limit=3`, { 'x-api-key': KEY, 'if-none-match': etag })).status, 200)
  state.nowMs -= 3_600_000
})

test('caches a repeated page until the data changes', async () => {
  const before = await ask(`${SLOTS}?limit=9`)
  for (let n = 0; n < 4; n++) assert.equal((await ask(`${SLOTS}?limit=9`)).text, before.text)
  assert.match(String(before.headers['server-timing']), /^index;dur=\d+\.\d{3}$/)
  const again = await ask(`${SLOTS}?limit=9`)
  assert.equal(again.headers['server-timing'], undefined)
  fillIndex(index, sampleSlots(40), { revision: 2, nowMs: NOW_MS })
  const later = await ask(`${SLOTS}?limit=9`)
  assert.equal(later.json.total, 39)
  assert.notEqual(later.headers.etag, before.headers.etag)
})

test('accepts every notation of the path', async () => {
  const plain = await ask(`${SLOTS}?limit=1`)
  for (const path of [
    '/v1/scheduling/%73lots?limit=1',
    `http://any.example${SLOTS}?limit=1`,
    '/v1/other/../scheduling/slots?limit=1',
    '/other/../v1/scheduling/slots?limit=1',
    '/./v1/scheduling/slots?limit=1',
    '/api/%2e%2e/v1/scheduling/slots?limit=1',
    '/v1\\scheduling\\slots?limit=1',
  ]) {
    const { status, text } = await ask(path)
    assert.deepEqual([status, text], [200, plain.text], path)
    assert.equal((await ask(path, {})).status, 401, path)
  }
})
