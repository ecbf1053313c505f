import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Me, SignInOptions } from '../../../src/shared/contract/me.ts'
import type { OrganizationView } from '../../../src/shared/contract/organizations.ts'
import type { Permission } from '../../../src/shared/permissions.ts'
import { meQuery, optionsQuery } from './queries.ts'

/** The signed-in visitor. Only below routes that require a session. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(meQuery)
  if (data === null) throw new Error('Only pages below a route that requires a session may use the visitor')
  return data
}

/** Sign-in methods and URLs of this service. Loaded by every route. */
export function useOptions(): SignInOptions {
  return useSuspenseQuery(optionsQuery).data
}

/** The organization of the URL. Only below `/app/o/$org`, whose route has checked the membership. */
export function useOrganization(): OrganizationView {
  const { org } = useParams({ strict: false })
  const found = useMe().organizations.find((one) => one.id === org)
  if (!found) throw new Error(`You are not a member of the organization "${org}"`)
  return found
}

/** True if the visitor's role allows the action. Only hides controls; the API enforces permissions. */
export function useMay(permission: Permission): boolean {
  return useOrganization().may.includes(permission)
}

/** False for viewers of the service. Only hides controls; the API enforces roles. */
export function useIsOperator(): boolean {
  return useMe().operatorRole === 'operator'
}

/** The URL of a documentation page: `useDocsUrl('errors')`; of the overview without a name. */
export function useDocsUrl(name?: string): string {
  const { docsUrl } = useOptions()
  return name === undefined ? docsUrl : `${docsUrl}/${name}`
}
