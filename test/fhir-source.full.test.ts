import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sharedPostgres } from './postgres/shared-postgres.ts'
import { eventually } from './support/eventually.ts'
import { FhirServer, outcome, type Resource, sendJson } from './support/feeds/fhir-server.ts'
import { clinic, slot } from './support/feeds/searcher.ts'
import { RunningService } from './support/running-service.ts'
import { ROOT } from './support/source-files.ts'
import { Visitor } from './support/visitor.ts'

/** A certificate for `localhost`, its key and its certificate authority. */
const TLS = join(ROOT, 'test/postgres/tls')
const AUTHORITY = join(TLS, 'authority.pem')

const SLOTS = 40
const CLIENT_SECRET = `client-${randomBytes(18).toString('hex')}`

const STORES: readonly { readonly name: string; open(t: TestContext): Promise<string | undefined> }[] = [
  { name: 'SQLite', open: async () => undefined },
  {
    name: 'PostgreSQL',
    open: async (t) => {
      const server = await sharedPostgres()
      t.after(() => server[Symbol.asyncDispose]())
      return server.createDatabase()
    },
  },
]

for (const store of STORES) {
  test(`reads and serves a FHIR server behind TLS and a token without revealing its secrets, with ${store.name}`, {
    timeout: 180_000,
  }, async (t) => {
    const databaseUrl = await store.open(t)
    await using server = await GuardedServer.open()
    await using service = await RunningService.prepare()
    Object.assign(service.env, {
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      NODE_EXTRA_CA_CERTS: AUTHORITY,
      SOURCE_CLINIC_SECRET: CLIENT_SECRET,
      LOG_LEVEL: 'trace',
    })
    const key = await service.createKey()
    const told: string[] = []
    const tell = (words: unknown) => void told.push(JSON.stringify(words))
    tell(await addSource(service, server))
    await service.serve()
    const page = () => service.slots(key, 'publisher=clinic&state=MA&limit=100')
    await eventually(async () => (await page()).body.total === SLOTS - 1)
    const { body } = await page()
    tell(body)
    assert.deepEqual(
      body.slots.map(({ start }) => Date.parse(start)),
      server.fhir.resources.flatMap(({ start }) => (typeof start === 'string' ? Date.parse(start) : [])).slice(0, -1),
    )
    assert.ok(server.tokens.length > 0 && server.isAskedWithTokens, 'with tokens alone')

    const operator = await operatorOf(service)
    server.isTroubled = true
    await operator.json('POST', '/api/operator/sources/clinic/sync', {})
    const shown = () => operator.json('GET', '/api/operator/sources/clinic')
    await eventually(async () => /got \\"403\\" \(\[secret\]/.test(JSON.stringify(await shown())))
    tell(await shown())
    tell(await operator.json('GET', '/api/operator/sources'))
    tell(await service.run('source', 'list'))
    tell(await service.run('rejected', 'clinic'))
    assert.match(told.at(-1) ?? '', /status must be one of .*\[secret\]/)
    assert.equal((await page()).body.total, SLOTS - 1, 'what was read before stays')

    delete service.env.NODE_EXTRA_CA_CERTS
    const stranger = await service.run('sync', 'clinic').catch((error) => error)
    assert.match(`${stranger.stderr} ${JSON.stringify(stranger)}`, /certificate/)
    await service.stop()
    tell(service.lines())
    const secrets = [CLIENT_SECRET, ...server.tokens]
    for (const words of told) for (const secret of secrets) assert.ok(!words.includes(secret.slice(0, 12)), words)
    if (databaseUrl === undefined) await assertNotStored(service, secrets)
  })
}

/** A FHIR server that issues tokens for the secret and requires a token for everything else. */
class GuardedServer implements AsyncDisposable {
  readonly fhir: FhirServer
  /** All tokens that were issued. */
  readonly tokens: string[] = []
  isAskedWithTokens = true
  /** Refuses all tokens from now on, and names them in the error. */
  isTroubled = false

  private constructor(fhir: FhirServer) {
    this.fhir = fhir
    fhir.intercept = (request, response) => this.#guard(request, response)
  }

  /** Its slots are ahead of now; the last of them repeats in its status what it was asked with. */
  static async open(): Promise<GuardedServer> {
    const [key, cert] = await Promise.all(
      ['server-key.pem', 'server.pem'].map((name) => readFile(join(TLS, name), 'utf8')),
    )
    const fhir = await FhirServer.open(clinic(0), { key, cert })
    const soonMs = Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000
    const instant = (n: number) => new Date(soonMs + n * 900_000).toISOString()
    for (let n = 0; n < SLOTS; n++) fhir.resources.push(slot(n, { start: instant(n), end: instant(n + 1) }))
    return new GuardedServer(fhir)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.fhir[Symbol.asyncDispose]()
  }

  #guard({ url, headers }: IncomingMessage, response: ServerResponse): boolean {
    if (url === '/token') return this.#give(headers.authorization, response)
    const token = this.tokens.find((one) => headers.authorization === `Bearer ${one}`)
    if (token === undefined) {
      this.isAskedWithTokens &&= this.tokens.length === 0
      return sendJson(response, 401, outcome('error', `who is ${headers.authorization}?`))
    }
    if (this.isTroubled) return sendJson(response, 403, outcome('error', `${token} is not welcome`))
    const { resources } = this.fhir
    resources.push(...resources.splice(-1).map((last): Resource => ({ ...last, status: `for ${token}` })))
    return false
  }

  #give(authorization: string | undefined, response: ServerResponse): boolean {
    const [, pair = ''] = /^Basic (.+)$/.exec(authorization ?? '') ?? []
    if (Buffer.from(pair, 'base64').toString() !== `us:${CLIENT_SECRET}`)
      return sendJson(response, 401, { error: 'invalid_client', error_description: `${authorization}` })
    const token = `token-${randomBytes(200).toString('hex')}`
    this.tokens.push(token)
    return sendJson(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 300 })
  }
}

function addSource(service: RunningService, { fhir }: GuardedServer): Promise<unknown> {
  const authorization = {
    kind: 'client-credentials',
    tokenUrl: `${fhir.origin}/token`,
    clientId: 'us',
    clientSecret: '$' + '{SOURCE_CLINIC_SECRET}',
  }
  const options = JSON.stringify({ authorization })
  return service.run('source', 'add', 'clinic', fhir.base, '--format', 'fhir-search', '--options', options)
}

async function operatorOf(service: RunningService): Promise<Visitor> {
  const operator = await Visitor.signUp(service, 'olive@example.org')
  const link = String((await service.run('operator', 'link')).link)
  await operator.json('POST', '/api/setup', { token: link.slice(link.indexOf('#') + 1) })
  return operator
}

async function assertNotStored({ env }: RunningService, secrets: readonly string[]): Promise<void> {
  const folder = dirname(String(env.DATABASE_URL).slice('sqlite:'.length))
  // Also in the checkpoint of the index.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = await readFile(join(entry.parentPath, entry.name))
    for (const secret of secrets) assert.equal(bytes.indexOf(secret.slice(0, 12)), -1, entry.name)
  }
}
