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
  subscription: 'manage subscriptions, which send webhooks when slots open',
  account: 'manage accounts',
  operator: 'manage operators',
  source: 'manage sources',
  alerts: 'inspect and test alerts',
  audit: 'read and verify the audit logs',
  store: 'maintain the store',
} as const

/** All commands in the order of the help. */
export const COMMANDS: readonly ListedCommand[] = [
  entry('serve', 'run the service: the API, and the syncs of all sources', () => import('./serve.ts')),
  entry('org create', 'create an organization', () => import('./org-create.ts')),
  entry('org list', 'list organizations', () => import('./org-list.ts')),
  entry('org rename', 'rename an organization', () => import('./org-rename.ts')),
  entry('org transfer', 'make a member the owner of an organization', () => import('./org-transfer.ts')),
  entry('org delete', 'delete an organization and revoke its keys', () => import('./org-delete.ts')),
  entry('org suspend', 'refuse the keys of an organization until it is resumed', () => import('./org-suspend.ts')),
  entry('org resume', 'accept the keys of a suspended organization again', () => import('./org-suspend.ts')),
  entry('key create', 'create an API key and print it once', () => import('./key-create.ts')),
  entry('key list', 'list API keys: last four characters, created, last used, status', () => import('./key-list.ts')),
  entry('key edit', 'change the name, note, expiry or networks of a key', () => import('./key-edit.ts')),
  entry('key rotate', 'replace a key with a new one', () => import('./key-rotate.ts')),
  entry('key revoke', 'revoke a key immediately and permanently', () => import('./key-revoke.ts')),
  entry('subscription list', 'list the subscriptions of an organization', () => import('./subscription-list.ts')),
  entry('subscription show', 'show a subscription', () => import('./subscription-show.ts')),
  entry(
    'subscription create',
    'create a subscription and print its secret once',
    () => import('./subscription-create.ts'),
  ),
  entry('subscription pause', 'stop sending events of a subscription', () => import('./subscription-pause.ts')),
  entry('subscription resume', 'send events of a subscription again', () => import('./subscription-pause.ts')),
  entry('subscription test', 'send a test event', () => import('./subscription-test.ts')),
  entry('subscription deliveries', 'list what was sent, with responses', () => import('./subscription-deliveries.ts')),
  entry('subscription delete', 'delete a subscription', () => import('./subscription-delete.ts')),
  entry('invite', 'create an invitation link to an organization', () => import('./invite.ts')),
  entry('account list', 'list the people who can sign in to the dashboard', () => import('./account-list.ts')),
  entry('account reset-link', 'create a link that sets a new password', () => import('./account-reset-link.ts')),
  entry('account verify', "mark an account's email address as verified", () => import('./account-verify.ts')),
  entry('account end-sessions', 'end all sessions of an account', () => import('./account-end-sessions.ts')),
  entry(
    'account reset-second-factor',
    'turn two-factor authentication off for an account',
    () => import('./account-reset-second-factor.ts'),
  ),
  entry('account suspend', 'end the sessions of an account and refuse sign-ins', () => import('./account-suspend.ts')),
  entry('account resume', 'let the owner of a suspended account sign in again', () => import('./account-suspend.ts')),
  entry('account delete', 'delete an account and its memberships', () => import('./account-delete.ts')),
  entry('operator link', 'create a one-time link that makes a person an operator', () => import('./operator-link.ts')),
  entry('operator add', 'make the owner of an account an operator or a viewer', () => import('./operator-add.ts')),
  entry('operator list', 'list operators and viewers', () => import('./operator-list.ts')),
  entry('operator role', 'make an operator a viewer, or a viewer an operator', () => import('./operator-role.ts')),
  entry('operator remove', "take an operator's or viewer's rights back", () => import('./operator-remove.ts')),
  entry('source add', 'add a source', () => import('./source-add.ts')),
  entry('source edit', 'edit a source; its slots stay', () => import('./source-edit.ts')),
  entry('source list', 'list sources and their last sync', () => import('./source-list.ts')),
  entry('source show', "show a source's health and stored data", () => import('./source-show.ts')),
  entry('source approve', "approve a source's held snapshot", () => import('./source-approve.ts')),
  entry('source hold', 'choose which suspicious snapshots require approval', () => import('./source-hold.ts')),
  entry('source pause', 'stop syncing a source; its slots stay served', () => import('./source-pause.ts')),
  entry('source resume', 'sync a paused source again', () => import('./source-pause.ts')),
  entry(
    'source log',
    'list changes to sources by operators, including removed sources',
    () => import('./source-log.ts'),
  ),
  entry('source remove', 'remove a source and its slots', () => import('./source-remove.ts')),
  entry('sync', 'sync one source or all sources now', () => import('./sync.ts')),
  entry('import', "replace a publisher's slots with the contents of a file (CSV, NDJSON or FHIR Bundle)", async () => ({
    import: (await import('./import.ts')).importCommand,
  })),
  entry('check', 'validate a feed before publishing or adding it', () => import('./check.ts')),
  entry('alerts list', 'list alert channels and their delivery status', () => import('./alerts-list.ts')),
  entry('alerts test', 'send a test alert to every configured channel', () => import('./alerts-test.ts')),
  entry('audit list', 'list the entries of an audit log', () => import('./audit-list.ts')),
  entry('audit verify', 'check that no audit log entry was changed or removed', () => import('./audit-verify.ts')),
  entry('rejected', 'list the lines that the last sync rejected, with reasons', () => import('./rejected.ts')),
  entry('backup', 'copy the SQLite store to a file, also while the service runs', () => import('./backup.ts')),
  entry('restore', 'make a backup the store', () => import('./restore.ts')),
  entry('move', 'copy the store to another database', () => import('./move.ts')),
  entry('store renew', 'start a new store epoch after restoring a backup', () => import('./store-renew.ts')),
  entry(
    'store encrypt',
    'encrypt second factors and secrets of subscriptions with the current AUTH_SECRET',
    () => import('./store-encrypt.ts'),
  ),
  entry('completion', 'print the completion script of bash or zsh', () => import('./completion.ts')),
  entry(
    'mcp',
    'serve MCP on standard input and output, so that an assistant can search slots',
    () => import('./mcp.ts'),
  ),
]

/** The module of the command `source add` exports it as `sourceAdd`. */
function entry<Name extends string>(
  name: Name,
  summary: string,
  load: () => Promise<{ readonly [Export in CamelCase<Name>]: Command }>,
): ListedCommand {
  const exported = name.replace(/[ -](.)/g, (_, letter) => letter.toUpperCase()) as CamelCase<Name>
  return { name, summary, load: async () => (await load())[exported] }
}

type CamelCase<Name extends string> = Name extends `${infer Head} ${infer Tail}`
  ? `${CamelCase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Name extends `${infer Head}-${infer Tail}`
    ? `${Head}${Capitalize<CamelCase<Tail>>}`
    : Name
