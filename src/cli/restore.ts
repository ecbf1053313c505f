import { z } from 'zod'
import { counted } from '../lib/text.ts'
import { restoreSqlite } from '../store/backup/restore.ts'
import { commandError, pathOfStore } from './backup.ts'
import { argument, defineCommand, flag } from './command.ts'

/** `restore <file>`. Throws `CommandError` if a service has the store open, and for a damaged or newer backup. */
export const restore = defineCommand({
  description: `Makes a backup the store of DATABASE_URL. Stop the service first. The backup is checked and copied; it stays as it is. The
revocation log is applied: keys that were revoked after the backup stay revoked. Revisions, ETags and feed files issued
before become invalid: clients that keep a copy receive 410 and export again.`,
  examples: ['restore /backups/slots-2030-01-31.db', 'restore /backups/slots-2030-01-31.db --replace'],
  input: {
    file: argument(z.string()),
    replace: flag('rename the present store to <file>.before-<time>, and replace it'),
  },
  async run(call, { file, replace }) {
    const path = pathOfStore(call, 'restore')
    const { revocationLog } = call.config
    const options = { replace, revocationLog, now: Date.now }
    const restored = await restoreSqlite(file, path, options).catch((error: unknown) => {
      throw commandError('restore', error)
    })
    const { kept, reapplied, unread } = restored
    call.print({ ...restored, path }, `Restored ${path} from ${file}: revision ${restored.revision}.`)
    if (kept !== undefined) call.note(`The replaced store is now ${kept}.`)
    const place = revocationLog === undefined ? '' : ` ${revocationLog}`
    if (reapplied === undefined)
      call.note(`There is no revocation log${place}: keys revoked since the backup are active again.`)
    else call.note(`Applied from the revocation log: ${describe(reapplied)}.`)
    if (unread !== undefined)
      call.note(`The replaced store cannot be read for revocations that the log lacks: ${unread}`)
  },
})

function describe({
  keys,
  organizations,
  accounts,
}: {
  keys: number
  organizations: number
  accounts: number
}): string {
  const parts = [counted(keys, 'key'), counted(organizations, 'organization'), counted(accounts, 'account')]
  return parts.join(', ')
}
