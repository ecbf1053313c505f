import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'
import { CENSOR, redact } from '../lib/redact.ts'

export type { Logger } from 'pino'

/**
 * The log: one JSON line per event, on standard output, where containers and service managers collect it.
 *
 * Messages are fixed, in lower case and in the past tense; variable values go into fields. Credentials are redacted in the
 * finished line, so that one inside an error message is found, too.
 */
export function openLog(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_FIELDS, censor: CENSOR },
    hooks: { streamWrite: redact },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** Headers that carry credentials: at the top level, in an object of headers, and in a request's headers. */
const SECRET_FIELDS = ['authorization', 'x-api-key', 'cookie', 'set-cookie'].flatMap((name) => [
  `["${name}"]`,
  `*["${name}"]`,
  `*.*["${name}"]`,
])
