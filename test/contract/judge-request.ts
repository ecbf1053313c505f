import { fits } from './parameter-values.ts'
import { preferredTypes } from './preferred-types.ts'
import type { PublishedDocument, PublishedOperation, PublishedParameter } from './published-document.ts'
import { type ContractRequest, type Pair, WRONG_CREDENTIALS } from './requests.ts'
import { targetOf } from './write-request.ts'

/** The responses that the document allows, including the rules in its descriptions. */
export interface Verdict {
  readonly statuses: readonly number[]
  /** The parameters that the error of a 400 may name. */
  readonly parameters: readonly string[]
}

const TARGET_LENGTH_MAX = 8192
const REPEATED_MAX = 60

/** The document, and facts about the service that are not in it. */
export interface Facts {
  readonly document: PublishedDocument
  readonly occurring: Readonly<Record<string, readonly string[]>>
}

export function judgeRequest(request: ContractRequest, facts: Facts): Verdict {
  const ofPath = facts.document.operations.filter(({ path }) => path === request.path)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const operation = ofPath.find((each) => each.method === method)
  if ((WRONG_CREDENTIALS as readonly string[]).includes(request.credential)) return only(401)
  if (request.credential === 'suspended' || request.credential === 'limited') return only(403)
  if (targetOf(request).length > TARGET_LENGTH_MAX) return only(414)
  if (ofPath.length === 0 || request.pathStyle === 'slash') return only(404)
  if (request.method === 'OPTIONS') return only(204)
  if (operation === undefined) return only(405)
  // No request has a body, and no ID is that of a subscription.
  if (method !== 'GET')
    return { statuses: [400, 404, 406], parameters: [...request.pairs.map(({ name }) => name), 'body'] }
  const types = preferredTypes(request.accept, typesOf(operation))
  if (types.length === 0 && !operation.responses.has(302)) return only(406)
  return judgeParameters(request, operation, { ...facts, types })
}

/** The documented media types of status 200. */
export function typesOf(operation: PublishedOperation): string[] {
  return [...(operation.responses.get(200)?.contents.keys() ?? [])]
}

function only(status: number): Verdict {
  return { statuses: [status], parameters: [] }
}

function judgeParameters(
  request: ContractRequest,
  operation: PublishedOperation,
  facts: Facts & { types: readonly string[] },
): Verdict {
  const wrong = new Set(invalidAlone(request.pairs, operation.parameters))
  const doubtful = new Set(uncertainAlone(request.pairs, operation.parameters))
  for (const [name, isCertain] of invalidTogether(request, operation, facts)) (isCertain ? wrong : doubtful).add(name)
  const parameters = [...wrong, ...doubtful]
  if (wrong.size > 0) return { statuses: [400], parameters }
  const good = statusesIfValid(request, operation, facts)
  return { statuses: doubtful.size > 0 ? [400, ...good] : good, parameters }
}

/** Parameters that are invalid whatever the others are. */
function invalidAlone(pairs: readonly Pair[], parameters: readonly PublishedParameter[]): string[] {
  const table = new Map(parameters.filter((one) => one.in === 'query').map((one) => [one.name, one]))
  const missing = [...table.values()].filter(
    ({ name, required }) => required && !pairs.some((pair) => pair.name === name),
  )
  const values = pairs.flatMap((pair) => {
    const schema = table.get(pair.name)?.schema
    if (schema === undefined) return isEmpty(pair) ? [] : [pair.name]
    const isRepeated = schema.items === undefined && pairs.filter(({ name }) => name === pair.name).length > 1
    // Spaces around a state are ignored, which its pattern does not show.
    const value = pair.name === 'state' ? pair.value.trim() : pair.value
    const isWrong = pair.style === 'broken' || fits(schema.items ?? schema, value) === false || !isKnownZone(pair)
    return isRepeated || isWrong ? [pair.name] : []
  })
  const repeated = pairs.filter(({ name }) => table.get(name)?.schema.items !== undefined)
  const many = repeated.length > REPEATED_MAX ? repeated.map(({ name }) => name) : []
  return [...missing.map(({ name }) => name), ...values, ...many]
}

/** Whether nothing is between two `&`. */
function isEmpty({ name, style }: Pair): boolean {
  return name === '' && style === 'bare'
}

/** False for an unknown time zone: the schema allows any text. */
function isKnownZone({ name, value }: Pair): boolean {
  if (name !== 'timeZone') return true
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: value }))
  } catch {
    return false
  }
}

function uncertainAlone(pairs: readonly Pair[], parameters: readonly PublishedParameter[]): string[] {
  return pairs
    .filter(({ name, value }) => {
      const schema = parameters.find((one) => one.name === name)?.schema
      if (schema === undefined) return false
      return fits(schema.items ?? schema, value) === undefined || mayBeUnknown(name, value)
    })
    .map(({ name }) => name)
}

/** Whether a text may be invalid although its schema allows it: not every name is that of a state. */
export function mayBeUnknown(name: string, value: string): boolean {
  return name === 'state' && value.length !== 2
}

/** Parameters that the descriptions forbid in this combination, and whether they are certainly refused. */
function invalidTogether(
  { pairs }: ContractRequest,
  { path }: PublishedOperation,
  { types, occurring }: Facts & { types: readonly string[] },
): [name: string, isCertain: boolean][] {
  const has = (name: string) => pairs.some((pair) => pair.name === name)
  const textOf = (name: string) => pairs.find((pair) => pair.name === name)?.value
  const wrong: [string, boolean][] = []
  if (has('radiusKm') && !has('near')) wrong.push(['radiusKm', true])
  if (textOf('sort') === 'distance' && !has('near')) wrong.push(['sort', true])
  const cursor = textOf('cursor')
  if (cursor !== undefined && has('offset')) wrong.push(['cursor', true])
  // The known cursors are of the plain list, and invalid for another one.
  if (cursor !== undefined && cursor !== '' && !path.includes('/subscriptions')) {
    const isOfPlainList = occurring.cursor.includes(cursor)
    if (!isOfPlainList || pairs.some(({ name }) => name !== 'cursor' && name !== 'limit'))
      wrong.push(['cursor', !isOfPlainList])
  }
  // Only a stream may begin without a revision.
  if (path === '/v1/scheduling/changes' && !has('since')) wrong.push(['since', !types.includes('text/event-stream')])
  if (path !== '/v1/scheduling/slots') return wrong
  const isExport = types.every((type) => type !== 'application/json')
  const mayBeExport = types.some((type) => type !== 'application/json')
  for (const name of ['limit', 'offset', 'cursor']) if (mayBeExport && has(name)) wrong.push([name, isExport])
  return wrong
}

function statusesIfValid(request: ContractRequest, operation: PublishedOperation, { occurring }: Facts): number[] {
  const { ifNoneMatch, name, pairs } = request
  const ofPath = operation.parameters.find((parameter) => parameter.in === 'path')
  // The service has no subscriptions.
  if (operation.path.includes('/subscriptions/')) return [404]
  if (ofPath !== undefined && !occurring[ofPath.name].includes(name)) return gone(operation)
  // Not every slot has a booking link.
  if (operation.responses.has(302)) return [302, 404]
  const since = pairs.find((pair) => pair.name === 'since')?.value
  if (since !== undefined && !occurring.since.includes(since)) return [200, 410]
  const isTagged = operation.responses.has(304)
  if (!isTagged || ifNoneMatch === 'nothing' || ifNoneMatch === 'another') return [200]
  // The list has an ETag, and the export at the same path has none.
  return typesOf(operation).length > 1 ? [304, 200] : [304]
}

/** A released resource may redirect to the current one. */
function gone({ path, responses }: PublishedOperation): number[] {
  const missing = [307, 404, 410].filter((status) => status === 404 || responses.has(status))
  // An unknown page of updates ends the chain.
  return path === '/v1/fhir/updates/{page}' ? [...missing, 200, 304] : missing
}
