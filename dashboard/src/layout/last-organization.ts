import type { Me, OrganizationView } from '../../../src/shared/shapes.ts'

const STORED_AS = 'last-organization'

/** Remembers, in this browser, which organization was looked at last. */
export function rememberOrganization(id: string): void {
  try {
    localStorage.setItem(STORED_AS, id)
  } catch {
    // Without storage the first organization it is, every time.
  }
}

/** The organization that was looked at last, or the first; undefined for somebody without any. */
export function lastOrganization(me: Me): OrganizationView | undefined {
  return me.organizations.find((one) => one.id === storedId()) ?? me.organizations[0]
}

/** Where `/app` leads. */
export function firstPage(me: Me): string {
  const organization = lastOrganization(me)
  return organization ? `/app/o/${organization.id}/keys` : '/app/welcome'
}

function storedId(): string | null {
  try {
    return localStorage.getItem(STORED_AS)
  } catch {
    return null
  }
}
