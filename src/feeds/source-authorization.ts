import type { SourceAuthorization } from './connector.ts'
import { OptionsFault, parseObject, parseText, requireReference, shown } from './option-texts.ts'

/** Takes what came as JSON for how an access token is had. Throws `OptionsFault`. */
export function parseAuthorization(value: unknown): SourceAuthorization {
  const said = parseObject('authorization', value)
  const secret = AUTHORIZATION_SECRETS.get(String(said.kind))
  if (secret === undefined)
    throw new OptionsFault(
      'authorization.kind',
      `must be ${[...AUTHORIZATION_SECRETS.keys()].join(' or ')}: got ${shown(said.kind)}`,
    )
  const known = ['kind', 'tokenUrl', 'clientId', 'scope', secret]
  const unknown = Object.keys(said).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new OptionsFault('authorization', `must be ${known.join(', ')}: got ${shown(unknown)}`)
  const tokenUrl = parseTokenUrl(said.tokenUrl)
  const clientId = parseText('authorization.clientId', said.clientId)
  const scope = said.scope === undefined ? {} : { scope: parseText('authorization.scope', said.scope) }
  const hidden = parseText(`authorization.${secret}`, said[secret])
  requireReference(`authorization.${secret}`, 'it as', hidden)
  return said.kind === 'client-credentials'
    ? { kind: 'client-credentials', tokenUrl, clientId, clientSecret: hidden, ...scope }
    : { kind: 'backend-services', tokenUrl, clientId, privateKey: hidden, ...scope }
}

/** Which member of each kind is secret. */
const AUTHORIZATION_SECRETS: ReadonlyMap<string, 'clientSecret' | 'privateKey'> = new Map([
  ['client-credentials', 'clientSecret'],
  ['backend-services', 'privateKey'],
] as const)

function parseTokenUrl(value: unknown): string {
  const text = parseText('authorization.tokenUrl', value)
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === '')
    return url.href
  throw new OptionsFault(
    'authorization.tokenUrl',
    'must be an http or https URL without a user, password or fragment',
  )
}
