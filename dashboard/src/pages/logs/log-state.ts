import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/lib/time.ts'
import type { LogEntryView, LogSearch } from '../../../../src/shared/contract/logs.ts'
import { curlCall, KEY_PLACEHOLDER } from '../../components/code-samples.ts'
import { midnight } from '../../components/visitor-time.ts'
import { formatExploreState, parseExploreState } from '../explore/explore-state.ts'

/** The time range: all that is kept, a span up to now, or between two dates. */
export const LOG_TIMES = ['any', '15m', '1h', '24h', 'days'] as const

/** The methods of requests that a log can contain. */
export const LOG_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']

const SPANS: Readonly<Record<string, number>> = { '15m': 15 * MINUTE_MS, '1h': HOUR_MS, '24h': DAY_MS }

/** The query parameters of the page. `from` and `to` are `YYYY-MM-DD` in the visitor's zone, both inclusive. */
export type LogAddress = {
  readonly key?: string | undefined
  readonly status?: string | undefined
  readonly method?: string | undefined
  readonly path?: string | undefined
  readonly address?: string | undefined
  readonly request?: string | undefined
  readonly time?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** `1`: follows new requests. */
  readonly live?: string | undefined
}

/** The filters, which "Clear filters" removes. */
export const NO_LOG_FILTERS = {
  key: undefined,
  status: undefined,
  method: undefined,
  path: undefined,
  address: undefined,
  request: undefined,
  time: undefined,
  from: undefined,
  to: undefined,
} as const satisfies LogAddress

/** The API parameters. A status that is not valid is left out. */
export function logFilter(address: LogAddress, nowMs: number): LogSearch {
  return {
    key: address.key,
    status: /^[1-5](\d\d|xx)$/.test(address.status ?? '') ? address.status : undefined,
    method: address.method,
    target: address.path?.trim(),
    address: address.address?.trim(),
    request: address.request?.trim(),
    ...timesOf(address, nowMs),
  }
}

export function isLogFiltered(address: LogAddress): boolean {
  return Object.keys(NO_LOG_FILTERS).some((name) => address[name as keyof LogAddress])
}

/** The path and the parameters of a request target, decoded as far as they can be. */
export function decodeTarget(target: string): { path: string; parameters: [name: string, value: string][] } {
  const at = target.indexOf('?')
  const path = at === -1 ? target : target.slice(0, at)
  return { path: decodePath(path), parameters: at === -1 ? [] : [...new URLSearchParams(target.slice(at))] }
}

type LoggedTarget = Pick<LogEntryView, 'target' | 'isComplete'>

/** The search of the Explore page that finds the same slots; undefined for requests that do not search. */
export function exploreSearch({ target, isComplete }: LoggedTarget): Record<string, string> | undefined {
  const { path, parameters } = decodeTarget(target)
  if (!isComplete || !/^\/v1\/scheduling\/(slots|facets|actors)$/.test(path)) return undefined
  return formatExploreState(parseExploreState(Object.fromEntries(parameters)))
}

/** The request as a command; undefined if the log does not have all of it: a body, a long target, a redacted part. */
export function curlOf(request: LoggedTarget & { readonly method: string }, baseUrl: string): string | undefined {
  const { method, target, isComplete } = request
  // The absolute form, which proxies take, has an origin already.
  if ((method !== 'GET' && method !== 'HEAD') || !isComplete || !target.startsWith('/')) return undefined
  const origin = baseUrl.replace(/\/$/, '')
  // curl would expand brackets and braces.
  const escaped = target.replaceAll(/['[\]{}]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
  const command = curlCall(origin + escaped, KEY_PLACEHOLDER)
  return method === 'HEAD' ? command.replace('curl ', 'curl --head ') : command
}

function timesOf({ time, from, to }: LogAddress, nowMs: number): Pick<LogSearch, 'fromMs' | 'toMs'> {
  if (time === 'days') return { fromMs: midnight(from, 0), toMs: midnight(to, 1) }
  const span = SPANS[time ?? '']
  return span === undefined ? {} : { fromMs: nowMs - span }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
