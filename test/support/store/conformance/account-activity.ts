import assert from 'node:assert/strict'
import { NOTICES_MAX } from '../../../../src/store/contracts/account-activity.ts'
import { COMMAND_LINE } from '../../../../src/store/contracts/audit.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addPerson, deletePerson, found, join, type Person } from './people.ts'

/** `AccountActivityStore`. */
export const ACCOUNT_ACTIVITY_GUARANTEES: Guarantees = {
  'keeps when each person last signed in': async ({ store, clock }) => {
    const [ann, bob] = [await addPerson(store, 'Ann'), await addPerson(store, 'Bob')]
    const { accountActivity } = store
    assert.deepEqual([...(await accountActivity.lastSignIns([ann.userId]))], [])
    for (const kind of ['sign-in.succeeded', 'sign-in.succeeded', 'sign-in.failed', 'sign-in.blocked'] as const) {
      clock.nowMs += 10
      await store.audit.record({ kind, userId: ann.userId, by: ann })
    }
    const ids = [ann.userId, bob.userId, 'nobody']
    assert.deepEqual([...(await accountActivity.lastSignIns(ids))], [[ann.userId, HARNESS_STARTS_MS + 20]])
    assert.deepEqual([...(await accountActivity.lastSignIns([]))], [])
  },

  'returns what others changed in an account, newest first, until its owner dismisses it': async ({ store }) => {
    const acme = await found(store)
    const ann = await join(store, acme, 'Ann')
    const olga = await addPerson(store, 'Olga')
    assert.deepEqual(await kindsOf(store, ann), [])
    await store.audit.record({ kind: 'account.reset-link-created', userId: ann.userId, by: olga })
    await store.audit.record({ kind: 'sign-in.failed', userId: ann.userId, by: { name: ann.name } })
    await store.audit.record({ kind: 'account.password-changed', userId: ann.userId, by: ann })
    await store.audit.record({ kind: 'account.sessions-ended', userId: ann.userId, by: COMMAND_LINE })
    await store.audit.record({ kind: 'account.email-verified', userId: ann.userId, by: COMMAND_LINE })
    assert.deepEqual(await kindsOf(store, ann), ['account.sessions-ended', 'account.reset-link-created'])
    assert.deepEqual(await kindsOf(store, olga), [])
    const [ended, made] = await store.accountActivity.notices(ann.userId)
    assert.deepEqual([made.actor, made.organizationId], [olga, undefined])
    await store.accountActivity.dismissNotices(ann.userId, made.id)
    assert.deepEqual(await store.accountActivity.notices(ann.userId), [ended])
    await store.accountActivity.dismissNotices(ann.userId, made.id)
    assert.deepEqual(await store.accountActivity.notices(ann.userId), [ended])
    await store.accountActivity.dismissNotices(ann.userId, ended.id)
    assert.deepEqual(await store.accountActivity.notices(ann.userId), [])
    await store.operators.add(ann.userId, { by: olga })
    assert.deepEqual(await kindsOf(store, ann), ['operator.granted'])
  },

  'dismisses the notices of one account only': async ({ store }) => {
    const [ann, bob] = [await addPerson(store, 'Ann'), await addPerson(store, 'Bob')]
    for (const { userId } of [ann, bob]) {
      await store.audit.record({ kind: 'account.reset-link-created', userId, by: COMMAND_LINE })
    }
    await store.accountActivity.dismissNotices(ann.userId, Number.MAX_SAFE_INTEGER)
    assert.deepEqual([await kindsOf(store, ann), await kindsOf(store, bob)], [[], ['account.reset-link-created']])
    assert.deepEqual(await store.accountActivity.notices('nobody'), [])
  },

  'bounds the notices, and keeps none of a deleted account': async ({ store }) => {
    const ann = await addPerson(store, 'Ann')
    for (let times = 0; times <= NOTICES_MAX; times++) {
      await store.audit.record({ kind: 'account.reset-link-created', userId: ann.userId, by: COMMAND_LINE })
    }
    const notices = await store.accountActivity.notices(ann.userId)
    const newest = await store.audit.list({ organizationId: null, subject: ann.userId, limit: NOTICES_MAX })
    assert.deepEqual(notices, newest)
    await deletePerson(store, ann)
    assert.deepEqual(await store.accountActivity.notices(ann.userId), [])
    assert.equal((await store.audit.list({ organizationId: null, subject: ann.userId, limit: 50 })).length, 11)
  },
}

async function kindsOf(store: Store, { userId }: Person): Promise<string[]> {
  return (await store.accountActivity.notices(userId)).map(({ kind }) => kind)
}
