import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../../../src/store/contracts/store.ts'
import type { Bed, Guarantees } from './bed.ts'
import { addSource, begin, END, living } from './samples.ts'

const CHILD = new URL('crash-child.ts', import.meta.url).pathname
const SLOTS = 1_000
const KILLS = 12
/** Where the machine is so busy that nothing was committed in time, later ones live longer. */
const KILLS_MAX = 60

/** What must be true after a process was killed at any moment. */
export const CRASH_GUARANTEES: Guarantees = {
  'leaves the old or the new snapshot and every acknowledged key, whenever its process is killed': async (
    bed,
  ) => {
    const source = await addSource(bed.store)
    await bed.store.organizations.create('Acme')
    const keys: string[] = []
    let committed = 0
    for (let kill = 0; kill < KILLS || (committed === 0 && kill < KILLS_MAX); kill++) {
      const livesMsMax = 150 * 2 ** Math.floor(kill / KILLS)
      const said = await runAndKill(bed, `child${kill}`, livesMsMax)
      keys.push(...said.keys)
      const generation = await theGeneration(bed.store)
      assert.ok(generation >= Math.max(committed, said.generation))
      committed = generation
      const stored = new Set((await bed.store.keys.list()).map((key) => key.id))
      assert.deepEqual(
        keys.filter((id) => !stored.has(id)),
        [],
      )
    }
    assert.ok(committed > 0)
    const writer = await begin(bed.store, source)
    assert.equal((await writer.readStored()).keys.length, SLOTS)
    await writer.commit({ ...END, connectorState: committed })
    assert.equal((await bed.store.sources.find('a'))?.slotCount, SLOTS)
    assert.equal(await theGeneration(bed.store), committed)
  },
}

/** All slots are of one generation, and all are there: anything else would be a mixture. 0 before the first. */
async function theGeneration(store: Store): Promise<number> {
  const slots = await living(store)
  if (slots.size === 0) return 0
  assert.equal(slots.size, SLOTS)
  const generations = new Set(slots.values())
  assert.equal(generations.size, 1)
  return Number([...generations][0])
}

/** `livesMsMax`: from its first word on. */
async function runAndKill(
  bed: Bed,
  name: string,
  livesMsMax: number,
): Promise<{ keys: string[]; generation: number }> {
  const child = spawn(process.execPath, [CHILD, bed.url, String(SLOTS), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = { keys: [] as string[], generation: 0 }
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => {
    const [what, value] = line.split(' ')
    if (what === 'key') said.keys.push(value)
    else said.generation = Number(value)
  })
  const closed = once(lines, 'close')
  await once(lines, 'line')
  await sleep(Math.random() * livesMsMax)
  child.kill('SIGKILL')
  await closed
  return said
}
