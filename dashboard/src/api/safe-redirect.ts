/** The address, if it is one of the dashboard's pages: a link must not lead from our sign-in to somebody else's page. */
export function safeRedirect(address: string | undefined): string | undefined {
  return address && /^\/app(?:[/?#]|$)/.test(address) ? address : undefined
}
