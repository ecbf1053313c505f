import { queryOptions } from '@tanstack/react-query'
import { callAuth } from './better-auth.ts'
import { ApiError } from './client.ts'

export const passkeysQuery = queryOptions({
  queryKey: ['auth', 'passkeys'],
  queryFn: ({ signal }) => callAuth('GET /passkey/list-user-passkeys', { signal }),
})

/** True if the browser supports passkeys and their JSON forms (Baseline since 2025). */
export const canUsePasskeys =
  typeof PublicKeyCredential !== 'undefined' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential

/** Signs in with a passkey of this device. Throws `ApiError`; `canceled` if the visitor closed the browser's dialog. */
export async function signInWithPasskey(): Promise<void> {
  const options = await callAuth('GET /passkey/generate-authenticate-options')
  const credential = await requestCredential(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
  await callAuth('POST /passkey/verify-authentication', { body: { response: credential.toJSON() } })
}

/** Creates and registers a passkey on this device. Throws like `signInWithPasskey`. */
export async function addPasskey(name: string): Promise<void> {
  const options = await callAuth('GET /passkey/generate-register-options', { query: { name } })
  const credential = await requestCredential(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
  await callAuth('POST /passkey/verify-registration', { body: { response: credential.toJSON(), name } })
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
