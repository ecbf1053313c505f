import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import { userActor } from '../../auth/account-log.ts'
import { addressOf } from '../../auth/auth-request.ts'
import { CONFIRMED_MS, type Session } from '../../auth/sign-in.ts'
import type { KeyedSemaphore } from '../../lib/concurrency.ts'
import { HOUR_MS } from '../../lib/time.ts'
import type {
  Access,
  Contract,
  DashboardOperation,
  OperationName,
  Parsed,
  PathParameters,
} from '../../shared/contract/contract.ts'
import {
  confirmationRequired,
  DashboardProblem,
  invalidField,
  notFound,
  organizationSuspended,
  secondFactorRequired,
  sessionRequired,
  throttled,
} from '../../shared/dashboard-problem.ts'
import {
  isAllowedSuspended,
  type MemberRole,
  mayDo,
  type OperatorRole,
  PERMISSIONS,
  type Permission,
} from '../../shared/permissions.ts'
import type { AuditActor } from '../../store/contracts/audit.ts'
import type { Organization } from '../../store/contracts/organizations.ts'
import { LimitReached } from '../../store/contracts/store.ts'
import type { DashboardContext } from './context.ts'

/** A request that anyone may make. */
export interface OpenRequest {
  readonly context: DashboardContext
  readonly raw: HonoRequest
  /** The client's network address. */
  readonly address: string | undefined
}

/** A request of a signed-in user. */
export interface UserRequest extends OpenRequest {
  readonly session: Session
  /** The user as the logs name them. */
  readonly actor: AuditActor
}

/** A request about an organization that the user belongs to. */
export interface OrganizationRequest extends UserRequest {
  readonly organization: Organization
  readonly role: MemberRole
}

/** The request of an operation, with its parsed parameters and body. */
type RequestOf<Name extends string, O extends DashboardOperation> = RequestBy<O['access']> & {
  readonly params: PathParameters<Name>
  readonly query: Parsed<O, 'query'>
  readonly body: Parsed<O, 'body'>
}

/** One handler for each operation of a contract. A `Response` is sent as it is, undefined as 204. */
type Handlers<C extends Contract> = {
  readonly [Name in keyof C & OperationName]: Handler<RequestOf<Name, C[Name]>, C[Name]>
}

type Handler<Request, O extends DashboardOperation> = O extends { readonly response: object }
  ? (request: Request) => Promise<Parsed<O, 'response'> | Response>
  : (request: Request) => Promise<void>

/** An operation with its handler. */
export interface Route extends DashboardOperation {
  readonly method: string
  readonly path: string
  readonly handle: (request: OpenRequest & Readonly<Record<'params' | 'query' | 'body', unknown>>) => Promise<unknown>
}

/** Joins the operations of a contract and their handlers. */
export function implement<const C extends Contract>(contract: C, handlers: Handlers<C>): Route[] {
  return Object.entries<DashboardOperation>(contract).map(([name, operation]) => {
    const [method, path] = name.split(' ')
    const handle = handlers[name as keyof C & OperationName]
    return { ...operation, method, path, handle: handle as unknown as Route['handle'] }
  })
}

/** Reads of one user that run at once. More would make every other user wait: they share the thread, some milliseconds at a time. */
export const USER_READS_MAX = 4

/** Authorizes and parses a request, and responds with the result of its handler. Throws `DashboardProblem`. */
export async function respond(
  route: Route,
  raw: HonoRequest,
  { context, reads }: { readonly context: DashboardContext; readonly reads: KeyedSemaphore },
): Promise<Response> {
  const request = await authorize(route, raw, context)
  if (route.method !== 'GET' || !('session' in request)) return handle(route, request)
  return reads.run(request.session.userId, async () => {
    if (raw.raw.signal.aborted) throw new DashboardProblem('not-ready', 'The client closed the connection.')
    return handle(route, request)
  })
}

async function handle(route: Route, request: OpenRequest | UserRequest): Promise<Response> {
  const { raw } = request
  const parsed = await parseRequest(raw, route)
  if (route.method !== 'GET' && route.unlimited !== true && 'session' in request) await countChange(request)
  const result = await route.handle({ ...request, ...parsed })
  if (result === undefined) return new Response(null, { status: 204 })
  return result instanceof Response ? result : Response.json(result)
}

/** Runs an insert that the store limits. Throws the problem `limit-reached` with this message if the limit is reached. */
export async function withinLimit<T>(insert: () => Promise<T>, message: string): Promise<T> {
  try {
    return await insert()
  } catch (error) {
    if (error instanceof LimitReached) throw new DashboardProblem('limit-reached', message)
    throw error
  }
}

/** Throws if the account has made as many changes in the last hour as are allowed. */
async function countChange({ context, session }: UserRequest): Promise<void> {
  const window = { max: context.configured.changesPerHourMax, ms: HOUR_MS }
  const untilMs = await context.store.throttles.take(`changes by ${session.userId}`, window)
  if (untilMs <= context.now()) return
  const reason = `Your account made ${window.max} changes within an hour, which is the limit.`
  throw throttled('too-many-changes', reason, untilMs - context.now())
}

type RequestBy<A extends Access> = A extends 'anyone'
  ? OpenRequest
  : A extends 'session' | OperatorRole
    ? UserRequest
    : OrganizationRequest

/** Checks that the caller may use an operation. Throws `DashboardProblem`. */
export async function authorize(
  { access, privileged, withoutSecondFactor }: DashboardOperation,
  raw: HonoRequest,
  context: DashboardContext,
): Promise<OpenRequest | UserRequest> {
  const open = { context, raw, address: addressOf(raw.raw.headers) }
  if (access === 'anyone') return open
  const request = await signedIn(open)
  if (request.session.needsSecondFactor && withoutSecondFactor !== true) throw secondFactorRequired()
  const authorized = await withAccess(request, access)
  if (withoutSecondFactor !== true) await checkOrganizationsFactor(authorized)
  const isConfirmed = context.now() - request.session.confirmedAtMs < CONFIRMED_MS
  if (privileged === true && !isConfirmed) throw confirmationRequired()
  return authorized
}

async function withAccess(
  request: UserRequest,
  access: Exclude<Access, 'anyone'>,
): Promise<UserRequest | OrganizationRequest> {
  if (access === 'session') return request
  return access === 'operator' || access === 'viewer' ? asOperator(request, access) : inOrganization(request, access)
}

async function signedIn(request: OpenRequest): Promise<UserRequest> {
  const { context, raw } = request
  const session = await context.signIn.sessionOf(raw.raw.headers)
  if (session === undefined) throw sessionRequired()
  const actor = userActor(session, raw.raw.headers)
  return { ...request, session, actor }
}

/** True for an account with a password and without two-factor authentication. */
export async function lacksSecondFactor({ context, session }: UserRequest): Promise<boolean> {
  return !session.twoFactor && (await context.signIn.hasPassword(session.userId))
}

async function checkOrganizationsFactor(request: UserRequest | OrganizationRequest): Promise<void> {
  if (!('organization' in request) || request.organization.requiresSecondFactor !== true) return
  if (await lacksSecondFactor(request)) throw secondFactorRequired(request.organization.name)
}

function asOperator(request: UserRequest, access: OperatorRole): UserRequest {
  const { operatorRole } = request.session
  if (operatorRole === 'operator' || operatorRole === access) return request
  const message =
    operatorRole === 'viewer'
      ? 'You are a viewer of this service: only operators can change something.'
      : 'Only the operator of this service can do this.'
  throw new DashboardProblem('forbidden', message)
}

/** Non-members get 404, so that they cannot find out which organizations exist. */
async function inOrganization(request: UserRequest, permission: Permission): Promise<OrganizationRequest> {
  const id = request.raw.param('org')
  const memberships = await request.context.store.memberships.listOfUser(request.session.userId)
  const membership = memberships.find(({ organization }) => organization.id === id)
  if (membership === undefined) throw notFound('organization')
  const { organization, role } = membership
  if (mayDo(role, permission)) {
    if (organization.suspension !== undefined && !isAllowedSuspended(permission)) throw organizationSuspended()
    return { ...request, ...membership }
  }
  const message = `Your role in ${organization.name} is ${role}; this needs ${PERMISSIONS[permission]}.`
  throw new DashboardProblem('forbidden', message)
}

/** Parses the parts of a request that its operation has schemas for. Throws `DashboardProblem`. PostgreSQL takes no NUL in any of them. */
async function parseRequest(request: HonoRequest, { query, body }: DashboardOperation) {
  const params = request.param()
  if (Object.values(params).some(hasNul)) throw notFound('page')
  return {
    params,
    query: query && parse(parametersOf(request), query),
    body: body && parse(parseJson((await request.text()) || '{}'), body),
  }
}

function parametersOf(request: HonoRequest): Record<string, string> {
  const { searchParams } = new URL(request.url)
  const names = [...searchParams.keys()]
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) throw invalidField(`${quoted(repeated)} must be given once.`, repeated)
  const withNul = names.find((name) => hasNul(searchParams.get(name)))
  if (withNul !== undefined) throw invalidField(`${quoted(withNul)} must not contain a NUL character.`, withNul)
  return Object.fromEntries(searchParams)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, refuseNul)
  } catch (error) {
    throw error instanceof DashboardProblem ? error : invalidField('The body must be JSON.')
  }
}

function refuseNul(name: string, value: unknown): unknown {
  if (hasNul(name) || hasNul(value)) throw invalidField('The body must not contain a NUL character.')
  return value
}

function hasNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0')
}

function parse(value: unknown, schema: z.ZodType): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (issue.code === 'unrecognized_keys')
    throw invalidField(`${quoted(issue.keys[0])} is not a known field.`, issue.keys[0])
  const [field] = issue.path
  throw field === undefined
    ? invalidField('The body must be a JSON object.')
    : invalidField(issue.message, String(field))
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 50))
}
