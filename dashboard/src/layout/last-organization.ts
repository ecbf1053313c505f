import type { Me } from '../../../src/shared/contract/me.ts'
import type { OrganizationView } from '../../../src/shared/contract/organizations.ts'

const STORED_AS = 'last-organization'

/** Stores the most recently visited organization in this browser; of an operator without organizations, that there was a visit. */
export function rememberVisit(organizationId: string | undefined): void {
  try {
    localStorage.setItem(STORED_AS, organizationId ?? storedId() ?? '')
  } catch {
    // Storage is blocked: the first organization opens every time.
  }
}

/** The most recently visited organization, or the first; undefined without any. */
export function lastOrganization(me: Me): OrganizationView | undefined {
  return me.organizations.find((one) => one.id === storedId()) ?? me.organizations[0]
}

/** Where `/app` redirects. */
export function firstPage(me: Me): string {
  const organization = lastOrganization(me)
  return organization ? `/app/o/${organization.id}/keys` : '/app/welcome'
}

/** True if someone has signed in with this browser. */
export function hasVisited(): boolean {
  return storedId() !== null
}

function storedId(): string | null {
  try {
    return localStorage.getItem(STORED_AS)
  } catch {
    return null
  }
}
