import { once } from 'node:events'
import { startApp } from '../app.ts'
import type { Config } from '../config.ts'
import { openLog } from '../log.ts'
import { type Command, Failure } from './command.ts'
import { interruption } from './interruption.ts'

/** `serve`: runs a node until it is told to stop. Throws `Failure` if it cannot listen. */
export const serve: Command = {
  operands: [],
  options: {},
  explanation: `Nothing has to be configured: it listens on port 8080 and keeps everything in ./data. It answers callers, and reads every source when
it is due. /livez tells that it runs, /readyz that its slots are loaded. The log is JSON, one line an event, on standard output. SIGTERM or Ctrl-C
ends it in good order, a second one at once. All variables: docs/configuration.md`,
  examples: ['serve', 'serve | tee slots.log'],
  async run(call) {
    const { config } = call
    const log = openLog(config.logLevel)
    const interrupted = interruption()
    const app = await startApp(config, log).catch((fault) => {
      throw LISTEN_FAULTS.has(fault?.code) ? cannotListen(config, fault.code) : fault
    })
    log.info({ address: app.address, baseUrl: config.baseUrl }, 'service started')
    call.tell(`Scheduling Slots listens on ${app.address}. Ctrl-C ends it.`)
    if (!interrupted.aborted) await once(interrupted, 'abort')
    log.info('service asked to stop')
    await app.close()
    log.info('service stopped')
  },
}

const LISTEN_FAULTS = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND'])

function cannotListen({ host, port }: Config, code: string): Failure {
  const must = code === 'EADDRINUSE' ? 'PORT must be free on HOST' : 'HOST and PORT must be ones to listen on'
  return new Failure(`Cannot serve: ${must}: got "${host}:${port}" (${code})`)
}
