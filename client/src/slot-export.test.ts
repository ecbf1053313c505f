import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultServer, type Step } from '../../test/support/client/error-server.ts'
import { eventually } from '../../test/support/eventually.ts'
import { SlotsError } from './slots-error.ts'

const HEADERS = { 'slots-total': '2', 'slots-revision': '1.0', 'content-type': 'application/x-ndjson' }

/** A server that exports two slots in these chunks, with the given delay. */
function pieces(texts: readonly (string | Uint8Array)[], everyMs = 0, end: 'end' | 'destroy' = 'end'): Step {
  return async (response) => {
    response.writeHead(200, HEADERS).flushHeaders()
    for (const text of texts) {
      if (everyMs > 0) await sleep(everyMs)
      await new Promise((resolve) => response.write(text, resolve))
    }
    response[end]()
  }
}

async function idsOf(slots: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of slots) ids.push(id)
  return ids
}

test('joins lines across chunk boundaries, with or without a final line break', async (t) => {
  const whole = Buffer.from('{"id":"é"}\n{"id":"b"}\n')
  const bytes = [...whole].map((byte) => Uint8Array.of(byte))
  for (const texts of [[whole], bytes, bytes.slice(0, -1)]) {
    const { client } = await faultServer(t, [pieces(texts)])
    assert.deepEqual(await idsOf(await client.export()), ['é', 'b'])
  }
})

test('rejects a truncated, aborted or malformed export and does not retry it', async (t) => {
  const line = '{"id":"a"}\n'
  for (const [step, kind] of [
    [pieces([line]), 'network'],
    [pieces([line], 0, 'destroy'), 'network'],
    [pieces([line, '{"id":\n']), 'unexpected-answer'],
  ] as const) {
    const { client, requests } = await faultServer(t, [step])
    const slots = await client.export()
    await assert.rejects(idsOf(slots), (error) => error instanceof SlotsError && error.kind === kind)
    assert.equal(requests.length, 1)
  }
})

test('applies the timeout to pauses of the service, not to the whole export or the loop body', async (t) => {
  const lines = ['{"id":"a"}\n', '{"id":"b"}\n']
  const slow = await faultServer(t, [pieces(lines, 400)], { timeoutMs: 700 })
  assert.deepEqual(await idsOf(await slow.client.export()), ['a', 'b'])
  const busy = await faultServer(t, [pieces(lines)], { timeoutMs: 400 })
  const ids: string[] = []
  for await (const { id } of await busy.client.export()) {
    ids.push(id)
    await sleep(500)
  }
  assert.deepEqual(ids, ['a', 'b'])
  const begun: Step = (response) => response.writeHead(200, HEADERS).write('{"id":"a"}\n')
  for (const step of [begun, pieces(['{"id":"a"}\n'], 1000)]) {
    const stuck = await faultServer(t, [step], { timeoutMs: 50 })
    await assert.rejects(idsOf(await stuck.client.export()), { kind: 'timeout' })
  }
})

test('applies no timeout to a pause between the response and the loop', async (t) => {
  const { client } = await faultServer(t, [pieces(['{"id":"a"}\n', '{"id":"b"}\n'])], { timeoutMs: 300 })
  const slots = await client.export()
  await sleep(400)
  assert.deepEqual(await idsOf(slots), ['a', 'b'])
})

test('closes the connection of a response that is no export', async (t) => {
  let closed = 0
  const endless: Step = (response) => {
    response.writeHead(200).write('<p>')
    response.on('close', () => closed++)
  }
  const { client } = await faultServer(t, [endless])
  await assert.rejects(client.export(), { kind: 'unexpected-answer' })
  await eventually(() => closed === 1)
})

test('aborts the request when it is canceled or the loop exits', async (t) => {
  let closed = 0
  const endless: Step = (response) => {
    response.writeHead(200, HEADERS).write('{"id":"a"}\n')
    response.on('close', () => closed++)
  }
  const { client } = await faultServer(t, [endless])
  await (await client.export()).cancel()
  for await (const _ of await client.export()) break
  await eventually(() => closed === 2)
})
