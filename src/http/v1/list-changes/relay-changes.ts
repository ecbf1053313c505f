import type { Operation } from '../operation.ts'

export const CHANGES_PATH = '/v1/scheduling/changes'

/** GET /v1/scheduling/changes: what was added, changed and removed after a revision. Read from the store: see `ChangesOperation`. */
export const relayChanges: Operation = { path: CHANGES_PATH, relayed: true }
