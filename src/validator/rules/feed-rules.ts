import { got } from '../quoted-value.ts'
import type { Rule, RuleHead } from '../rule.ts'

/** A feed as a whole, once all of it was read. */
export interface FeedSubject {
  /** Slots that would be served. */
  readonly slots: number
  /** Of those: free ones, ones that have not ended, ones that are found by no state. */
  readonly free: number
  readonly ahead: number
  readonly stateless: number
  /** How many extensions have the root of the guide, and how many the older one. */
  readonly ofGuide: number
  readonly ofOlder: number
}

/** What a feed must be as a whole. */
export const FEED_RULES: readonly Rule<FeedSubject>[] = [
  {
    id: 'feed-nothing-served',
    severity: 'error',
    right: 'a feed has slots that can be served',
    source: 'Slot file',
    find: ({ slots }) => (slots === 0 ? 'slots: got "0"' : undefined),
  },
  {
    id: 'feed-nothing-ahead',
    severity: 'warning',
    right: 'some slots have not ended; ended slots are served only with `startAfter`',
    source: 'Slot file: end',
    find: ({ slots, ahead }) => (slots > 0 && ahead === 0 ? got('slots that have not ended', 0) : undefined),
  },
  {
    id: 'feed-nothing-free',
    severity: 'hint',
    right: 'some slots are free; other slots are served only with `status`',
    source: 'Slot file: status',
    find: ({ slots, free }) => (slots > 0 && free === 0 ? got('free slots', 0) : undefined),
  },
  {
    id: 'feed-without-states',
    severity: 'warning',
    right: 'slots have a state: that of their Location, or a licensed state',
    source: 'Location file: address.state',
    find: ({ stateless, slots }) =>
      stateless > 0 ? got('slots without a state', `${stateless} of ${slots}`) : undefined,
  },
  {
    id: 'feed-mixed',
    severity: 'warning',
    right: 'a feed is of one generation: all extensions have the same root',
    source: 'Guide: extensions',
    find: ({ ofGuide, ofOlder }) =>
      ofGuide > 0 && ofOlder > 0
        ? got('extensions', `${ofGuide} of the guide, ${ofOlder} of an older root`)
        : undefined,
  },
]

/** Found by looking for the files: those of a folder are not the whole feed. */
export const FILE_MISSING: RuleHead = {
  id: 'folder-file-missing',
  severity: 'hint',
  right: 'the files of the manifest are in the folder; missing files were not checked',
  source: 'How a folder is checked',
}

/** Found by reading: files without a manifest are not the whole feed. */
export const NO_SCHEDULES: RuleHead = {
  id: 'folder-no-schedules',
  severity: 'hint',
  right: 'the Schedules are in the input; without any, references were not followed',
  source: 'How a folder is checked',
}

/** Found by reading: files without a manifest are not the whole feed. */
export const NO_TARGETS: RuleHead = {
  id: 'folder-no-targets',
  severity: 'hint',
  right: 'referenced resources are in the input; references to missing types were not followed',
  source: 'How a folder is checked',
}

/** Found at the end: memory is bounded. */
export const IDS_FULL: RuleHead = {
  id: 'feed-ids-beyond',
  severity: 'hint',
  right:
    'duplicate slots are detected among the first 2,097,152; later ones are not checked and count as served',
  source: 'How a feed is checked',
}
