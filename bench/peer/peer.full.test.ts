import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PostgresServer } from '../../test/postgres/postgres-server.ts'
import { freePort } from '../../test/support/free-port.ts'
import { SampleService } from '../../test/support/sample-service.ts'
import { callersMix, sampleSlots } from '../callers.ts'
import { compareWithPeer, exportOf } from '../peer.ts'
import { start } from '../processes.ts'
import { loadPeer } from './peer-data.ts'

const SLOTS = 3000
const ONE_OF_EACH = [
  '',
  'state=CA',
  'state=CA&isVirtual=true',
  'isVirtual=false&offset=100',
  'postalCode=0',
  'near=42.36,-71.06',
]

test('the peer answers the questions of callers as the service does', async () => {
  await using sample = await SampleService.serve({ slots: SLOTS })
  const { service, key } = sample
  const ours = { port: Number(new URL(service.origin).port), key }
  await using server = await PostgresServer.start()
  const database = await server.createDatabase()
  assert.ok((await loadPeer(database, await exportOf(ours))) > SLOTS / 3)
  const port = await freePort()
  const peer = await start(['bench/peer/peer-service.ts', '--port', `${port}`, '--database', database])
  try {
    const ask = async (search: string) => (await service.slots(key, search)).body
    const count = async (search: string) => (await ask(search)).total
    const page = async (search: string) => [...(await ask(search)).slots]
    await compareWithPeer([...ONE_OF_EACH, ...callersMix(await sampleSlots({ count, page }), 400)], ours, port)
  } finally {
    await peer.stop()
  }
})
