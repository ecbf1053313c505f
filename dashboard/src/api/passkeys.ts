import { queryOptions } from '@tanstack/react-query'
import { ApiError, api, search } from './client.ts'

/** A passkey as returned by better-auth. */
export interface Passkey {
  readonly id: string
  readonly name?: string
  readonly createdAt: string
}

export const passkeysQuery = queryOptions({
  queryKey: ['auth', 'passkeys'],
  queryFn: ({ signal }) => api.get<Passkey[]>('/auth/passkey/list-user-passkeys', signal),
})

/** True if the browser supports passkeys and their JSON forms (Baseline since 2025). */
export const canUsePasskeys =
  typeof PublicKeyCredential !== 'undefined' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential

/** Signs in with a passkey of this device. Throws `ApiError`; `canceled` if the visitor closed the browser's dialog. */
export async function signInWithPasskey(): Promise<void> {
  const options = await api.get<PublicKeyCredentialRequestOptionsJSON>('/auth/passkey/generate-authenticate-options')
  const credential = await requestCredential(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
  await api.post('/auth/passkey/verify-authentication', { response: credential.toJSON() })
}

/** Creates and registers a passkey on this device. Throws like `signInWithPasskey`. */
export async function addPasskey(name: string): Promise<void> {
  const options = await api.get<PublicKeyCredentialCreationOptionsJSON>(
    `/auth/passkey/generate-register-options${search({ name })}`,
  )
  const credential = await requestCredential(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
  await api.post('/auth/passkey/verify-registration', { response: credential.toJSON(), name })
}

/** True if the visitor canceled. */
export function wasCanceled(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'canceled'
}

async function requestCredential(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await ask()
    if (credential instanceof PublicKeyCredential) return credential
  } catch (error) {
    throw refusedByBrowser(error)
  }
  throw refusedByBrowser(undefined)
}

function refusedByBrowser(error: unknown): ApiError {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'InvalidStateError') {
    return new ApiError({
      status: 0,
      code: 'known',
      message: 'This device already has a passkey for your account.',
    })
  }
  if (name === 'NotAllowedError' || name === 'AbortError') {
    return new ApiError({ status: 0, code: 'canceled', message: 'No passkey was selected.' })
  }
  return new ApiError({
    status: 0,
    code: 'passkey',
    message: "This browser couldn't use a passkey here. Sign in another way.",
  })
}
