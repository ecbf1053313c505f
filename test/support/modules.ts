import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './source-files.ts'

/** A module (folder of `src/`). */
interface Module {
  readonly contents: string
  /** Modules, folders or files that it may import, with `type ` for types only; `all` for modules that wire others. */
  readonly imports: readonly string[] | 'all'
}

/** The modules of the server and their dependency rules. `npm run docs:modules` writes them to docs/design.md. */
export const MODULES: Readonly<Record<string, Module>> = {
  lib: { contents: 'pure helpers for time, text, JSON and concurrency', imports: [] },
  slot: {
    contents: 'the domain: Slot, SlotQuery, instants, IDs, encoding; no I/O, no clock',
    imports: ['lib'],
  },
  'slot-index': {
    contents: 'all slots in memory; answers a SlotQuery; never waits, no clock',
    imports: ['lib', 'slot'],
  },
  keys: { contents: 'creates, hashes and checks keys; key ring and usage meter', imports: ['lib'] },
  shared: {
    contents: 'what server and dashboard both know: the contract of the dashboard API, permissions, labels',
    imports: ['lib', 'type slot'],
  },
  store: {
    contents: 'persistence: contracts, SQL, SQLite, PostgreSQL, migrations, move',
    imports: ['lib', 'slot', 'shared', 'keys', 'type feeds/source-options.ts'],
  },
  feeds: {
    contents: 'connectors, one folder per format; HTTP client for publishers; FHIR readers',
    imports: ['lib', 'slot', 'shared'],
  },
  validator: { contents: 'rules about a feed, and the report', imports: ['lib', 'slot', 'shared', 'feeds'] },
  sync: {
    contents: 'scheduling, snapshots, anomaly rules, approval, imports, loading the store into the index',
    imports: ['lib', 'slot', 'slot-index', 'shared', 'store', 'feeds', 'type keys'],
  },
  config: { contents: 'the environment, parsed once', imports: ['lib', 'type shared'] },
  notifications: {
    contents: 'email and alerts',
    imports: ['lib', 'shared', 'store', 'feeds/http', 'type config'],
  },
  auth: {
    contents: 'sign-in with better-auth, sign-up policy, failed-attempt limits',
    imports: ['lib', 'shared', 'store', 'notifications', 'type config'],
  },
  subscriptions: {
    contents: 'matching of the change log, events and their delivery to webhooks',
    imports: ['lib', 'slot', 'shared', 'store', 'feeds/http', 'notifications', 'type config'],
  },
  http: {
    contents: 'server, request dispatcher, `/v1`, dashboard API, MCP, site',
    imports: ['lib', 'slot', 'slot-index', 'keys', 'shared', 'store', 'feeds', 'sync', 'auth', 'subscriptions'],
  },
  workers: { contents: 'threads, channel, node health and metrics', imports: 'all' },
  cli: { contents: 'one file per command', imports: 'all' },
}

const DESIGN = join(ROOT, 'docs/design.md')
const TABLE = /(?<=<!-- modules:start -->\n\n)[\s\S]*?(?=\n\n<!-- modules:end -->)/

/** The table of modules in docs/design.md. */
export function documentedModules(): string | undefined {
  return TABLE.exec(readFileSync(DESIGN, 'utf8'))?.[0]
}

/** The table of modules as Markdown. */
export function formatModules(): string {
  const rows = Object.entries(MODULES).map(
    ([name, { contents, imports }]) => `| \`${name}/\` | ${contents} | ${formatImports(imports)} |`,
  )
  return ['| module | contents | may import |', '| --- | --- | --- |', ...rows].join('\n')
}

function formatImports(imports: Module['imports']): string {
  if (imports === 'all') return 'all'
  if (imports.length === 0) return 'nothing'
  return imports.map((each) => (each.startsWith('type ') ? `types of \`${each.slice(5)}\`` : `\`${each}\``)).join(', ')
}

if (import.meta.main) {
  writeFileSync(DESIGN, readFileSync(DESIGN, 'utf8').replace(TABLE, formatModules()))
}
