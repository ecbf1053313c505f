import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { RunningService } from '../support/running-service.ts'

const HOLD = join(import.meta.dirname, 'hold-sockets.ts')

/** Idle, with slow headers, without the body that they announced, and without reading what they asked for. */
const SOCKETS = { idle: 10_000, dribbling: 2000, silent: 700, neverReading: 400 }
const FILES_PER_SOCKET = 1.2

const SAMPLES = 1500

interface Measured {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

for (const workers of [1, 2]) {
  test(`serves callers and people while thousands of sockets attack, with WORKERS=${workers}`, async (t) => {
    const factor = Math.min(1, filesMax() / FILES_PER_SOCKET / total())
    await using service = await RunningService.prepare()
    service.env.WORKERS = String(workers)
    const key = await service.createKey()
    await service.serve()
    await measure(service.origin, key)
    const before = await measure(service.origin, key)

    const counts = Object.values(SOCKETS).map((count) => String(Math.floor(count * factor)))
    const file = (await fetch(`${service.origin}/docs/api`)).ok ? '/docs/api' : '/openapi.json'
    const attack = spawn(process.execPath, [HOLD, new URL(service.origin).port, file, ...counts], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await once(attack.stdout, 'data')
      const under = await measure(service.origin, key)
      const answers = await askAll(service.origin, key)
      t.diagnostic(`sockets ${counts.join(' + ')}, before ${JSON.stringify(before)}, under ${JSON.stringify(under)} ms`)
      assert.deepEqual(answers, { '/readyz': 20, '/api/options': 20, '/v1/scheduling/slots': 20 })
    } finally {
      await end(attack)
    }
  })
}

function total(): number {
  return Object.values(SOCKETS).reduce((sum, count) => sum + count)
}

/** How many files a process may open. */
function filesMax(): number {
  return Number(/^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1024)
}

/** Milliseconds of requests to the list, one after the other on one connection. Rejects if one is not answered with 200 within 10 s. */
async function measure(origin: string, key: string): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  while (times.length < SAMPLES) {
    const startedMs = performance.now()
    assert.equal(await statusOf(`${origin}/v1/scheduling/slots`, key, agent), 200)
    times.push(performance.now() - startedMs)
    await pause(2)
  }
  agent.destroy()
  times.sort((one, other) => one - other)
  const at = (share: number) => Number(times[Math.floor(share * (times.length - 1))].toFixed(2))
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** How often each was answered with 200, of 20 times on a new connection. */
async function askAll(origin: string, key: string): Promise<Record<string, number>> {
  const answers: Record<string, number> = {}
  for (const path of ['/readyz', '/api/options', '/v1/scheduling/slots']) {
    answers[path] = 0
    for (let n = 0; n < 20; n++) {
      if ((await statusOf(origin + path, key, new Agent())) === 200) answers[path]++
      await pause(50)
    }
  }
  return answers
}

function statusOf(url: string, key: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key }
    const request = get(url, { headers, agent, timeout: 10_000 }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    request.once('error', reject).once('timeout', () => request.destroy(new Error(`No answer from ${url}`)))
  })
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
