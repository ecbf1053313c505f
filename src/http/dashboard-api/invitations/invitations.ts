import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import { DashboardProblem, notFound } from '../../../shared/dashboard-problem.ts'
import type {
  InvitationPreview,
  InvitationView,
  NewInvitation,
  OrganizationView,
} from '../../../shared/shapes.ts'
import type { ThrottleRule } from '../../../store/contracts/operators.ts'
import type { AcceptOutcome, Invitation } from '../../../store/contracts/organizations.ts'
import { viewOrganization } from '../organizations/organizations.ts'
import { readForm } from '../read-form.ts'
import { type OpenVisit, type OrganizationVisit, pathPart, type Visit } from '../visit.ts'
import { withinLimit } from '../within-limit.ts'

/** How many invitations of one organization may be open. */
export const OPEN_INVITATIONS_MAX = 100

/** How long an invitation may be used. */
export const INVITATION_MS = 7 * DAY_MS

export async function listInvitations(visit: OrganizationVisit): Promise<{ invitations: InvitationView[] }> {
  const { account, organization } = visit
  const nowMs = account.now()
  const invitations = await account.store.invitations.list(organization.id)
  return { invitations: invitations.map((invitation) => viewInvitation(invitation, nowMs)) }
}

/** Only the token's hash is kept; the link that holds it is told in this answer alone. */
export async function createInvitation(visit: OrganizationVisit): Promise<NewInvitation> {
  const { account, organization, actor } = visit
  const { email, role } = await readForm(visit.request, INVITATION)
  await refuseMember(visit, email)
  const token = randomBytes(32).toString('base64url')
  const terms = { role, tokenHash: hashToken(token), expiresAtMs: account.now() + INVITATION_MS }
  const draft = { organizationId: organization.id, ...terms, ...(email !== undefined && { email }) }
  const invitation = await withinLimit(
    () => account.store.invitations.create({ ...draft, openMax: OPEN_INVITATIONS_MAX }, actor),
    `${OPEN_INVITATIONS_MAX} invitations are open, which is the most there may be. Revoke one first.`,
  )
  // Behind the # it reaches neither a log nor a Referer.
  const link = new URL(`/app/invitation#${token}`, account.dashboardUrl).href
  const mailed = await mail(visit, invitation, link)
  return { invitation: viewInvitation(invitation, account.now()), link, mailed }
}

export async function revokeInvitation(visit: OrganizationVisit): Promise<undefined> {
  const of = { organizationId: visit.organization.id, id: pathPart(visit, 'id') }
  if (!(await visit.account.store.invitations.revoke(of, visit.actor))) throw notFound('open invitation')
}

/** What a link leads to, for whoever holds it. */
export async function previewInvitation(visit: OpenVisit): Promise<InvitationPreview> {
  await refuseGuessers(visit)
  const found = await visit.account.store.invitations.find(hashToken(pathPart(visit, 'token')))
  if (found === undefined) return refuseToken(visit)
  const { organization, invitation } = found
  const { role, status, createdBy, email, expiresAtMs } = viewInvitation(invitation, visit.account.now())
  const invited = { role, status, invitedBy: createdBy, expiresAtMs, ...(email !== undefined && { email }) }
  return { organization: organization.name, ...invited }
}

/** Whoever belongs to the organization already is let in without spending the invitation. */
export async function acceptInvitation(visit: Visit): Promise<OrganizationView> {
  await refuseGuessers(visit)
  const { account, session, actor } = visit
  const tokenHash = hashToken(pathPart(visit, 'token'))
  const user = { id: session.userId, email: session.email }
  const accepted = await account.store.invitations.accept(tokenHash, user, actor)
  if (accepted.outcome === 'unknown') return refuseToken(visit)
  if (accepted.outcome === 'joined') return viewOrganization(accepted.organization, accepted.role)
  if (accepted.outcome !== 'already-member') throw unusable(accepted.outcome)
  const { organization } = accepted
  const role = await account.store.memberships.find(organization.id, session.userId)
  if (role === undefined) throw notFound('invitation')
  return viewOrganization(organization, role)
}

const EMAIL_MESSAGE = 'The e-mail address must look like name@example.org.'

const INVITATION = z.strictObject({
  email: z.email({ error: EMAIL_MESSAGE }).max(254, EMAIL_MESSAGE).toLowerCase().optional(),
  role: z.enum(['admin', 'member'], { error: 'The role must be admin or member.' }),
})

/** 256 random bits are not guessed, but nobody is to try all day. */
const GUESSING: ThrottleRule = { free: 20, firstMs: 1000, maxMs: 900_000, forgetMs: HOUR_MS }

function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

function viewInvitation(invitation: Invitation, nowMs: number): InvitationView {
  const { id, email, role, createdBy, createdAtMs, expiresAtMs, acceptedBy } = invitation
  const status = statusOf(invitation, nowMs)
  const told = { ...(email !== undefined && { email }), ...(acceptedBy !== undefined && { acceptedBy }) }
  return { id, role, status, createdBy, createdAtMs, expiresAtMs, ...told }
}

function statusOf(invitation: Invitation, nowMs: number): InvitationView['status'] {
  if (invitation.acceptedAtMs !== undefined) return 'accepted'
  if (invitation.revokedAtMs !== undefined) return 'revoked'
  return invitation.expiresAtMs <= nowMs ? 'expired' : 'open'
}

async function refuseMember({ account, organization }: OrganizationVisit, email?: string): Promise<void> {
  const members = email === undefined ? [] : await account.store.memberships.list(organization.id)
  if (members.some((member) => member.email.toLowerCase() === email)) {
    throw new DashboardProblem('conflict', `${email} belongs to ${organization.name} already.`, {
      field: 'email',
    })
  }
}

/** After 50 mails the next waits an hour: what is in them is made up by whoever invites, and goes to whom they like. */
const MAILING: ThrottleRule = { free: 50, firstMs: HOUR_MS, maxMs: DAY_MS, forgetMs: DAY_MS }

/** Sends the link, if it is for an address and mail can be sent. False if it is only to be handed over otherwise. */
async function mail(visit: OrganizationVisit, invitation: Invitation, link: string): Promise<boolean> {
  const { account, organization, actor, session } = visit
  const { email: to, role, expiresAtMs } = invitation
  if (to === undefined || account.mailInvitation === undefined) return false
  const name = `invitation mails by ${session.userId}`
  if ((await account.store.throttles.refusedUntil(name)) > account.now()) return false
  await account.store.throttles.fail(name, MAILING)
  account.mailInvitation({
    to,
    link,
    organization: organization.name,
    role,
    invitedBy: actor.name,
    expiresAtMs,
  })
  return true
}

async function refuseGuessers({ account, address }: OpenVisit): Promise<void> {
  const untilMs = await account.store.throttles.refusedUntil(throttleName(address))
  const waitS = Math.ceil((untilMs - account.now()) / 1000)
  if (waitS <= 0) return
  const headers = { 'retry-after': String(waitS) }
  throw new DashboardProblem(
    'too-many-attempts',
    `Too many wrong links came from here. Please wait ${waitS} s.`,
    {
      headers,
    },
  )
}

/** Always throws. */
async function refuseToken({ account, address }: OpenVisit): Promise<never> {
  await account.store.throttles.fail(throttleName(address), GUESSING)
  throw new DashboardProblem(
    'not-found',
    'There is no such invitation. Please check that the link is whole, or ask for a new one.',
  )
}

function throttleName(address: string | undefined): string {
  return `invitation from ${address ?? 'unknown'}`
}

function unusable(
  outcome: Exclude<AcceptOutcome['outcome'], 'joined' | 'already-member' | 'unknown'>,
): DashboardProblem {
  if (outcome === 'for-another-address') {
    return new DashboardProblem(
      'forbidden',
      'This invitation is for another e-mail address. Sign in with that one to join.',
    )
  }
  const was = { expired: 'has expired', revoked: 'was revoked', used: 'was used already' }[outcome]
  return new DashboardProblem('gone', `This invitation ${was}. Ask whoever sent it for a new one.`)
}
