import type { AuditView } from '../../../../src/shared/contract/audit.ts'
import { ROLE_PHRASES } from '../organization/roles.ts'

type AuditKind = AuditView['kind']

/** Labels of the event kinds, in the order of the filter. */
export const AUDIT_KIND_LABELS: Readonly<Record<AuditKind, string>> = {
  'key.created': 'Key created',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
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
  'account.deleted': 'Account deleted',
  'operator.granted': 'Operator added',
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
  'organization.transferred': 'Organization transferred',
  'organization.deleted': 'Organization deleted',
  'organization.suspended': 'Organization suspended',
  'organization.resumed': 'Organization resumed',
}

/** All kinds in the order of the filter. */
export const AUDIT_KIND_OPTIONS = Object.keys(AUDIT_KIND_LABELS) as readonly AuditKind[]

/** A part of a sentence: plain, strong, or a link to a key. */
export type SentencePart = string | { readonly strong: string } | { readonly keyId: string; readonly name: string }

/** An entry in words. `notes` hold details that the sentence does not mention. */
export interface AuditSentence {
  readonly sentence: readonly SentencePart[]
  readonly notes: readonly string[]
}

/** An entry in words. Unknown details become notes so that nothing of the log is hidden. */
export function auditSentence(entry: AuditView): AuditSentence {
  const detail = new DetailReader(entry)
  return { sentence: SENTENCES[entry.kind](detail, { strong: entry.actor }), notes: detail.notes() }
}

type Sentence = (detail: DetailReader, actor: SentencePart) => SentencePart[]

const SENTENCES: Readonly<Record<AuditKind, Sentence>> = {
  'key.created': (detail, actor) => {
    const old = detail.text('replaces')
    const sentence = [actor, ' created the key ', detail.key()]
    return old ? [...sentence, ', replacing ', { keyId: old, name: 'an older key' }] : sentence
  },
  'key.rotated': (detail, actor) => [
    actor,
    ' rotated the key ',
    detail.key(),
    ...detail.successor(),
    ...detail.overlap(),
  ],
  'key.revoked': (detail, actor) => [actor, ' revoked the key ', detail.key()],
  'sign-in.succeeded': (detail, actor) => [actor, ' signed in', ...detail.method(' with ')],
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
    ...detail.phrase(', previously ', 'from'),
  ],
  'organization.deleted': (detail, actor) => [actor, ' deleted the organization ', detail.strong('name')],
  'organization.suspended': (_, actor) => [actor, ' suspended the organization'],
  'organization.resumed': (_, actor) => [actor, ' resumed the organization'],
  'account.password-changed': (detail, actor) => [actor, ' changed the password', ...detail.owner()],
  'account.password-reset': (detail, actor) => [actor, ' set a new password with a reset link', ...detail.owner()],
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
  'account.sign-on-linked': (detail, actor) => [actor, ' linked single sign-on', ...detail.owner()],
  'account.sign-on-unlinked': (detail, actor) => [actor, ' unlinked single sign-on', ...detail.owner()],
  'account.email-changed': (detail, actor) => [
    actor,
    ' changed the email address',
    ...detail.phrase(' from ', 'from'),
    ...detail.phrase(' to ', 'to'),
    ...detail.dropped('email'),
  ],
  'account.email-verified': (detail, actor) => [actor, ' marked the email address as verified', ...detail.owner()],
  'account.sessions-ended': (detail, actor) => [actor, ' ended sessions', ...detail.owner()],
  'account.deleted': (detail, actor) => [actor, ' deleted the account', ...detail.owner()],
  'operator.granted': (detail, actor) => [actor, ...detail.grant()],
  'operator.removed': (detail, actor) => [actor, ' removed the operator ', detail.person()],
  'setup-link.created': (_, actor) => [actor, ' created a setup link for an operator'],
  'audit.trimmed': (detail, actor) => [
    'Deleted ',
    detail.strong('entries'),
    ' old entries (',
    actor,
    ')',
    ...detail.dropped('lastId', 'lastHash'),
  ],
}

const METHOD_LABELS: Readonly<Record<string, string>> = {
  password: 'a password',
  passkey: 'a passkey',
  oidc: 'single sign-on',
  'second factor': 'two-factor authentication',
}

const NOTE_LABELS: Readonly<Record<string, string>> = { reason: 'Reason' }

const SHORT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** Reads the details of an entry and records which ones the sentence has used. */
class DetailReader {
  readonly #entry: AuditView
  readonly #said = new Set<string>()

  constructor(entry: AuditView) {
    this.#entry = entry
  }

  text(name: string): string | undefined {
    this.#said.add(name)
    const value = this.#entry.detail[name]
    return value === undefined || value === null || value === '' ? undefined : String(value)
  }

  strong(name: string): SentencePart {
    return { strong: this.text(name) ?? 'unknown' }
  }

  /** A phrase followed by a detail; nothing without the detail. */
  phrase(words: string, name: string): SentencePart[] {
    const text = this.text(name)
    return text === undefined ? [] : [words, rolePhrase(text)]
  }

  key(): SentencePart {
    const lastFour = this.text('lastFour')
    const name = `${this.text('name') ?? 'unnamed'}${lastFour ? ` (…${lastFour})` : ''}`
    return this.#entry.subject ? { keyId: this.#entry.subject, name } : { strong: name }
  }

  successor(): SentencePart[] {
    const [keyId, lastFour] = [this.text('next'), this.text('nextLastFour')]
    return keyId ? ['; ', { keyId, name: `a new key (…${lastFour ?? keyId})` }, ' replaces it'] : []
  }

  /** How long a rotated key stays active. */
  overlap(): SentencePart[] {
    const untilMs = Number(this.text('untilMs') ?? Number.NaN)
    if (Number.isNaN(untilMs)) return []
    if (untilMs <= this.#entry.atMs) return [' immediately']
    return [', and the old key stays active until ', new Date(untilMs).toLocaleString(undefined, SHORT)]
  }

  person(): SentencePart {
    const [name, email] = [this.text('name'), this.text('email')]
    return { strong: email ?? name ?? 'someone' }
  }

  /** The account concerned, if it is not the actor's. */
  owner(): SentencePart[] {
    const email = this.text('email')
    return email === undefined ? [] : [' of ', { strong: email }]
  }

  /** The actor is the person who used the setup link. */
  grant(): SentencePart[] {
    const email = this.text('email')
    return email === undefined ? [' became an operator'] : [' made ', { strong: email }, ' an operator']
  }

  invited(): SentencePart {
    const email = this.text('email')
    return email ? { strong: email } : 'anyone with the link'
  }

  role(name: string): string {
    const role = this.text(name) ?? ''
    return rolePhrase(role)
  }

  method(words: string): SentencePart[] {
    const method = this.text('method')
    return method ? [words, METHOD_LABELS[method] ?? `a ${method}`] : []
  }

  /** Marks details as used that the sentence expresses in other words. */
  dropped(...names: readonly string[]): SentencePart[] {
    for (const name of names) this.text(name)
    return []
  }

  notes(): string[] {
    return Object.keys(this.#entry.detail)
      .filter((name) => !this.#said.has(name))
      .flatMap((name) => {
        const text = this.text(name)
        if (text === undefined) return []
        return [`${NOTE_LABELS[name] ?? name}: ${text}`]
      })
  }
}

function rolePhrase(role: string): string {
  return Object.hasOwn(ROLE_PHRASES, role) ? ROLE_PHRASES[role as keyof typeof ROLE_PHRASES] : role
}
