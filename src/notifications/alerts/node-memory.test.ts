import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlertsHarness } from '../../../test/support/alerts/alerts-harness.ts'
import { PostOffice } from '../../../test/support/mail/smtp-server.ts'

/** A node whose memory the test sets. */
async function watch(harness: AlertsHarness, smtpUrl?: string) {
  const memory = { slots: 100, missingSlots: 0 }
  const settings = { emails: smtpUrl === undefined ? [] : ['ada@example.org'], webhook: harness.webhook }
  const node = await harness.node(settings, { ...(smtpUrl && { smtpUrl }), nodeSlots: async () => memory })
  const passAndCheck = async (minutes: number) => {
    await node.check()
    harness.pass(minutes)
    await node.check()
  }
  return { memory, passAndCheck }
}

test('reports a node whose memory is full once it has lasted, and that it is over', async (t) => {
  const harness = await AlertsHarness.open(t)
  const office = await PostOffice.open(t)
  const { memory, passAndCheck } = await watch(harness, office.smtpUrl)
  memory.missingSlots = 20
  await passAndCheck(4.9)
  assert.equal(harness.receiver.received.length, 0)
  await passAndCheck(0.1)
  await passAndCheck(60)
  assert.equal(harness.receiver.received.length, 1)
  assert.deepEqual(harness.receiver.received[0].body, {
    type: 'node.memory',
    timestamp: '2026-01-05T08:05:00.000Z',
    data: {
      service: 'https://slots.example/',
      changes: [],
      node: {
        name: 'node-1',
        memory: 'full',
        since: '2026-01-05T08:00:00.000Z',
        slots: 100,
        missingSlots: 20,
        allClear: false,
      },
    },
  })
  const { subject, whole } = await office.mailTo('ada@example.org', 1)
  assert.equal(subject, 'Memory of node node-1 is full')
  assert.match(whole, /20 slots were left out/)
  assert.match(whole, /After a restart, no message says that this is over/)
  memory.missingSlots = 0
  await passAndCheck(5)
  assert.equal(harness.receiver.received[1].body.data.node?.allClear, true)
  assert.equal((await office.mailTo('ada@example.org', 2)).subject, 'Resolved: memory of node node-1')
})

test('reports no memory that was full for a short time', async (t) => {
  const harness = await AlertsHarness.open(t)
  const { memory, passAndCheck } = await watch(harness)
  for (let round = 0; round < 3; round++) {
    memory.missingSlots = 1
    await passAndCheck(4)
    memory.missingSlots = 0
    await passAndCheck(4)
  }
  assert.equal(harness.receiver.received.length, 0)
})

test('sends an alert about a source and one about a node', async (t) => {
  const harness = await AlertsHarness.open(t)
  const { memory, passAndCheck } = await watch(harness)
  memory.missingSlots = 1
  await harness.set('clinic', 'failing', 'It is gone.')
  await passAndCheck(5)
  await passAndCheck(5)
  const types = harness.receiver.received.map(({ body }) => body.type)
  assert.deepEqual(types, ['sources.health', 'node.memory'])
})
