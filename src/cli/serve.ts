import { once } from 'node:events'
import { startApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import { openLog } from '../workers/log.ts'
import { type Command, Failure } from './command.ts'
import { interruption } from './interruption.ts'

/** `serve`: runs a node until it is told to stop. Throws `Failure` if it cannot listen. */
export const serve: Command = {
  operands: [],
  options: {},
  explanation: `Nothing has to be configured: it listens on port 8080 and keeps everything in ./data. It answers callers, and reads every source when
it is due. /livez tells that it runs, /readyz that its slots are loaded. The log is JSON, one line an event, on standard output. SIGTERM ends it in
good order after DRAIN_SECONDS, Ctrl-C without that wait, a second one at once. All variables: docs/configuration.md`,
  examples: ['serve', 'serve | tee slots.log'],
  async run(call) {
    const { config } = call
    const log = openLog(config.logLevel)
    const interrupted = interruption()
    const app = await startApp(config, log).catch((fault) => {
      throw LISTEN_FAULTS.has(fault?.code) ? cannotListen(config, fault) : fault
    })
    log.info({ address: app.address, baseUrl: config.baseUrl }, 'service started')
    call.tell(`Scheduling Slots listens on ${app.address}. Ctrl-C ends it.`)
    if (!interrupted.aborted) await once(interrupted, 'abort')
    const signal = interrupted.reason.message
    log.info({ signal }, 'service asked to stop')
    // Whoever presses Ctrl-C sees what comes; a service manager replaces nodes that are in use.
    if (signal === 'SIGTERM') await app.drain()
    await app.close()
    log.info('service stopped')
  },
}

const LISTEN_FAULTS = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND'])

function cannotListen({ host, port, metricsPort }: Config, fault: { code: string; port?: number }): Failure {
  const [name, wanted] = fault.port === metricsPort ? ['METRICS_PORT', metricsPort] : ['PORT', port]
  const must =
    fault.code === 'EADDRINUSE'
      ? `${name} must be free on HOST`
      : `HOST and ${name} must be ones to listen on`
  return new Failure(`Cannot serve: ${must}: got "${host}:${wanted}" (${fault.code})`)
}
