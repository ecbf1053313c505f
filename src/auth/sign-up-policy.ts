import { hash } from 'node:crypto'
import type { SignInConfig } from '../config/config.ts'
import type { Store } from '../store/contracts/store.ts'

/** Somebody who wants an account. */
export interface SignUpRequest {
  readonly email: string
  /** Where the address is proven to be theirs: by a provider, by a mail that is going to be sent, or not at all. */
  readonly proof: 'provider' | 'mail' | 'none'
  /** The token of an invitation's link, or of the setup link. */
  readonly invitation?: string | undefined
}

type PolicyStore = Pick<Store, 'invitations' | 'operators'>

/**
 * Decides who may make an account. Asks nothing about accounts that exist, so that a refusal tells nothing of them.
 *
 * Whoever holds the setup link may always: somebody has to be the first. So may whoever the configuration names as operator,
 * wherever the address is proven.
 */
export class SignUpPolicy {
  readonly #settings: SignInConfig
  readonly #store: PolicyStore
  readonly #now: () => number

  constructor(settings: SignInConfig, store: PolicyStore, now: () => number) {
    this.#settings = settings
    this.#store = store
    this.#now = now
  }

  /** Why this one may not, as a sentence; undefined for whoever may. */
  async refusal(request: SignUpRequest): Promise<string | undefined> {
    const { signUp, operatorEmails } = this.#settings
    const email = request.email.toLowerCase()
    if (signUp === 'open') return undefined
    if (request.proof !== 'none' && operatorEmails.includes(email)) return undefined
    if (await this.#holdsSetupLink(request.invitation)) return undefined
    return signUp === 'domains' ? this.#domainRefusal(email, request.proof) : this.#invitationRefusal(request)
  }

  /** Why an account may not change to this address; undefined if it may. */
  addressRefusal(email: string): string | undefined {
    if (this.#settings.signUp !== 'domains') return undefined
    const address = email.toLowerCase()
    return this.#settings.operatorEmails.includes(address) ? undefined : this.#domainRefusal(address, 'mail')
  }

  #domainRefusal(email: string, proof: SignUpRequest['proof']): string | undefined {
    const { signUpDomains } = this.#settings
    const isAllowed = signUpDomains.includes(email.slice(email.lastIndexOf('@') + 1))
    if (!isAllowed) return `Accounts are for e-mail addresses of ${signUpDomains.join(', ')}.`
    return proof === 'none'
      ? 'Your address cannot be confirmed this way. Please use the single sign-on.'
      : undefined
  }

  async #invitationRefusal({ email, invitation: token }: SignUpRequest): Promise<string | undefined> {
    const found = token === undefined ? undefined : await this.#store.invitations.find(hashToken(token))
    if (found === undefined)
      return 'Accounts are for people who were invited. Please open the link of your invitation.'
    const { invitation } = found
    const isOpen = invitation.acceptedAtMs === undefined && invitation.revokedAtMs === undefined
    if (!isOpen || invitation.expiresAtMs <= this.#now()) {
      return 'This invitation was used, revoked or has expired. Please ask for a new one.'
    }
    const isForAnother =
      invitation.email !== undefined && invitation.email.toLowerCase() !== email.toLowerCase()
    return isForAnother ? 'This invitation is for another e-mail address.' : undefined
  }

  async #holdsSetupLink(token: string | undefined): Promise<boolean> {
    return token !== undefined && (await this.#store.operators.isSetupToken(hashToken(token)))
  }
}

/** What is kept of a secret token: SHA-256 is enough for 256 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}
