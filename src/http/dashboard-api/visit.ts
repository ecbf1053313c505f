import type { HonoRequest } from 'hono'
import type { Session } from '../../auth/sign-in.ts'
import type { AuditActor } from '../../store/contracts/audit.ts'
import type { MemberRole, Organization } from '../../store/contracts/organizations.ts'
import type { AccountContext } from './context.ts'

/** A request from anybody. */
export interface OpenVisit {
  readonly account: AccountContext
  readonly request: HonoRequest
  /** The network address that it came from. */
  readonly address: string | undefined
}

/** A request from somebody who is signed in. */
export interface Visit extends OpenVisit {
  readonly session: Session
  /** The same person, as a log is to name them. */
  readonly actor: AuditActor
}

/** A request about an organization that the person belongs to. */
export interface OrganizationVisit extends Visit {
  readonly organization: Organization
  readonly role: MemberRole
}

/** A part of the request's path by its name in the route table. */
export function pathPart({ request }: OpenVisit, name: string): string {
  const part = request.param(name)
  if (part === undefined) throw new Error(`Cannot read path: the route must name :${name}`)
  return part
}
