import assert from 'node:assert/strict'
import { parseCsv } from '../support/http/parse-csv.ts'
import { weightOf } from './accepted-types.ts'
import type { PlainAsk, QueryResult } from './ask.ts'
import type { Check, PublishedDocument, PublishedResponse } from './published-document.ts'

/** HTTP's own, which no document lists. */
const PLAIN_HEADERS = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  // Of every response; secure-response.test.ts holds them.
  'x-content-type-options',
  'content-security-policy',
])
const PROBLEM_TYPE = 'application/problem+json'

/** Validates a response by the documented schema of its status. `path`: as in the document. */
export class AnswerCheck {
  readonly #document: PublishedDocument
  readonly #slot: Check
  /** Lines that were looked at before: exports have the same again and again. */
  readonly #goodLines = new Set<string>()

  constructor(document: PublishedDocument) {
    this.#document = document
    this.#slot = document.schema('Slot')
  }

  /** Throws if they differ. */
  hold(path: string, asked: PlainAsk, answer: QueryResult): void {
    const response = this.#responseOf(path, answer.status)
    holdHeaders(response, answer)
    const isEmpty = asked.method === 'HEAD' || answer.status === 304 || response.contents.size === 0
    if (answer.status !== 304 && response.contents.size > 0) assert.ok(typeOf(answer), 'it must say its type')
    if (isEmpty) assert.equal(answer.sent.length, 0)
    else this.#holdBody(response, answer)
    if (answer.status >= 400) holdProblem(response, asked, answer)
    holdRequestId(asked, answer)
  }

  /** Holds the answer to what could not be read as a request of anything. */
  holdUnread(answer: QueryResult): void {
    const response = this.#responseOf('', answer.status)
    holdHeaders(response, answer)
    this.#holdBody(response, answer)
    assert.ok(response.description.includes(JSON.parse(answer.text).error))
  }

  /** What is nowhere is answered as what is somewhere. */
  #responseOf(path: string, status: number): PublishedResponse {
    const { operations } = this.#document
    const own = operations.filter((operation) => operation.path === path)
    const found = (own.length > 0 ? own : operations)
      .map(({ responses }) => responses.get(status))
      .find((response) => response !== undefined)
    assert.ok(found, `the document must describe status ${status} of ${path}`)
    return found
  }

  #holdBody({ contents }: PublishedResponse, answer: QueryResult): void {
    const type = typeOf(answer)
    const check = contents.get(type)
    assert.ok(check, `the document must name the type ${type}: it names ${[...contents.keys()]}`)
    if (type === 'text/csv') holdTable(answer)
    else if (type.endsWith('ndjson')) this.#holdLines(type, answer)
    else assert.equal(check(JSON.parse(answer.text)), undefined)
  }

  #holdLines(type: string, { text, headers }: QueryResult): void {
    assert.ok(text === '' || text.endsWith('\n'), 'the last line must have an end')
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

/** Less its parameters. */
export function typeOf({ headers }: QueryResult): string {
  return String(headers['content-type'] ?? '').split(';')[0]
}

function holdTable({ text, headers }: QueryResult): void {
  assert.equal(parseCsv(text).length, Number(headers['slots-total']))
}

function holdHeaders(response: PublishedResponse, { headers, sent }: QueryResult): void {
  for (const [name, value] of Object.entries(headers)) {
    if (PLAIN_HEADERS.has(name)) continue
    const known = response.headers.get(name)
    assert.ok(known, `the document must name the header ${name}: ${value}`)
    assert.equal(known.check(value), undefined, name)
  }
  for (const [name, { required }] of response.headers)
    assert.ok(!required || headers[name] !== undefined, `the header ${name} must be there`)
  if (headers['content-length'] !== undefined && sent.length > 0)
    assert.equal(headers['content-length'], String(sent.length))
}

/** Checks that an error has its status and the requested format. */
function holdProblem({ description }: PublishedResponse, { method, headers }: PlainAsk, answer: QueryResult): void {
  const weight = weightOfProblem(headers.accept)
  const type = typeOf(answer)
  if (weight !== undefined) assert.equal(type, weight ? PROBLEM_TYPE : 'application/json')
  if (method === 'HEAD') return
  const body = JSON.parse(answer.text)
  const error = body.title ?? body.error
  assert.ok(description.includes(error), `"${description}" must name "${error}"`)
  assert.equal(body.parameter !== undefined, error === 'Invalid parameter')
  if (type !== PROBLEM_TYPE) return
  assert.equal(body.status, answer.status)
  assert.equal(decodeURIComponent(body.instance), `urn:request:${answer.headers['x-request-id']}`)
}

/** Whether it is to be in that form: only by name; undefined where it is liked less than the usual one. */
function weightOfProblem(accept: string | undefined): boolean | undefined {
  if (accept === undefined || !accept.includes(PROBLEM_TYPE)) return false
  const weight = weightOf(PROBLEM_TYPE, accept)
  if (weight === 0) return false
  return !accept.includes('application/json') || weight >= weightOf('application/json', accept) ? true : undefined
}

/** The caller's own if it is harmless. */
function holdRequestId({ headers }: PlainAsk, answer: QueryResult): void {
  const [sent, came] = [headers['x-request-id'], answer.headers['x-request-id']]
  if (sent !== undefined && /^[\w.:-]{1,128}$/.test(sent)) assert.equal(came, sent)
  else assert.match(String(came), /^[\w.:-]{1,128}$/)
}
