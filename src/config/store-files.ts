import { defined } from '../lib/optional.ts'

interface StoreVariables {
  readonly CHECKPOINT_DIR: string
  readonly REVOCATION_LOG: string
  readonly DATABASE_URL: string
}

/** The files that a node keeps outside its database; beside the file of a SQLite store by default. */
export function storeFilesOf({ CHECKPOINT_DIR, REVOCATION_LOG, DATABASE_URL }: StoreVariables) {
  return defined({
    checkpointFolder: pathOf(CHECKPOINT_DIR, DATABASE_URL, '-index'),
    revocationLog: pathOf(REVOCATION_LOG, DATABASE_URL, '-revocations'),
  })
}

function pathOf(setting: string, databaseUrl: string, suffix: string): string | undefined {
  if (setting === 'off') return undefined
  if (setting !== 'auto') return setting
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) + suffix : undefined
}
