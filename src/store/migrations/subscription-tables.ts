import type { TableDefinition } from './baseline-tables.ts'

/** The tables of subscriptions to slots, and of their deliveries. */
export const SUBSCRIPTION_TABLES = {
  // A subscription. `secret` and `previous_secret` are encrypted; `filters`, `events` and `held_back` are JSON.
  subscriptions: {
    columns: {
      id: 'text#',
      organization_id: 'organization',
      url: 'text',
      description: 'text?',
      filters: 'text',
      // The filters as a query string.
      query: 'text',
      events: 'text',
      min_interval_ms: 'integer',
      expires_at_ms: 'integer?',
      status: 'text',
      status_reason: 'text?',
      // 1 once the receiver at `url` has returned the challenge.
      verified: 'integer',
      secret: 'text',
      previous_secret: 'text?',
      previous_secret_until_ms: 'integer?',
      created_at_ms: 'integer',
      created_by: 'text',
      updated_at_ms: 'integer',
      // Only later commits match.
      since_revision: 'integer',
      held_back: 'text',
      // When the last event about slots was created.
      last_event_at_ms: 'integer?',
      last_delivered_at_ms: 'integer?',
      failing_since_ms: 'integer?',
      // The row is deleted later, so that nodes notice.
      deleted_at_ms: 'integer?',
      // The value of the counter `subscriptions` after the row's last change.
      revision: 'integer',
    },
  },
  // The matches of a commit with the filters of one or more subscriptions, until all of these have announced them. `ids`: a JSON
  // array of [id, start], at most 1,000; `kind`: see MatchKind.
  subscription_matches: {
    columns: {
      filters_key: 'text',
      revision: 'integer',
      kind: 'text',
      source_id: 'integer',
      total: 'integer',
      ids: 'text',
    },
    key: ['filters_key', 'revision', 'kind'],
  },
  // The position up to which the change log has been matched: one row.
  subscription_cursor: { columns: { name: 'text#', position: 'text' } },
  // Events and the outcome of their delivery. `ids`: a JSON array.
  subscription_events: {
    columns: {
      id: 'text#',
      // Ascending within a subscription.
      sequence: 'integer!',
      subscription_id: 'text',
      organization_id: 'text',
      type: 'text',
      from_revision: 'integer',
      to_revision: 'integer',
      total: 'integer',
      ids: 'text',
      challenge: 'text?',
      created_at_ms: 'integer',
      // When a person or program last asked for it, for tests, retries and new URLs.
      requested_at_ms: 'integer?',
      status: 'text',
      attempts: 'integer',
      attempted_at_ms: 'integer?',
      ended_at_ms: 'integer?',
      response_status: 'integer?',
      response_ms: 'integer?',
      response_body: 'text?',
      error: 'text?',
    },
  },
  // The subscriptions that have queued events. A claim moves `due_at_ms` to the end of its lease.
  delivery_queues: {
    columns: {
      subscription_id: 'text#',
      organization_id: 'text',
      host: 'text',
      // 0 delivered before, 1 new, 2 failing.
      lane: 'integer',
      due_at_ms: 'integer',
      owner: 'text?',
    },
  },
} as const satisfies Readonly<Record<string, TableDefinition>>
