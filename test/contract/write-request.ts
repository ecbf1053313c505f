import { mintKey } from '../../src/keys/mint-key.ts'
import type { RawRequest } from './ask.ts'
import { type ContractRequest, type Credential, LIMITED, type Pair, SUSPENDED } from './requests.ts'

/** A request as sent over the wire. `etag`: of a response that the caller has cached. */
export function writeRequest(request: ContractRequest, key: string, etag = '"none"'): RawRequest {
  const { method, accept, acceptEncoding, requestId } = request
  const headers = {
    accept,
    'accept-encoding': acceptEncoding,
    'x-request-id': requestId,
    'if-none-match': tagsOf(request.ifNoneMatch, etag),
    ...credentials(request.credential, key),
  }
  return {
    method,
    target: targetOf(request),
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  }
}

/** Path and query. */
export function targetOf({ path, name, pathStyle, pairs }: ContractRequest): string {
  const whole = path.replace(/\{\w+\}/, () => encodeURIComponent(name))
  const at = whole.lastIndexOf('/') + 1
  const written = {
    plain: whole,
    encoded:
      whole.slice(0, at) +
      (/^[\w$]/.test(whole.slice(at)) ? `%${hex(whole[at])}${whole.slice(at + 1)}` : whole.slice(at)),
    slash: `${whole}/`,
  }[pathStyle]
  return pairs.length === 0 ? written : `${written}?${writePairs(pairs)}`
}

/** The query string. */
export function writePairs(pairs: readonly Pair[]): string {
  return pairs.map(writePair).join('&')
}

function writePair({ name, value, style }: Pair): string {
  const plain = encodeURIComponent(name)
  switch (style) {
    case 'bare':
      return plain
    case 'broken':
      return `${plain}=%ff%`
    case 'encoded':
      return `${everyByte(name)}=${everyByte(value)}`
    case 'form':
      return `${plain}=${encodeURIComponent(value).replaceAll('%20', '+')}`
    default:
      return `${plain}=${encodeURIComponent(value)}`
  }
}

function everyByte(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

function hex(letter: string): string {
  return letter.charCodeAt(0).toString(16)
}

function tagsOf(which: ContractRequest['ifNoneMatch'], etag: string): string | undefined {
  return {
    nothing: undefined,
    anything: '*',
    another: '"another", W/"one"',
    current: etag,
    'current weakly': `"x", W/${etag.replace(/^W\//, '')}`,
  }[which]
}

const UNKNOWN_KEY = mintKey()

function credentials(which: Credential, key: string): Record<string, string> {
  const basic = 'Basic dTpw'
  return {
    Bearer: { authorization: `Bearer ${key}` },
    bearer: { authorization: `bearer  ${key}` },
    'x-api-key': { 'x-api-key': key },
    'Basic and x-api-key': { authorization: basic, 'x-api-key': key },
    none: {},
    unknown: { authorization: `Bearer ${UNKNOWN_KEY}` },
    limited: { authorization: `Bearer ${LIMITED.secret}` },
    malformed: { authorization: `Bearer ${key}x` },
    Basic: { authorization: basic },
    suspended: { authorization: `Bearer ${SUSPENDED.secret}` },
    'wrong Bearer and x-api-key': { authorization: `Bearer ${UNKNOWN_KEY}`, 'x-api-key': key },
  }[which] as Record<string, string>
}
