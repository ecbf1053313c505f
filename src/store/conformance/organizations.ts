import assert from 'node:assert/strict'
import { NameTaken } from '../store.ts'
import { BED_STARTS_MS, type Guarantees } from './bed.ts'

/** What `OrganizationStore` promises. */
export const ORGANIZATION_GUARANTEES: Guarantees = {
  'creates an organization that another store sees at once': async ({ store, open }) => {
    const created = await store.organizations.create('Acme Health')
    const other = await open()
    assert.deepEqual(await other.organizations.list(), [created])
    assert.equal(created.name, 'Acme Health')
    assert.equal(created.createdAtMs, BED_STARTS_MS)
  },

  'refuses a name in use, without regard to case or to how its characters are composed': async ({
    store,
  }) => {
    await store.organizations.create('Café Ångström')
    for (const name of ['Café Ångström', 'CAFÉ ÅNGSTRÖM', 'cafe\u0301 a\u030angstro\u0308m']) {
      await assert.rejects(store.organizations.create(name), NameTaken)
    }
    assert.equal((await store.organizations.list()).length, 1)
  },

  'gives a name to one of two that want it at the same time': async ({ store, open }) => {
    const other = await open()
    const outcomes = await Promise.allSettled([store, other].map((each) => each.organizations.create('Acme')))
    assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'rejected'])
  },

  'finds an organization by id or by name in any case, its id first': async ({ store }) => {
    const acme = await store.organizations.create('Acme')
    const mimic = await store.organizations.create(acme.id)
    assert.deepEqual(await store.organizations.find('aCME'), acme)
    assert.deepEqual(await store.organizations.find(acme.id), acme)
    assert.deepEqual(await store.organizations.find(mimic.id), mimic)
    assert.equal(await store.organizations.find('Acm'), undefined)
  },
}
