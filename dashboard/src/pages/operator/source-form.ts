import { isObject, type Json } from '../../../../src/lib/json.ts'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import type { ReviewPolicy } from '../../../../src/store/contracts/source-watch.ts'
import { ApiError } from '../../api/client.ts'

/** What is filled in to add a source; each text as it stands in its field. */
export interface SourceValues extends Record<string, unknown> {
  format: 'smart-links' | 'fhir-search'
  url: string
  slug: string
  name: string
  everyMinutes: number | ''
  strict: boolean
  hold: ReviewPolicy
  /** Lines of `Name: value`. */
  headers: string
  /** Lines of `name=value`. */
  query: string
  daysAhead: number | ''
  authorization: '' | 'client-credentials' | 'backend-services'
  tokenUrl: string
  clientId: string
  secret: string
  scope: string
}

export const EMPTY_SOURCE: SourceValues = {
  format: 'smart-links',
  url: '',
  slug: '',
  name: '',
  everyMinutes: '',
  strict: false,
  hold: 'emptied',
  headers: '',
  query: '',
  daysAhead: '',
  authorization: '',
  tokenUrl: '',
  clientId: '',
  secret: '',
  scope: '',
}

/** What is wrong with each field, as `useForm` asks for it; the rest is for the service to say. */
export function sourceValidation(taken: readonly string[]) {
  return {
    url: (text: string) =>
      /^https?:$/.test(URL.parse(text.trim())?.protocol ?? '')
        ? null
        : 'Enter an address that begins with https:// or http://',
    slug: (slug: string) => slugFault(slug.trim(), taken),
    headers: (text: string) => linesFault(text, ':', 'Name: value'),
    query: (text: string) => linesFault(text, '=', 'name=value'),
  }
}

/** True where the manifest can be looked at beforehand: a look sends neither headers nor parameters. */
export function canCheck({ format, headers, query }: SourceValues): boolean {
  return format === 'smart-links' && `${headers}${query}`.trim() === ''
}

/** What is sent to add the source. */
export function sourceBody(values: SourceValues): object {
  const { format, everyMinutes, strict } = values
  const name = values.name.trim()
  return {
    format,
    url: values.url.trim(),
    slug: values.slug.trim(),
    strict,
    ...(name !== '' && { name }),
    ...(everyMinutes !== '' && { everyMinutes }),
    options: optionsOf(values),
  }
}

/** The same refusal at the field of the form that is wrong: the service names `options.authorization.clientSecret`. */
export function mapFieldError(fault: unknown): unknown {
  if (!(fault instanceof ApiError) || !fault.field?.startsWith('options.')) return fault
  const { status, code, message } = fault
  const [last = ''] = fault.field.split('.').slice(-1)
  return new ApiError({ status, code, message, field: SECRETS.has(last) ? 'secret' : last })
}

const SECRETS: ReadonlySet<string> = new Set(['clientSecret', 'privateKey'])

function optionsOf(values: SourceValues): object {
  const headers = pairsOf(values.headers, ':')
  const query = pairsOf(values.query, '=')
  const asked = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(query).length > 0 && { query }),
  }
  if (values.format === 'smart-links') return asked
  return {
    ...asked,
    ...(values.daysAhead !== '' && { daysAhead: values.daysAhead }),
    ...(values.authorization !== '' && { authorization: authorizationOf(values) }),
  }
}

function authorizationOf({ authorization: kind, tokenUrl, clientId, secret, scope }: SourceValues): object {
  return {
    kind,
    tokenUrl: tokenUrl.trim(),
    clientId: clientId.trim(),
    [kind === 'client-credentials' ? 'clientSecret' : 'privateKey']: secret.trim(),
    ...(scope.trim() !== '' && { scope: scope.trim() }),
  }
}

function pairsOf(text: string, sign: ':' | '='): Record<string, string> {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const at = line.indexOf(sign)
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}

function linesFault(text: string, sign: ':' | '=', form: string): string | null {
  const lines = linesOf(text)
  const wrong = lines.findIndex((line) => line.indexOf(sign) < 1)
  if (wrong !== -1) return `Line ${wrong + 1} must be ${form}`
  const names = lines.map((line) => line.slice(0, line.indexOf(sign)).trim())
  const twice = names.find((name, n) => names.indexOf(name) < n)
  return twice === undefined ? null : `Name ${twice} once`
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function slugFault(slug: string, taken: readonly string[]): string | null {
  if (taken.includes(slug)) return 'Another source has this slug. Please choose another.'
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(slug)
    ? null
    : 'Use lower-case letters, digits and hyphens, 63 at most'
}

/** A source as the form shows it. Values that are hidden stand there as the service shows them. */
export function valuesOf(source: SourceView): SourceValues {
  const { slug, url, strict, hold, format, name = '', everyMinutes = '', options = {} } = source
  const { headers, query, daysAhead = '', authorization } = options
  return {
    ...EMPTY_SOURCE,
    format: format === 'fhir-search' ? format : 'smart-links',
    url,
    slug,
    name,
    everyMinutes,
    strict,
    hold,
    headers: pairLines(headers, ': '),
    query: pairLines(query, '='),
    daysAhead,
    ...(authorization !== undefined && {
      authorization: authorization.kind,
      tokenUrl: authorization.tokenUrl,
      clientId: authorization.clientId,
      secret:
        authorization.kind === 'client-credentials' ? authorization.clientSecret : authorization.privateKey,
      scope: authorization.scope ?? '',
    }),
  }
}

/** What is wrong with each field: nobody is asked for files. */
export function editValidation({ format }: SourceView) {
  return format === 'files' ? {} : sourceValidation([])
}

/** What is sent: only what was changed, so that nothing is undone that somebody else changed meanwhile. Empty if nothing was. */
export function editPatch(before: SourceValues, after: SourceValues): Readonly<Record<string, unknown>> {
  return patchOf({ ...sourceBody(before), hold: before.hold }, { ...sourceBody(after), hold: after.hold })
}

/** A JSON Merge Patch (RFC 7396) from one to the other. */
function patchOf(before: Json, after: Json): Json {
  const gone = Object.keys(before).filter((name) => after[name] === undefined)
  const other = Object.entries(after).flatMap(([name, value]) => {
    const was = before[name]
    if (!isObject(was) || !isObject(value)) return value === was ? [] : [[name, value] as const]
    const patch = patchOf(was, value)
    return Object.keys(patch).length === 0 ? [] : [[name, patch] as const]
  })
  return Object.fromEntries([...gone.map((name) => [name, null] as const), ...other])
}

function pairLines(pairs: Readonly<Record<string, string>> = {}, sign: string): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}${sign}${value}`)
    .join('\n')
}
