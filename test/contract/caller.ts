import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type fc from 'fast-check'
import type { QueryResult, RawRequest } from './ask.ts'
import type { ContractService } from './contract-service.ts'
import { type Facts, judgeRequest, typesOf, type Verdict } from './judge-request.ts'
import { occurringValues } from './occurring-values.ts'
import { preferredTypes } from './preferred-types.ts'
import { type ContractRequest, requestsFor } from './requests.ts'
import { parseError, ResponseValidator, typeOf } from './response-validator.ts'
import { writeRequest } from './write-request.ts'

/** Sends requests and validates the responses against the document. */
export class Caller {
  readonly requests: fc.Arbitrary<ContractRequest>
  readonly #service: ContractService
  readonly #facts: Facts
  readonly #validator: ResponseValidator
  /** The number of responses by operation and status; and of those with status 200, how many had slots, actors and so on. */
  readonly #tally = new Map<string, number>()

  constructor(service: ContractService) {
    const occurring = occurringValues(service)
    this.requests = requestsFor(service.document.operations, occurring)
    this.#service = service
    this.#facts = { document: service.document, occurring }
    this.#validator = new ResponseValidator(service.document)
  }

  async check(request: ContractRequest, key: string): Promise<void> {
    const verdict = judgeRequest(request, this.#facts)
    const { asked, answer } = await this.#ask(request, key, verdict)
    this.#count(request, answer)
    const said = `${asked.method} ${asked.target} ${JSON.stringify(asked.headers)}\n→ ${answer.status} ${answer.text.slice(0, 300)}\n`
    try {
      this.#checkVerdict(verdict, request, answer)
      if (answer.status === 204) assert.match(String(answer.headers.allow), /, OPTIONS$/)
      else this.#validator.validate(request.pathStyle === 'slash' ? '' : request.path, asked, answer)
      // The message of a 405 names the method.
      if (asked.method === 'HEAD' && answer.status !== 405) await this.#checkHead(asked, answer)
    } catch (error) {
      throw new Error(`${said}${error instanceof Error ? error.message : error}`, { cause: error })
    }
  }

  /** Repeats a request with an ETag that became outdated: the published feed may have a new version every half a minute. */
  async #ask(request: ContractRequest, key: string, { statuses }: Verdict) {
    const isCurrent = request.ifNoneMatch.startsWith('current')
    const ask = async () => {
      const asked = writeRequest(request, key, isCurrent ? await this.#etagOf(request, key) : undefined)
      return { asked, answer: await this.#service.client.ask(asked) }
    }
    const first = await ask()
    return isCurrent && !statuses.includes(first.answer.status) ? ask() : first
  }

  /** Repeats both requests if the responses differ, for the same reason. */
  async #checkHead(asked: RawRequest, head: QueryResult): Promise<void> {
    const get = () => this.#service.client.ask({ ...asked, method: 'GET' })
    try {
      checkHead(head, await get())
    } catch {
      checkHead(await this.#service.client.ask(asked), await get())
    }
  }

  /** Reports the counts and throws if a count is too low to be meaningful. */
  requireVariety(t: TestContext, requests: number): void {
    const rows = [...this.#tally].sort(([a], [b]) => (a < b ? -1 : 1))
    t.diagnostic(rows.map(([what, count]) => `${what}: ${count}`).join('; '))
    for (const { path, method, responses } of this.#service.document.operations) {
      // The service has no subscriptions.
      if (method !== 'GET' || path.includes('/subscriptions/')) continue
      const expected = responses.has(302) ? [302] : [200, 406]
      for (const status of [...expected, 400, 401, 403, 404, 405])
        assert.ok(this.#tally.has(`${path} ${status}`), `no response of ${path} had status ${status}`)
    }
    for (const field of ['slots', 'actors', 'publishers', 'changes', 'lines'])
      assert.ok((this.#tally.get(`of which with ${field}`) ?? 0) > requests / 200, `few responses had ${field}`)
  }

  async #etagOf(request: ContractRequest, key: string): Promise<string | undefined> {
    const first = await this.#service.client.ask(writeRequest({ ...request, ifNoneMatch: 'nothing' }, key))
    return first.headers.etag
  }

  #checkVerdict({ statuses, parameters }: Verdict, request: ContractRequest, answer: QueryResult): void {
    assert.ok(statuses.includes(answer.status), `the status must be ${statuses.join(' or ')}`)
    if (answer.status === 400 && answer.text !== '') {
      const { parameter } = parseError(answer)
      const names = parameters.map((name) => (name.length > 100 ? `${name.slice(0, 100)}…` : name))
      assert.ok(names.includes(parameter ?? ''), `the error must name ${names.join(' or ')}`)
    }
    if (answer.status !== 200) return
    const operation = this.#service.document.operation(request.path)
    const preferred = preferredTypes(request.accept, typesOf(operation))
    assert.ok(preferred.includes(typeOf(answer)), `the type must be ${preferred.join(' or ')}, not ${typeOf(answer)}`)
  }

  #count({ path, method }: ContractRequest, answer: QueryResult): void {
    const count = (what: string) => this.#tally.set(what, (this.#tally.get(what) ?? 0) + 1)
    count(`${path} ${answer.status}`)
    if (answer.status !== 200 || method !== 'GET') return
    if (typeOf(answer) !== 'application/json') {
      if (answer.text !== '') count('of which with lines')
      return
    }
    for (const [name, value] of Object.entries(JSON.parse(answer.text)))
      if (Array.isArray(value) && value.length > 0) count(`of which with ${name}`)
  }
}

/** Headers that differ between responses or depend only on the connection or the body. */
const VARYING = [
  'date',
  'server-timing',
  'x-request-id',
  'cache-control',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
]

/** Checks that HEAD has the status and headers of GET, except those that only sending the body determines (RFC 9110, 9.3.2). */
function checkHead(head: QueryResult, get: QueryResult): void {
  assert.equal(head.status, get.status)
  const kept = ({ headers }: QueryResult) =>
    Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !VARYING.includes(name))
        // Each referral has another identifier.
        .map(([name, value]) => [name, String(value).replace(/booking-referral=[0-9a-f-]{36}/, '')]),
    )
  assert.deepEqual(kept(head), kept(get))
  const { 'content-length': length } = head.headers
  if (length !== undefined) assert.equal(length, get.headers['content-length'])
}
