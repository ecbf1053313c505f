/**
 * Deviations from the specification in real feeds: where and when they were seen, and how the reader handles them. The
 * compiler requires a fixture for each in `src/feeds/smart-links/quirks.test.ts`.
 */
export const QUIRKS = {
  slotIdRepeated: { seenAt: 'a pharmacy chain, 2021', we: 'identify slots by schedule, id, start and end' },
  idReusedNextMonth: { seenAt: 'a pharmacy chain, 2021', we: 'treat the same id at another time as another slot' },
  zipWithoutZero: {
    seenAt: 'a pharmacy chain, 2021',
    we: 'restore the leading zero in states whose ZIP codes have one',
  },
  offsetOutOfSeason: { seenAt: 'a pharmacy chain, 2021', we: 'keep it: only the publisher knows the intended time' },
  shortOffset: { seenAt: "the 2021 specification's own example", we: 'serve -05 and -0500 as -05:00' },
  sixteenHourSlot: { seenAt: 'a pharmacy chain, 2021', we: 'accept it: it means "sometime that day"' },
  capacityAsText: { seenAt: 'a booking platform, 2021', we: 'read the digits' },
  codeNull: { seenAt: 'a state health department, 2021', we: 'treat null as absent' },
  manifestErrorZero: { seenAt: 'a pharmacy chain, 2021', we: 'ignore "error"' },
  stateAsString: { seenAt: 'a pharmacy chain, 2021', we: 'ignore "state": it is a hint' },
  manifestExtensionNull: { seenAt: 'a booking platform, 2021', we: 'treat null as absent' },
  trailingSlash: { seenAt: 'a pharmacy chain, 2021', we: 'request the URL exactly as it was given' },
  manifestQuery: { seenAt: 'a state health department, 2021', we: 'request the URL exactly as it was given' },
  dollarEncoded: { seenAt: 'static hosting, 2021', we: 'request the URL exactly as it was given' },
  relativeUrl: { seenAt: 'static hosting, 2021', we: 'resolve it against the manifest' },
  listedTwice: { seenAt: 'a booking platform, 2021', we: 'read a file once, for all types it is listed under' },
  nothingListed: { seenAt: 'a pharmacy chain, 2021', we: 'accept it: an empty publication is valid' },
  noFinalNewline: { seenAt: 'many, 2021', we: 'end the last line where the file ends' },
  carriageReturns: {
    seenAt: 'files written on Windows, 2021',
    we: 'end lines at \\r\\n too, and drop a byte order mark',
  },
  rawTab: { seenAt: 'a pharmacy chain, 2021', we: 'parse the line again with control characters escaped' },
  twoActors: { seenAt: 'the 2025 draft', we: 'take the location from one and the provider from the other' },
  deviceActor: { seenAt: 'a vaccination clinic, 2021', we: 'leave it out' },
  danglingActor: { seenAt: 'a pharmacy chain, 2021', we: 'serve the slot without it' },
  danglingSchedule: { seenAt: 'a pharmacy chain, 2021', we: 'reject the slot, naming the reference' },
  phoneAsString: { seenAt: 'the 2021 specification', we: 'read it as well as the ContactPoint of the HL7 guide' },
  specialtyOfDraft: { seenAt: 'the 2025 draft', we: 'read "specialty" as well as "schedule-specialty"' },
  codingForConcept: { seenAt: 'the 2025 draft', we: 'treat a Coding as a CodeableConcept' },
  plainContentType: { seenAt: 'static hosting, 2021', we: 'ignore the content type' },
  weakTagNoStore: { seenAt: 'a content network, 2021', we: 'send a weak tag back unchanged, even with no-store' },
} as const
