import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { SampleService } from './support/sample-service.ts'
import { ROOT } from './support/source-files.ts'

const GUIDE = readFileSync(join(ROOT, 'docs/guide/mcp.md'), 'utf8')

let sample: SampleService

before(async () => {
  sample = await SampleService.serve({ slots: 200 })
})

after(() => sample[Symbol.asyncDispose]())

/** What a configuration says of a server, whichever assistant it is for. */
interface Configured {
  readonly url?: string
  readonly headers?: Record<string, string>
  readonly command?: string
  readonly args?: string[]
  readonly env?: Record<string, string>
}

/** The guide's example below a heading or a name in bold, with our key and address in the place of the guide's. */
function exampleAfter(mark: string, language: string): string {
  const from = GUIDE.indexOf(mark)
  assert.notEqual(from, -1, mark)
  const fence = `\`\`\`${language}\n`
  const start = GUIDE.indexOf(fence, from) + fence.length
  return GUIDE.slice(start, GUIDE.indexOf('```', start))
    .replaceAll('http://localhost:8080', sample.service.origin)
    .replaceAll('/path/to/scheduling-slots', ROOT)
    .replaceAll(/\$\{(?:env:SLOTS_API_KEY|input:slots-key)\}|svc_sk_\.\.\./g, sample.key)
}

function configured(mark: string): Configured {
  const { mcpServers, servers } = JSON.parse(exampleAfter(mark, 'json'))
  return (mcpServers ?? servers).slots
}

/** As the assistant's own command would read it: a shell parts the words. */
async function configuredByShell(mark: string): Promise<Configured> {
  const script = `claude() { printf '%s\\0' "$@"; }\n${exampleAfter(mark, 'sh')}`
  const env = { PATH: process.env.PATH, SLOTS_API_KEY: sample.key }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
  const words = stdout.split('\0').slice(0, -1)
  assert.deepEqual(words.slice(0, 5), ['mcp', 'add', '--transport', 'http', 'slots'])
  const [, name, value] = /^(\S+): (.+)$/.exec(words[words.indexOf('--header') + 1]) ?? []
  return { url: words[5], headers: { [name]: value } }
}

function transportTo({ url, headers = {}, command, args = [], env }: Configured): Transport {
  if (url !== undefined)
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport
  assert.ok(command)
  return new StdioClientTransport({
    command,
    args,
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'ignore',
  })
}

const ASSISTANTS: Readonly<Record<string, () => Configured | Promise<Configured>>> = {
  'Claude Code': () => configuredByShell('**Claude Code**'),
  Cursor: () => configured('**Cursor**'),
  'Visual Studio Code': () => configured('**Visual Studio Code**'),
  'Claude Desktop': () => configured('`claude_desktop_config.json`'),
}

for (const [assistant, read] of Object.entries(ASSISTANTS))
  test(`${assistant} finds slots with the instructions of the guide`, { timeout: 120_000 }, async () => {
    const client = new Client({ name: 'test', version: '1.0.0' })
    try {
      await client.connect(transportTo(await read()), { timeout: 60_000 })
      assert.equal(client.getServerVersion()?.name, 'scheduling-slots')
      const { tools } = await client.listTools()
      const named = [...GUIDE.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name)
      assert.deepEqual(tools.map(({ name }) => name).sort(), named.sort())
      const found = await client.callTool({ name: 'search_slots', arguments: { limit: 1 } })
      assert.equal((found.structuredContent as { slots: unknown[] }).slots.length, 1)
    } finally {
      await client.close()
    }
  })
