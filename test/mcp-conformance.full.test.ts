import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { SampleService } from './support/sample-service.ts'

const run = promisify(execFile)

/** With its dependencies it has 52 MB, so it is no dependency of the project; see docs/decisions. */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'

/** The scenarios for servers that need no tools, prompts or resources of the suite's own server. */
const SCENARIOS = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'caching',
    'dns-rebinding-protection',
    'http-header-validation',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'input-required-result-unsupported-methods',
  ],
} as const

/** Checks that fail for a server with tools alone and without streams. */
const NOT_APPLICABLE: Readonly<Record<string, RegExp>> = {
  'sep-2575-server-rejects-undeclared-capability': /test_missing_capability/,
  'sep-2575-missing-capability-http-400': /test_missing_capability/,
  'sep-2575-http-server-no-independent-requests-on-stream': /test_streaming_elicitation/,
  'sep-2575-server-no-log-without-loglevel': /test_logging_tool/,
  'sep-2575-server-sends-subscription-ack': /notifications\/subscriptions\/acknowledged/,
  'sep-2575-server-tags-subscription-id': /no notification frames/,
  'sep-2549-prompts-list-caching-hints': /Method not found/,
  'sep-2549-resources-list-caching-hints': /Method not found/,
  'sep-2549-resources-templates-list-caching-hints': /Method not found/,
}

let folder: string
let unreachable: string | undefined
let sample: SampleService
const proxy = createServer()

/** The suite sends no key, so a proxy adds it. */
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'))
  const install = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', SUITE]
  unreachable = await run('npm', install, { timeout: 120_000 }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (unreachable !== undefined) return
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  sample = await SampleService.serve({ slots: 100, env: { BASE_URL: origin() } })
  const { hostname: host, port } = new URL(sample.service.origin)
  proxy.on('request', (request, response) => {
    const { method, url: path } = request
    const headers = { ...request.headers, 'x-api-key': sample.key }
    const forwarded = send({ host, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(forwarded)
  })
})

after(async () => {
  await sample?.[Symbol.asyncDispose]()
  proxy.close()
  proxy.closeAllConnections()
  await rm(folder, { recursive: true })
})

function origin(): string {
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** The checks of a scenario. */
async function checksOf(scenario: string, revision: string): Promise<Check[]> {
  const program = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const output = await mkdtemp(join(folder, 'results-'))
  const args = ['--url', `${origin()}/mcp`, '--scenario', scenario, '--spec-version', revision, '-o', output]
  // It exits with 1 if a check fails.
  await run(process.execPath, [program, 'server', ...args], { timeout: 60_000 }).catch(() => {})
  const [results] = await readdir(output)
  assert.ok(results, `${scenario} has no results`)
  return JSON.parse(await readFile(join(output, results, 'checks.json'), 'utf8'))
}

for (const [revision, scenarios] of Object.entries(SCENARIOS))
  for (const scenario of scenarios)
    test(`passes the conformance scenario ${scenario} of revision ${revision}`, { timeout: 90_000 }, async (t) => {
      if (unreachable !== undefined) return t.skip(`npm cannot fetch ${SUITE}: ${unreachable.slice(0, 200)}`)
      const checks = await checksOf(scenario, revision)
      const failed = checks.filter(({ status }) => status === 'FAILURE')
      const faults = failed.filter(({ id, errorMessage = '' }) => !NOT_APPLICABLE[id]?.test(errorMessage))
      assert.deepEqual(faults, [])
      assert.ok(
        checks.some(({ status }) => status === 'SUCCESS'),
        JSON.stringify(checks),
      )
    })
