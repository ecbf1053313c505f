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

test('shows unknown details as notes', () => {
  assert.deepEqual(read(entry('organization.created', { name: 'Acme', plan: 'free' })).slice(1), ['plan: free'])
})
