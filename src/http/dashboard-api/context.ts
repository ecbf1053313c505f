import type { SignIn } from '../../auth/sign-in.ts'
import type { ApiKey } from '../../keys/key.ts'
import type { AlertDesk } from '../../shared/alert-shapes.ts'
import type { SourceCheck } from '../../shared/shapes.ts'
import type { AuditActor } from '../../store/contracts/audit.ts'
import type { Invitation } from '../../store/contracts/organizations.ts'
import type { Store } from '../../store/contracts/store.ts'
import type { ImportReport } from '../../sync/import/import-report.ts'
import type { NodeQuery } from '../node-query.ts'
import type { SerializedResponse } from '../serialized-http.ts'
import type { FeedChecks } from './feed-checks/feed-checks.ts'

/** What the dashboard's own API answers from. */
export interface AccountContext {
  readonly store: Store
  readonly signIn: SignIn
  /** Where the dashboard is; ends in a slash. */
  readonly dashboardUrl: string
  /** Which file to measure for the health page. May hold a password: never to be shown. */
  readonly databaseUrl: string
  readonly version: string
  /** Lower case. Whoever has one of them confirmed is an operator, too. */
  readonly operatorEmails: readonly string[]
  /** Asks the thread that answers `/v1` what only it knows. */
  readonly ask: (question: NodeQuery) => Promise<SerializedResponse>
  /** Resolves when every serving thread of this node uses the keys as they are now: await it before responding. */
  readonly applyKeys: (keys: readonly ApiKey[]) => Promise<void>
  /** Reads a manifest without adding it. Never throws: what cannot be read is an answer, too. */
  readonly checkSource: (url: string) => Promise<SourceCheck>
  /** Who is told of sources in trouble. */
  readonly alerts: AlertDesk
  /** The checks of whole feeds that operators asked for. */
  readonly feedChecks: FeedChecks
  /** Reads a file that comes, and unless it is a dry run makes it the whole of what its source has. Throws `DashboardProblem`. */
  readonly importUpload: (content: AsyncIterable<Uint8Array>, wish: UploadWish) => Promise<ImportReport>
  /** Absent where no mail can be sent. Returns at once. */
  readonly mailInvitation?: (mail: InvitationMail) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Told of every fault of ours: an answer 500 has been given. */
  readonly onFault: (fault: unknown, request: { method: string; path: string }) => void
}

/** What is to become of a file that an operator brings. */
export interface UploadWish {
  readonly slug: string
  /** Who brings it. */
  readonly by: AuditActor
  readonly fileName: string
  readonly dryRun: boolean
  /** Without one, the content tells. */
  readonly format?: ImportReport['format'] | undefined
  /** Where times without an offset are local: a name of the IANA database. */
  readonly timeZone?: string | undefined
  readonly dateOrder?: 'mdy' | 'dmy' | undefined
}

/** What a mail that invites somebody has to say. */
export interface InvitationMail {
  readonly to: string
  readonly link: string
  readonly organization: string
  readonly role: Invitation['role']
  /** The e-mail address of whoever invites. */
  readonly invitedBy: string
  readonly expiresAtMs: number
}
