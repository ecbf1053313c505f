import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DirectoryService } from '../../../../test/support/http/directory-service.ts'
import { OFFERING, slotOf } from '../../../../test/support/store/temp-store.ts'
import { DAY_MS } from '../../../lib/time.ts'
import type { Slot } from '../../../slot/slot.ts'
import { KnownSources } from '../../../slot-index/known-sources.ts'
import { FeedProvenance } from './feed-provenance.ts'
import { readUpdate } from './read-update.ts'

test('reads slots of a source only until each Schedule whose planning horizon moved has one', async (t) => {
  const [first, second] = [slotOf(0), slotOf(1, { offering: { ...OFFERING, scheduleId: 'schedule-2' } })]
  const service = await DirectoryService.start(t)
  await service.publish([first, second])
  assert.deepEqual(await moveHorizon(service, [first, second], 'schedule-9'), { begun: 0, ended: 0, schedules: 0 })
  assert.deepEqual(await moveHorizon(service, [first, second], 'schedule-1'), { begun: 1, ended: 0, schedules: 1 })
  assert.deepEqual(await moveHorizon(service, [second], 'schedule-1'), { begun: 1, ended: 1, schedules: 0 })
})

/** Moves the planning horizon of one Schedule: how often its update reads the slots of the source, and its Schedules. */
async function moveHorizon(service: DirectoryService, slots: readonly Slot[], scheduleId: string) {
  service.nowMs += DAY_MS
  const end = new Date(service.nowMs).toISOString().slice(0, 10)
  await service.publish(slots, new Map([[scheduleId, { start: '2029-06-01', end }]]))
  const log = await service.store.changeLog.open()
  const counts = { begun: 0, ended: 0 }
  const usedOfferings = log.usedOfferings.bind(log)
  log.usedOfferings = async function* (sourceId) {
    counts.begun++
    yield* usedOfferings(sourceId)
    counts.ended++
  }
  const provenance = new FeedProvenance('https://slots.example', new KnownSources())
  const page = await readUpdate(log, { store: log.store, revision: log.newest - 1 }, provenance)
  await log.close()
  const lines = page?.files.get('Schedule')?.body.toString().trimEnd().split('\n') ?? []
  return { ...counts, schedules: lines.length }
}
