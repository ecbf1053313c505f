import assert from 'node:assert/strict'
import { parseCsv } from '../support/http/parse-csv.ts'
import type { QueryResult, RawRequest } from './ask.ts'
import { weightOf } from './preferred-types.ts'
import type { Check, PublishedDocument, PublishedResponse } from './published-document.ts'

/** Headers of HTTP that the document does not list. */
const PLAIN_HEADERS = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  // Every response has it: see secure-response.test.ts.
  'x-content-type-options',
  // For proxies; only streams have it.
  'x-accel-buffering',
  'content-security-policy',
])
const PROBLEM_TYPE = 'application/problem+json'
const OUTCOME_TYPE = 'application/fhir+json'

/** Validates a response by the documented schema of its status. `path`: as in the document. */
export class ResponseValidator {
  readonly #document: PublishedDocument
  readonly #slot: Check
  readonly #change: Check
  /** Valid lines, which most exports repeat. */
  readonly #goodLines = new Set<string>()

  constructor(document: PublishedDocument) {
    this.#document = document
    this.#slot = document.schema('Slot')
    this.#change = document.schema('Change')
  }

  /** Throws if the response does not match the document. */
  validate(path: string, asked: RawRequest, answer: QueryResult): void {
    const isOutcome = typeOf(answer) === OUTCOME_TYPE
    const response = this.#responseOf(isOutcome ? FEED_PATH : path, answer.status)
    validateHeaders(response, answer)
    const isEmpty = asked.method === 'HEAD' || answer.status === 304 || response.contents.size === 0
    if (answer.status !== 304 && response.contents.size > 0)
      assert.ok(typeOf(answer), 'a body must have a Content-Type')
    if (isEmpty) assert.equal(answer.sent.length, 0)
    else this.#validateBody(response, answer)
    if (answer.status >= 400) validateProblem(response, asked, answer)
    validateRequestId(asked, answer)
  }

  /** Validates the response to bytes that could not be parsed as a request. */
  validateUnparsed(answer: QueryResult): void {
    const response = this.#responseOf('', answer.status)
    validateHeaders(response, answer)
    this.#validateBody(response, answer)
    assert.ok(response.description.includes(JSON.parse(answer.text).error))
  }

  /** Unknown paths have the errors of known ones. */
  #responseOf(path: string, status: number): PublishedResponse {
    const { operations } = this.#document
    const own = operations.filter(
      (operation) => operation.path === path || (path === FEED_PATH && operation.path.startsWith(path)),
    )
    const found = (own.length > 0 ? own : operations)
      .map(({ responses }) => responses.get(status))
      .find((response) => response !== undefined)
    assert.ok(found, `the document must describe status ${status} of ${path}`)
    return found
  }

  #validateBody({ contents }: PublishedResponse, answer: QueryResult): void {
    const type = typeOf(answer)
    const check = contents.get(type)
    assert.ok(check, `the document must name the type ${type}: it names ${[...contents.keys()]}`)
    if (type === 'text/csv') validateTable(answer)
    else if (type === 'text/event-stream') this.#validateEvents(answer.text)
    else if (type.endsWith('ndjson')) this.#validateLines(type, answer)
    else assert.equal(check(JSON.parse(answer.text)), undefined)
  }

  #validateEvents(text: string): void {
    const [retry, ...blocks] = text.split('\n\n').slice(0, -1)
    assert.match(retry, /^retry: \d+$/)
    for (const block of blocks) {
      assert.match(block, /^(?:event: (?:added|changed|removed)\nid: \S+\ndata: .+|id: \S+)$/)
      const data = block.split('\ndata: ')[1]
      if (data !== undefined) assert.equal(this.#change(JSON.parse(data)), undefined)
    }
  }

  #validateLines(type: string, { text, headers }: QueryResult): void {
    assert.ok(text === '' || text.endsWith('\n'), 'the last line must end with a line break')
    const lines = text.split('\n').slice(0, -1)
    for (const line of lines) {
      if (this.#goodLines.has(line)) continue
      const value = JSON.parse(line)
      if ('resourceType' in value) assert.notEqual(type, 'text/csv')
      else assert.equal(this.#slot(value), undefined)
      this.#goodLines.add(line)
    }
    if (headers['slots-total'] !== undefined) assert.equal(headers['slots-total'], String(lines.length))
  }
}

/** The paths whose errors are OperationOutcomes. */
const FEED_PATH = '/v1/fhir/'

/** The error in a body of any of the three formats. */
export function parseError(answer: QueryResult): { readonly error: string; readonly parameter?: string } {
  const { error, title, parameter, issue } = JSON.parse(answer.text)
  if (typeOf(answer) !== OUTCOME_TYPE) return { error: title ?? error, parameter }
  return { error: issue[0].details.text, parameter: issue[0].location?.[0].replace(/^http\./, '') }
}

/** The media type without its parameters. */
export function typeOf({ headers }: QueryResult): string {
  return String(headers['content-type'] ?? '').split(';')[0]
}

function validateTable({ text, headers }: QueryResult): void {
  assert.equal(parseCsv(text).length, Number(headers['slots-total']))
}

function validateHeaders(response: PublishedResponse, { headers, sent }: QueryResult): void {
  for (const [name, value] of Object.entries(headers)) {
    if (PLAIN_HEADERS.has(name)) continue
    const known = response.headers.get(name)
    assert.ok(known, `the document must name the header ${name}: ${value}`)
    assert.equal(known.check(value), undefined, name)
  }
  for (const [name, { required }] of response.headers)
    assert.ok(!required || headers[name] !== undefined, `the header ${name} is missing`)
  if (headers['content-length'] !== undefined && sent.length > 0)
    assert.equal(headers['content-length'], String(sent.length))
}

/** Checks that an error has the documented name and the requested format. */
function validateProblem(
  { description }: PublishedResponse,
  { method, headers }: RawRequest,
  answer: QueryResult,
): void {
  const isProblem = mustBeProblem(headers.accept)
  const type = typeOf(answer)
  if (isProblem !== undefined && type !== OUTCOME_TYPE)
    assert.equal(type, isProblem ? PROBLEM_TYPE : 'application/json')
  if (method === 'HEAD') return
  const body = JSON.parse(answer.text)
  const { error, parameter } = parseError(answer)
  assert.ok(description.includes(error), `"${description}" must name "${error}"`)
  assert.equal(parameter !== undefined, error === 'Invalid parameter')
  if (type !== PROBLEM_TYPE) return
  assert.equal(body.status, answer.status)
  assert.equal(decodeURIComponent(body.instance), `urn:request:${answer.headers['x-request-id']}`)
}

/** Whether `Accept` requires RFC 9457, which it must name; undefined if it prefers JSON, so that either is right. */
function mustBeProblem(accept: string | undefined): boolean | undefined {
  if (accept === undefined || !accept.includes(PROBLEM_TYPE)) return false
  const weight = weightOf(PROBLEM_TYPE, accept)
  if (weight === 0) return false
  return !accept.includes('application/json') || weight >= weightOf('application/json', accept) ? true : undefined
}

/** Checks that the request ID is that of the caller, if it is well-formed. */
function validateRequestId({ headers }: RawRequest, answer: QueryResult): void {
  const [sent, returned] = [headers['x-request-id'], answer.headers['x-request-id']]
  if (sent !== undefined && /^[\w.:-]{1,128}$/.test(sent)) assert.equal(returned, sent)
  else assert.match(String(returned), /^[\w.:-]{1,128}$/)
}
