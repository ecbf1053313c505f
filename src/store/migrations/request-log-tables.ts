import type { TableDefinition } from './baseline-tables.ts'

/** The tables of the request log, and of the addresses of keys. */
export const REQUEST_LOG_TABLES = {
  // The request log, numbered by organization without gaps, so that its bound is a range of the primary key.
  request_log: {
    columns: {
      organization_id: 'text',
      entry: 'integer',
      key_id: 'text',
      at_ms: 'integer',
      method: 'text',
      target: 'text',
      status: 'integer',
      duration_us: 'integer',
      request_id: 'text',
      user_agent: 'text?',
      address: 'text?',
      error: 'text?',
      message: 'text?',
      parameter: 'text?',
      left_out: 'integer',
    },
    key: ['organization_id', 'entry'],
  },
  // The number of the last entry of each request log.
  request_log_ends: { columns: { organization_id: 'text#', entry: 'integer' } },
  // The network addresses that a key was last used from.
  key_addresses: {
    columns: { key_id: 'text', address: 'text', first_seen_ms: 'integer', last_seen_ms: 'integer' },
    key: ['key_id', 'address'],
  },
} as const satisfies Readonly<Record<string, TableDefinition>>
