import type { SignInMails } from './auth-emails.ts'
import type { LibraryHolder } from './better-auth-holder.ts'
import type { Guesses } from './failed-attempts.ts'
import type { SignInLog } from './sign-in-log.ts'
import type { SignUpPolicy } from './sign-up-policy.ts'
import type { People } from './users.ts'

/** What guards are made of. */
export interface GuardParts {
  readonly holder: LibraryHolder
  readonly people: People
  readonly guesses: Guesses
  readonly log: SignInLog
  readonly policy: SignUpPolicy
  /** Absent where no mail can be sent. */
  readonly mails: SignInMails | undefined
  readonly now: () => number
}
