import assert from 'node:assert/strict'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addPerson, deletePerson, found, join, type Person } from './people.ts'

const OPERATOR = { name: 'ops@example.org', userId: 'user-ops' }
const SUSPENSION = { atMs: HARNESS_STARTS_MS, by: OPERATOR.name, reason: 'Shared' }

/** `AccountStore`. */
export const ACCOUNT_GUARANTEES: Guarantees = {
  'finds an account with its organizations, sign-in methods and sessions': async ({ store, open }) => {
    const founded = await found(store)
    const ann = await join(store, founded, 'Ann')
    for (const [n, endsInMs] of [60_000, -1].entries()) await addSession(store, ann, `s${n}`, endsInMs)
    await addMethods(store, ann)
    const reader = await open()
    const account = await reader.accounts.find(ann.userId)
    assert.deepEqual(account?.memberships, [{ organization: founded.organization, role: 'member' }])
    assert.deepEqual(account.signIn, { password: true, singleSignOn: true, passkeys: 1, twoFactor: true })
    const times = { createdAtMs: HARNESS_STARTS_MS, expiresAtMs: HARNESS_STARTS_MS + 60_000 }
    assert.deepEqual(account.sessions, [{ id: 's0', ...times, address: '192.0.2.9', userAgent: 'Firefox' }])
    assert.deepEqual(
      account.account,
      (await reader.operators.accounts({ search: 'ann', limit: 1, offset: 0 })).accounts[0],
    )
    assert.equal(await reader.accounts.find('nobody'), undefined)
  },

  'suspends an account once, with its sessions, trusted devices and reset links, and resumes it': async (harness) => {
    const { store } = harness
    const [ann, bob] = [await addPerson(store, 'Ann'), await addPerson(store, 'Bob')]
    for (const person of [ann, bob]) {
      await addSession(store, person, `s-${person.userId}`)
      await addVerification(store, person.userId)
    }
    const suspend = () => store.accounts.suspend(ann.userId, SUSPENSION.reason, OPERATOR)
    assert.deepEqual([await suspend(), await suspend()], ['done', 'already'])
    const other = await harness.open()
    assert.deepEqual(await other.accounts.standing(ann.userId), { suspension: SUSPENSION })
    assert.deepEqual(await other.accounts.standing(bob.userId), {})
    const left = async (table: string, column: string) =>
      (await store.signIn.queries.selectFrom(table).select(column).execute()).map((row) => row[column])
    assert.deepEqual(
      [await left('sessions', 'userId'), await left('verifications', 'value')],
      [[bob.userId], [bob.userId]],
    )
    const { accounts } = await other.operators.accounts({ limit: 10, offset: 0 })
    assert.deepEqual(
      accounts.map(({ suspension }) => suspension),
      [SUSPENSION, undefined],
    )
    const resume = () => store.accounts.resume(ann.userId, OPERATOR)
    assert.deepEqual([await resume(), await resume()], [true, false])
    assert.deepEqual(await other.accounts.standing(ann.userId), {})
    assert.equal(await store.accounts.suspend('nobody', 'x', OPERATOR), 'not-found')
  },

  'suspends no operator or viewer': async ({ store }) => {
    const ann = await addPerson(store, 'Ann')
    for (const role of ['operator', 'viewer'] as const) {
      await store.operators.add(ann.userId, { role })
      assert.equal(await store.accounts.suspend(ann.userId, 'x', OPERATOR), 'operator')
      assert.deepEqual(await store.accounts.standing(ann.userId), { operatorRole: role })
      await store.operators.remove(ann.userId, { allowNone: true, by: OPERATOR })
    }
    assert.equal(await store.accounts.suspend(ann.userId, 'x', OPERATOR), 'done')
  },

  'suspends an account or makes its owner an operator, of two concurrent requests one': async ({ store, open }) => {
    const other = await open()
    for (let round = 0; round < 5; round++) {
      const { userId } = await addPerson(store, `Ann${round}`)
      await Promise.all([store.accounts.suspend(userId, 'x', OPERATOR), other.operators.add(userId)])
      const { suspension, operatorRole } = await store.accounts.standing(userId)
      assert.equal((suspension === undefined) === (operatorRole === undefined), false)
    }
  },

  'resets a second factor and verifies an address once': async ({ store }) => {
    const ann = await addPerson(store, 'Ann')
    await addMethods(store, ann)
    await addVerification(store, ann.userId)
    const reset = () => store.accounts.resetSecondFactor(ann.userId, OPERATOR)
    assert.deepEqual([await reset(), await reset()], [true, false])
    const signIn = { password: true, singleSignOn: true, passkeys: 1, twoFactor: false }
    assert.deepEqual((await store.accounts.find(ann.userId))?.signIn, signIn)
    const { queries } = store.signIn
    for (const table of ['two_factors', 'verifications']) {
      assert.deepEqual(await queries.selectFrom(table).select('id').execute(), [], table)
    }
    const email = (await store.accounts.find(ann.userId))?.account.email ?? ''
    const verify = (address = email) => store.accounts.verifyEmail(ann.userId, address, OPERATOR)
    assert.equal(await verify(), false)
    const no = store.signIn.type === 'sqlite' ? 0 : false
    await queries.updateTable('users').set({ emailVerified: no }).where('id', '=', ann.userId).execute()
    assert.deepEqual([await verify('other@example.org'), await verify(), await verify()], [false, true, false])
    assert.equal((await store.accounts.find(ann.userId))?.account.emailVerified, true)
  },

  'both logs say what operators did to an account, and its owner has a notice of it': async ({ store }) => {
    const founded = await found(store)
    const ann = await join(store, founded, 'Ann')
    await addMethods(store, ann)
    await store.accounts.suspend(ann.userId, SUSPENSION.reason, OPERATOR)
    await store.accounts.resume(ann.userId, OPERATOR)
    await store.accounts.resetSecondFactor(ann.userId, OPERATOR)
    const expected = ['second-factor-removed', 'resumed', 'suspended'].map((each) => `account.${each}`)
    for (const organizationId of [null, founded.organization.id]) {
      const entries = await store.audit.list({ organizationId, subject: ann.userId, limit: 3 })
      assert.deepEqual(
        entries.map(({ kind }) => kind),
        expected,
      )
      assert.deepEqual(entries.at(-1)?.detail, { email: ann.name, reason: SUSPENSION.reason })
    }
    assert.equal((await store.accountActivity.notices(ann.userId)).length, 3)
    await deletePerson(store, ann)
    assert.equal(await store.accounts.resume(ann.userId, OPERATOR), false)
  },
}

async function addSession({ signIn }: Store, { userId }: Person, id: string, endsInMs = 60_000): Promise<void> {
  const createdAt = dateOf(signIn, HARNESS_STARTS_MS)
  const expiresAt = dateOf(signIn, HARNESS_STARTS_MS + endsInMs)
  const from = { ipAddress: '192.0.2.9', userAgent: 'Firefox' }
  const row = { id, userId, token: `token-${id}`, createdAt, updatedAt: createdAt, expiresAt, ...from }
  await signIn.queries.insertInto('sessions').values(row).execute()
}

async function addVerification({ signIn }: Store, userId: string): Promise<void> {
  const at = dateOf(signIn, HARNESS_STARTS_MS)
  const row = { id: `v-${userId}`, identifier: 'trusted', value: userId, expiresAt: at, createdAt: at, updatedAt: at }
  await signIn.queries.insertInto('verifications').values(row).execute()
}

/** A password with two-factor authentication, single sign-on and a passkey. */
async function addMethods({ signIn }: Store, { userId }: Person): Promise<void> {
  const { queries, type } = signIn
  const [yes, no] = type === 'sqlite' ? [1, 0] : [true, false]
  const at = dateOf(signIn, HARNESS_STARTS_MS)
  for (const [providerId, password] of [
    ['credential', 'hash'],
    ['oidc', null],
  ] as const) {
    const row = { id: `c-${userId}-${providerId}`, accountId: userId, providerId, userId, password }
    await queries
      .insertInto('credentials')
      .values({ ...row, createdAt: at, updatedAt: at })
      .execute()
  }
  const passkey = { id: `p-${userId}`, publicKey: 'x', userId, credentialID: 'x', counter: 0, deviceType: 'x' }
  await queries
    .insertInto('passkeys')
    .values({ ...passkey, backedUp: no })
    .execute()
  await queries
    .insertInto('two_factors')
    .values({ id: `t-${userId}`, secret: 'x', backupCodes: 'x', userId })
    .execute()
  await queries.updateTable('users').set({ twoFactorEnabled: yes }).where('id', '=', userId).execute()
}

function dateOf({ type }: Store['signIn'], ms: number): string | Date {
  return type === 'sqlite' ? new Date(ms).toISOString() : new Date(ms)
}
