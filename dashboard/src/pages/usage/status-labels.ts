/** The meaning of the statuses of `/v1` for the caller. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No content',
  304: 'Not modified',
  400: 'Invalid parameter',
  401: 'No valid key',
  403: 'Not allowed',
  404: 'Unknown path',
  405: 'Wrong method',
  406: 'Not acceptable',
  414: 'Address too long',
  431: 'Headers too large',
  500: 'Internal error',
  503: 'Not ready',
}

export type StatusClass = 'success' | 'unchanged' | 'refused' | 'failed'

/** 2xx, 3xx, 4xx and 5xx. */
export function statusClass(status: number): StatusClass {
  if (status < 300) return 'success'
  if (status < 400) return 'unchanged'
  return status < 500 ? 'refused' : 'failed'
}

/** `400 Invalid parameter`; the number alone if it has no text. */
export function statusLabel(status: number): string {
  return STATUS_TEXTS[status] ? `${status} ${STATUS_TEXTS[status]}` : String(status)
}

/** Badge colors by class. */
export const STATUS_COLORS: Readonly<Record<StatusClass, string>> = {
  success: 'teal',
  unchanged: 'blue',
  refused: 'orange',
  failed: 'red',
}
