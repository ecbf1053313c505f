import { openStore } from '../../../../src/store/open-store.ts'
import { HARNESS_STARTS_MS } from './harness.ts'
import { begin, draftOf, END, keyOf, keysOf } from './samples.ts'

// A child process that is killed: replaces the snapshot repeatedly, each generation of slots by the next, and
// creates keys in between. Prints what was acknowledged: "key <id>", "generation <n>".
const [url, slotCount, name] = process.argv.slice(2)
const store = await openStore(url)
const source = await store.sources.find('a')
const organization = await store.organizations.find('Acme')
if (source === undefined || organization === undefined)
  throw new Error('Cannot crash: source and organization must exist')
const ids = Array.from({ length: Number(slotCount) }, (_, at) => `slot-${at}`)

for (let round = 0; ; round++) {
  const key = keyOf({
    id: `${name}-${round}`,
    organizationId: organization.id,
    createdAtMs: HARNESS_STARTS_MS,
  })
  await store.keys.put(key)
  process.stdout.write(`key ${key.id}\n`)
  const writer = await begin(store, source)
  const generation = Number(writer.source.connectorState ?? 0) + 1
  for (let at = 0; at < ids.length; at += 100) {
    const piece = ids.slice(at, at + 100)
    const inserted = piece.map((id) => draftOf(id, { json: String(generation) }))
    await writer.write({ deletes: await keysOf(writer, piece), inserts: inserted })
  }
  await writer.commit({ ...END, connectorState: generation })
  process.stdout.write(`generation ${generation}\n`)
}
