import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Permission } from '../../../src/shared/permissions.ts'
import type { Me, OrganizationView, SignInOptions } from '../../../src/shared/shapes.ts'
import { meQuery, optionsQuery } from './queries.ts'

/** Who is signed in. Only below the routes that ask for a session, which have it loaded. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data
}

/** What this service offers: how to sign in, its base URL, its documentation's. Loaded by every route. */
export function useOptions(): SignInOptions {
  return useSuspenseQuery(optionsQuery).data
}

/** The organization that the address names. Only below `/app/o/$org`, whose route has checked that it is one of the visitor's. */
export function useOrganization(): OrganizationView {
  const { org } = useParams({ strict: false })
  const found = useMe().organizations.find((one) => one.id === org)
  if (!found) throw new Error(`Cannot show organization: it must be one of yours: got "${org}"`)
  return found
}

/** True if the visitor's role in the organization of the address allows it. The API decides for itself; this only hides what it would refuse. */
export function useMay(permission: Permission): boolean {
  return useOrganization().may.includes(permission)
}
