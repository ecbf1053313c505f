import { FeedFailure } from '../feeds/connector.ts'
import type { SourceState } from '../store/contracts/sources.ts'

const ERROR_LENGTH_MAX = 500

/** A search and a signed URL are so long that no room would be left for the reason behind them. Their beginning names the file. */
const LONG_URL = /(https?:\/\/[^\s"]{150})[^\s"]*[^\s":]/g

/** An aborted connector may throw any error; the signal has the reason. */
export function endReason(error: unknown, signals: readonly AbortSignal[]): unknown {
  return signals.find((signal) => signal.aborted)?.reason ?? error
}

/** The publisher's `Retry-After`. */
export function retryAfterOf(error: unknown): number | undefined {
  return error instanceof FeedFailure ? error.retryAfterMs : undefined
}

/** How a sync ends early, by the name of the error. */
const ENDINGS = new Map([
  [
    'TimeoutError',
    {
      ofSync: 'the maximum duration of a sync was exceeded',
      ofImport: 'the maximum duration of an import was exceeded',
    },
  ],
  ['AbortError', { ofSync: 'the sync was stopped', ofImport: 'the import was stopped' }],
])

/** One line for operators. */
export function describeFailure(error: unknown, format: SourceState['format']): string {
  if (!(error instanceof Error)) return `Cannot sync: ${String(error)}`.slice(0, ERROR_LENGTH_MAX)
  const ending = ENDINGS.get(error.name)
  if (ending !== undefined)
    return format === 'files'
      ? `Cannot import: ${ending.ofImport}; nothing was changed`
      : `Cannot read feed: ${ending.ofSync}`
  const message =
    error.name === 'Error' || error instanceof FeedFailure ? error.message : `${error.name}: ${error.message}`
  return message.replace(LONG_URL, '$1…').slice(0, ERROR_LENGTH_MAX)
}
