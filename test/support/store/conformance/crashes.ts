import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, type StoreHarness, scaled } from './harness.ts'
import { addSource, begin, END, living } from './samples.ts'

const CHILD = new URL('crash-child.ts', import.meta.url).pathname
const SLOTS = 1_000
const KILLS = scaled(12)
/** On a busy machine where nothing was committed in time, later processes run longer. */
const KILLS_MAX = 60

/** Invariants after a process is killed at any time. */
export const CRASH_GUARANTEES: Guarantees = {
  'keeps the old or the new snapshot and every acknowledged key when its process is killed': async (harness) => {
    const source = await addSource(harness.store)
    await harness.store.organizations.create('Acme')
    const keys: string[] = []
    let committed = 0
    for (let kill = 0; kill < KILLS || (committed === 0 && kill < KILLS_MAX); kill++) {
      const livesMsMax = 150 * 2 ** Math.floor(kill / KILLS)
      const said = await runAndKill(harness, `child${kill}`, livesMsMax)
      keys.push(...said.keys)
      const generation = await theGeneration(harness.store)
      assert.ok(generation >= Math.max(committed, said.generation))
      committed = generation
      const stored = new Set((await harness.store.keys.list()).map((key) => key.id))
      assert.deepEqual(
        keys.filter((id) => !stored.has(id)),
        [],
      )
    }
    assert.ok(committed > 0)
    const writer = await begin(harness.store, source)
    assert.equal((await writer.readStored()).keys.length, SLOTS)
    await writer.commit({ ...END, connectorState: committed })
    assert.equal((await harness.store.sources.find('a'))?.slotCount, SLOTS)
    assert.equal(await theGeneration(harness.store), committed)
  },
}

/** Asserts that all slots are of one complete generation and returns it; 0 before the first. */
async function theGeneration(store: Store): Promise<number> {
  const slots = await living(store)
  if (slots.size === 0) return 0
  assert.equal(slots.size, SLOTS)
  const generations = new Set(slots.values())
  assert.equal(generations.size, 1)
  return Number([...generations][0])
}

/** `livesMsMax`: counted from its first output. */
async function runAndKill(
  harness: StoreHarness,
  name: string,
  livesMsMax: number,
): Promise<{ keys: string[]; generation: number }> {
  const child = spawn(process.execPath, [CHILD, harness.url, String(SLOTS), name], {
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
