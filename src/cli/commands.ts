import type { Command } from './command.ts'

/** An entry of the list of commands. */
export interface ListedCommand {
  readonly name: string
  readonly summary: string
  /** Loads the command's module. */
  load(): Promise<Command>
}

/** Names with two words belong to a group. */
export const GROUPS = {
  org: 'manage organizations',
  key: 'manage API keys',
  account: 'manage accounts',
  operator: 'manage operators',
  source: 'manage sources',
  alerts: 'inspect and test alerts',
  store: 'maintain the store',
} as const

/** All commands in the order of the help. */
export const COMMANDS: readonly ListedCommand[] = [
  entry(
    'serve',
    'run the service: the API, and the syncs of all sources',
    async () => (await import('./serve.ts')).serve,
  ),
  entry('org create', 'create an organization', async () => (await import('./org-create.ts')).orgCreate),
  entry('org list', 'list organizations', async () => (await import('./org-list.ts')).orgList),
  entry('key create', 'create an API key and print it once', async () => (await import('./key-create.ts')).keyCreate),
  entry(
    'key list',
    'list API keys: last four characters, created, last used, status',
    async () => (await import('./key-list.ts')).keyList,
  ),
  entry(
    'key revoke',
    'revoke a key immediately and permanently',
    async () => (await import('./key-revoke.ts')).keyRevoke,
  ),
  entry(
    'account list',
    'list the people who can sign in to the dashboard',
    async () => (await import('./account-list.ts')).accountList,
  ),
  entry(
    'account reset-link',
    'create a link that sets a new password',
    async () => (await import('./account-reset-link.ts')).accountResetLink,
  ),
  entry(
    'account verify',
    "mark an account's email address as verified",
    async () => (await import('./account-verify.ts')).accountVerify,
  ),
  entry(
    'account delete',
    'delete an account and its memberships',
    async () => (await import('./account-delete.ts')).accountDelete,
  ),
  entry(
    'operator link',
    'create a one-time link that makes a person an operator',
    async () => (await import('./operator-link.ts')).operatorLink,
  ),
  entry('source add', 'add a source', async () => (await import('./source-add.ts')).sourceAdd),
  entry('source edit', 'edit a source; its slots stay', async () => (await import('./source-edit.ts')).sourceEdit),
  entry('source list', 'list sources and their last sync', async () => (await import('./source-list.ts')).sourceList),
  entry(
    'source show',
    "show a source's health and stored data",
    async () => (await import('./source-show.ts')).sourceShow,
  ),
  entry(
    'source approve',
    "approve a source's held snapshot",
    async () => (await import('./source-approve.ts')).sourceApprove,
  ),
  entry(
    'source hold',
    'choose which suspicious snapshots require approval',
    async () => (await import('./source-hold.ts')).sourceHold,
  ),
  entry(
    'source pause',
    'stop syncing a source; its slots stay served',
    async () => (await import('./source-pause.ts')).sourcePause,
  ),
  entry('source resume', 'sync a paused source again', async () => (await import('./source-pause.ts')).sourceResume),
  entry(
    'source log',
    'list changes to sources by operators, including removed sources',
    async () => (await import('./source-log.ts')).sourceLog,
  ),
  entry(
    'source remove',
    'remove a source and its slots',
    async () => (await import('./source-remove.ts')).sourceRemove,
  ),
  entry('sync', 'sync one source or all sources now', async () => (await import('./sync.ts')).sync),
  entry(
    'import',
    "replace a publisher's slots with the contents of a file (CSV, NDJSON or FHIR Bundle)",
    async () => (await import('./import.ts')).importCommand,
  ),
  entry('check', 'validate a feed before publishing or adding it', async () => (await import('./check.ts')).check),
  entry(
    'alerts list',
    'list alert channels and their delivery status',
    async () => (await import('./alerts-list.ts')).alertsList,
  ),
  entry(
    'alerts test',
    'send a test alert to every configured channel',
    async () => (await import('./alerts-test.ts')).alertsTest,
  ),
  entry(
    'rejected',
    'list the lines that the last sync rejected, with reasons',
    async () => (await import('./rejected.ts')).rejected,
  ),
  entry('move', 'copy the store to another database', async () => (await import('./move.ts')).move),
  entry(
    'store renew',
    'start a new store epoch after restoring a backup',
    async () => (await import('./store-renew.ts')).storeRenew,
  ),
  entry(
    'mcp',
    'serve MCP on standard input and output, so that an assistant can search slots',
    async () => (await import('./mcp.ts')).mcp,
  ),
]

function entry(name: string, summary: string, load: () => Promise<Command>): ListedCommand {
  return { name, summary, load }
}
