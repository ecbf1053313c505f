import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'

export type { Logger } from 'pino'

/**
 * The log: one JSON line for each event, on standard output, where containers and service managers collect it.
 *
 * A message is fixed, in lower case and in the past tense; what varies goes into fields. Credentials never pass, wherever in
 * a line they stand: they are taken out of the finished text, so that one inside an error's message is found too.
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

/** The text without what must not be shown: API keys, and passwords in addresses. */
export function redact(line: string): string {
  return line.replace(API_KEY, `svc_sk_${CENSOR}`).replace(PASSWORD_IN_URL, `$1:${CENSOR}@`)
}

const CENSOR = '[redacted]'

/** Header names that carry credentials, alone, in an object of headers, and in one of those inside a request. */
const SECRET_FIELDS = ['authorization', 'x-api-key', 'cookie', 'set-cookie'].flatMap((name) => [
  `["${name}"]`,
  `*["${name}"]`,
  `*.*["${name}"]`,
])

const API_KEY = /svc_sk_[0-9A-Za-z]+/g
const PASSWORD_IN_URL = /(\w:\/\/[^\s:@/"]*):[^\s@/"]+@/g
