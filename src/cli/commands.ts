import type { Command } from './command.ts'

/** A command in the list. */
export interface ListedCommand {
  readonly name: string
  /** What follows the name. */
  readonly usage: string
  readonly does: string
  /** The command itself is read only when it is called, so that the others do not wait for its rooms. */
  load(): Promise<Command>
}

/** Every command there is, in the order of the help. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'serve',
    usage: '',
    does: 'run the service: the API, and the syncs of all sources',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'org create',
    usage: '<name>',
    does: 'create an organization, which owns keys',
    load: async () => (await import('./org-create.ts')).orgCreate,
  },
  {
    name: 'org list',
    usage: '',
    does: 'list the organizations',
    load: async () => (await import('./org-list.ts')).orgList,
  },
  {
    name: 'key create',
    usage: '--org <name> [--name <text>] [--expires <date>]',
    does: 'create an API key and print it, this once',
    load: async () => (await import('./key-create.ts')).keyCreate,
  },
  {
    name: 'key list',
    usage: '[--org <name>]',
    does: 'list keys: last four characters, age, last use, status',
    load: async () => (await import('./key-list.ts')).keyList,
  },
  {
    name: 'key revoke',
    usage: '<id> [--reason <text>]',
    does: 'make a key worthless, at once and for good',
    load: async () => (await import('./key-revoke.ts')).keyRevoke,
  },
  {
    name: 'account list',
    usage: '[--search <text>]',
    does: 'list the people who can sign in to the dashboard',
    load: async () => (await import('./account-list.ts')).accountList,
  },
  {
    name: 'account reset-link',
    usage: '<email>',
    does: 'make a link by which a person sets a new password',
    load: async () => (await import('./account-reset-link.ts')).accountResetLink,
  },
  {
    name: 'account confirm',
    usage: '<email>',
    does: 'count the e-mail address of an account as confirmed',
    load: async () => (await import('./account-confirm.ts')).accountConfirm,
  },
  {
    name: 'account delete',
    usage: '<email>',
    does: 'delete an account and end its memberships',
    load: async () => (await import('./account-delete.ts')).accountDelete,
  },
  {
    name: 'operator link',
    usage: '',
    does: 'make a one-time link that makes whoever opens it an operator',
    load: async () => (await import('./operator-link.ts')).operatorLink,
  },
  {
    name: 'source add',
    usage: '<slug> <url> [--format <format>] [--options <json>] [--every <minutes>] [--strict]',
    does: 'add a feed to read',
    load: async () => (await import('./source-add.ts')).sourceAdd,
  },
  {
    name: 'source edit',
    usage: '<slug> [--url <url>] [--name <text>] [--options <json>] [--every <minutes>] [--clear <fields>]',
    does: 'change what a source is; its slots stay',
    load: async () => (await import('./source-edit.ts')).sourceEdit,
  },
  {
    name: 'source list',
    usage: '',
    does: 'list the sources and how their last sync went',
    load: async () => (await import('./source-list.ts')).sourceList,
  },
  {
    name: 'source show',
    usage: '<slug>',
    does: 'show how a source does, and what of it is held',
    load: async () => (await import('./source-show.ts')).sourceShow,
  },
  {
    name: 'source accept',
    usage: '<slug> [--since <instant>] [--withdraw]',
    does: 'say yes to what is suspicious about a source',
    load: async () => (await import('./source-approve.ts')).sourceAccept,
  },
  {
    name: 'source hold',
    usage: '<slug> <nothing|emptied|suspicious>',
    does: 'choose which suspicious snapshots wait for a yes',
    load: async () => (await import('./source-hold.ts')).sourceHold,
  },
  {
    name: 'source pause',
    usage: '<slug>',
    does: 'leave a source unread; what it has stays served',
    load: async () => (await import('./source-pause.ts')).sourcePause,
  },
  {
    name: 'source resume',
    usage: '<slug>',
    does: 'have a paused source read again',
    load: async () => (await import('./source-pause.ts')).sourceResume,
  },
  {
    name: 'source log',
    usage: '[<slug>]',
    does: 'list what operators did to sources, those that are gone too',
    load: async () => (await import('./source-log.ts')).sourceLog,
  },
  {
    name: 'source remove',
    usage: '<slug>',
    does: 'remove a source and all its slots',
    load: async () => (await import('./source-remove.ts')).sourceRemove,
  },
  {
    name: 'sync',
    usage: '[<slug>]',
    does: 'read one source now, or all of them',
    load: async () => (await import('./sync.ts')).sync,
  },
  {
    name: 'import',
    usage: '<path|-> --publisher <slug> [--dry-run]',
    does: 'make a file all that a publisher offers: CSV, NDJSON, Bundle',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'check',
    usage: '<url|file|folder> [--html <file>] [--strict]',
    does: 'tell all that is not right about a feed, before it is published or added',
    load: async () => (await import('./check.ts')).check,
  },
  {
    name: 'alerts list',
    usage: '',
    does: 'list who is told of sources in trouble, and whether it arrives',
    load: async () => (await import('./alerts-list.ts')).alertsList,
  },
  {
    name: 'alerts test',
    usage: '',
    does: 'send a test alert by every way that is configured',
    load: async () => (await import('./alerts-test.ts')).alertsTest,
  },
  {
    name: 'rejected',
    usage: '<slug>',
    does: 'list what the last sync could not read, and why',
    load: async () => (await import('./rejected.ts')).rejected,
  },
  {
    name: 'move',
    usage: '--from <url> --to <url>',
    does: 'carry the whole store over to another database',
    load: async () => (await import('./move.ts')).move,
  },
  {
    name: 'store renew',
    usage: '',
    does: 'let nothing of before a back-up was brought back be taken for what came since',
    load: async () => (await import('./store-renew.ts')).storeRenew,
  },
  {
    name: 'mcp',
    usage: '[--url <url>]',
    does: 'let an assistant search slots: MCP on standard input and output',
    load: async () => (await import('./mcp.ts')).mcp,
  },
]
