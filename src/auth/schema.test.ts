import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getMigrations } from 'better-auth/db/migration'
import { openTempStore } from '../../test/support/store/temp-store.ts'
import { AuthSecrets } from './auth-secrets.ts'
import { betterAuthOptions } from './better-auth.ts'
import { SignUpPolicy } from './sign-up-policy.ts'

test('the tables match the schema of better-auth', async (t) => {
  const store = await openTempStore(t)
  const settings = {
    signUp: 'open',
    signUpDomains: [],
    operatorEmails: [],
    passwordSignIn: true,
    mailFrom: '',
    changesPerHourMax: 300,
  } as const
  const options = betterAuthOptions({
    tables: store.signIn,
    secrets: new AuthSecrets('a secret of at least thirty-two characters'),
    dashboardUrl: 'http://localhost:8080/',
    serviceName: 'Slots',
    settings,
    policy: new SignUpPolicy(settings, store, Date.now),
    audit: store.audit,
    emails: undefined,
    oidc: undefined,
    onEvent: (event) => assert.fail(JSON.stringify(event)),
  })
  const { toBeAdded, toBeCreated } = await getMigrations(options)
  assert.deepEqual({ toBeAdded, toBeCreated }, { toBeAdded: [], toBeCreated: [] })
})
