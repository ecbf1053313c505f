/**
 * Deviations met in feeds: where, since when, and what we do. Each has a fixture in `quirks.test.ts`, which the compiler
 * asks for. Remove one when its feed is right.
 */
export const QUIRKS = {
  slotIdRepeated: {
    seenAt: 'a pharmacy chain',
    since: '2021',
    we: 'tell slots apart by schedule, id, start and end',
  },
  idReusedNextMonth: {
    seenAt: 'a pharmacy chain',
    since: '2021',
    we: 'take the same id at another time for another slot',
  },
  zipWithoutZero: {
    seenAt: 'a pharmacy chain',
    since: '2021',
    we: 'give back the zero in states whose ZIP codes begin so',
  },
  offsetOutOfSeason: {
    seenAt: 'a pharmacy chain',
    since: '2021',
    we: 'keep it: nobody else knows what was meant',
  },
  shortOffset: {
    seenAt: "the 2021 specification's own example",
    since: '2021',
    we: 'serve -05 and -0500 as -05:00',
  },
  sixteenHourSlot: { seenAt: 'a pharmacy chain', since: '2021', we: 'take it: it means "sometime that day"' },
  capacityAsText: { seenAt: 'a booking platform', since: '2021', we: 'read the digits' },
  codeNull: { seenAt: 'a state health department', since: '2021', we: 'take null for absent' },
  manifestErrorZero: { seenAt: 'a pharmacy chain', since: '2021', we: 'never look at "error"' },
  stateAsString: { seenAt: 'a pharmacy chain', since: '2021', we: 'never look at "state": it is a hint' },
  manifestExtensionNull: { seenAt: 'a booking platform', since: '2021', we: 'take null for absent' },
  trailingSlash: { seenAt: 'a pharmacy chain', since: '2021', we: 'ask for the URL exactly as it was given' },
  manifestQuery: {
    seenAt: 'a state health department',
    since: '2021',
    we: 'ask for the URL exactly as it was given',
  },
  dollarEncoded: { seenAt: 'static hosting', since: '2021', we: 'ask for the URL exactly as it was given' },
  relativeUrl: { seenAt: 'static hosting', since: '2021', we: 'resolve it against the manifest' },
  listedTwice: {
    seenAt: 'a booking platform',
    since: '2021',
    we: 'read a file once, for all types it is listed under',
  },
  nothingListed: {
    seenAt: 'a pharmacy chain',
    since: '2021',
    we: 'believe it: an empty publication is valid',
  },
  noFinalNewline: { seenAt: 'many', since: '2021', we: 'end the last line where the file ends' },
  carriageReturns: {
    seenAt: 'files written on Windows',
    since: '2021',
    we: 'end lines at \\r\\n too, and drop a byte order mark',
  },
  rawTab: {
    seenAt: 'a pharmacy chain',
    since: '2021',
    we: 'parse the line again with control characters escaped',
  },
  twoActors: {
    seenAt: 'the 2025 draft',
    since: '2025',
    we: 'take the place from one and the provider from the other',
  },
  deviceActor: { seenAt: 'a vaccination clinic', since: '2021', we: 'leave it out' },
  danglingActor: { seenAt: 'a pharmacy chain', since: '2021', we: 'serve the slot without it' },
  danglingSchedule: {
    seenAt: 'a pharmacy chain',
    since: '2021',
    we: 'reject the slot, naming the reference',
  },
  phoneAsString: {
    seenAt: 'the 2021 specification',
    since: '2021',
    we: 'read it beside the ContactPoint of the HL7 guide',
  },
  specialtyOfDraft: {
    seenAt: 'the 2025 draft',
    since: '2025',
    we: 'read "specialty" beside "schedule-specialty"',
  },
  codingForConcept: { seenAt: 'the 2025 draft', since: '2025', we: 'take a Coding for a CodeableConcept' },
  plainContentType: { seenAt: 'static hosting', since: '2021', we: 'never look at the content type' },
  weakTagNoStore: {
    seenAt: 'a content network',
    since: '2021',
    we: 'send a weak tag back as it came, no-store or not',
  },
} as const
