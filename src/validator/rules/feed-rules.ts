import { errorRule, hintRule, quote, quoteIf, type Rule, warningRule } from '../rule.ts'

/** A feed that was read completely. */
interface FeedSubject {
  /** Number of slots that would be served. */
  readonly slots: number
  /** Of those: free slots, slots that have not ended, slots without a state. */
  readonly free: number
  readonly upcoming: number
  readonly stateless: number
  /** The booking link that all slots have in common; absent for a single slot. */
  readonly commonLink?: string
  /** Number of extensions with the root of the guide, and with the older root. */
  readonly guideExtensions: number
  readonly olderExtensions: number
}

/** Rules for a whole feed. */
export const FEED_RULES: readonly Rule<FeedSubject>[] = [
  errorRule('feed-nothing-served', {
    right: 'a feed has slots that can be served',
    source: 'Slot file',
    find: ({ slots }) => (slots === 0 ? 'slots: got "0"' : undefined),
  }),
  warningRule('feed-nothing-ahead', {
    right: 'some slots have not ended; ended slots are served only with `startAfter`',
    source: 'Slot file: end',
    find: ({ slots, upcoming }) => quoteIf(slots > 0 && upcoming === 0, 'slots that have not ended', 0),
  }),
  hintRule('feed-nothing-free', {
    right: 'some slots are free; other slots are served only with `status`',
    source: 'Slot file: status',
    find: ({ slots, free }) => quoteIf(slots > 0 && free === 0, 'free slots', 0),
  }),
  warningRule('feed-without-states', {
    right: 'slots have a state: that of their Location, or a licensed state',
    source: 'Location file: address.state',
    find: ({ stateless, slots }) => quoteIf(stateless > 0, 'slots without a state', `${stateless} of ${slots}`),
  }),
  hintRule('feed-one-link', {
    right: 'each slot has a booking link that leads to it: one link for all slots does not say which one to book',
    source: 'Slot file: booking-deep-link',
    find: ({ commonLink, slots }) =>
      commonLink === undefined
        ? undefined
        : `${quote('extension booking-deep-link', commonLink)} of all ${slots} slots`,
  }),
  warningRule('feed-mixed', {
    right: 'a feed is of one generation: all extensions have the same root',
    source: 'Guide: extensions',
    find: ({ guideExtensions, olderExtensions }) =>
      quoteIf(
        guideExtensions > 0 && olderExtensions > 0,
        'extensions',
        `${guideExtensions} of the guide, ${olderExtensions} of an older root`,
      ),
  }),
]

/** Rules about the completeness of the input, which may be only a part of the feed. */
export const NOTED_FEED_RULES = {
  idsFull: hintRule('feed-ids-beyond', {
    right: 'duplicate slots are detected among the first 2,097,152; later ones are not checked and count as served',
    source: 'How a feed is checked',
  }),
  fileMissing: hintRule('folder-file-missing', {
    right: 'the files of the manifest are in the folder; missing files were not checked',
    source: 'How a folder is checked',
  }),
  noSchedules: hintRule('folder-no-schedules', {
    right: 'the Schedules are in the input; without any, references were not followed',
    source: 'How a folder is checked',
  }),
  noTargets: hintRule('folder-no-targets', {
    right: 'referenced resources are in the input; references to missing types were not followed',
    source: 'How a folder is checked',
  }),
}
