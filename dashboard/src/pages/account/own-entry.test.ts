import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditView } from '../../../../src/shared/contract/audit.ts'
import { auditSentence } from '../audit/audit-labels.ts'
import { noticeEntry, ownEntry } from './own-entry.ts'

const ADA = 'ada@example.org'
const entry = (kind: AuditView['kind'], detail: AuditView['detail'] = {}, actor = 'olga@example.org'): AuditView => ({
  id: 1,
  atMs: 0,
  kind,
  actor,
  detail,
})

const textOf = (view: AuditView) => {
  const { sentence, notes } = auditSentence(view)
  const text = sentence.map((part) => (typeof part === 'string' ? part : 'strong' in part ? part.strong : part.name))
  return [text.join(''), ...notes].join(' ')
}

test('addresses the person concerned', () => {
  const own = (view: AuditView) => textOf(ownEntry(view, ADA))
  assert.equal(own(entry('account.password-changed', {}, ADA)), 'You changed the password')
  assert.equal(own(entry('account.sessions-ended', { sessions: 'others' }, ADA)), 'You ended all other sessions')
  assert.equal(own(entry('sign-in.succeeded', { method: 'passkey' }, ADA)), 'You signed in with a passkey')
  assert.equal(
    own(entry('account.password-reset', { link: 'operator' }, ADA)),
    'You set a new password with a reset link from an operator',
  )
  const link = entry('account.reset-link-created', { email: ADA })
  assert.equal(own(link), 'olga@example.org created a password reset link for your account')
  const role = entry('operator.granted', { email: ADA, role: 'viewer' })
  assert.equal(own(role), 'olga@example.org made you a viewer of the service')
})

test('does not say that the person made attempts to sign in', () => {
  const attempt = entry('sign-in.failed', { method: 'password' }, ADA)
  assert.equal(textOf(ownEntry(attempt, ADA)), 'Failed sign-in as ada@example.org with a password')
})

test('names no operator in a notice', () => {
  const notice = (view: AuditView) => textOf(noticeEntry(view))
  const ended = entry('account.sessions-ended', { sessions: 'all', email: ADA }, 'command line')
  assert.equal(notice(ended), 'An operator on the command line ended all sessions of your account')
  const link = entry('account.reset-link-created', { email: ADA })
  assert.equal(notice(link), 'An operator created a password reset link for your account')
  const suspended = entry('account.suspended', { email: ADA, reason: 'Shared' })
  assert.match(notice(suspended), /^An operator suspended your account\b/)
  const verified = entry('account.email-verified', { email: ADA })
  assert.equal(notice(verified), 'An operator marked the email address of your account as verified')
})
