import type { AuditView } from '../../../../src/shared/contract/audit.ts'
import { DetailReader, type SentencePart } from './audit-detail.ts'

type AuditKind = AuditView['kind']

/** Labels of the event kinds, in the order of the filter. */
export const AUDIT_KIND_LABELS: Readonly<Record<AuditKind, string>> = {
  'key.created': 'Key created',
  'key.edited': 'Key edited',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
  'subscription.created': 'Subscription created',
  'subscription.edited': 'Subscription edited',
  'subscription.paused': 'Subscription paused',
  'subscription.resumed': 'Subscription resumed',
  'subscription.secret-rotated': 'Subscription secret rotated',
  'subscription.deleted': 'Subscription deleted',
  'subscription.disabled': 'Subscription disabled',
  'sign-in.succeeded': 'Signed in',
  'sign-in.failed': 'Sign-in failed',
  'sign-in.blocked': 'Sign-in blocked',
  'account.password-changed': 'Password changed',
  'account.password-reset': 'Password reset',
  'account.reset-link-created': 'Reset link created',
  'account.second-factor-added': 'Two-factor authentication turned on',
  'account.second-factor-removed': 'Two-factor authentication turned off',
  'account.backup-codes-created': 'Backup codes created',
  'account.passkey-added': 'Passkey added',
  'account.passkey-removed': 'Passkey removed',
  'account.sign-on-linked': 'Single sign-on linked',
  'account.sign-on-unlinked': 'Single sign-on unlinked',
  'account.email-changed': 'Email address changed',
  'account.email-verified': 'Email address verified',
  'account.sessions-ended': 'Sessions ended',
  'account.suspended': 'Account suspended',
  'account.resumed': 'Account resumed',
  'account.deleted': 'Account deleted',
  'operator.granted': 'Operator added',
  'operator.role-changed': 'Operator role changed',
  'operator.removed': 'Operator removed',
  'setup-link.created': 'Setup link created',
  'audit.trimmed': 'Old entries deleted',
  'invitation.created': 'Invitation created',
  'invitation.revoked': 'Invitation revoked',
  'member.joined': 'Member joined',
  'member.left': 'Member left',
  'member.removed': 'Member removed',
  'member.role-changed': 'Role changed',
  'organization.created': 'Organization created',
  'organization.renamed': 'Organization renamed',
  'organization.second-factor-required': 'Second factor required',
  'organization.second-factor-optional': 'Second factor optional',
  'organization.transferred': 'Organization transferred',
  'organization.deleted': 'Organization deleted',
  'organization.suspended': 'Organization suspended',
  'organization.resumed': 'Organization resumed',
}

/** All kinds in the order of the filter. */
export const AUDIT_KIND_OPTIONS = Object.keys(AUDIT_KIND_LABELS) as readonly AuditKind[]

/** An entry in words. `notes` hold details that the sentence does not mention. */
interface AuditSentence {
  readonly sentence: readonly SentencePart[]
  readonly notes: readonly string[]
}

/** An entry in words. Unknown details become notes so that nothing of the log is hidden. */
export function auditSentence(entry: AuditView): AuditSentence {
  const detail = new DetailReader(entry)
  return { sentence: SENTENCES[entry.kind](detail, { strong: actorName(entry.actor) }), notes: detail.notes() }
}

/** The actor at the start of a sentence. */
function actorName(actor: string): string {
  return actor === 'command line' ? 'The command line' : actor
}

type Sentence = (detail: DetailReader, actor: SentencePart) => SentencePart[]

const SENTENCES: Readonly<Record<AuditKind, Sentence>> = {
  'key.created': (detail, actor) => {
    const old = detail.text('replaces')
    const sentence = [actor, ' created the key ', detail.key()]
    return old ? [...sentence, ', replacing ', { keyId: old, name: 'an older key' }] : sentence
  },
  'key.edited': (detail, actor) => [actor, ' edited the key ', detail.key(), ...detail.keyChanges()],
  'key.rotated': (detail, actor) => [
    actor,
    ' rotated the key ',
    detail.key(),
    ...detail.successor(),
    ...detail.overlap(),
  ],
  'key.revoked': (detail, actor) => [actor, ' revoked the key ', detail.key()],
  'subscription.created': (detail, actor) => [actor, ' created a subscription to ', detail.receiver()],
  'subscription.edited': (detail, actor) => [
    actor,
    ' edited the subscription to ',
    detail.receiver(),
    ...detail.phrase(': ', 'changed'),
  ],
  'subscription.paused': (detail, actor) => [actor, ' paused the subscription to ', detail.receiver()],
  'subscription.resumed': (detail, actor) => [actor, ' resumed the subscription to ', detail.receiver()],
  'subscription.secret-rotated': (detail, actor) => [
    actor,
    ' rotated the secret of the subscription to ',
    detail.receiver(),
    ...detail.until(', and the old secret stays valid until '),
  ],
  'subscription.deleted': (detail, actor) => [actor, ' deleted the subscription to ', detail.strong('host')],
  'subscription.disabled': (detail, actor) => [actor, ' disabled the subscription to ', detail.receiver()],
  'sign-in.succeeded': (detail, actor) => [actor, ...detail.signIn()],
  'sign-in.failed': (detail, actor) => ['Failed sign-in as ', actor, ...detail.method(' with ')],
  'sign-in.blocked': (detail, actor) => [
    'Sign-in as ',
    actor,
    ...detail.method(' with '),
    ' was blocked temporarily after too many failed attempts',
  ],
  'invitation.created': (detail, actor) => [actor, ' invited ', detail.invited(), ' as ', detail.role('role')],
  'invitation.revoked': (detail, actor) => [
    actor,
    ' revoked the invitation for ',
    detail.invited(),
    ...detail.dropped('role'),
  ],
  'member.joined': (detail, actor) => [
    actor,
    ' joined as ',
    detail.role('role'),
    ...detail.phrase(', invited by ', 'invitedBy'),
    ...detail.dropped('email', 'invitation'),
  ],
  'member.left': (detail, actor) => [actor, ' left', ...detail.dropped('name', 'email', 'role')],
  'member.removed': (detail, actor) => [actor, ' removed ', detail.person(), ...detail.phrase(', previously ', 'role')],
  'member.role-changed': (detail, actor) => [
    actor,
    ' made ',
    detail.person(),
    ' ',
    detail.role('to'),
    ...detail.phrase(', previously ', 'from'),
  ],
  'organization.created': (detail, actor) => [actor, ' created the organization ', detail.strong('name')],
  'organization.second-factor-required': (_, actor) => [actor, ' required two-factor authentication of all members'],
  'organization.second-factor-optional': (_, actor) => [actor, ' stopped requiring two-factor authentication'],
  'organization.renamed': (detail, actor) => [
    actor,
    ' renamed the organization ',
    detail.strong('from'),
    ' to ',
    detail.strong('to'),
  ],
  'organization.transferred': (detail, actor) => [
    actor,
    ' made ',
    detail.strong('to'),
    ' the owner',
    ...detail.phrase(' of ', 'organization'),
    ...detail.phrase(', previously ', 'from'),
  ],
  'organization.deleted': (detail, actor) => [actor, ' deleted the organization ', detail.strong('name')],
  'organization.suspended': (detail, actor) => [actor, ' suspended the organization ', detail.strong('name')],
  'organization.resumed': (detail, actor) => [actor, ' resumed the organization ', detail.strong('name')],
  'account.password-changed': (detail, actor) => [actor, ' changed the password', ...detail.owner()],
  'account.password-reset': (detail, actor) => [
    actor,
    ' set a new password with a reset link',
    ...detail.resetLink(),
    ...detail.owner(),
  ],
  'account.reset-link-created': (detail, actor) => [actor, ' created a password reset link', ...detail.owner()],
  'account.second-factor-added': (detail, actor) => [actor, ' turned on two-factor authentication', ...detail.owner()],
  'account.second-factor-removed': (detail, actor) => [
    actor,
    ' turned off two-factor authentication',
    ...detail.owner(),
  ],
  'account.backup-codes-created': (detail, actor) => [actor, ' created new backup codes', ...detail.owner()],
  'account.passkey-added': (detail, actor) => [actor, ' added a passkey', ...detail.owner()],
  'account.passkey-removed': (detail, actor) => [actor, ' removed a passkey', ...detail.owner()],
  'account.sign-on-linked': (detail, actor) => [
    actor,
    ' linked single sign-on',
    ...detail.owner(),
    ...detail.dropped('provider'),
  ],
  'account.sign-on-unlinked': (detail, actor) => [actor, ' unlinked single sign-on', ...detail.owner()],
  'account.email-changed': (detail, actor) => [
    actor,
    ' changed the email address',
    ...detail.phrase(' from ', 'from'),
    ...detail.phrase(' to ', 'to'),
    ...detail.dropped('email'),
  ],
  'account.email-verified': (detail, actor) => [
    actor,
    ' marked the email address',
    ...detail.owner(' of '),
    ' as verified',
  ],
  'account.sessions-ended': (detail, actor) => [actor, ...detail.sessions(), ...detail.owner(' of ')],
  'account.suspended': (detail, actor) => [actor, ' suspended ', ...detail.account()],
  'account.resumed': (detail, actor) => [actor, ' resumed ', ...detail.account()],
  'account.deleted': (detail, actor) => [actor, ' deleted ', ...detail.account()],
  'operator.granted': (detail, actor) => [actor, ...detail.grant()],
  'operator.role-changed': (detail, actor) => [
    actor,
    ' made ',
    detail.whom(),
    ` ${detail.role('to')} of the service`,
    ...detail.phrase(', previously ', 'from'),
  ],
  'operator.removed': (detail, actor) => [actor, ' removed ', detail.whom(), ...detail.phrase(', ', 'role')],
  'setup-link.created': (detail, actor) => [
    actor,
    ' created a setup link for an operator',
    ...detail.until(', valid until '),
  ],
  'audit.trimmed': (detail, actor) => [
    'Deleted ',
    detail.strong('entries'),
    ' old entries (',
    actor,
    ')',
    ...detail.dropped('lastId', 'lastHash'),
  ],
}
