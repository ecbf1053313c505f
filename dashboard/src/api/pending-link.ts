/**
 * The invitation or setup link that the visitor opened, kept in this browser while they sign up, which may lead by way of a mail
 * that opens in another tab. The token is a secret: it is forgotten as soon as it is used or refused.
 */
export interface PendingLink {
  readonly page: '/app/invitation' | '/app/setup'
  readonly token: string
}

const STORED_AS = 'kept-link'

/** The token behind the `#` of the present address, which is then kept; else the one that was kept for this page. */
export function takePendingLink(page: PendingLink['page'], hash: string): string | undefined {
  if (hash) {
    try {
      localStorage.setItem(STORED_AS, JSON.stringify({ page, token: hash } satisfies PendingLink))
    } catch {
      // Without storage the link must be opened again after signing up.
    }
    return hash
  }
  const kept = pendingLink()
  return kept?.page === page ? kept.token : undefined
}

/** The link that was kept last, if any. */
export function pendingLink(): PendingLink | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED_AS) ?? 'null') as PendingLink | null
    return kept ?? undefined
  } catch {
    return undefined
  }
}

/** Forgets the link: it was used, refused, or the visitor signed out. */
export function clearPendingLink(): void {
  try {
    localStorage.removeItem(STORED_AS)
  } catch {
    // Then it was never kept.
  }
}
