/** How far the clock of the service is ahead of the browser's. */
let aheadMs = 0

/** The time of the service in milliseconds since 1970, as of its last response: a browser's clock may be off by days. */
export function now(): number {
  return Date.now() + aheadMs
}

/** Sets the clock of `now()` by the `Date` header of a response that has just arrived. */
export function setClock({ headers }: Response): void {
  const serviceMs = Date.parse(headers.get('Date') ?? '')
  if (serviceMs > 0) aheadMs = serviceMs - Date.now()
}
