/** What the statuses of `/v1` mean to whoever called. */
const WORDS: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No content',
  304: 'Not modified',
  400: 'Invalid parameter',
  401: 'No valid key',
  404: 'Unknown path',
  405: 'Wrong method',
  406: 'Not acceptable',
  414: 'Address too long',
  431: 'Headers too large',
  500: 'Internal error',
  503: 'Not ready',
}

export type StatusClass = 'success' | 'unchanged' | 'refused' | 'failed'

/** `success` to 299, `unchanged` to 399, `refused` to 499 (the caller can mend it), `failed` beyond. */
export function statusClass(status: number): StatusClass {
  if (status < 300) return 'success'
  if (status < 400) return 'unchanged'
  return status < 500 ? 'refused' : 'failed'
}

/** `400 Invalid parameter`; the number alone if we have no words for it. */
export function statusLabel(status: number): string {
  return WORDS[status] ? `${status} ${WORDS[status]}` : String(status)
}

/** Mantine's colour for it, in badges. */
export const STATUS_COLORS: Readonly<Record<StatusClass, string>> = {
  success: 'teal',
  unchanged: 'blue',
  refused: 'orange',
  failed: 'red',
}
