import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { QueryResult } from './ask.ts'
import type { ContractService } from './contract-service.ts'
import { mayBeUnknown } from './judge-request.ts'
import { occurringValues } from './occurring-values.ts'
import { doubtfulTexts, fits, goodTexts } from './parameter-values.ts'
import type { Check, PublishedParameter } from './published-document.ts'
import { parseError, ResponseValidator } from './response-validator.ts'

const PATH = '/v1/scheduling/subscriptions'

type Body = Readonly<Record<string, unknown>>

/** Whether a value is allowed; undefined if the document does not say. */
type Judgement = boolean | undefined

/** Sends bodies of subscriptions and checks that those that the document allows are accepted, and others refused with the name of a field. */
export class SubscriptionBodies {
  readonly #service: ContractService
  readonly #validator: ResponseValidator
  readonly #schemas: { readonly created: Check; readonly changed: Check }
  readonly #filters: ReadonlyMap<string, PublishedParameter>
  readonly #counts = new Map<string, number>()
  readonly #ids = new Map<string, Promise<string>>()

  constructor(service: ContractService) {
    this.#service = service
    this.#validator = new ResponseValidator(service.document)
    this.#schemas = {
      created: service.document.schema('NewSubscription'),
      changed: service.document.schema('SubscriptionChange'),
    }
    // The filters that changes share with the list.
    const { parameters } = service.document.operation('/v1/scheduling/changes')
    const filters = parameters.filter((one) => one.in === 'query' && !OF_PAGES.has(one.name))
    this.#filters = new Map(filters.map((parameter) => [parameter.name, parameter]))
  }

  get #filterObjects(): fc.Arbitrary<unknown> {
    return filtersOf([...this.#filters.values()], occurringValues(this.#service))
  }

  get newOnes(): fc.Arbitrary<Body> {
    const fields = { url: urls, filters: this.#filterObjects, ...OPTIONAL }
    const complete = fc.record(fields, { requiredKeys: ['url', 'filters'] })
    return withUnknown(fc.oneof({ weight: 12, arbitrary: complete }, fc.record(fields, { requiredKeys: [] })))
  }

  get changes(): fc.Arbitrary<Body> {
    return withUnknown(fc.record({ url: urls, filters: this.#filterObjects, ...CHANGES }, { requiredKeys: [] }))
  }

  /** Checks the creation of a subscription, which is deleted after. */
  async checkNew(body: Body, key: string): Promise<void> {
    await this.#service.endMinute()
    const answer = await this.#send('POST', PATH, { key, body })
    this.#judge(body, { check: this.#schemas.created, answer, success: 201 })
    if (answer.status !== 201) return
    const { id } = JSON.parse(answer.text)
    const removed = await this.#send('DELETE', `${PATH}/${id}`, { key })
    assert.equal(removed.status, 204)
  }

  /** Checks a change of the subscription of a key. */
  async checkChange(body: Body, key: string): Promise<void> {
    const id = await this.#idOf(key)
    await this.#service.endMinute()
    const answer = await this.#send('PATCH', `${PATH}/${id}`, { key, body })
    this.#judge(body, { check: this.#schemas.changed, answer, success: 200 })
  }

  /** Throws if an outcome is too rare to be meaningful. */
  requireVariety(): void {
    for (const status of [200, 201, 400])
      assert.ok((this.#counts.get(`${status}`) ?? 0) > 20, `few bodies got ${status}`)
  }

  #idOf(key: string): Promise<string> {
    const created = async () => {
      const body = { url: GOOD_URLS[0], filters: {} }
      return JSON.parse((await this.#send('POST', PATH, { key, body })).text).id
    }
    const id = this.#ids.get(key) ?? created()
    this.#ids.set(key, id)
    return id
  }

  async #send(method: string, target: string, { key, body }: { key: string; body?: Body }) {
    const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const asked = { method, target, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const answer = await this.#service.client.ask(asked)
    this.#counts.set(`${answer.status}`, (this.#counts.get(`${answer.status}`) ?? 0) + 1)
    const path = target === PATH ? PATH : `${PATH}/{id}`
    this.#validator.validate(path, asked, answer)
    return answer
  }

  #judge(body: Body, { check, answer, success }: { check: Check; answer: QueryResult; success: number }): void {
    const error = check(body)
    const judgements = [error === undefined, this.#judgeUrl(body), this.#judgeFilters(body), judgeExpiry(body)]
    const sent = `${JSON.stringify(body)}\n→ ${answer.status} ${answer.text}`
    if (judgements.includes(false)) assert.equal(answer.status, 400, `${sent}\nmust be refused: ${error ?? judgements}`)
    else if (!judgements.includes(undefined)) assert.equal(answer.status, success, `${sent}\nmust be accepted`)
    if (answer.status !== 400) return
    const name = String(parseError(answer).parameter).split('.')[0]
    const names = [...Object.keys(body), 'url', 'filters', 'body']
    assert.ok(
      names.some((one) => one === name || name.startsWith(one.slice(0, 90))),
      `${sent}\nmust name a field`,
    )
  }

  #judgeUrl({ url }: Body): Judgement {
    return url === undefined || GOOD_URLS.includes(url as string)
  }

  #judgeFilters({ filters }: Body): Judgement {
    if (filters === undefined) return true
    if (typeof filters !== 'object' || filters === null) return false
    const judgements = Object.entries(filters).map(([name, value]) => this.#judgeFilter(name, value))
    if (judgements.includes(false)) return false
    const isDoubtful = judgements.includes(undefined) || Object.keys(filters).some((name) => DEPENDENT.has(name))
    return isDoubtful ? undefined : true
  }

  #judgeFilter(name: string, value: unknown): Judgement {
    const schema = this.#filters.get(name)?.schema
    if (schema === undefined) return false
    const values = (Array.isArray(value) ? value : [value]).map(String)
    if (schema.items === undefined && new Set(values).size > 1) return false
    const judgements = values.map((each) => fits(schema.items ?? schema, name === 'state' ? each.trim() : each))
    if (judgements.includes(false)) return false
    const isDoubtful = judgements.includes(undefined) || values.some((each) => mayBeUnknown(name, each.trim()))
    return isDoubtful ? undefined : true
  }
}

/** Parameters of changes that are not filters. */
const OF_PAGES = new Set(['since', 'limit', 'fields'])

/** Filters whose validity depends on others, or on more than their form. */
const DEPENDENT = new Set(['status', 'near', 'radiusKm', 'startAfter', 'startBefore', 'timeZone'])

function judgeExpiry({ expiresAt }: Body): Judgement {
  if (typeof expiresAt !== 'string') return true
  const isInstant = fits({ type: 'string', format: 'date-time' }, expiresAt)
  if (isInstant !== true) return isInstant
  // A minute is longer than a request takes.
  const leftMs = Date.parse(expiresAt.replace(/\.\d+/, '')) - Date.now()
  return Math.abs(leftMs) < 60_000 ? undefined : leftMs > 0
}

const GOOD_URLS: readonly string[] = [
  'https://receiver.example/hook',
  'https://receiver.example:8443/a?b=c',
  `https://receiver.example/${'a'.repeat(2000 - 25)}`,
  'https://receiver.example/\u{1f600}',
]

/** Mostly valid values, and others at the limits. */
function mostly<Value>(good: fc.Arbitrary<Value>, others: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: fc.constantFrom(...others) })
}

const urls = mostly(fc.constantFrom(...GOOD_URLS), [
  'http://receiver.example/',
  'https://user:password@receiver.example/',
  'https://receiver.example/#part',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://localhost/',
  'ftp://receiver.example/',
  `https://receiver.example/${'a'.repeat(2001 - 25)}`,
  `https://receiver.example/${'\u{1f600}'.repeat(200)}`,
  'receiver.example',
  '',
  null,
  1,
  [],
])

const OPTIONAL = {
  description: mostly(
    fc.constantFrom('a', ' a ', 'x'.repeat(200), ` ${'x'.repeat(199)}`, '\u{1f600}'.repeat(200), 'إيجاد موعد', null),
    ['', ' ', '\u00a0', 'x'.repeat(201), '\u{1f600}'.repeat(201), 'a\nb', 'a\u2028b', 'a\u0007', '\ud800', 1, {}],
  ),
  events: mostly(fc.array(fc.constantFrom('slots.opened', 'slots.closed'), { minLength: 1, maxLength: 2 }), [
    [],
    ['slots.moved'],
    ['slots.opened', 'slots.closed', 'slots.opened'],
    [null],
    null,
    'slots.opened',
    {},
  ]),
  minIntervalSeconds: mostly(fc.constantFrom(1, 60, 86_400), [0, 86_401, -1, 1.5, 1e300, '60', null, true]),
  expiresAt: mostly(fc.constantFrom('2999-01-01T00:00:00Z', '2999-01-01T00:00:00.123+14:00', null), [
    '2020-01-01T00:00:00Z',
    '2999-01-01',
    '2999-02-30T00:00:00Z',
    '',
    1,
  ]),
}
const CHANGES = { ...OPTIONAL, status: mostly(fc.constantFrom('active', 'paused'), ['pending', 'disabled', '', null]) }
const UNKNOWN = fc.constantFrom('id', 'secret', 'createdAt', 'Url', '', '__proto__')

/** Adds a field that does not exist, or that callers cannot set, in some cases. */
function withUnknown(bodies: fc.Arbitrary<Body>): fc.Arbitrary<Body> {
  const invalid = fc
    .tuple(bodies, UNKNOWN)
    .map(([body, name]) => Object.fromEntries([...Object.entries(body), [name, 1]]))
  return fc.oneof({ weight: 12, arbitrary: bodies }, { weight: 1, arbitrary: invalid })
}

/** Some filters with valid or nearly valid values. */
function filtersOf(
  parameters: readonly PublishedParameter[],
  occurring: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<unknown> {
  const one = fc.constantFrom(...parameters).chain(({ name, schema }) => {
    const known = occurring[name] ?? []
    const good = known.length === 0 ? goodTexts(schema) : fc.constantFrom(...known)
    const value = fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: doubtfulTexts(schema) })
    const values = fc.oneof(
      { weight: 3, arbitrary: value.map(asJson) },
      { weight: 1, arbitrary: fc.array(value.map(asJson), { maxLength: 3 }) },
    )
    return fc.tuple(fc.constant(name), values)
  })
  const strange = fc.constantFrom<unknown[]>(
    null,
    [],
    'state=MA',
    { near: null },
    { nothing: 1 },
    { __proto__: null, constructor: 'x' },
    { state: [] },
    { state: Array(60).fill('MA') },
    { state: Array(61).fill('MA') },
    { state: { code: 'MA' } },
    { state: [['MA']] },
    { '': '' },
    { limit: 1 },
  )
  return fc.oneof(
    { weight: 12, arbitrary: fc.array(one, { maxLength: 2 }).map((pairs) => Object.fromEntries(pairs)) },
    { weight: 1, arbitrary: strange },
  )
}

/** A number or boolean as such, if the text is its usual form. */
function asJson(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  const number = Number(text)
  return text !== '' && String(number) === text && Number.isFinite(number) ? number : text
}
