import type { AuditActor } from '../store/contracts/account-store.ts'

/** Whom an organization's log names for what is done here: whoever may run commands is not known by name. */
export const COMMAND_LINE: AuditActor = { name: 'command line' }
