import { renewStore } from '../store/sql/renew-store.ts'
import type { Command } from './command.ts'

/** `store renew`: see `renewStore()`. */
export const storeRenew: Command = {
  operands: [],
  options: {},
  explanation: `After a back-up was brought back. Revisions, ETags and files of the feed that were handed out before are then unknown, in the place of being
taken for others that came since: whoever keeps a copy exports once more. A SQLite file that was put in the place of another shows that by itself; this is for
one that was overwritten where it lay, for a disk that was set back, and for a PostgreSQL database that was read in from a dump. Stop the service first. Nothing is lost.`,
  examples: ['store renew'],
  async run(call) {
    await renewStore(call.config.databaseUrl, call.clock())
    call.print({ renewed: true }, 'Renewed: what was handed out before is unknown now.')
  },
}
