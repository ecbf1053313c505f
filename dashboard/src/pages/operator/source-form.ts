import { isObject, type Json } from '../../../../src/lib/json.ts'
import type { NewSourceBody, SourceView } from '../../../../src/shared/contract/sources.ts'
import type { ReviewPolicy, ServerKind } from '../../../../src/shared/source-vocabulary.ts'
import { ApiError } from '../../api/client.ts'

/** The values of the source form. */
export interface SourceValues extends Record<string, unknown> {
  format: 'smart-links' | 'fhir-search'
  url: string
  slug: string
  name: string
  everyMinutes: number | ''
  slotsMax: number | ''
  strict: boolean
  serveTestData: boolean
  rejectedPercentMax: number | ''
  hold: ReviewPolicy
  /** Lines of `Name: value`. */
  headers: string
  /** Lines of `name=value`. */
  query: string
  daysAhead: number | ''
  server: ServerKind | ''
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
  slotsMax: '',
  strict: false,
  serveTestData: false,
  rejectedPercentMax: '',
  hold: 'extreme',
  headers: '',
  query: '',
  daysAhead: '',
  server: '',
  authorization: '',
  tokenUrl: '',
  clientId: '',
  secret: '',
  scope: '',
}

/** Validators for `useForm`; the server validates the rest. */
export const SOURCE_VALIDATION = {
  url: (text: string) =>
    /^https?:$/.test(URL.parse(text.trim())?.protocol ?? '')
      ? null
      : 'Enter a URL that starts with https:// or http://',
  slug: (slug: string) =>
    /^[a-z0-9][a-z0-9-]{0,62}$/.test(slug.trim()) ? null : 'Use at most 63 lowercase letters, digits and hyphens',
  headers: (text: string) => linesError(text, ':', 'Name: value'),
  query: (text: string) => linesError(text, '=', 'name=value'),
}

/** True if the manifest can be checked first: a check sends neither headers nor parameters. */
export function canCheck({ format, headers, query }: SourceValues): boolean {
  return format === 'smart-links' && `${headers}${query}`.trim() === ''
}

/** The request body that adds the source. */
export function sourceBody(values: SourceValues): NewSourceBody {
  const { format, everyMinutes, slotsMax, strict } = values
  const name = values.name.trim()
  return {
    format,
    url: values.url.trim(),
    slug: values.slug.trim(),
    strict,
    ...(name !== '' && { name }),
    ...(everyMinutes !== '' && { everyMinutes }),
    ...(slotsMax !== '' && { slotsMax }),
    options: optionsOf(values),
  }
}

/** Maps the field of an error to the form's field: the server names `options.authorization.clientSecret`. */
export function mapFieldError(error: unknown): unknown {
  if (!(error instanceof ApiError) || !error.field?.startsWith('options.')) return error
  const { status, code, message } = error
  const [last = ''] = error.field.split('.').slice(-1)
  return new ApiError({ status, code, message, field: SECRETS.has(last) ? 'secret' : last })
}

const SECRETS: ReadonlySet<string> = new Set(['clientSecret', 'privateKey'])

function optionsOf(values: SourceValues): object {
  const headers = pairsOf(values.headers, ':')
  const query = pairsOf(values.query, '=')
  const shared = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(values.serveTestData && { serveTestData: true }),
    ...(values.rejectedPercentMax !== '' && { rejectedPercentMax: values.rejectedPercentMax }),
  }
  if (values.format === 'smart-links') return shared
  return {
    ...shared,
    ...(values.daysAhead !== '' && { daysAhead: values.daysAhead }),
    ...(values.server !== '' && { server: values.server }),
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

function linesError(text: string, sign: ':' | '=', form: string): string | null {
  const lines = linesOf(text)
  const wrong = lines.findIndex((line) => line.indexOf(sign) < 1)
  if (wrong !== -1) return `Line ${wrong + 1} must be ${form}`
  const names = lines.map((line) => line.slice(0, line.indexOf(sign)).trim())
  const twice = names.find((name, n) => names.indexOf(name) < n)
  return twice === undefined ? null : `${twice} is listed twice`
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The form values of a source. Hidden values appear as the server masks them. */
export function formValuesOf(source: SourceView): SourceValues {
  const { slug, url, strict, hold, format, name = '', everyMinutes = '', slotsMax = '', options = {} } = source
  const { headers, query, daysAhead = '', server = '', authorization } = options
  const { serveTestData = false, rejectedPercentMax = '' } = options
  return {
    ...EMPTY_SOURCE,
    format: format === 'fhir-search' ? format : 'smart-links',
    url,
    slug,
    name,
    everyMinutes,
    slotsMax,
    strict,
    serveTestData,
    rejectedPercentMax,
    hold,
    headers: pairLines(headers, ': '),
    query: pairLines(query, '='),
    daysAhead,
    server,
    ...(authorization !== undefined && {
      authorization: authorization.kind,
      tokenUrl: authorization.tokenUrl,
      clientId: authorization.clientId,
      secret: authorization.kind === 'client-credentials' ? authorization.clientSecret : authorization.privateKey,
      scope: authorization.scope ?? '',
    }),
  }
}

/** Validators for an edit; sources of files have no URL. */
export function editValidation({ format }: SourceView) {
  return format === 'files' ? {} : SOURCE_VALIDATION
}

/** Only the changed fields, so that concurrent edits are not undone. Empty if nothing changed. */
export function editPatch(before: SourceValues, after: SourceValues): Readonly<Record<string, unknown>> {
  return patchOf({ ...sourceBody(before), hold: before.hold }, { ...sourceBody(after), hold: after.hold })
}

/** A JSON Merge Patch (RFC 7396) between two values. */
function patchOf(before: Json, after: Json): Json {
  const removed = Object.keys(before).filter((name) => after[name] === undefined)
  const other = Object.entries(after).flatMap(([name, value]) => {
    const was = before[name]
    if (!isObject(was) || !isObject(value)) return value === was ? [] : [[name, value] as const]
    const patch = patchOf(was, value)
    return Object.keys(patch).length === 0 ? [] : [[name, patch] as const]
  })
  return Object.fromEntries([...removed.map((name) => [name, null] as const), ...other])
}

function pairLines(pairs: Readonly<Record<string, string>> = {}, sign: string): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}${sign}${value}`)
    .join('\n')
}
