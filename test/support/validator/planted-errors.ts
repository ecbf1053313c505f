import { gzipSync } from 'node:zlib'
import { first, header, manifest, OLDER, output, type Plant, set, slot, text } from './plant.ts'
import { DIRECTORY_PLANTS } from './planted-directory.ts'
import { PAGE_PLANTS } from './planted-pages.ts'

const OF_MANIFESTS: readonly Plant[] = [
  text('manifest', 'manifest-unreadable', undefined, () => '<html>'),
  manifest('manifest-transaction-time', set({ transactionTime: '2026-06-01' })),
  manifest('manifest-published-later', set({ transactionTime: '2026-06-01T12:10:00Z' })),
  manifest('manifest-old', set({ transactionTime: '2026-05-01T00:00:00Z' })),
  manifest('manifest-request', set({ request: '/$bulk-publish' })),
  manifest('manifest-access-token', set({ requiresAccessToken: true })),
  manifest('manifest-errors-listed', set({ error: [{ type: 'OperationOutcome', url: 'ORIGIN/e.ndjson' }] })),
  manifest('manifest-output-format', set({ outputFormat: 'application/parquet' })),
  {
    ...manifest('manifest-organized', (one) => {
      one.outputOrganizedBy = 'Location'
      for (const entry of one.output) delete entry.type
    }),
    without: ['output-entry'],
  },
  text('manifest', 'ndjson-byte-order-mark', undefined, (all) => `\ufeff${all}`),
  text('manifest', 'ndjson-utf8', undefined, (all) => Buffer.from(all.replace('{', '{"note":"é",'), 'latin1')),
  manifest('manifest-error', set({ error: 0 })),
  {
    rule: 'manifest-name',
    at: ['manifest'],
    plant: (feed) => {
      feed.path = '/manifest'
    },
  },
  manifest('manifest-no-slots', (one) => void one.output.pop()),
  manifest('manifest-no-schedules', (one) => void one.output.splice(1, 1)),
  manifest('manifest-no-locations', (one) => void one.output.splice(0, 1)),
  manifest('output-entry', ({ output }) => output.push(null)),
  manifest('output-type', ({ output }) => output.push({ type: 'Slots', url: 'ORIGIN/Slot.ndjson' })),
  manifest('output-type-ignored', ({ output }) => output.push({ type: 'Organization', url: 'ORIGIN/o.ndjson' })),
  output('output-url', set({ url: 'ftp://publisher.example/Slot.ndjson' })),
  output('output-url-relative', set({ url: 'Slot.ndjson' })),
  {
    rule: 'output-url-credentials',
    at: ['manifest'],
    plant: ({ texts }) =>
      void texts.set('manifest', (all) => all.replaceAll(/http:\/\/(\S{1,30}?\/Slot)/g, 'http://user:secret@$1')),
  },
  manifest('output-listed-twice', ({ output }) => output.push({ ...output.at(-1) })),
  output('output-extension', set({ extension: null })),
  output('output-state', set({ extension: { state: 'MA' } })),
  output('output-state', set({ extension: { state: ['XX'] } })),
  output('output-state-missing', (entry) => delete entry.extension),
]

const OF_FILES: readonly Plant[] = [
  {
    ...text('Location', 'output-type-absent', undefined, (all) => all),
    plant: ({ manifest: { output } }) => output.push({ type: 'Slot', url: 'ORIGIN/Location.ndjson' }),
  },
  { ...output('output-count', set({ count: 99 })), at: ['Slot'] },
  { ...output('output-file-size', set({ fileSize: 99 })), at: ['Slot'] },
  { ...output('output-state-differs', set({ extension: { state: ['CA', 'NH'] } })), at: ['Slot'] },
  { rule: 'file-unreadable', at: ['Slot'], plant: ({ files }) => void delete files.Slot },
  header('manifest', 'http-manifest-type', { 'content-type': 'text/html' }),
  header('Slot', 'http-file-type', { 'content-type': 'text/plain' }),
  header('Slot', 'http-validator', { etag: undefined }),
  header('manifest', 'http-not-modified', { 'x-ignores-validators': 'yes' }),
  {
    rule: 'http-not-modified',
    at: ['manifest'],
    plant: ({ headers }) => {
      let publications = 0
      const changingTag = {
        get etag() {
          return `"${publications++}"`
        },
      }
      headers.set('manifest', changingTag)
    },
  },
  {
    rule: 'http-not-modified-blindly',
    at: ['manifest'],
    plant: (feed) => {
      feed.matchesAnyTag = true
    },
  },
  header('manifest', 'http-validator-form', { etag: 'one' }),
  header('Slot', 'http-validator-form', { etag: undefined, 'last-modified': 'yesterday' }),
  header('Slot', 'http-validator-form', { 'last-modified': 'Fri, 01 Jan 2100 00:00:00 GMT' }),
  header('manifest', 'http-max-age-long', { 'cache-control': 'max-age=604800' }),
  header('Slot', 'http-file-type', { 'content-type': 'application/fhir+ndjson; charset=iso-8859-1' }),
  text('Slot', 'ndjson-gzip', undefined, (all) => gzipSync(all)),
  header('manifest', 'http-max-age', { 'cache-control': 'public' }),
  header('Slot', 'http-no-store', { 'cache-control': 'no-store' }),
  {
    rule: 'http-redirect',
    at: ['Slot'],
    plant: ({ redirects, manifest: { output } }) => {
      redirects.set('/moved', '/Slot.ndjson')
      output.at(-1).url = 'ORIGIN/moved'
    },
  },
  text('Slot', 'ndjson-json', 2, (all) => all.replace('"id":"x2",', '"id":"x2"')),
  text('Slot', 'ndjson-line-length', 4, (all) => `${all}{"resourceType":"Slot","comment":"${'x'.repeat(2 ** 20)}"}\n`),
  text('Location', 'ndjson-utf8', 1, (all) => Buffer.from(all.replace('Elm', 'Ãlm'), 'latin1')),
  text('Location', 'ndjson-control-character', 1, (all) => all.replace('Elm Street', 'Elm\tStreet')),
  text('Slot', 'ndjson-pretty-printed', undefined, (all) =>
    JSON.stringify(JSON.parse(all.split('\n', 1)[0] ?? ''), undefined, 2),
  ),
  text('Slot', 'ndjson-byte-order-mark', undefined, (all) => `\ufeff${all}`),
  text('Slot', 'ndjson-carriage-return', undefined, (all) => all.replaceAll('\n', '\r\n')),
  text('Slot', 'ndjson-blank-line', undefined, (all) => all.replace('\n', '\n\n')),
  text('Slot', 'ndjson-final-newline', undefined, (all) => all.trimEnd()),
  {
    rule: 'ndjson-empty-file',
    at: ['HealthcareService'],
    plant: ({ files }) => {
      files.HealthcareService = []
    },
  },
]

const ACT_REASON = 'http://terminology.hl7.org/CodeSystem/v3-ActReason'
const CONFIDENTIALITY = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality'

const OF_RESOURCES: readonly Plant[] = [
  slot('resource-type', set({ resourceType: 'Appointment' })),
  {
    rule: 'resource-type-elsewhere',
    at: ['Schedule', 3],
    plant: (feed) => void feed.files.Schedule?.push({ ...feed.resource('Location'), id: 'l9' }),
  },
  {
    rule: 'resource-published-twice',
    at: ['Location', 3],
    plant: (feed) => void feed.files.Location?.push({ ...feed.resource('Location'), name: 'Another' }),
  },
  {
    rule: 'resource-repeated',
    at: ['Location', 3],
    plant: (feed) => void feed.files.Location?.push(feed.resource('Location')),
  },
  slot('resource-type-missing', (one) => delete one.resourceType),
  slot('resource-id', (one) => delete one.id),
  slot('resource-id-form', set({ id: 'x_2' })),
  first('Location', 'r4-required', set({ position: { latitude: 42.45 } })),
  first('Location', 'r4-array', (one) => {
    one.telecom = one.telecom[0]
  }),
  first('Location', 'r4-single', (one) => {
    one.address = [one.address]
  }),
  first('Location', 'r4-type', (one) => {
    one.position.latitude = '42.45'
  }),
  first('PractitionerRole', 'r4-form', set({ period: { start: 'yesterday' } })),
  first('Location', 'r4-code', set({ status: 'open' })),
  first('Location', 'r4-unknown', set({ timezone: 'America/New_York' })),
  {
    ...slot('r5-shape', set({ serviceType: [{ concept: { coding: [{ system: 'urn:x', code: '1' }] } }] })),
    without: ['r4-unknown'],
  },
  first('Location', 'r5-shape', set({ virtualService: [{ addressUrl: 'https://video.publisher.example' }] })),
  first('Location', 'r4-null', set({ description: null })),
  first('Location', 'r4-empty', set({ description: '' })),
  first('Schedule', 'r4-reference-target', (one) => one.actor.push({ reference: 'Organization/o1' })),
  first('Schedule', 'r4-reference-target', (one) => {
    one.actor[0].type = 'Practitioner'
  }),
  first('Schedule', 'r4-period', set({ planningHorizon: { start: '2026-07-01', end: '2026-06-01' } })),
  slot('r4-required', (one) => delete one.extension[0].url),
  slot('r4-type', set({ _start: { extension: [] }, _end: 'late' })),
  first('Location', 'r4-type', set({ text: 'Elm Street' })),
  slot('r4-modifier', set({ modifierExtension: [{ url: 'https://publisher.example/x', valueBoolean: true }] })),
  slot('r4-modifier', set({ implicitRules: 'https://publisher.example/rules' })),
  slot('resource-contained', set({ contained: [{ resourceType: 'Schedule', id: 'c' }] })),
  slot('resource-test-data', set({ meta: { security: [{ system: ACT_REASON, code: 'HTEST' }] } })),
  first('Location', 'resource-test-data', set({ meta: { tag: [{ system: ACT_REASON, code: 'HTEST' }] } })),
  slot('resource-restricted', set({ meta: { security: [{ system: CONFIDENTIALITY, code: 'R' }] } })),
  first('Location', 'text-misencoded', set({ name: 'ClÃ­nica del Ã¡ngel' })),
  first('Practitioner', 'text-misencoded', set({ name: [{ family: 'Nu\ufffdez' }] })),
  slot('comment-personal', set({ comment: 'Patient: Jane Roe, DOB 1970-01-02' })),
  slot('comment-personal', set({ comment: 'SSN 078-05-1120' })),
  // Searched in linear time.
  slot('comment-personal', set({ comment: `${'a.'.repeat(250_000)} SSN 078-05-1120` })),
  first('Schedule', 'service-type-code', (one) => {
    one.serviceType[0].coding[0].code = '587'
  }),
  first('Location', 'text-markup', set({ name: 'Smith &amp; Sons' })),
  slot('text-markup', set({ comment: 'Bring <b>your</b> card' })),
  slot('r4-reference-form', set({ schedule: { reference: 's1' } })),
  first('Practitioner', 'npi-form', (one) => {
    one.identifier[0].value = '12345'
  }),
  first('Practitioner', 'npi-form', (one) => {
    one.identifier[0] = { system: 'urn:oid:2.16.840.1.113883.4.6', value: '12345' }
  }),
  first('Practitioner', 'npi-check-digit', (one) => {
    one.identifier[0].value = '1234567890'
  }),
]

const OF_SLOTS: readonly Plant[] = [
  slot('slot-status', set({ status: 'open' })),
  slot('slot-status-of-2021', set({ status: 'busy-tentative' }), OLDER),
  slot('slot-withdrawn', set({ status: 'entered-in-error' })),
  slot('slot-schedule', (one) => delete one.schedule),
  slot('slot-schedule-dangling', set({ schedule: { reference: 'Schedule/gone' } })),
  slot('slot-start', set({ start: '2026-06-10T11:00:00' })),
  slot('slot-end', set({ end: '2026-02-30T11:20:00-05:00' })),
  slot('slot-instant-form', set({ start: '2026-06-10T11:00:00-04', end: '2026-06-10T11:20-04:00' })),
  slot('slot-instant-form', set({ start: '2026-06-11T06:00:00+15:00', end: '2026-06-11T06:20:00+15:00' })),
  slot('slot-instant-fraction', set({ start: '2026-06-10T11:00:00.000000000001-04:00' })),
  slot('slot-order', set({ end: '2026-06-10T10:59:00-04:00' })),
  slot('slot-without-length', set({ end: '2026-06-10T11:00:00-04:00' })),
  slot('slot-long', set({ end: '2026-06-11T11:00:00-04:00' })),
  slot('slot-too-long', set({ end: '2026-06-11T23:00:01-04:00' })),
  slot('slot-far-ahead', set({ start: '2062-06-10T11:00:00-04:00', end: '2062-06-10T11:20:00-04:00' })),
  ...[{ end: '2026-06-08' }, { start: '2026-06-12', end: '2026' }, { start: '2026-06-11T15:00:01Z' }].map(
    (planningHorizon): Plant => ({
      rule: 'slot-outside-horizon',
      at: ['Slot', 2],
      plant: (feed) => {
        const schedule = { ...feed.resource('Schedule'), id: 'planned', planningHorizon }
        feed.files.Schedule?.push(schedule)
        Object.assign(feed.resource('Slot', 1), { schedule: { reference: 'Schedule/planned' } })
      },
    }),
  ),
  slot('slot-ended', set({ start: '2026-05-10T11:00:00-04:00', end: '2026-05-10T11:20:00-04:00' })),
  {
    rule: 'slot-published-twice',
    at: ['Slot', 4],
    plant: (feed) => void feed.files.Slot?.push(feed.resource('Slot')),
  },
  {
    rule: 'slot-time-repeated',
    at: ['Slot', 4],
    plant: (feed) => void feed.files.Slot?.push({ ...feed.resource('Slot'), id: 'x9' }),
  },
  {
    rule: 'slot-contradictory',
    at: ['Slot', 4],
    plant: (feed) => void feed.files.Slot?.push({ ...feed.resource('Slot'), status: 'busy' }),
    without: ['slot-published-twice'],
  },
  {
    rule: 'slot-contradictory',
    at: ['Slot', 4],
    plant: (feed) => void feed.files.Slot?.push({ ...feed.resource('Slot', 1), status: 'free' }),
  },
  slot('slot-overbooked', set({ overbooked: true, status: 'free' })),
  slot('slot-patient-type', (one) => one.extension.pop()),
  slot('slot-at-night', set({ start: '2026-06-10T03:00:00-04:00', end: '2026-06-10T03:20:00-04:00' })),
  {
    ...slot('slot-at-night', set({ start: '2026-06-10T08:00:00Z', end: '2026-06-10T08:20:00Z' })),
    without: ['slot-offset'],
  },
  slot('slot-offering-size', set({ serviceType: [{ text: '€'.repeat(1400) }] })),
  slot('slot-id-repeated', set({ id: 'x1' })),
  slot('slot-offset', set({ start: '2026-06-10T11:00:00-05:00', end: '2026-06-10T11:20:00-05:00' })),
  {
    ...slot('slot-offset-utc', set({ start: '2026-06-10T15:00:00Z', end: '2026-06-10T15:20:00Z' })),
    without: ['slot-offset'],
  },
  slot('slot-offset-utc', set({ end: '2026-06-10T15:20:00Z' })),
  slot('slot-offset', set({ start: '2027-03-14T02:30:00-05:00', end: '2027-03-14T03:50:00-04:00' })),
  {
    rule: 'slot-no-way-to-book',
    at: ['Slot', 1],
    plant: (feed) => {
      delete feed.resource('Slot').extension
      feed.resource('Location').telecom = [{ system: 'email', value: 'desk@publisher.example' }]
    },
  },
]

/** One error for each rule that a feed on the web can violate. */
export const PLANTS: readonly Plant[] = [
  ...OF_MANIFESTS,
  ...OF_FILES,
  ...OF_RESOURCES,
  ...OF_SLOTS,
  ...DIRECTORY_PLANTS,
  ...PAGE_PLANTS,
]
