/** The URL if it is a page of the dashboard; prevents open redirects after sign-in. */
export function safeRedirect(address: string | undefined): string | undefined {
  return address && /^\/app(?:[/?#]|$)/.test(address) ? address : undefined
}
