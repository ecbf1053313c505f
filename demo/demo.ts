import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstLine, runCommand, startScript, stopScript } from './children.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const PUBLISHER = join(import.meta.dirname, 'publisher.ts')

/** Maximum time to the first slot; two slow cores need about five seconds. */
const READY_WITHIN_MS = 60_000
const STOP_GRACE_MS = 5_000

interface Scripts {
  readonly publisher: ChildProcess
  readonly service: ChildProcess
}

const port = process.env.PORT || '8080'
const children: ChildProcess[] = []
let isEnding = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0))
endWithNpm()
const folder = await mkdtemp(join(tmpdir(), 'scheduling-slots-demo-'))
// Removes the folder however this process ends.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
await run().catch((error: Error) => end(1, error.message))

/** A signal to npm ends npm and its shell, but does not reach this script: it watches its parent process. */
function endWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && end(0), 500).unref()
}

async function run(): Promise<void> {
  await assertPortIsFree(Number(port))
  const env = environment()
  const publisher = start('the sample publisher', PUBLISHER, process.argv.slice(2), env)
  const service = start('the service', MAIN, ['serve'], env)
  service.stdout?.resume()
  const manifestUrl = await firstLine(publisher)
  const key = await createKey(manifestUrl, env)
  const total = await firstTotal(key, { publisher, service })
  const operatorLink = await createSetupLink(env)
  if (!isEnding) console.log(welcome({ key, total, manifestUrl, operatorLink }))
}

/** The demo is the normal service with a temporary store and a local publisher, which takes the options: `npm run demo -- --slots=1000`. */
function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PORT: port,
    HOST: '127.0.0.1',
    DATABASE_URL: `sqlite:${join(folder, 'slots.db')}`,
    ALLOW_PRIVATE_SOURCES: 'true',
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    DRAIN_SECONDS: '0',
    TMPDIR: folder,
    LOG_LEVEL: 'warn',
  }
}

function start(what: string, script: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = startScript(script, args, env)
  children.push(child)
  // Ctrl-C reaches every process of the terminal; a child may exit before this process handles the signal.
  child.once('exit', (code, signal) => {
    setTimeout(() => end(1, `The demo stopped because ${what} exited with ${signal ?? `code ${code}`}.`), 200)
  })
  return child
}

/** The setup link. Undefined if OPERATOR_EMAILS names the operator. */
async function createSetupLink(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (env.OPERATOR_EMAILS) return undefined
  return String((await runCommand(MAIN, ['operator', 'link'], env)).link)
}

async function createKey(manifestUrl: string, env: NodeJS.ProcessEnv): Promise<string> {
  await runCommand(MAIN, ['org', 'create', 'Demo'], env)
  await runCommand(MAIN, ['source', 'add', 'sample', manifestUrl], env)
  const { key } = await runCommand(MAIN, ['key', 'create', '--org', 'Demo', '--name', 'demo'], env)
  return String(key)
}

/** Waits until the service has read the feed; a snapshot is published atomically, so the first total is final. */
async function firstTotal(key: string, { publisher, service }: Scripts): Promise<number> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline && publisher.exitCode === null && service.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/scheduling/slots?limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    }).catch(() => undefined)
    if (response?.ok === true) {
      const { total } = JSON.parse(await response.text())
      if (total > 0) return total
    } else await response?.body?.cancel()
    await sleep(100)
  }
  throw new Error(`No slots arrived within ${READY_WITHIN_MS / 1000} s.`)
}

function assertPortIsFree(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is in use' : `is not available (${error.code})`
      reject(new Error(`Port ${port} ${reason}. Choose another: PORT=8081 npm run demo`))
    })
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })
}

interface Welcome {
  readonly key: string
  readonly total: number
  readonly manifestUrl: string
  readonly operatorLink: string | undefined
}

function welcome({ key, total, manifestUrl, operatorLink }: Welcome): string {
  const origin = `http://localhost:${port}`
  return `
Scheduling Slots is running with ${total.toLocaleString('en-US')} free slots from a demo publisher. Try it:

  curl -s -H "Authorization: Bearer ${key}" "${origin}/v1/scheduling/slots?state=MA&isVirtual=true&limit=5"

Dashboard:      ${origin}/${
    operatorLink === undefined
      ? ''
      : `
  sign up to become the operator: ${operatorLink}`
  }
Demo feed:      ${manifestUrl}
Command line:
  export ALLOW_PRIVATE_SOURCES=true ALLOW_PRIVATE_WEBHOOKS=true DATABASE_URL=sqlite:${join(folder, 'slots.db')}
  npm run -s slots -- --help

Slots are continuously booked, canceled and published, and synced once a minute. Press Ctrl-C to stop.
`
}

async function end(code: number, message?: string): Promise<void> {
  if (isEnding) return
  isEnding = true
  if (message !== undefined) console.error(message)
  await Promise.all(children.map((child) => stopScript(child, STOP_GRACE_MS)))
  process.exit(code)
}
