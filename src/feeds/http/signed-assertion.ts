import { randomUUID } from 'node:crypto'
import { importJWK, type JWK, SignJWT } from 'jose'
import { asObject, asText, type Json } from '../../lib/json.ts'
import { FeedFailure } from '../connector.ts'

/** What an assertion says, and what it is signed with. */
export interface Assertion {
  readonly clientId: string
  /** The token endpoint. */
  readonly audience: string
  /** A private JSON Web Key as JSON. */
  readonly privateKey: string
  readonly nowMs: number
}

/** SMART Backend Services allows five minutes; clocks differ. */
const LIFE_SECONDS = 240

/** Asymmetric ones: SMART asks for RS384 and ES384. */
const ALGORITHMS = /^(?:RS|PS|ES)(?:256|384|512)$/

/** A JSON Web Token by which a client proves who it is (RFC 7523, 2.2). Throws `FeedFailure` that says nothing of the key but what it lacks. */
export async function signedAssertion({ clientId, audience, privateKey, nowMs }: Assertion): Promise<string> {
  const jwk = parseKey(privateKey)
  const [alg, kid] = [asText(jwk.alg) ?? '', asText(jwk.kid) ?? '']
  const seconds = Math.floor(nowMs / 1000)
  try {
    const key = await importJWK(jwk as JWK, alg)
    return await new SignJWT()
      .setProtectedHeader({ alg, kid, typ: 'JWT' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience)
      .setJti(randomUUID())
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + LIFE_SECONDS)
      .sign(key)
  } catch {
    // What the library says could repeat parts of the key.
    throw failure(`it must be a usable key for ${alg}`)
  }
}

function parseKey(text: string): Json {
  let jwk: Json | undefined
  try {
    jwk = asObject(JSON.parse(text))
  } catch {
    // Said below.
  }
  if (jwk === undefined) throw failure('it must be a JSON Web Key as JSON')
  if (!ALGORITHMS.test(asText(jwk.alg) ?? ''))
    throw failure('"alg" must be RS384, ES384 or another asymmetric one')
  if (asText(jwk.kid) === undefined)
    throw failure('"kid" must be there: the server finds the public key by it')
  if (asText(jwk.d) === undefined) throw failure('"d" must be there: it must be the private key')
  return jwk
}

function failure(why: string): FeedFailure {
  return new FeedFailure(`Cannot sign in to the server: privateKey cannot be used: ${why}`)
}
