import fc from 'fast-check'
import { mintApiKey } from '../../src/keys/mint-key.ts'
import { doubtfulTexts, goodTexts } from './parameter-values.ts'
import type { PublishedOperation, PublishedParameter } from './published-document.ts'

/** The parts of a generated request. */
export interface ContractRequest {
  /** A path template of the document, or an unknown path. */
  readonly path: string
  /** The value of the parameter in the path. */
  readonly name: string
  readonly pathStyle: 'plain' | 'encoded' | 'slash'
  readonly pairs: readonly Pair[]
  readonly method: string
  readonly accept: string | undefined
  readonly acceptEncoding: string | undefined
  readonly credential: Credential
  readonly ifNoneMatch: 'nothing' | 'anything' | 'another' | 'current' | 'current weakly'
  readonly requestId: string | undefined
}

/** A query parameter and its notation. `bare`: without `=`; `broken`: with a value that is not UTF-8. */
export interface Pair {
  readonly name: string
  readonly value: string
  readonly style: 'plain' | 'form' | 'encoded' | 'bare' | 'broken'
}

const GOOD_CREDENTIALS = ['Bearer', 'bearer', 'x-api-key', 'Basic and x-api-key'] as const
export const WRONG_CREDENTIALS = ['none', 'unknown', 'malformed', 'Basic', 'wrong Bearer and x-api-key'] as const
export type Credential =
  | (typeof GOOD_CREDENTIALS)[number]
  | (typeof WRONG_CREDENTIALS)[number]
  | 'suspended'
  | 'limited'

/** A key whose organization is suspended. */
export const SUSPENDED = mintApiKey({ organizationId: '', name: 'suspended' }, 0)

/** A key that is limited to networks for documentation (RFC 5737, RFC 3849), where no caller is. */
export const LIMITED = mintApiKey(
  { organizationId: '', name: 'limited', networks: ['203.0.113.0/24', '2001:db8::/32'] },
  0,
)

/** Requests for every operation, most of them valid or nearly so. `occurring`: values of the service, by parameter. */
export function requestsFor(
  operations: readonly PublishedOperation[],
  occurring: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<ContractRequest> {
  const known = operations.map((operation) => requestFor(operation, occurring))
  return fc.oneof(
    { weight: 97, arbitrary: fc.oneof(...known) },
    {
      weight: 3,
      arbitrary: requestWith(fc.constantFrom(...UNKNOWN_PATHS), fc.constant(''), fc.constant([])),
    },
  )
}

/** Paths without an operation, some of them similar to existing ones. */
const UNKNOWN_PATHS = [
  '/v1',
  '/v1/',
  '/v1/nothing',
  '/v1/scheduling',
  '/v1/scheduling/Slots',
  '/v1/fhir',
  '/v1/%',
  '/%76%31/x',
]

type Occurring = Readonly<Record<string, readonly string[]>>

function requestFor({ path, parameters }: PublishedOperation, occurring: Occurring): fc.Arbitrary<ContractRequest> {
  const ofQuery = parameters.filter((parameter) => parameter.in === 'query')
  const ofPath = parameters.find((parameter) => parameter.in === 'path')
  const name = ofPath === undefined ? fc.constant('') : namesOf(ofPath, occurring)
  return requestWith(fc.constant(path), name, pairsOf(ofQuery, occurring))
}

function requestWith(
  path: fc.Arbitrary<string>,
  name: fc.Arbitrary<string>,
  pairs: fc.Arbitrary<readonly Pair[]>,
): fc.Arbitrary<ContractRequest> {
  return fc.record({
    path,
    name,
    pathStyle: often('plain', fc.constantFrom('encoded', 'slash')),
    pairs,
    method: often('GET', fc.constantFrom('HEAD', 'HEAD', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'QUERY')),
    accept: often(undefined, accepts, 2),
    acceptEncoding: often(
      undefined,
      fc.constantFrom('gzip', 'br', 'zstd', 'gzip;q=0.5, br', 'identity', '*', 'gzip;q=0'),
    ),
    credential: often<Credential>(
      'Bearer',
      fc.constantFrom(...GOOD_CREDENTIALS, ...WRONG_CREDENTIALS, 'suspended', 'limited'),
    ),
    ifNoneMatch: often('nothing', fc.constantFrom('anything', 'another', 'current', 'current weakly')),
    requestId: often(undefined, fc.constantFrom('a1:b-2.c_3', 'not harmless', 'x'.repeat(129))),
  })
}

/** Mostly the usual value: `weight` times as often as others. */
function often<T>(usual: T, others: fc.Arbitrary<T>, weight = 6): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others })
}

function namesOf(parameter: PublishedParameter, occurring: Occurring): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: valuesOf(parameter, occurring) },
    { weight: 1, arbitrary: fc.constantFrom('nope', 'x'.repeat(300), 'ü', '%', 'A'.repeat(24), "'") },
  )
}

function pairsOf(parameters: readonly PublishedParameter[], occurring: Occurring): fc.Arbitrary<readonly Pair[]> {
  const valid = validPairs(parameters, occurring)
  const invalidated = fc
    .tuple(valid, invalidating(parameters, occurring))
    .chain(([some, more]) => fc.shuffledSubarray([...some, ...more], { minLength: some.length + more.length }))
  return fc.oneof({ weight: 3, arbitrary: valid }, { weight: 2, arbitrary: invalidated })
}

/** Some parameters, mostly with valid values. Their combination may be invalid. */
export function validPairs(
  parameters: readonly PublishedParameter[],
  occurring: Occurring,
): fc.Arbitrary<readonly Pair[]> {
  // Pages of changes require `since`, and streams do not.
  const isUsual = ({ name, required }: PublishedParameter) => required || name === 'since'
  const usual = parameters.filter(isUsual)
  const optional = parameters.filter((parameter) => !isUsual(parameter))
  return fc
    .tuple(
      fc.subarray(optional, { maxLength: Math.min(3, optional.length) }),
      often<readonly PublishedParameter[]>(usual, fc.constant([]), 20),
    )
    .chain(([some, all]) => fc.tuple(...[...all, ...some].map((parameter) => validPair(parameter, occurring))))
    .map((lists) => lists.flat())
}

/** A parameter, once or, if it is a list, repeatedly. */
function validPair(parameter: PublishedParameter, occurring: Occurring): fc.Arbitrary<Pair[]> {
  const { name, schema } = parameter
  const values = valuesOf(parameter, occurring)
  const times = schema.items === undefined ? fc.constant(1) : often(1, fc.integer({ min: 2, max: 3 }), 3)
  return times
    .chain((count) => fc.tuple(...Array.from({ length: count }, () => written(fc.constant(name), values))))
    .map((pairs) => pairs.map((pair) => (name === 'sort' ? { ...pair, value: 'start' } : pair)))
}

function valuesOf({ name, schema }: PublishedParameter, occurring: Occurring): fc.Arbitrary<string> {
  const known = occurring[name] ?? []
  if (known.length === 0) return goodTexts(schema)
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: goodTexts(schema) })
}

/** One or two pairs that may make a request invalid. */
function invalidating(parameters: readonly PublishedParameter[], occurring: Occurring): fc.Arbitrary<Pair[]> {
  const unknown = fc.oneof(
    // Parameters that are implemented but not documented would be found by these.
    fc.constantFrom(...Object.keys(occurring)),
    fc.constantFrom('', 'Limit', 'page', 'state[]', '__proto__', 'constructor', 'toString', 'api_key', 'n'.repeat(150)),
    fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => text.isWellFormed()),
  )
  const strange = written(unknown, fc.constantFrom('', '1', 'é'))
  if (parameters.length === 0) return fc.tuple(strange)
  const wrong = fc
    .constantFrom(...parameters)
    .chain(({ name, schema }) => written(fc.constant(name), doubtfulTexts(schema)))
  const broken = fc.constantFrom(...parameters).map(({ name }): Pair => ({ name, value: '', style: 'broken' }))
  const twice = fc
    .constantFrom(...parameters)
    .chain((parameter) => fc.tuple(validPair(parameter, occurring), validPair(parameter, occurring)))
    .map((pairs) => pairs.flat())
  const near = fc.tuple(written(fc.constant('near'), valuesOf(parameterNamed('near', parameters), occurring)))
  const together = fc.constantFrom<Pair[]>(
    [plain('radiusKm', '80')],
    [plain('sort', 'distance')],
    [plain('cursor', ''), plain('offset', '3')],
  )
  return fc.oneof<fc.WeightedArbitrary<Pair[]>[]>(
    { weight: 6, arbitrary: fc.tuple(wrong) },
    { weight: 2, arbitrary: fc.tuple(strange) },
    { weight: 1, arbitrary: fc.tuple(broken) },
    { weight: 2, arbitrary: twice },
    { weight: 1, arbitrary: together },
    { weight: 2, arbitrary: fc.tuple(near, together).map((lists) => lists.flat()) },
    { weight: 1, arbitrary: fc.constantFrom(20, 60, 61).map((count) => many(count)) },
  )
}

function parameterNamed(name: string, parameters: readonly PublishedParameter[]): PublishedParameter {
  const found = parameters.find((parameter) => parameter.name === name)
  return found ?? { name, in: 'query', required: false, schema: { type: 'string', maxLength: 20 } }
}

/** As many values as may be repeated, or one more, or values that make the target too long. */
function many(count: number): Pair[] {
  const value = count === 20 ? 'ü'.repeat(140) : 'x'
  return Array.from({ length: count }, (_, n) => plain('publisher', `${value}${n}`))
}

function plain(name: string, value: string): Pair {
  return { name, value, style: 'plain' }
}

function written(name: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<Pair> {
  const style = often<Pair['style']>('plain', fc.constantFrom('form', 'encoded', 'bare'))
  return fc
    .record({ name, value, style })
    .map((pair) => (pair.style === 'bare' && pair.value !== '' ? { ...pair, style: 'plain' } : pair))
}

const RANGES = [
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/fhir+ndjson',
  'text/csv',
  'text/event-stream',
  'application/problem+json',
  'application/*',
  'text/*',
  '*/*',
  'text/html',
]
const accepts = fc
  .uniqueArray(
    fc.record({
      range: fc.constantFrom(...RANGES),
      weight: fc.constantFrom('', '', ';q=1', '; q=0.5', ';q=0'),
    }),
    { minLength: 1, maxLength: 3, selector: ({ range }) => range },
  )
  .map((ranges) => ranges.map(({ range, weight }) => range + weight).join(', '))
