import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Guarantees } from './harness.ts'
import { addSource, begin, draftOf, END, living } from './samples.ts'

const CHILD = new URL('opening-child.ts', import.meta.url).pathname

/** Opening one database several times. */
export const OPENING_GUARANTEES: Guarantees = {
  'keeps everything after it is closed': async ({ store, open }) => {
    const organization = await store.organizations.create('Acme')
    await store.close()
    assert.deepEqual(await (await open()).organizations.list(), [organization])
  },

  'opens a store that is already open without changing it': async ({ store, open }) => {
    const source = await addSource(store)
    const others = await Promise.all([open(), open(), open()])
    for (const other of others) assert.deepEqual(await other.sources.list(), [source])
  },

  'lets several processes migrate, write and close one database concurrently': async ({ url, store }) => {
    const children = Array.from({ length: 3 }, (_, at) => spawnChild([url, `org ${at}`]))
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))
    assert.deepEqual(codes, [0, 0, 0])
    assert.equal((await store.organizations.list()).length, 3)
  },

  'lets several stores write concurrently without losing anything': async ({ store, open }) => {
    const stores = [store, await open(), await open()]
    const work = stores.map(async (each, at) => {
      const writer = await begin(each, await addSource(each, `s${at}`))
      for (let batch = 0; batch < 20; batch++) await writer.write({ inserts: [draftOf(`${at}-${batch}`)] })
      await writer.commit({ ...END, connectorState: {} })
      await each.organizations.create(`org ${at}`)
    })
    await Promise.all(work)
    assert.equal((await living(store)).size, 60)
    assert.equal((await store.revisionFeed.revisions()).slots, 3)
    assert.equal((await store.organizations.list()).length, 3)
  },
}

function spawnChild(args: readonly string[]) {
  return spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
}
