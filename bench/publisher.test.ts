import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBenchPublisher } from './publisher.ts'

test('publishes the requested number of slots and changes the requested share', async () => {
  const publisher = await startBenchPublisher({
    port: 0,
    slots: 10_000,
    seed: 1,
    nowMs: Date.parse('2026-11-21T00:40:00Z'),
  })
  try {
    const before = await slotLines(publisher.url)
    assert.equal(before.length, 10_000)
    const response = await fetch(new URL('/__change?share=0.1', publisher.url), { method: 'POST' })
    const { changed } = JSON.parse(await response.text())
    const after = await slotLines(publisher.url)
    assert.equal(after.length, 10_000)
    assert.equal(after.filter((line, place) => line !== before[place]).length, changed)
    assert.ok(Math.abs(changed - 1_000) < 100)
  } finally {
    await publisher.close()
  }
})

async function slotLines(manifestUrl: string): Promise<string[]> {
  const { output } = JSON.parse(await (await fetch(manifestUrl)).text())
  const lines: string[] = []
  for (const { type, url } of output) {
    if (type === 'Slot') lines.push(...(await (await fetch(url)).text()).trimEnd().split('\n'))
  }
  return lines
}
