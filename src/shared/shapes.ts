import type { AuditKind } from '../store/contracts/audit.ts'
import type { MemberRole } from '../store/contracts/organizations.ts'

/**
 * What the dashboard's own API answers, as JSON; the dashboard imports these types, and those of `source-shapes.ts`. Times are milliseconds since 1970.
 *
 * Everything lies under `/api`; what begins with `/api/auth/` is the sign-in library's. A request without a session gets
 * 401, one that the role does not allow 403, what belongs to an organization of others 404; each error body is
 * `{ "error": <one word or few>, "message": <for people>, "field"?: <what was wrong> }`. What changes something asks for
 * `Content-Type: application/json` and an `Origin` of our own.
 *
 *     GET    /api/options                                    SignInOptions            no session needed
 *     GET    /api/me                                         Me
 *     POST   /api/setup                {token}               Me                       the one-time link of the first start
 *     DELETE /api/me                   {confirm: email}      204                      refused for an owner: 409
 *     GET    /api/invitations/:token                         InvitationPreview        no session needed
 *     POST   /api/invitations/:token/accept                  OrganizationView
 *     POST   /api/organizations        {name}                OrganizationView
 *     GET    /api/organizations/:org                         OrganizationView
 *     PATCH  /api/organizations/:org   {name}                OrganizationView
 *     DELETE /api/organizations/:org   {name}                204                      the name typed again
 *     POST   /api/organizations/:org/transfer  {userId}      204
 *     POST   /api/organizations/:org/leave                   204
 *     GET    /api/organizations/:org/members                 {members: MemberView[]}
 *     PATCH  /api/organizations/:org/members/:user {role}    204
 *     DELETE /api/organizations/:org/members/:user           204
 *     GET    /api/organizations/:org/invitations             {invitations: InvitationView[]}
 *     POST   /api/organizations/:org/invitations {email?, role}  NewInvitation
 *     DELETE /api/organizations/:org/invitations/:id         204
 *     GET    /api/organizations/:org/keys                    {keys: KeyView[]}        newest first, the revoked too
 *     POST   /api/organizations/:org/keys {name, expiresAtMs?}   NewKey
 *     GET    /api/organizations/:org/keys/:key               KeyView
 *     POST   /api/organizations/:org/keys/:key/rotate {keepOldForMs, expiresAtMs?}  NewKey   0, 3600000, 86400000 or 604800000
 *            `expiresAtMs: null` is never; without it a new key never expires, and a rotated one lives as long as it was made for
 *     POST   /api/organizations/:org/keys/:key/revoke {reason?}  KeyView
 *     GET    /api/organizations/:org/keys/:key/requests      {requests: RequestView[]}
 *     GET    /api/organizations/:org/usage?fromMs&toMs&key?  UsageView                at most 92 days
 *     GET    /api/organizations/:org/usage.csv?fromMs&toMs&key?
 *     GET    /api/organizations/:org/audit?kind&actor&subject&fromMs&toMs&beforeId&limit   {entries: AuditView[]}
 *     GET    /api/organizations/:org/audit.csv?…
 *     GET    /api/explore/slots?<the parameters of /v1/scheduling/slots>   as /v1 answers, errors too
 *     GET    /api/explore/days?<the same, less limit and offset; zone>     DaysView
 *     GET    /api/operator/sources                           {sources: SourceView[]}
 *     POST   /api/operator/sources     {slug, url, name?, format?, options?, strict?, everyMinutes?}  SourceView
 *     POST   /api/operator/sources/check {url}               SourceCheck
 *     POST   /api/operator/checks      {url | source, strict?}   FeedCheckView        one at a time; 409 while another is running
 *     GET    /api/operator/checks/:check                     FeedCheckView            for an hour, on the node that was asked
 *     DELETE /api/operator/checks/:check                     204                      it ends with what it has
 *     GET    /api/operator/sources/:slug                     SourceDetail
 *     PATCH  /api/operator/sources/:slug {paused?, hold?, name?, url?, options?, strict?, everyMinutes?}   SourceView   null ends a name or an interval; options: a JSON Merge Patch
 *     POST   /api/operator/sources/:slug/accept {accept, heldSinceMs?}   SourceView   yes to what is suspicious; false takes a yes back; 409 if not this (null: nothing) is held by now
 *     GET    /api/operator/sources/:slug/open-slots?span     OpenSlotsView            span: 14d (by the hour) or 400d (by the day)
 *     POST   /api/operator/sources/:slug/sync                SourceView
 *     POST   /api/operator/sources/:slug/upload?dryRun&fileName&format&timeZone&dateOrder   ImportReport
 *            the body is the file: `Content-Type: application/octet-stream`, at most UPLOAD_MB_MAX; the source is made if there is none
 *     DELETE /api/operator/sources/:slug {slug}              204                      the slug typed again
 *     GET    /api/operator/source-log?slug&beforeId&limit    {actions: SourceActionView[]}   newest first; of sources that are gone as well
 *     GET    /api/operator/organizations                     {organizations: OperatedOrganization[]}
 *     GET    /api/operator/accounts?search&limit&offset      {accounts: AccountView[], total}
 *     POST   /api/operator/accounts/:user/reset-link         {link, expiresAtMs}
 *     GET    /api/operator/health                            HealthView
 *     GET    /api/operator/alerts                            {ways: AlertWayView[]}   none where no alerts are configured
 *     POST   /api/operator/alerts/test                       {ways: AlertTestView[]}  waits for what becomes of them
 */

/**
 * What the dashboard asks of the sign-in library, below `/api/auth`; what is not in this table is not there. Its errors are
 * `{ "code", "message" }`; those of ours among them have `error` too. Wrong guesses make 429 with `Retry-After`.
 *
 *     POST /sign-up/email     {name, email, password, invitation?}   {token, user}: no token where the address must be confirmed first
 *     POST /sign-in/email     {email, password, rememberMe?}         {user}, or {twoFactorRedirect: true}; 403 EMAIL_NOT_VERIFIED: mailed anew
 *     POST /sign-in/social    {provider: 'oidc', callbackURL, errorCallbackURL, additionalData?: {invitation}}   {url} to go to
 *     POST /two-factor/verify-totp, /two-factor/verify-backup-code   {code, trustDevice?}
 *     GET  /passkey/generate-authenticate-options, POST /passkey/verify-authentication
 *     POST /sign-out          {}
 *     GET  /get-session, /list-sessions      POST /revoke-session {token}, /revoke-sessions {}, /revoke-other-sessions {}
 *     POST /verify-email      {token}                                what stands behind the # of `/app/confirm-email#<token>`; signs in
 *     POST /send-verification-email  {email}                         200 in any case
 *     POST /request-password-reset   {email}                         200 in any case; the link is `/app/reset-password#<token>`
 *     POST /reset-password    {token, newPassword}                   ends all sessions
 *     POST /change-password   {currentPassword, newPassword, revokeOtherSessions?}
 *     POST /change-email      {newEmail}                             mailed to the new address, confirmed by `/verify-email` while signed in (else
 *                                                                    401 SIGN_IN_FIRST); without mail it changes at once
 *     POST /update-user       {name}
 *     POST /two-factor/enable {password}                             {totpURI, backupCodes}; counts once a code was verified
 *     POST /two-factor/disable, /two-factor/generate-backup-codes, /two-factor/get-totp-uri   {password}
 *     GET  /passkey/generate-register-options, /passkey/list-user-passkeys
 *     POST /passkey/verify-registration, /passkey/update-passkey, /passkey/delete-passkey
 *     GET  /list-accounts     POST /link-social, /unlink-account
 *
 * `invitation` is the token of an invitation's link, or of the setup link: a sign-up that is not open asks for it. Adding a
 * passkey and changing the address ask for a sign-in within the last day: 403 SESSION_NOT_FRESH. Single sign-on comes back to
 * `errorCallbackURL?error=<code>&error_description=<sentence>` if it failed; `callbackURL` is where it leads, such as `/app`.
 */

/** How one may sign in here. */
export interface SignInOptions {
  readonly password: boolean
  readonly signUp: 'open' | 'invited' | 'domains' | 'closed'
  /** With `domains`: the allowed ones. */
  readonly domains: readonly string[]
  readonly oidc?: { readonly name: string }
  /** The service can send mail: addresses are confirmed, passwords reset by mail. */
  readonly mail: boolean
  /** Nobody is the operator yet. */
  readonly needsOperator: boolean
  readonly baseUrl: string
  readonly docsUrl: string
  readonly version: string
}

export interface Me {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly emailConfirmed: boolean
  readonly twoFactor: boolean
  readonly hasPassword: boolean
  readonly isOperator: boolean
  readonly organizations: readonly OrganizationView[]
}

export interface OrganizationView {
  readonly id: string
  readonly name: string
  readonly createdAtMs: number
  /** What the caller is in it. */
  readonly role: MemberRole
  /** What the caller may do in it: see `permissions.ts`. */
  readonly may: readonly string[]
}

export interface MemberView {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly role: MemberRole
  readonly joinedAtMs: number
}

export interface InvitationView {
  readonly id: string
  readonly email?: string
  readonly role: Exclude<MemberRole, 'owner'>
  readonly status: 'open' | 'accepted' | 'revoked' | 'expired'
  readonly createdBy: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly acceptedBy?: string
}

/** The link is told this once. `mailed`: it was sent to the address too. */
export interface NewInvitation {
  readonly invitation: InvitationView
  readonly link: string
  readonly mailed: boolean
}

/** What whoever holds the link sees before joining. */
export interface InvitationPreview {
  readonly organization: string
  readonly role: Exclude<MemberRole, 'owner'>
  readonly invitedBy: string
  readonly email?: string
  readonly status: InvitationView['status']
  readonly expiresAtMs: number
}

export interface KeyView {
  readonly id: string
  readonly name: string
  readonly lastFour: string
  readonly status: 'active' | 'expired' | 'revoked'
  /** `idle`: no request in 30 days; `unused`: never used in 7 days; `expires-soon`: within 14 days. */
  readonly hints: readonly ('idle' | 'unused' | 'expires-soon')[]
  readonly createdAtMs: number
  readonly createdBy?: string
  readonly expiresAtMs?: number
  readonly lastUsedAtMs?: number
  readonly revokedAtMs?: number
  readonly revokedReason?: string
  readonly replacedBy?: string
}

/** The secret is told this once. */
export interface NewKey {
  readonly key: KeyView
  readonly secret: string
}

export interface RequestView {
  readonly atMs: number
  readonly method: string
  readonly target: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
}

/** Requests by hour, key and status; hours without any are left out. */
export interface UsageView {
  readonly hours: readonly {
    readonly hourMs: number
    readonly keyId: string
    readonly status: number
    readonly requests: number
  }[]
  /** Of all requests in the time; absent if there were none. The time inside the service, without the network. */
  readonly latency?: { readonly p50Ms: number; readonly p95Ms: number }
}

export interface AuditView {
  readonly id: number
  readonly atMs: number
  readonly kind: AuditKind
  readonly actor: string
  readonly address?: string
  readonly subject?: string
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
}

/** How many open slots begin on each day (of the given zone) in each state: at most 14 days from `startAfter` or now, and the 15 states with the most. */
export interface DaysView {
  /** `YYYY-MM-DD`. */
  readonly days: readonly string[]
  /** `counts[n]` belongs to `days[n]`. `XX` stands for slots without a state. */
  readonly states: readonly { readonly state: string; readonly counts: readonly number[] }[]
  readonly total: number
}

/** What a manifest looks like before it is added. */
export interface SourceCheck {
  readonly ok: boolean
  /** What was found, or why it cannot be read: a sentence. */
  readonly message: string
  readonly files: readonly {
    readonly type: string
    readonly url: string
    readonly states: readonly string[]
  }[]
}

export interface OperatedOrganization {
  readonly id: string
  readonly name: string
  readonly createdAtMs: number
  readonly members: number
  readonly keys: number
  readonly requests30d: number
}

export interface AccountView {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly emailConfirmed: boolean
  readonly createdAtMs: number
  readonly organizations: number
  readonly isOperator: boolean
}

export interface HealthView {
  readonly version: string
  readonly nodeVersion: string
  readonly startedAtMs: number
  readonly ready: boolean
  readonly slots: number
  readonly keys: number
  readonly memory: { readonly rssBytes: number; readonly heapBytes: number; readonly externalBytes: number }
  /** Of the main thread: how long an event waited, over the last minute. */
  readonly eventLoop: { readonly p50Ms: number; readonly p99Ms: number }
  readonly store: { readonly kind: 'sqlite' | 'postgres'; readonly bytes?: number; readonly ok: boolean }
  readonly mail: boolean
}
