import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { SampleService } from './support/sample-service.ts'
import { ROOT } from './support/source-files.ts'
import { StandIns } from './support/stand-ins.ts'

let sample: SampleService
let operations: readonly string[]

before(async () => {
  sample = await SampleService.serve({ slots: 3_000 })
  const document = await (await fetch(`${sample.service.origin}/openapi.json`)).json()
  operations = Object.keys(document.paths)
})

after(() => sample?.[Symbol.asyncDispose]())

test('every request of the collection succeeds, with at least one per operation', async () => {
  const standIns = await StandIns.of(sample, sample.service.origin)
  const text = readFileSync(join(ROOT, 'docs/api.http'), 'utf8')
  const asked = new Set<string>()
  for (const request of requestsOf(standIns.putInto(text).replaceAll('svc_sk_...', sample.key))) {
    const response = await fetch(request.url, { headers: request.headers, redirect: 'manual' })
    const body = await response.text()
    const isRedirect = response.status === 302
    assert.ok(response.status === 200 || isRedirect, `${request.url}: ${response.status} ${body.slice(0, 300)}`)
    const expectedIn = isRedirect ? 'location' : 'content-type'
    const start = isRedirect ? 'http' : (request.headers.get('accept') ?? 'application/')
    assert.ok(response.headers.get(expectedIn)?.startsWith(start))
    asked.add(operationOf(new URL(request.url).pathname))
  }
  assert.deepEqual([...asked].sort(), operations.toSorted())
})

test('the reference has a row for every operation', () => {
  const page = readFileSync(join(ROOT, 'docs/guide/api.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `GET (\S+)` /gm)].map(([, path]) => path)
  assert.deepEqual(rows.toSorted(), operations.toSorted())
})

test('serves the collection with the address of the service', async () => {
  const response = await fetch(`${sample.service.origin}/docs/api.http`)
  const text = await response.text()
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
  assert.match(text, new RegExp(`^@baseUrl = ${sample.service.home}$`, 'm'))
  assert.equal(requestsOf(text).length, requestsOf(readFileSync(join(ROOT, 'docs/api.http'), 'utf8')).length)
})

/** As the HTTP clients of editors read them: variables first, then requests behind `###`. */
function requestsOf(text: string): { url: string; headers: Headers }[] {
  const [head, ...parts] = text.split(/^###.*\n/m)
  const variables = new Map([...head.matchAll(/^@(\w+) = (.+)$/gm)].map(([, name, value]) => [name, value]))
  return parts.map((part) => {
    const filled = part.trim().replace(/\{\{(\w+)\}\}/g, (_, name) => variables.get(name) ?? assert.fail(name))
    const [first, ...lines] = filled.split('\n')
    assert.match(first, /^GET \S+$/)
    const headers = lines.map((line): [string, string] => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)]
    })
    return { url: first.slice('GET '.length), headers: new Headers(headers) }
  })
}

/** The path as the document has it. */
function operationOf(path: string): string {
  const exact = operations.find((each) => each === path)
  const pattern = (each: string) => new RegExp(`^${each.replaceAll('$', '\\$').replace(/\{\w+\}/, '[^/]+')}$`)
  return exact ?? operations.find((each) => pattern(each).test(path)) ?? path
}
