import type { SignInConfig } from '../config/config.ts'
import { type Library, type LibraryParts, openLibrary } from './better-auth.ts'
import { ASK_AGAIN_MS, findProvider } from './oidc.ts'

export interface HolderParts extends Omit<LibraryParts, 'oidc'> {
  readonly provider: SignInConfig['oidc']
  readonly now: () => number
}

/** The library, set up anew once the OpenID provider was found: nobody else has to wait for a provider that is away. */
export class LibraryHolder {
  readonly #parts: HolderParts
  #current: Library
  #finding: Promise<boolean> | undefined
  #askAgainMs = 0

  constructor(parts: HolderParts) {
    this.#parts = parts
    this.#current = openLibrary({ ...parts, oidc: undefined })
  }

  get current(): Library {
    return this.#current
  }

  /** False if the provider cannot be reached, or none is configured. */
  findProvider(): Promise<boolean> {
    if (this.#finding !== undefined) return this.#finding
    if (this.#parts.provider === undefined || this.#parts.now() < this.#askAgainMs)
      return Promise.resolve(false)
    this.#finding = this.#find(this.#parts.provider)
    return this.#finding
  }

  async #find(provider: NonNullable<SignInConfig['oidc']>): Promise<boolean> {
    const oidc = await findProvider(provider, this.#parts.onEvent)
    if (oidc !== undefined) {
      const library = openLibrary({ ...this.#parts, oidc })
      await library.$context
      this.#current = library
      return true
    }
    this.#askAgainMs = this.#parts.now() + ASK_AGAIN_MS
    this.#finding = undefined
    return false
  }
}
