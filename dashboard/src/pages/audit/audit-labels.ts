import type { AuditView } from '../../../../src/shared/shapes.ts'

type AuditKind = AuditView['kind']

/** What a kind is called in a filter, in groups. The log's own words are the same. */
export const KIND_NAMES: Readonly<Record<AuditKind, string>> = {
  'key.created': 'Key created',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
  'sign-in.succeeded': 'Signed in',
  'sign-in.failed': 'Sign-in failed',
  'sign-in.blocked': 'Sign-in blocked',
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
}

/** All kinds, in the order in which a filter offers them. */
export const AUDIT_KIND_OPTIONS = Object.keys(KIND_NAMES) as readonly AuditKind[]

/** A piece of a sentence: plain, standing out, or a link to a key. */
export type Piece = string | { readonly strong: string } | { readonly keyId: string; readonly name: string }

/** An entry as people say it. `notes` hold what the sentence does not: reasons and methods. */
export interface AuditSentence {
  readonly sentence: readonly Piece[]
  readonly notes: readonly string[]
}

/** An entry in words. A detail that it does not know is told as a note, so that nothing of the log is hidden. */
export function auditSentence(entry: AuditView): AuditSentence {
  const told = new DetailReader(entry)
  return { sentence: SENTENCES[entry.kind](told, { strong: entry.actor }), notes: told.notes() }
}

type Sentence = (told: DetailReader, actor: Piece) => Piece[]

const SENTENCES: Readonly<Record<AuditKind, Sentence>> = {
  'key.created': (told, actor) => {
    const old = told.text('replaces')
    const sentence = [actor, ' created the key ', told.key()]
    return old ? [...sentence, ' in the place of ', { keyId: old, name: 'an older one' }] : sentence
  },
  'key.rotated': (told, actor) => [
    actor,
    ' rotated the key ',
    told.key(),
    ...told.successor(),
    ...told.overlap(),
  ],
  'key.revoked': (told, actor) => [actor, ' revoked the key ', told.key()],
  'sign-in.succeeded': (told, actor) => [actor, ' signed in', ...told.method(' with ')],
  'sign-in.failed': (told, actor) => ['Somebody failed to sign in as ', actor, ...told.method(' with ')],
  'sign-in.blocked': (told, actor) => [
    'Attempts to sign in as ',
    actor,
    ...told.method(' with '),
    ' are refused for a while: too many had failed',
  ],
  'invitation.created': (told, actor) => [actor, ' invited ', told.invited(), ' as ', told.role('role')],
  'invitation.revoked': (told, actor) => [
    actor,
    ' took back the invitation of ',
    told.invited(),
    ...told.dropped('role'),
  ],
  'member.joined': (told, actor) => [
    actor,
    ' joined as ',
    told.role('role'),
    ...told.phrase(', invited by ', 'invitedBy'),
    ...told.dropped('email', 'invitation'),
  ],
  'member.left': (told, actor) => [actor, ' left', ...told.dropped('name', 'email', 'role')],
  'member.removed': (told, actor) => [
    actor,
    ' removed ',
    told.person(),
    ...told.phrase(', who was ', 'role'),
  ],
  'member.role-changed': (told, actor) => [
    actor,
    ' made ',
    told.person(),
    ' ',
    told.role('to'),
    ...told.phrase(', who was ', 'from'),
  ],
  'organization.created': (told, actor) => [actor, ' created the organization ', told.strong('name')],
  'organization.renamed': (told, actor) => [
    actor,
    ' renamed the organization ',
    told.strong('from'),
    ' to ',
    told.strong('to'),
  ],
  'organization.transferred': (told, actor) => [
    actor,
    ' made ',
    told.strong('to'),
    ' the owner',
    ...told.phrase(', who had been ', 'from'),
  ],
  'organization.deleted': (told, actor) => [actor, ' deleted the organization ', told.strong('name')],
}

const ROLE_NAMES: Readonly<Record<string, string>> = {
  owner: 'the owner',
  admin: 'an admin',
  member: 'a member',
}

const METHOD_NAMES: Readonly<Record<string, string>> = {
  password: 'a password',
  passkey: 'a passkey',
  oidc: 'single sign-on',
  'second factor': 'a second factor',
}

const NOTE_NAMES: Readonly<Record<string, string>> = { reason: 'Reason' }

const SHORT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** The details of an entry, with memory of which of them have been said. */
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

  strong(name: string): Piece {
    return { strong: this.text(name) ?? 'unknown' }
  }

  /** The words and the detail; nothing without the detail. */
  phrase(words: string, name: string): Piece[] {
    const text = this.text(name)
    return text === undefined ? [] : [words, ROLE_NAMES[text] ?? text]
  }

  key(): Piece {
    const lastFour = this.text('lastFour')
    const name = `${this.text('name') ?? 'without a name'}${lastFour ? ` (…${lastFour})` : ''}`
    return this.#entry.subject ? { keyId: this.#entry.subject, name } : { strong: name }
  }

  successor(): Piece[] {
    const [keyId, lastFour] = [this.text('next'), this.text('nextLastFour')]
    return keyId ? [': ', { keyId, name: `a new one (…${lastFour ?? keyId})` }, ' takes its place'] : []
  }

  /** Until when a rotated key works on. */
  overlap(): Piece[] {
    const untilMs = Number(this.text('untilMs') ?? Number.NaN)
    if (Number.isNaN(untilMs)) return []
    if (untilMs <= this.#entry.atMs) return [' at once']
    return [', and the old one works until ', new Date(untilMs).toLocaleString(undefined, SHORT)]
  }

  person(): Piece {
    const [name, email] = [this.text('name'), this.text('email')]
    return { strong: email ?? name ?? 'somebody' }
  }

  invited(): Piece {
    const email = this.text('email')
    return email ? { strong: email } : 'whoever has the link'
  }

  role(name: string): string {
    const role = this.text(name) ?? ''
    return ROLE_NAMES[role] ?? role
  }

  method(words: string): Piece[] {
    const method = this.text('method')
    return method ? [words, METHOD_NAMES[method] ?? `a ${method}`] : []
  }

  /** What the sentence says already in other words. */
  dropped(...names: readonly string[]): Piece[] {
    for (const name of names) this.text(name)
    return []
  }

  notes(): string[] {
    return Object.keys(this.#entry.detail)
      .filter((name) => !this.#said.has(name))
      .flatMap((name) => {
        const text = this.text(name)
        if (text === undefined) return []
        return [`${NOTE_NAMES[name] ?? name}: ${text}`]
      })
  }
}
