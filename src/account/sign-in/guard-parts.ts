import type { Guesses } from './guesses.ts'
import type { LibraryHolder } from './library-holder.ts'
import type { SignInMails } from './mails.ts'
import type { People } from './people.ts'
import type { SignInLog } from './sign-in-log.ts'
import type { SignUpPolicy } from './sign-up-policy.ts'

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
