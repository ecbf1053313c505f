import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { SampleService } from './support/sample-service.ts'
import { ROOT } from './support/source-files.ts'
import { StandIns } from './support/stand-ins.ts'

let sample: SampleService
/** Methods and path templates of the document. */
let operations: readonly string[]

before(async () => {
  sample = await SampleService.serve({ slots: 3_000 })
  const { paths } = await (await fetch(`${sample.service.origin}/openapi.json`)).json()
  operations = Object.keys(paths).flatMap((path) =>
    Object.keys(paths[path]).map((method) => `${method.toUpperCase()} ${path}`),
  )
})

after(() => sample?.[Symbol.asyncDispose]())

test('every request of the collection succeeds, with at least one per operation', async () => {
  const standIns = await StandIns.of(sample, sample.service.origin)
  const text = readFileSync(join(ROOT, 'docs/api.http'), 'utf8')
  const asked = new Set<string>()
  for (const { method, url, headers, body } of requestsOf(
    standIns.putInto(text).replaceAll('svc_sk_...', sample.key),
  )) {
    const response = await fetch(url, { method, headers, body, redirect: 'manual' })
    const answer = await response.text()
    const isRedirect = response.status === 302
    assert.ok(response.ok || isRedirect, `${method} ${url}: ${response.status} ${answer.slice(0, 300)}`)
    const expectedIn = isRedirect ? 'location' : 'content-type'
    const start = isRedirect ? 'http' : (headers.get('accept') ?? 'application/')
    if (response.status !== 204) assert.ok(response.headers.get(expectedIn)?.startsWith(start))
    asked.add(operationOf(method, new URL(url).pathname))
  }
  assert.deepEqual([...asked].sort(), operations.toSorted())
})

test('the reference has a row for every operation', () => {
  const page = readFileSync(join(ROOT, 'docs/guide/api.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([A-Z]+ \S+)` /gm)].map(([, operation]) => operation)
  assert.deepEqual(rows.toSorted(), operations.toSorted())
})

test('serves the collection with the address of the service', async () => {
  const response = await fetch(`${sample.service.origin}/docs/api.http`)
  const text = await response.text()
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
  assert.match(text, new RegExp(`^@baseUrl = ${sample.service.home}$`, 'm'))
  assert.equal(requestsOf(text).length, requestsOf(readFileSync(join(ROOT, 'docs/api.http'), 'utf8')).length)
})

interface CollectedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | null
}

/** Parsed like the HTTP clients of editors do: variables first, then requests behind `###`, with an empty line before a body. */
function requestsOf(text: string): CollectedRequest[] {
  const [head, ...parts] = text.split(/^###.*\n/m)
  const variables = new Map([...head.matchAll(/^@(\w+) = (.+)$/gm)].map(([, name, value]) => [name, value]))
  return parts.map((part) => {
    const filled = part.trim().replace(/\{\{(\w+)\}\}/g, (_, name) => variables.get(name) ?? assert.fail(name))
    const [top, body = null] = filled.split('\n\n')
    const [first, ...lines] = top.split('\n')
    assert.match(first, /^(?:GET|POST|PATCH|DELETE) \S+$/)
    const [method, url] = first.split(' ')
    const headers = lines.map((line): [string, string] => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)]
    })
    return { method, url, headers: new Headers(headers), body }
  })
}

/** The path template of a request. */
function operationOf(method: string, path: string): string {
  const asked = `${method} ${path}`
  const pattern = (each: string) => new RegExp(`^${each.replaceAll('$', '\\$').replace(/\{\w+\}/g, '[^/]+')}$`)
  return operations.find((each) => each === asked) ?? operations.find((each) => pattern(each).test(asked)) ?? asked
}
