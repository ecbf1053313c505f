import { may, shall, shallNot, should, shouldNot, statementsOf } from './statement.ts'

const FOR_CLIENTS = 'it is about clients, not about a publication'
const FOR_PORTALS = 'it is about booking portals, which a check does not open'
const PERMISSION = 'it is a permission, which nothing can violate'

/** The numbered statements of the SMART Scheduling Links guide, STU 1. */
export const GUIDE_STATEMENTS = statementsOf('guide', [
  shall('sched-1', 'Timestamps', {
    text: 'Times have a date, a time to the second at least, and an offset, which may be `Z`.',
    rules: ['manifest-transaction-time', 'slot-start', 'slot-end', 'slot-instant-form'],
    needs: ['Slot'],
  }),
  shall('sched-2', 'Accept headers', {
    text: 'A request for the manifest without `Accept`, or with `application/json`, gets the same JSON.',
    rules: ['directory-manifest-accept', 'http-manifest-type'],
    needs: ['manifest', 'probes'],
  }),
  shall('sched-3', 'Accept headers', {
    text: 'A request for a file without `Accept`, or with `application/fhir+ndjson`, gets the same NDJSON.',
    rules: ['directory-file-accept', 'http-file-type'],
    needs: ['manifest', 'probes'],
  }),
  should('sched-4', 'Performance considerations', {
    text: 'Each entry of the manifest names the states or jurisdictions of its data.',
    rules: ['output-state-missing', 'output-state', 'output-state-differs'],
    needs: ['manifest', 'Slot'],
  }),
  should('sched-5', 'Performance considerations', {
    text: '`Cache-Control: max-age` tells clients how long to wait before they poll again.',
    rules: ['http-max-age'],
    needs: ['manifest', 'http'],
  }),
  shouldNot('sched-6', 'Performance considerations', {
    text: 'Clients request the manifest, and each file, at most once a minute.',
    unchecked: FOR_CLIENTS,
  }),
  may('sched-7', 'Performance considerations', {
    text: 'Clients send conditional requests, so that unchanged data is not sent again.',
    unchecked: FOR_CLIENTS,
  }),
  may('sched-8', 'Performance considerations', {
    text: 'Clients ask for changes since a time with `_since`. A publisher answers, and may ignore the parameter.',
    rules: ['directory-since'],
    needs: ['manifest', 'probes'],
  }),
  should('sched-9', 'Access control considerations', {
    text: 'Availability for everyone is published at open addresses, without keys or credentials.',
    rules: ['directory-anonymous', 'manifest-access-token', 'output-url-credentials'],
    needs: ['manifest', 'probes'],
  }),
  should('sched-10', 'Quick start', {
    text: 'Slots have their own times, where these are known; wide windows are allowed.',
    rules: ['slot-long'],
    needs: ['Slot'],
    condition: 'whether the publisher knows narrower times cannot be seen',
  }),
  should('sched-11', 'Quick start', {
    text: 'Clients ignore entries of types that the guide does not use.',
    unchecked: FOR_CLIENTS,
  }),
  should('sched-12', 'Slot publishers', {
    text: 'Data is published often enough to be fresh.',
    rules: ['manifest-old', 'manifest-published-later', 'feed-nothing-ahead'],
    needs: ['manifest'],
  }),
  should('sched-13', 'Slot publishers', {
    text: 'A slot that is published as free can be booked under the current rules of its practice.',
    rules: ['slot-contradictory', 'slot-capacity-none', 'slot-overbooked'],
    needs: ['Slot'],
    unchecked: 'the rules of a practice are not published, and a check books nothing',
  }),
  may('sched-14', 'Slot discovery clients and aggregators', {
    text: 'Clients and aggregators add to the data, or filter it.',
    unchecked: FOR_CLIENTS,
  }),
  should('sched-15', 'Provider booking portals', {
    text: 'A portal handles invalid slots gracefully and keeps what the person wanted.',
    unchecked: FOR_PORTALS,
  }),
  should('sched-16', 'Provider booking portals', {
    text: 'A portal offers slots near the chosen time if that one is gone, not only an error.',
    unchecked: FOR_PORTALS,
  }),
  may('sched-17', 'Has Availability', {
    text: 'A Schedule with the extension `has-availability` has no slots.',
    unchecked: PERMISSION,
  }),
  shallNot('sched-18', 'Has Availability', {
    text: 'The extension `has-availability` does not replace slots that could be published one by one.',
    unchecked: 'slots that a publisher could have published cannot be seen',
  }),
  should('sched-19', 'PractitionerRole identifiers', {
    text: 'A PractitionerRole has the identifiers that its organization uses, where there are any.',
    rules: ['directory-role-identifier'],
    needs: ['PractitionerRole'],
    condition: 'whether the organization uses identifiers cannot be seen',
  }),
  may('sched-20', 'PractitionerRole identifiers', {
    text: 'A PractitionerRole has identifiers of external registries, with their systems.',
    unchecked: PERMISSION,
  }),
  may('sched-21', 'PractitionerRole identifiers', {
    text: 'A PractitionerRole has further identifiers.',
    unchecked: PERMISSION,
  }),
  should('sched-22', 'Location identifiers', {
    text: 'A Location has the identifiers that its organization uses, where there are any.',
    rules: ['directory-location-identifier'],
    needs: ['Location'],
    condition: 'whether the organization uses identifiers cannot be seen',
  }),
  may('sched-23', 'Location identifiers', {
    text: 'A Location has identifiers of external registries, with their systems.',
    unchecked: PERMISSION,
  }),
  may('sched-24', 'Location identifiers', {
    text: 'A Location has further identifiers.',
    unchecked: PERMISSION,
  }),
])
