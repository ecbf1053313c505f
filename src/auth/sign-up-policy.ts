import { z } from 'zod'
import type { SignInConfig } from '../config/config.ts'
import { INVITATION_MS } from '../shared/contract/invitations.ts'
import type { Store } from '../store/contracts/store.ts'
import { hashToken } from './link-tokens.ts'

export interface SignUpRequest {
  readonly email: string
  /** How the email address is verified: by the provider, by an email that will be sent, or not at all. */
  readonly proof: 'provider' | 'mail' | 'none'
  /** The token of an invitation's link, or of the setup link. */
  readonly invitation?: string | undefined
}

/**
 * Decides who may create an account, without reading existing accounts, so that a rejection reveals nothing about them.
 * Always allows the holder of the setup link, and operators named in the configuration if their address is verified.
 */
export class SignUpPolicy {
  readonly #settings: SignInConfig
  readonly #store: Pick<Store, 'invitations' | 'operators'>
  readonly #now: () => number

  constructor(settings: SignInConfig, store: Pick<Store, 'invitations' | 'operators'>, now: () => number) {
    this.#settings = settings
    this.#store = store
    this.#now = now
  }

  /** The reason for a rejection, as a sentence; undefined if sign-up is allowed. */
  async refusal(request: SignUpRequest): Promise<string | undefined> {
    const { signUp, operatorEmails } = this.#settings
    const email = request.email.toLowerCase()
    if (signUp === 'open') return undefined
    if (request.proof !== 'none' && operatorEmails.includes(email)) return undefined
    if (!(await this.#holdsSetupLink(request.invitation))) {
      if (signUp === 'domains') return this.#domainRefusal(email, request.proof)
      const refusal = await this.#invitationRefusal(request)
      if (refusal !== undefined) return refusal
    }
    return this.#useRefusal(request)
  }

  /** The reason why an account cannot change to this email address; undefined if it can. */
  addressRefusal(email: string): string | undefined {
    if (this.#settings.signUp !== 'domains') return undefined
    const address = email.toLowerCase()
    return this.#settings.operatorEmails.includes(address) ? undefined : this.#domainRefusal(address, 'mail')
  }

  #domainRefusal(email: string, proof: SignUpRequest['proof']): string | undefined {
    const { signUpDomains } = this.#settings
    const isAllowed = signUpDomains.includes(email.slice(email.lastIndexOf('@') + 1))
    if (!isAllowed) return `Sign-up is limited to email addresses at ${signUpDomains.join(', ')}.`
    return proof === 'none' ? 'Your email address cannot be verified this way. Use single sign-on instead.' : undefined
  }

  async #invitationRefusal({ email, invitation: token }: SignUpRequest): Promise<string | undefined> {
    const found = token === undefined ? undefined : await this.#store.invitations.find(hashToken(token))
    if (found === undefined) return 'Sign-up requires an invitation. Open the link in your invitation.'
    const { invitation } = found
    const isOpen = invitation.acceptedAtMs === undefined && invitation.revokedAtMs === undefined
    if (!isOpen || invitation.expiresAtMs <= this.#now()) {
      return 'This invitation was used or revoked, or has expired. Ask for a new one.'
    }
    const isForAnother = invitation.email !== undefined && invitation.email.toLowerCase() !== email.toLowerCase()
    return isForAnother ? 'This invitation is for another email address.' : undefined
  }

  /** A link admits one email address, so that it cannot create any number of accounts. */
  async #useRefusal({ email, invitation: token = '' }: SignUpRequest): Promise<string | undefined> {
    // better-auth rejects it, and the person corrects it.
    if (!z.email().safeParse(email).success) return undefined
    const address = hashToken(email.toLowerCase())
    const name = `sign-up by ${hashToken(token)}`
    // No link works for longer.
    const admitted = await this.#store.operators.secret(name, () => address, this.#now() + INVITATION_MS)
    return admitted === address ? undefined : 'An account was already created with this link. Ask for a new one.'
  }

  async #holdsSetupLink(token: string | undefined): Promise<boolean> {
    return token !== undefined && (await this.#store.operators.isSetupToken(hashToken(token)))
  }
}
