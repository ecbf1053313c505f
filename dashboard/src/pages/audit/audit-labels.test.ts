import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditView } from '../../../../src/shared/shapes.ts'
import { AUDIT_KINDS } from '../../../../src/store/contracts/account-store.ts'
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

test('every kind of the log has a sentence, even without any detail', () => {
  assert.deepEqual([...AUDIT_KIND_OPTIONS].sort(), [...AUDIT_KINDS].sort())
  for (const kind of AUDIT_KIND_OPTIONS) assert.match(read(entry(kind, {}))[0], /ada@acme\.example/)
})

test('a key is told with its name and last four, and linked', () => {
  assert.deepEqual(read(entry('key.revoked', { name: 'web', lastFour: '9Qx2', reason: 'leaked' })), [
    'ada@acme.example revoked the key [web (…9Qx2)]',
    'Reason: leaked',
  ])
  assert.equal(
    read(
      entry('key.rotated', { name: 'web', lastFour: '9Qx2', next: 'k2', nextLastFour: 'b1C0', untilMs: 0 }),
    )[0],
    'ada@acme.example rotated the key [web (…9Qx2)]: [a new one (…b1C0)] takes its place at once',
  )
})

test('people and roles are told in words', () => {
  assert.deepEqual(
    read(entry('member.role-changed', { name: 'Bo', email: 'bo@acme.example', from: 'member', to: 'admin' })),
    ['ada@acme.example made bo@acme.example an admin, who was a member'],
  )
  assert.deepEqual(read(entry('invitation.created', { email: null, role: 'member' })), [
    'ada@acme.example invited whoever has the link as a member',
  ])
  assert.deepEqual(read(entry('sign-in.failed', { method: 'second factor' })), [
    'Somebody failed to sign in as ada@acme.example with a second factor',
  ])
})

test('a detail that nobody foresaw is not hidden', () => {
  assert.deepEqual(read(entry('organization.created', { name: 'Acme', plan: 'free' })).slice(1), [
    'plan: free',
  ])
})
