import { isObject, type Json } from '../../../../src/lib/json.ts'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import { EMPTY_SOURCE, type SourceValues, sourceBody, sourceFaults } from './add-source-form.ts'

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
    headers: linesOf(headers, ': '),
    query: linesOf(query, '='),
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
export function editFaults({ format }: SourceView) {
  return format === 'files' ? {} : sourceFaults([])
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

function linesOf(pairs: Readonly<Record<string, string>> = {}, sign: string): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}${sign}${value}`)
    .join('\n')
}
