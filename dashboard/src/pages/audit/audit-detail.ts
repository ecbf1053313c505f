import type { AuditView } from '../../../../src/shared/contract/audit.ts'
import { isolated } from '../../components/names.ts'
import { formatDateTime } from '../../components/visitor-time.ts'
import { ROLE_PHRASES } from '../organization/roles.ts'

/** A part of a sentence: plain, strong, or a link to a key or a subscription. */
export type SentencePart =
  | string
  | { readonly strong: string }
  | { readonly keyId: string; readonly name: string }
  | { readonly subscriptionId: string; readonly name: string }

const METHOD_LABELS: Readonly<Record<string, string>> = {
  password: 'a password',
  passkey: 'a passkey',
  oidc: 'single sign-on',
  'second factor': 'two-factor authentication',
}

const SESSION_PHRASES: Readonly<Record<string, string>> = {
  one: 'a session',
  others: 'all other sessions',
  all: 'all sessions',
  'of single sign-on': 'the sessions of single sign-on',
}

const NOTE_LABELS: Readonly<Record<string, string>> = { reason: 'Reason' }

/** In place of the address in entries that their owner reads. */
export const YOUR_ACCOUNT = 'your account'

/** Reads the details of an entry and records which ones the sentence has used. */
export class DetailReader {
  readonly #entry: AuditView
  readonly #used = new Set<string>()

  constructor(entry: AuditView) {
    this.#entry = entry
  }

  text(name: string): string | undefined {
    this.#used.add(name)
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

  /** The host of a subscription's address. */
  receiver(): SentencePart {
    const name = this.text('host') ?? 'an unknown address'
    return this.#entry.subject ? { subscriptionId: this.#entry.subject, name } : { strong: name }
  }

  successor(): SentencePart[] {
    const [keyId, lastFour] = [this.text('next'), this.text('nextLastFour')]
    return keyId ? ['; ', { keyId, name: `a new key (…${lastFour ?? keyId})` }, ' replaces it'] : []
  }

  /** The old and new values of an edited key. */
  keyChanges(): SentencePart[] {
    const time = (text: string) => formatDateTime(new Date(Number(text)))
    const changes = [
      ...this.#change('name', 'newName', 'name'),
      ...this.#change('oldNote', 'newNote', 'note', { none: 'none' }),
      ...this.#change('oldExpiresAtMs', 'newExpiresAtMs', 'expiry', { none: 'never', write: time }),
      ...this.#change('oldNetworks', 'newNetworks', 'allowed networks', { none: 'all' }),
    ]
    return changes.flatMap((change, at) => [at === 0 ? ': ' : '; ', ...change])
  }

  /** Nothing if the entry does not have the new value. */
  #change(
    old: string,
    next: string,
    label: string,
    { none = '', write = (text: string) => text }: { none?: string; write?: (text: string) => string } = {},
  ): SentencePart[][] {
    if (!(next in this.#entry.detail)) return []
    const [from, to] = [old, next].map((name) => {
      const text = this.text(name)
      return { strong: text === undefined ? none : write(text) }
    })
    return [[`${label} from `, from, ' to ', to]]
  }

  /** How long a rotated key stays active. */
  overlap(): SentencePart[] {
    const isImmediate = Number(this.text('untilMs') ?? Number.NaN) <= this.#entry.atMs
    return isImmediate ? [' immediately'] : this.until(', and the old key stays active until ')
  }

  /** A phrase followed by the end of a period; nothing without one. */
  until(words: string): SentencePart[] {
    const text = this.text('untilMs')
    return text === undefined ? [] : [words, formatDateTime(new Date(Number(text)))]
  }

  signIn(): SentencePart[] {
    return this.text('method') === 'sign-up' ? [' signed up'] : [' signed in', ...this.method(' with ')]
  }

  person(): SentencePart {
    const [name, email] = [this.text('name'), this.text('email')]
    return { strong: email ?? name ?? 'someone' }
  }

  /** A person whose role in the service changes. */
  whom(): SentencePart {
    const email = this.text('email')
    return email === undefined ? 'themselves' : { strong: email }
  }

  /** "the account of ada@example.org", or "your account". */
  account(): SentencePart[] {
    const email = this.text('email')
    if (email === undefined) return ['the account']
    return email === YOUR_ACCOUNT ? [email] : ['the account of ', { strong: email }]
  }

  /** The account concerned, if it is not the actor's. */
  owner(words = ' for '): SentencePart[] {
    const email = this.text('email')
    return email === undefined ? [] : [words, { strong: email }]
  }

  /** The sessions that were ended. */
  sessions(): SentencePart[] {
    return [` ended ${SESSION_PHRASES[this.text('sessions') ?? ''] ?? 'sessions'}`]
  }

  /** The origin of a reset link that was used. */
  resetLink(): SentencePart[] {
    const from = this.text('link')
    return from === undefined ? [] : [from === 'operator' ? ' from an operator' : ' from an email']
  }

  /** The actor is the person who used the setup link. */
  grant(): SentencePart[] {
    const [email, role] = [this.text('email'), this.role('role') || 'an operator']
    return email === undefined ? [` became ${role}`] : [' made ', { strong: email }, ` ${role} of the service`]
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
      .filter((name) => !this.#used.has(name))
      .flatMap((name) => {
        const text = this.text(name)
        if (text === undefined) return []
        return [`${NOTE_LABELS[name] ?? name}: ${isolated(text)}`]
      })
  }
}

function rolePhrase(role: string): string {
  return Object.hasOwn(ROLE_PHRASES, role) ? ROLE_PHRASES[role as keyof typeof ROLE_PHRASES] : role
}
