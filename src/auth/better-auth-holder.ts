import type { SignInConfig } from '../config/config.ts'
import { type BetterAuth, type BetterAuthDependencies, openBetterAuth } from './better-auth.ts'
import { discoverProvider, PROVIDER_RETRY_MS } from './oidc.ts'

export interface BetterAuthHolderOptions extends Omit<BetterAuthDependencies, 'oidc'> {
  readonly provider: SignInConfig['oidc']
  readonly now: () => number
}

/**
 * Holds the better-auth instance and replaces it once the OpenID provider is discovered: other sign-in methods do not wait for
 * an unavailable provider.
 */
export class BetterAuthHolder {
  readonly #options: BetterAuthHolderOptions
  #current: BetterAuth
  #discovery: Promise<boolean> | undefined
  #retryAtMs = 0

  constructor(options: BetterAuthHolderOptions) {
    this.#options = options
    this.#current = openBetterAuth({ ...options, oidc: undefined })
  }

  get current(): BetterAuth {
    return this.#current
  }

  /** False if the provider is unavailable or not configured. */
  findProvider(): Promise<boolean> {
    if (this.#discovery !== undefined) return this.#discovery
    if (this.#options.provider === undefined || this.#options.now() < this.#retryAtMs)
      return Promise.resolve(false)
    this.#discovery = this.#discover(this.#options.provider)
    return this.#discovery
  }

  async #discover(provider: NonNullable<SignInConfig['oidc']>): Promise<boolean> {
    const oidc = await discoverProvider(provider, this.#options.onEvent)
    if (oidc !== undefined) {
      const instance = openBetterAuth({ ...this.#options, oidc })
      await instance.$context
      this.#current = instance
      return true
    }
    this.#retryAtMs = this.#options.now() + PROVIDER_RETRY_MS
    this.#discovery = undefined
    return false
  }
}
