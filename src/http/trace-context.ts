/** The caller's trace of a request. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  readonly isSampled: boolean
}

/** Version, trace ID, parent ID and flags; later versions may append fields. */
const FORM = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]([\da-f])(-.*)?$/

/** Parses a `traceparent` header (W3C Trace Context, 3.2). Undefined if it is invalid: the request then begins its own trace. */
export function parseTraceparent(header: string | readonly string[] | undefined): TraceContext | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId, flags, rest] = FORM.exec(header) ?? []
  if (traceId === undefined || (version === '00' && rest !== undefined)) return undefined
  return { traceId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
