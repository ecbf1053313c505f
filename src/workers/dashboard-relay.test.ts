import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import type { ToAccountThread } from './dashboard-messages.ts'
import { AccountRelay } from './dashboard-relay.ts'

const REQUEST: SerializedRequest = {
  method: 'GET',
  target: '/api/me',
  headers: [],
  address: '192.0.2.1',
  requestId: 'one',
}
const ANSWER: SerializedResponse = { status: 200, headers: [], body: new Uint8Array() }

function relayTo(isThere: boolean) {
  const posted: ToAccountThread[] = []
  const relay = new AccountRelay((message) => {
    posted.push(message)
    return isThere
  })
  const settled: number[] = []
  return { posted, relay, settled, settle: ({ status }: SerializedResponse) => settled.push(status) }
}

test('each request is settled once, with its own answer, by a number that no gate uses', () => {
  const { posted, relay, settled, settle } = relayTo(true)
  relay.ask(REQUEST, settle)
  relay.ask({ ...REQUEST, requestId: 'two' }, settle)
  const ids = posted.map((message) => message.kind === 'request' && message.id)
  assert.deepEqual(ids, [-1, -2])
  relay.answer(-2, { ...ANSWER, status: 204 })
  relay.answer(-2, ANSWER)
  relay.answer(1, ANSWER)
  assert.deepEqual(settled, [204])
})

test('what the account thread will not answer is 503', () => {
  const away = relayTo(false)
  away.relay.ask(REQUEST, away.settle)
  assert.deepEqual(away.settled, [503])
  const dying = relayTo(true)
  dying.relay.ask(REQUEST, dying.settle)
  dying.relay.giveUp()
  dying.relay.giveUp()
  assert.deepEqual(dying.settled, [503])
})
