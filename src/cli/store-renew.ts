import { renewStore } from '../store/sql/renew-store.ts'
import { defineCommand } from './command.ts'
import { requireStore } from './store-access.ts'

/** `store renew`: see `renewStore()`. */
export const storeRenew = defineCommand({
  description: `Run it after you restored a backup in another way than with "restore". It invalidates all revisions, ETags and feed files issued before, so that they are not
mistaken for newer ones: clients that keep a copy receive 410 and export again. A replaced SQLite file is detected
automatically; run this command if the file was overwritten in place, if a disk snapshot was restored, or if a PostgreSQL
database was loaded from a dump. Stop the service first. No data is lost.`,
  examples: ['store renew'],
  input: {},
  async run(call) {
    requireStore(call)
    await renewStore(call.config.databaseUrl, Date.now())
    call.print({ renewed: true }, 'Started a new store epoch. Revisions issued before are invalid.')
  },
})
