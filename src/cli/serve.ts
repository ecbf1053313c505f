import { once } from 'node:events'
import { startApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import { collectGarbage } from '../lib/collect-garbage.ts'
import { openLog } from '../workers/log.ts'
import { CommandError, defineCommand } from './command.ts'

/** `serve`: runs a node until a signal stops it. Throws `CommandError` if it cannot listen. */
export const serve = defineCommand({
  description: `Works without configuration: it listens on port 8080 and stores everything in ./data. It serves the API and syncs every source
when it is due. /livez reports that it runs, /readyz that its slots are loaded. The log is JSON, one line per event, on
standard output. SIGTERM stops it gracefully after DRAIN_SECONDS, Ctrl-C without that delay, a second signal immediately.
All variables: docs/configuration.md`,
  hasResult: false,
  examples: ['serve', 'serve | tee slots.log'],
  input: {},
  async run(call) {
    const { config } = call
    const log = openLog(config.logLevel)
    // Tools that rotate files send it. AUDIT_LOG is opened for each write, so there is nothing to reopen.
    process.on('SIGHUP', () => undefined)
    const interrupted = call.interruption()
    const app = await startApp(config, log).catch((error) => {
      throw LISTEN_ERRORS.has(error?.code) ? cannotListen(config, error) : error
    })
    log.info({ address: app.address, baseUrl: config.baseUrl }, 'service started')
    call.note(`Scheduling Slots listens on ${app.address}. ${reachNote(app.address)}Press Ctrl-C to stop.`)
    collectGarbage()
    if (!interrupted.aborted) await once(interrupted, 'abort')
    const signal = interrupted.reason.message
    log.info({ signal }, 'service stopping')
    // A service manager replaces nodes that are in use; a person who presses Ctrl-C wants to stop now.
    if (signal === 'SIGTERM') await app.drain()
    await app.close()
    log.info('service stopped')
    // If nothing reads the log, its lines would keep the process alive.
    setTimeout(() => process.exit(), LOG_MS_MAX).unref()
  },
})

const LOG_MS_MAX = 2000

/** Says what to open, and who can reach a service that listens on every address. */
function reachNote(address: string): string {
  const { hostname, port } = new URL(address)
  if (hostname !== '0.0.0.0' && hostname !== '[::]') return ''
  return `Open http://localhost:${port}. Every machine that can reach this one can connect; with HOST=127.0.0.1, only this one can. `
}

const LISTEN_ERRORS = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND'])

function cannotListen({ host, port, metricsPort }: Config, error: { code: string; port?: number }): CommandError {
  // A host name that cannot be resolved has no port.
  const isOfMetrics = error.port !== undefined && error.port === metricsPort
  const [name, requested] = isOfMetrics ? ['METRICS_PORT', metricsPort] : ['PORT', port]
  const reason = error.code === 'EADDRINUSE' ? 'the address is in use' : 'the address is not available'
  return new CommandError(
    `Cannot listen on ${host}:${requested}: ${reason} (${error.code}). Set HOST or ${name} to another value.`,
  )
}
