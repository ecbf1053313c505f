import type { TableDefinition } from './baseline-tables.ts'

/** The tables of the resources that snapshots are made of, and of what they say besides slots. */
export const RESOURCE_TABLES = {
  // Sets of `resources`, and the sync that wrote each. A set that no source has, and no open sync, is deleted by and by.
  resource_sets: { columns: { id: 'integer#', source_id: 'integer', sync_id: 'integer' } },
  // The resources of feeds that publish updates, as published. `schedule`: the id of the Schedule that a Slot refers to.
  resources: {
    columns: {
      key: 'integer#',
      set_id: 'integer',
      type: 'text',
      id: 'text',
      schedule: 'text?',
      file: 'text',
      line: 'integer',
      json: 'text',
    },
    unique: ['resources_by_id', ['set_id', 'type', 'id']],
  },
  // Offerings that were deleted because no slot refers to them, since a revision: `offerings` as of an earlier one has them.
  // `successor_id`: the source that had the slug of a removed source then.
  dropped_offerings: {
    columns: {
      id: 'integer#',
      source_id: 'integer',
      successor_id: 'integer?',
      revision: 'integer',
      offerings_end: 'integer',
      json: 'text',
    },
  },
  // The planning horizons of a publisher's Schedules from a revision on, as text: see `encodeHorizons()`; empty once the source is removed.
  planning_horizons: {
    columns: {
      publisher: 'text',
      revision: 'integer',
      source_id: 'integer',
      content: 'text',
      offerings_end: 'integer',
    },
    key: ['publisher', 'revision'],
  },
} as const satisfies Readonly<Record<string, TableDefinition>>
