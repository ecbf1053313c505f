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

  'lists who has a second factor, who lacks one, and who needs none': async ({ store }) => {
    const acme = await found(store)
    const people = { ann: await join(store, acme, 'Ann'), bob: await join(store, acme, 'Bob') }
    const { organization, owner } = acme
    await join(store, acme, 'Cleo')
    for (const { userId } of [owner, people.ann, people.bob]) await addPassword(store, userId)
    const { queries, type } = store.signIn
    const yes = type === 'sqlite' ? 1 : true
    await queries.updateTable('users').set({ twoFactorEnabled: yes }).where('id', '=', people.ann.userId).execute()
    const ids = ['user-ann', 'user-bob', 'user-cleo', 'nobody']
    const factors = [...(await store.accountActivity.secondFactors(ids))].sort()
    assert.deepEqual(factors, [
      ['user-ann', 'on'],
      ['user-bob', 'off'],
      ['user-cleo', 'not-needed'],
    ])
    const of = async (limit: number) => {
      const { members, total } = await store.memberships.withoutSecondFactor(organization.id, limit)
      return [members.map(({ email }) => email), total]
    }
    assert.deepEqual(await of(9), [['acme-owner@example.org', 'bob@example.org'], 2])
    assert.deepEqual(await of(1), [['acme-owner@example.org'], 2])
    const other = await found(store, 'Other')
    assert.deepEqual(await store.memberships.withoutSecondFactor(other.organization.id, 9), { members: [], total: 0 })
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

/** As better-auth adds it, and a link to single sign-on. */
async function addPassword({ signIn }: Store, userId: string): Promise<void> {
  const at = signIn.type === 'sqlite' ? new Date(0).toISOString() : new Date(0)
  const row = { userId, accountId: userId, createdAt: at, updatedAt: at }
  await signIn.queries
    .insertInto('credentials')
    .values([
      { id: `${userId}-1`, providerId: 'credential', password: 'hash', ...row },
      { id: `${userId}-2`, providerId: 'oidc', password: null, ...row },
    ])
    .execute()
}

async function kindsOf(store: Store, { userId }: Person): Promise<string[]> {
  return (await store.accountActivity.notices(userId)).map(({ kind }) => kind)
}
