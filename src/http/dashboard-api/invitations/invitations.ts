import { randomBytes } from 'node:crypto'
import { hashToken } from '../../../auth/link-tokens.ts'
import { addressBlock } from '../../../lib/network-address.ts'
import { defined } from '../../../lib/optional.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time.ts'
import { INVITATION_CONTRACT, INVITATION_MS, type InvitationView } from '../../../shared/contract/invitations.ts'
import {
  conflict,
  DashboardProblem,
  notFound,
  orNotFound,
  secondFactorRequired,
  throttled,
} from '../../../shared/dashboard-problem.ts'
import type { ThrottleRule } from '../../../store/contracts/operators.ts'
import {
  type AcceptOutcome,
  type Invitation,
  invitationPosition,
  MEMBERSHIPS_MAX,
} from '../../../store/contracts/organizations.ts'
import { AlreadyMember } from '../../../store/contracts/store.ts'
import { viewOrganization } from '../organizations/organizations.ts'
import { readPage } from '../page.ts'
import { implement, lacksSecondFactor, type OpenRequest, type OrganizationRequest, withinLimit } from '../route.ts'

/** How many open invitations an organization may have. */
export const OPEN_INVITATIONS_MAX = 100

export const invitationRoutes = implement(INVITATION_CONTRACT, {
  'POST /api/invitations/lookup': async (request) => {
    const { context, body } = request
    await checkAttempts(request)
    const found = await context.store.invitations.find(hashToken(body.token))
    if (found === undefined) return rejectToken(request)
    const view = viewInvitation(found.invitation, context.now())
    const { role, status, createdBy, email, expiresAtMs } = view
    const { name, requiresSecondFactor = false, suspension } = found.organization
    return {
      organization: name,
      requiresSecondFactor,
      role,
      status,
      invitedBy: createdBy,
      expiresAtMs,
      ...defined({ email }),
      ...(suspension !== undefined && { isSuspended: true as const }),
    }
  },

  // An existing member does not use up the invitation.
  'POST /api/invitations/accept': async (request) => {
    const { context, session, actor, body } = request
    await checkAttempts(request)
    const found = await context.store.invitations.find(hashToken(body.token))
    if (found?.organization.requiresSecondFactor && (await lacksSecondFactor(request))) {
      throw secondFactorRequired(found.organization.name)
    }
    const user = { id: session.userId, email: session.email }
    const accepted = await withinLimit(
      () => context.store.invitations.accept(hashToken(body.token), user, actor),
      `You belong to ${MEMBERSHIPS_MAX} organizations, which is the limit. Leave one first.`,
    )
    if (accepted.outcome === 'unknown') return rejectToken(request)
    if (accepted.outcome === 'joined') return viewOrganization(accepted.organization, accepted.role)
    if (accepted.outcome !== 'already-member') throw notAcceptable(accepted.outcome)
    const { organization } = accepted
    const role = orNotFound(await context.store.memberships.find(organization.id, session.userId), 'invitation')
    return viewOrganization(organization, role)
  },

  'GET /api/organizations/:org/invitations': async ({ context, organization, query }) => {
    const nowMs = context.now()
    const { invitations } = context.store
    const { rows, next } = await readPage(query, (page) => invitations.list(organization.id, page), invitationPosition)
    return { invitations: rows.map((invitation) => viewInvitation(invitation, nowMs)), ...next }
  },

  'POST /api/organizations/:org/invitations': async (request) => {
    const { context, organization, actor, body } = request
    const { email, role } = body
    const token = randomBytes(32).toString('base64url')
    const terms = { role, tokenHash: hashToken(token), expiresAtMs: context.now() + INVITATION_MS }
    const draft = { organizationId: organization.id, ...terms, ...defined({ email }) }
    const create = () => context.store.invitations.create({ ...draft, openMax: OPEN_INVITATIONS_MAX }, actor)
    const invitation = await withinLimit(
      () => forNonMember(create, `${email} is already a member of ${organization.name}.`),
      `${OPEN_INVITATIONS_MAX} invitations are open, which is the limit. Revoke one first.`,
    )
    // In the fragment the token reaches neither a log nor a Referer.
    const link = new URL(`/app/invitation#${token}`, context.dashboardUrl).href
    const mailed = await mail(request, invitation, link)
    return { invitation: viewInvitation(invitation, context.now()), link, mailed }
  },

  'DELETE /api/organizations/:org/invitations/:id': async ({ context, organization, actor, params }) => {
    const invitation = { organizationId: organization.id, id: params.id }
    if (!(await context.store.invitations.revoke(invitation, actor))) throw notFound('open invitation')
  },
})

/** A token has 256 random bits; this only bounds the load of guessing. */
const TOKEN_ATTEMPTS: ThrottleRule = { free: 20, firstMs: 1000, maxMs: 15 * MINUTE_MS, forgetMs: HOUR_MS }

/** The sender chooses both the recipients and part of the text, so after 50 mails the next one waits an hour. */
const MAILS: ThrottleRule = { free: 50, firstMs: HOUR_MS, maxMs: DAY_MS, forgetMs: DAY_MS }

function viewInvitation(invitation: Invitation, nowMs: number): InvitationView {
  const { id, email, role, createdBy, createdAtMs, expiresAtMs, acceptedBy } = invitation
  const status = statusOf(invitation, nowMs)
  return { id, role, status, createdBy, createdAtMs, expiresAtMs, ...defined({ email, acceptedBy }) }
}

function statusOf(invitation: Invitation, nowMs: number): InvitationView['status'] {
  if (invitation.acceptedAtMs !== undefined) return 'accepted'
  if (invitation.revokedAtMs !== undefined) return 'revoked'
  return invitation.expiresAtMs <= nowMs ? 'expired' : 'open'
}

async function forNonMember<T>(create: () => Promise<T>, message: string): Promise<T> {
  try {
    return await create()
  } catch (error) {
    if (error instanceof AlreadyMember) throw conflict(message, 'email')
    throw error
  }
}

/** Mails the link if the invitation is for an address. False if the link must be sent in another way. */
async function mail(request: OrganizationRequest, invitation: Invitation, link: string): Promise<boolean> {
  const { context, organization, actor, session } = request
  const { email: to, role, expiresAtMs } = invitation
  if (to === undefined || context.mailInvitation === undefined) return false
  const name = `invitation mails by ${session.userId}`
  if ((await context.store.throttles.refusedUntil(name)) > context.now()) return false
  await context.store.throttles.fail(name, MAILS)
  const terms = { organization: organization.name, role, invitedBy: actor.name, expiresAtMs }
  context.mailInvitation({ to, link, ...terms })
  return true
}

async function checkAttempts({ context, address }: OpenRequest): Promise<void> {
  const untilMs = await context.store.throttles.refusedUntil(throttleName(address))
  if (untilMs <= context.now()) return
  throw throttled('too-many-attempts', 'Too many invalid links came from your network.', untilMs - context.now())
}

async function rejectToken({ context, address }: OpenRequest): Promise<never> {
  await context.store.throttles.fail(throttleName(address), TOKEN_ATTEMPTS)
  const message = 'This invitation does not exist. Check that the link is complete, or ask for a new one.'
  throw new DashboardProblem('not-found', message)
}

function throttleName(address: string | undefined): string {
  return `invitation from ${addressBlock(address ?? 'unknown')}`
}

function notAcceptable(
  outcome: Exclude<AcceptOutcome['outcome'], 'joined' | 'already-member' | 'unknown'>,
): DashboardProblem {
  if (outcome === 'for-another-address') {
    const message = 'This invitation is for another email address. Sign in with that address to join.'
    return new DashboardProblem('forbidden', message)
  }
  if (outcome === 'suspended') {
    return new DashboardProblem('organization-suspended', 'The organization is suspended: it accepts no new members.')
  }
  const reason = { expired: 'has expired', revoked: 'was revoked', used: 'was already used' }[outcome]
  return new DashboardProblem('gone', `This invitation ${reason}. Ask the sender for a new one.`)
}
