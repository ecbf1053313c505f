/**
 * The invitation or setup link that the visitor opened, stored in this browser while they sign up, which may lead through an email
 * that opens in another tab. The token is a secret: it is deleted as soon as it is used or rejected.
 */
interface PendingLink {
  readonly page: '/app/invitation' | '/app/setup'
  readonly token: string
}

const STORED_AS = 'pending-link'

/** Returns and stores the token in the fragment of the current URL; without one, the stored token of this page. */
export function takePendingLink(page: PendingLink['page'], hash: string): string | undefined {
  if (hash) {
    try {
      localStorage.setItem(STORED_AS, JSON.stringify({ page, token: hash } satisfies PendingLink))
    } catch {
      // Without storage the link must be opened again after signing up.
    }
    return hash
  }
  const stored = pendingLink()
  return stored?.page === page ? stored.token : undefined
}

/** The stored link, if any. */
export function pendingLink(): PendingLink | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED_AS) ?? 'null') as PendingLink | null
    return stored ?? undefined
  } catch {
    return undefined
  }
}

/** Deletes the link: it was used or rejected, or the visitor signed out. */
export function clearPendingLink(): void {
  try {
    localStorage.removeItem(STORED_AS)
  } catch {
    // Storage is blocked: nothing was stored.
  }
}
