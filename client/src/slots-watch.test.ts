import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BROKEN, faultServer, json, type Step } from '../../test/support/client/error-server.ts'

/** A stream that sends these texts and ends, or breaks. */
function stream(texts: readonly string[], end: 'end' | 'destroy' = 'end'): Step {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    for (const text of texts) await new Promise((resolve) => response.write(text, resolve))
    response[end]()
  }
}

function removed(id: string, revision: string): string {
  return `event: removed\nid: ${revision}\ndata: {"change":"removed","id":"${id}","start":"2030-01-01T00:00:00.000Z"}\n\n`
}

test('resumes after the last event of a stream that ended or broke', async (t) => {
  const { client, requests } = await faultServer(t, [
    stream(
      ['retry: 1000\n\n', 'id: 1.1\n\n', removed('a', '1.2').slice(0, 30), removed('a', '1.2').slice(30)],
      'destroy',
    ),
    BROKEN,
    stream([removed('b', '1.3') + removed('c', '1.4')]),
    stream([removed('d', '1.5')]),
  ])
  const seen: string[] = []
  for await (const change of client.watch({ state: 'MA' })) {
    assert.equal(change.change, 'removed')
    seen.push(`${change.change === 'removed' && change.id} ${change.revision}`)
    if (seen.length === 4) break
  }
  assert.deepEqual(seen, ['a 1.2', 'b 1.3', 'c 1.4', 'd 1.5'])
  assert.deepEqual(
    requests.map(({ url, headers }) => [new URL(`${url}`, 'http://x').search, headers.accept]),
    ['?state=MA', '?state=MA&since=1.2', '?state=MA&since=1.2', '?state=MA&since=1.4'].map((search) => [
      search,
      'text/event-stream',
    ]),
  )
})

test('rejects with the error of a stream that cannot be resumed', async (t) => {
  const { client } = await faultServer(t, [
    stream(['id: 1.1\n\n']),
    json(410, { error: 'Gone', message: 'Export all slots again.' }),
  ])
  await assert.rejects(client.watch().next(), { kind: 'gone' })
})

test('rejects a page of a proxy instead of requesting it again without end', async (t) => {
  const page: Step = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in')
  const { client, requests } = await faultServer(t, [page])
  await assert.rejects(client.watch().next(), { kind: 'unexpected-answer', status: 200 })
  assert.equal(requests.length, 1)
})
