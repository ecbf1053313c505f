import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startPublisher } from '../../demo/publisher.ts'
import { RunningService } from '../../test/support/running-service.ts'

// node deploy/release/keep-store.ts <folder>: makes a small store by the commands of this version and keeps it in the folder, as
// slots.db.gz, with the facts that later versions must find in it, as facts.json. A release does so for each version.

/** The time of its slots, so that they do not end for a long time. */
const SLOTS_AT_MS = Date.parse('2090-01-02T00:00:00Z')
/** The least that has slots of every state. */
const SLOTS = 1

/** What a store contains. Its keys work in this store only. */
export interface StoreFacts {
  readonly activeKey: string
  readonly revokedKey: string
  readonly suspendedKey: string
  /** Ids of the free slots, in order. */
  readonly slots: readonly string[]
  readonly subscription: string
}

async function keepStore(folder: string): Promise<void> {
  await using service = await RunningService.prepare()
  const publisher = await startPublisher({ port: 0, slots: SLOTS, seed: 1, clock: () => SLOTS_AT_MS })
  const createKey = async (org: string, name: string) => service.run('key', 'create', '--org', org, '--name', name)
  await service.run('org', 'create', 'Good Health')
  await service.run('org', 'create', 'Suspended')
  const active = await createKey('Good Health', 'active')
  const revoked = await createKey('Good Health', 'revoked')
  const suspended = await createKey('Suspended', 'suspended')
  await service.run('key', 'revoke', String(revoked.id), '--reason', 'lost', '--yes')
  await service.run('org', 'suspend', 'Suspended', '--reason', 'unpaid')
  await service.run('source', 'add', 'sample', publisher.url)
  await service.run('sync', 'sample')
  await publisher.close()
  const webhook = ['--org', 'Good Health', '--url', 'https://receiver.example/', '--filters', 'state=CA']
  const { id: subscription } = await service.run('subscription', 'create', ...webhook)
  await service.serve()
  const { body } = await service.slots(String(active.key), 'limit=100')
  const backup = join(folder, 'slots.db')
  mkdirSync(folder, { recursive: true })
  await service.run('backup', backup)
  await service.stop()
  const facts: StoreFacts = {
    activeKey: String(active.key),
    revokedKey: String(revoked.key),
    suspendedKey: String(suspended.key),
    slots: body.slots.map(({ id }) => id),
    subscription: String(subscription),
  }
  writeFileSync(join(folder, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`)
  writeFileSync(`${backup}.gz`, gzipSync(readFileSync(backup), { level: 9 }))
  rmSync(backup)
}

await keepStore(process.argv[2])
