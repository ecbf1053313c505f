import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { ACTIONS_MAX, ACTIONS_PER_KIND_MAX, type SourceAction } from '../../../../src/store/contracts/source-log.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addPerson, deletePerson } from './people.ts'
import { addSource, begin, END, outcomeOf } from './samples.ts'

const SOURCE = { slug: 'a', url: 'https://a.example.org/$bulk-publish', strict: false }

/** The actor of the command line. */
const TOM = { name: 'command line' }

async function kindsOf(store: Store, slug?: string): Promise<SourceAction['kind'][]> {
  const actions = await store.sourceLog.list({ ...(slug !== undefined && { slug }), limit: 1_000 })
  return actions.reverse().map(({ kind }) => kind)
}

/** `SourceLog`. */
export const SOURCE_LOG_GUARANTEES: Guarantees = {
  'returns each action with its actor, time and kind, without field values': async ({ store, clock }) => {
    const ann = await addPerson(store, 'Ann')
    await store.sources.add(SOURCE, ann)
    clock.nowMs += 10
    const options = { headers: { 'x-client': 'hunter2' }, daysAhead: 7 }
    const edit = {
      name: 'hunter2',
      url: 'https://hunter2.example/',
      options,
      strict: true,
      everyMs: 60_000,
      slotsMax: 9,
    }
    await store.sources.edit('a', () => edit, TOM)
    await store.sources.setReviewPolicy('a', 'suspicious', ann)
    const log = await store.sourceLog.list({ limit: 10 })
    assert.ok(log[0].id > log[1].id && log[1].id > log[2].id)
    const fields = ['name', 'url', 'daysAhead', 'headers', 'strict', 'everyMinutes', 'slotsMax']
    assert.deepEqual(
      log.map(({ id: _, ...action }) => action),
      [
        {
          atMs: HARNESS_STARTS_MS + 10,
          slug: 'a',
          kind: 'review-policy-set',
          actor: ann,
          reviewPolicy: 'suspicious',
        },
        { atMs: HARNESS_STARTS_MS + 10, slug: 'a', kind: 'edited', actor: TOM, fields },
        { atMs: HARNESS_STARTS_MS, slug: 'a', kind: 'added', actor: ann },
      ],
    )
    assert.ok(!JSON.stringify(log).includes('hunter2'))
  },

  'logs pauses, approvals, withdrawals and the removal once each': async ({ store }) => {
    await store.sources.add(SOURCE, TOM)
    const source = (await store.sources.find('a')) ?? assert.fail()
    await store.sources.setPaused('a', true, TOM)
    await store.sources.setPaused('a', true, TOM)
    await store.sources.setPaused('a', false, TOM)
    const findings = [{ kind: 'emptied', atMs: 5, before: 40, after: 0 }] as const
    const outcome = outcomeOf({ outcome: 'held' })
    await (await begin(store, source)).abandon({
      ...END,
      outcome,
      held: { anomalies: findings, slotCount: 0 },
    })
    await store.sources.approve('a', true, undefined, TOM)
    await store.sources.approve('a', false, undefined, TOM)
    await store.sources.approve('a', false, undefined, TOM)
    await store.sources.setReviewPolicy('a', 'extreme', TOM)
    await store.sources.edit('a', () => ({ strict: false }), TOM)
    await store.sources.remove('a', TOM)
    await store.sources.remove('a', TOM)
    assert.deepEqual(await kindsOf(store), ['added', 'paused', 'resumed', 'approved', 'approval-withdrawn', 'removed'])
  },

  'logs an approval of the served slots once, until a sync ends it': async ({ store }) => {
    const source = await store.sources.add(SOURCE, TOM)
    for (let run = 0; run < 2; run++) {
      await store.sources.approve('a', true, undefined, TOM)
      await store.sources.approve('a', true, undefined, TOM)
      await (await begin(store, source)).commit({ ...END, connectorState: {} })
    }
    assert.deepEqual(await kindsOf(store), ['added', 'approved', 'approved'])
  },

  'logs neither actions that changed nothing nor actions without an actor': async ({ store }) => {
    await addSource(store)
    await assert.rejects(store.sources.add(SOURCE, TOM))
    await store.sources.setPaused('a', true)
    await store.sources.setPaused('none', true, TOM)
    await store.sources.edit('none', () => ({ strict: true }), TOM)
    const refuse = () => {
      throw new Error('refused')
    }
    await assert.rejects(store.sources.edit('a', refuse, TOM), /refused/)
    assert.equal(await store.sources.remove('none', TOM), false)
    assert.deepEqual(await kindsOf(store), [])
  },

  'logs who imported a file, and that its source was added for it': async ({ store }) => {
    const source = await store.sources.add({ slug: 'a', format: 'files', url: '', strict: false })
    const failed = outcomeOf({ outcome: 'failed', error: 'no file' })
    await (await begin(store, source)).abandon({ ...END, outcome: failed })
    assert.deepEqual(await kindsOf(store), [])
    for (let run = 0; run < 2; run++) {
      await (await begin(store, source)).commit({ ...END, connectorState: {}, importedBy: TOM })
    }
    await (await begin(store, source)).commit({ ...END, connectorState: {} })
    assert.deepEqual(await kindsOf(store), ['added', 'imported', 'imported'])
  },

  'keeps actions after the source and the person are deleted, and lists by source and page': async ({ store }) => {
    const ann = await addPerson(store, 'Ann')
    await store.sources.add(SOURCE, ann)
    await store.sources.add({ ...SOURCE, slug: 'b' }, ann)
    await store.sources.remove('a', ann)
    await deletePerson(store, ann)
    assert.deepEqual(await kindsOf(store, 'a'), ['added', 'removed'])
    assert.deepEqual(await kindsOf(store, 'none'), [])
    const all = await store.sourceLog.list({ limit: 10 })
    assert.deepEqual(
      all.map(({ slug, kind, actor }) => [slug, kind, actor.name]),
      [
        ['a', 'removed', ann.name],
        ['b', 'added', ann.name],
        ['a', 'added', ann.name],
      ],
    )
    const [first] = await store.sourceLog.list({ limit: 1 })
    assert.deepEqual(await store.sourceLog.list({ limit: 10, beforeId: first.id }), all.slice(1))
  },

  'keeps only the newest of each kind of each source': async ({ store }) => {
    await store.sources.add(SOURCE, TOM)
    await store.sources.add({ ...SOURCE, slug: 'b' }, TOM)
    await store.sources.setPaused('b', true, TOM)
    const { queries } = store.signIn
    await sql`insert into source_actions (id, at_ms, slug, kind, actor_name, detail)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(2 * ACTIONS_PER_KIND_MAX)})
      select 100 + n, 1, 'a', case n % 2 when 0 then 'resumed' else 'paused' end, 'x', '{}' from numbers`.execute(
      queries,
    )
    await sql`update counters set value = 1000 where name = 'action_ids'`.execute(queries)
    for (let times = 0; times < 2; times++) {
      await store.sources.setPaused('a', true, TOM)
      await store.sources.setPaused('a', false, TOM)
    }
    const kinds = await kindsOf(store, 'a')
    const count = (kind: SourceAction['kind']) => kinds.filter((each) => each === kind).length
    assert.deepEqual(
      [count('added'), count('paused'), count('resumed')],
      [1, ACTIONS_PER_KIND_MAX, ACTIONS_PER_KIND_MAX],
    )
    const newest = await store.sourceLog.list({ slug: 'a', limit: 5 })
    assert.deepEqual(
      newest.map(({ actor }) => actor.name),
      [TOM.name, TOM.name, TOM.name, TOM.name, 'x'],
    )
    assert.deepEqual(await kindsOf(store, 'b'), ['added', 'paused'])
  },

  'keeps a bounded total, however many sources are added and removed': async ({ store }) => {
    const { queries } = store.signIn
    await store.sources.add({ ...SOURCE, slug: 'first' }, TOM)
    await sql`insert into source_actions (id, at_ms, slug, kind, actor_name, detail)
      with recursive numbers (n) as (select 2 union all select n + 1 from numbers where n < ${sql.lit(ACTIONS_MAX)})
      select n, 1, 'many', 'removed', 'x', '{}' from numbers`.execute(queries)
    await sql`update counters set value = ${sql.lit(ACTIONS_MAX)} where name = 'action_ids'`.execute(queries)
    await store.sources.setPaused('first', true, TOM)
    assert.deepEqual(await kindsOf(store, 'first'), ['added', 'paused'])
    await store.sources.add({ ...SOURCE, slug: 'last' }, TOM)
    assert.deepEqual(await kindsOf(store, 'first'), ['paused'])
    const { rows } = await sql<{ count: number }>`select count(*) as count from source_actions`.execute(queries)
    assert.equal(Number(rows[0].count), ACTIONS_MAX)
  },
}
