import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import type { Config } from '../config/config.ts'
import { CENSOR, redact } from '../lib/redact.ts'

export type { Logger } from 'pino'

/**
 * The log: one JSON line per event, on standard output, where containers and service managers collect it.
 *
 * Messages are fixed, in lower case and in the past tense; variable values go into fields. Credentials are redacted in the
 * finished line, so that one inside an error message is found, too. Every string is cut, because it may come from outside.
 */
export function openLog(level: Config['logLevel'], destination: DestinationStream = standardOutput()): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }), log: cutFields },
    serializers: { err: (error: Error) => cutFields({ ...stdSerializers.err(error) }) },
    redact: { paths: SECRET_FIELDS, censor: CENSOR },
    hooks: { streamWrite: redact },
  }
  return pino(options, destination)
}

/** Of lines that wait for standard output; further ones are dropped. */
const WAITING_BYTES_MAX = 4 * 2 ** 20

/**
 * Waits with its lines while the disk is full, or while nothing reads the pipe. pino alone would end the process when the disk is full,
 * and in both cases wait forever when the process ends.
 */
function standardOutput(): DestinationStream {
  let isEnding = false
  // Before pino's own listener.
  process.once('exit', () => {
    isEnding = true
  })
  const stream = pino.destination({
    dest: 1,
    sync: false,
    maxLength: WAITING_BYTES_MAX,
    retryEAGAIN: () => !isEnding,
  })
  const { flushSync } = stream
  const flushOnce = () => {
    try {
      flushSync.call(stream)
    } catch {
      // Nothing reads the pipe.
    }
  }
  stream.flushSync = flushOnce
  // Called when the process ends, it repeats a failed write until it succeeds.
  stream.on('error', () => {
    stream.flushSync = () => undefined
  })
  stream.on('write', () => {
    stream.flushSync = flushOnce
  })
  return stream
}

/** Headers that carry credentials: at the top level, in an object of headers, and in a request's headers. */
const SECRET_FIELDS = ['authorization', 'x-api-key', 'cookie', 'set-cookie'].flatMap((name) => [
  `["${name}"]`,
  `*["${name}"]`,
  `*.*["${name}"]`,
])

const TEXT_LENGTH_MAX = 200
/** Of a stack, without the message that precedes it. */
const STACK_LENGTH_MAX = 4000
const ENTRIES_MAX = 50
const DEPTH_MAX = 4

/** The fields of an event with every string cut, so that a stranger cannot fill the disk with requests. */
function cutFields(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  const entries = Object.entries(fields).slice(0, ENTRIES_MAX)
  return Object.fromEntries(entries.map(([name, value]) => [cut(name), cutValue(value, depth, name)]))
}

function cutValue(value: unknown, depth: number, name?: string): unknown {
  if (typeof value === 'string') return name === 'error' || name === 'stack' ? cutStack(value) : cut(value)
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (depth === DEPTH_MAX) return '[too deep]'
  if (Array.isArray(value)) return value.slice(0, ENTRIES_MAX).map((each) => cutValue(each, depth + 1))
  return Object.getPrototypeOf(value) === Object.prototype ? cutFields({ ...value }, depth + 1) : value
}

/** Redacts first: what identifies a secret may be cut off. */
function cut(text: string): string {
  return text.length <= TEXT_LENGTH_MAX ? text : `${redact(text).slice(0, TEXT_LENGTH_MAX)}…`
}

function cutStack(text: string): string {
  const at = text.indexOf('\n    at ')
  return at === -1 ? cut(text) : cut(text.slice(0, at)) + text.slice(at, at + STACK_LENGTH_MAX)
}
