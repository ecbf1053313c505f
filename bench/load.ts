import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The result of one load run. */
export interface LoadResult {
  readonly requestsPerSecond: number
  readonly p99Ms: number
  /** Responses other than 2xx, and connection errors. Slow responses show in `p99Ms`. */
  readonly errors: number
}

/** Requests the paths in turn from another process, for `seconds`. */
export interface Load {
  readonly port: number
  /** 64 unless given. */
  readonly connections?: number
  readonly paths: readonly string[]
  readonly seconds: number
  readonly key: string
}

const CONNECTIONS = 64

/** wrk if it is installed; else autocannon, which occupies a core. */
export async function findGenerator(): Promise<{
  name: string
  generate: (load: Load) => Promise<LoadResult>
}> {
  const hasWrk = await run('wrk', ['--version']).then(
    () => true,
    // `wrk --version` exits with code 1.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
  return hasWrk ? { name: 'wrk', generate: byWrk } : { name: 'autocannon', generate: byAutocannon }
}

const WRK_SCRIPT = `
local requests, next = {}, 0
init = function()
  for path in io.lines(os.getenv("BENCH_PATHS")) do requests[#requests + 1] = wrk.format("GET", path) end
end
request = function()
  next = next % #requests + 1
  return requests[next]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"p99":%d,"errors":%d}\\n', summary.requests,
    summary.duration, latency:percentile(99), e.connect + e.read + e.write + e.status))
end
`

async function byWrk({ port, paths, seconds, key, connections = CONNECTIONS }: Load): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'slots-bench-load-'))
  try {
    await writeFile(join(folder, 'paths.txt'), paths.join('\n'))
    await writeFile(join(folder, 'load.lua'), WRK_SCRIPT)
    const { stdout } = await run(
      'wrk',
      [
        '-t1',
        `-c${connections}`,
        `-d${seconds}s`,
        '-s',
        join(folder, 'load.lua'),
        '-H',
        `Authorization: Bearer ${key}`,
        `http://127.0.0.1:${port}`,
      ],
      { env: { ...process.env, BENCH_PATHS: join(folder, 'paths.txt') } },
    )
    const result = JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? 'null')
    if (result === null) throw new Error(`Cannot parse the load generator's output: got "${stdout.slice(0, 500)}"`)
    return {
      requestsPerSecond: (result.requests / result.microseconds) * 1e6,
      p99Ms: result.p99 / 1000,
      errors: result.errors,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Builds a request when it is sent: that of all paths for each connection takes longer than autocannon's timeouts. */
async function byAutocannon({ port, paths, seconds, key, connections = CONNECTIONS }: Load): Promise<LoadResult> {
  const { default: autocannon } = await import('autocannon')
  const request = { method: 'GET' as const, setupRequest: join(import.meta.dirname, 'next-path.ts'), paths }
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    workers: 1,
    headers: { authorization: `Bearer ${key}` },
    requests: [request],
  })
  return {
    requestsPerSecond: result.requests.average,
    p99Ms: result.latency.p99,
    errors: result.errors - result.timeouts + result.non2xx,
  }
}
