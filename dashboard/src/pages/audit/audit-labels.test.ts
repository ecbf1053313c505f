import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUDIT_KINDS } from '../../../../src/shared/audit-kinds.ts'
import type { AuditView } from '../../../../src/shared/contract/audit.ts'
import { AUDIT_KIND_OPTIONS, auditSentence } from './audit-labels.ts'

const entry = (kind: AuditView['kind'], detail: AuditView['detail'], subject = 's1'): AuditView => ({
  id: 1,
  atMs: 0,
  kind,
  actor: 'ada@acme.example',
  subject,
  detail,
})

const read = (view: AuditView) => {
  const { sentence, notes } = auditSentence(view)
  const text = sentence.map((piece) =>
    typeof piece === 'string' ? piece : 'strong' in piece ? piece.strong : `[${piece.name}]`,
  )
  return [text.join(''), ...notes]
}

test('every event kind has a sentence, even without details', () => {
  assert.deepEqual([...AUDIT_KIND_OPTIONS].sort(), [...AUDIT_KINDS].sort())
  for (const kind of AUDIT_KIND_OPTIONS) assert.match(read(entry(kind, {}))[0], /ada@acme\.example/)
})

test('links a key by its name and last four characters', () => {
  assert.deepEqual(read(entry('key.revoked', { name: 'web', lastFour: '9Qx2', reason: 'leaked' })), [
    'ada@acme.example revoked the key [web (…9Qx2)]',
    'Reason: leaked',
  ])
  assert.equal(
    read(entry('key.rotated', { name: 'web', lastFour: '9Qx2', next: 'k2', nextLastFour: 'b1C0', untilMs: 0 }))[0],
    'ada@acme.example rotated the key [web (…9Qx2)]; [a new key (…b1C0)] replaces it immediately',
  )
})

test('writes the old and new values of an edited key', () => {
  const detail = { name: 'web', lastFour: '9Qx2', newName: 'app', oldNetworks: null, newNetworks: '10.0.0.0/8' }
  assert.deepEqual(read(entry('key.edited', detail)), [
    'ada@acme.example edited the key [web (…9Qx2)]: name from web to app; allowed networks from all to 10.0.0.0/8',
  ])
  const [sentence, ...notes] = read(
    entry('key.edited', {
      oldNote: 'a',
      newNote: null,
      oldExpiresAtMs: null,
      newExpiresAtMs: Date.UTC(2026, 10, 23, 12),
    }),
  )
  assert.match(sentence, /: note from a to none; expiry from never to .*2026/)
  assert.deepEqual(notes, [])
})

test('links a subscription by the host of its address', () => {
  const detail = { host: 'example.org', changed: 'filters, minIntervalSeconds' }
  assert.deepEqual(read(entry('subscription.edited', detail)), [
    'ada@acme.example edited the subscription to [example.org]: filters, minIntervalSeconds',
  ])
  assert.deepEqual(read(entry('subscription.disabled', { host: 'example.org', reason: 'failing' })), [
    'ada@acme.example disabled the subscription to [example.org]',
    'Reason: failing',
  ])
})

test('writes people and roles in words', () => {
  assert.deepEqual(
    read(entry('member.role-changed', { name: 'Bo', email: 'bo@acme.example', from: 'member', to: 'admin' })),
    ['ada@acme.example made bo@acme.example an admin, previously a member'],
  )
  assert.deepEqual(read(entry('invitation.created', { email: null, role: 'member' })), [
    'ada@acme.example invited anyone with the link as a member',
  ])
  assert.deepEqual(read(entry('sign-in.failed', { method: 'second factor' })), [
    'Failed sign-in as ada@acme.example with two-factor authentication',
  ])
})

test('writes a first sign-in and the end of a setup link in words', () => {
  assert.deepEqual(read(entry('sign-in.succeeded', { method: 'sign-up' })), ['ada@acme.example signed up'])
  const [sentence, ...notes] = read(entry('setup-link.created', { untilMs: Date.UTC(2026, 10, 23, 12) }))
  assert.match(sentence, /created a setup link for an operator, valid until .*2026/)
  assert.deepEqual(notes, [])
})

test('writes roles in the service in words', () => {
  const detail = { email: 'bo@acme.example', from: 'operator', to: 'viewer' }
  assert.deepEqual(read(entry('operator.role-changed', detail)), [
    'ada@acme.example made bo@acme.example a viewer of the service, previously an operator',
  ])
  assert.deepEqual(read(entry('operator.removed', { role: 'viewer' })), [
    'ada@acme.example removed themselves, a viewer',
  ])
  assert.deepEqual(read(entry('operator.granted', { role: 'operator', by: 'setup link' })), [
    'ada@acme.example became an operator',
    'by: setup link',
  ])
})

test('shows unknown details as notes', () => {
  assert.deepEqual(read(entry('organization.created', { name: 'Acme', plan: 'free' })).slice(1), ['plan: free'])
})
