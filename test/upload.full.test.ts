import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { csvTemplate } from '../src/feeds/files/csv-columns.ts'
import { eventually } from './support/eventually.ts'
import { RunningService } from './support/running-service.ts'
import { Visitor } from './support/visitor.ts'

const MIB = 2 ** 20

let service: RunningService
let operator: Visitor
let key: string

before(async () => {
  service = await RunningService.prepare()
  // A further thread, so that files come by both ways: some connections are the main thread's, some are not.
  Object.assign(service.env, { UPLOAD_MB_MAX: '8', WORKERS: process.platform === 'linux' ? '2' : '1' })
  await service.run('org', 'create', 'Good Health')
  key = String((await service.run('key', 'create', '--org', 'Good Health')).key)
  await service.serve()
  operator = await Visitor.signUp(service, 'olive@example.org')
  const link = String((await service.run('operator', 'link')).link)
  await operator.json('POST', '/api/setup', { token: link.slice(link.indexOf('#') + 1) })
})

after(() => service?.[Symbol.asyncDispose]())

const path = (slug: string, more = '') => `/api/operator/sources/${slug}/upload?fileName=slots.csv${more}`
const total = async (slug: string) => (await service.slots(key, `publisher=${slug}`)).body.total

test('a file is checked, then imported, and callers see it within about a second', async () => {
  const tried = await (await operator.upload(path('clinic', '&dryRun=true'), csvTemplate())).json()
  assert.deepEqual(
    [tried.outcome, tried.dryRun, tried.format, tried.slots, tried.slotsBefore],
    ['ok', true, 'csv', 2, undefined],
  )
  assert.equal((await operator.ask('GET', '/api/operator/sources/clinic')).status, 404)
  const taken = await (await operator.upload(path('clinic'), gzipSync(csvTemplate()))).json()
  assert.deepEqual([taken.outcome, taken.changes], ['ok', { added: 2, changed: 0, removed: 0 }])
  assert.equal(taken.samples[0].location.city, 'Cambridge')
  await eventually(async () => (await total('clinic')) === 2)
  const publishersUrl = `${service.origin}/v1/scheduling/publishers`
  const listed = async () => (await (await fetch(publishersUrl, { headers: { 'x-api-key': key } })).json()).publishers
  await eventually(async () => (await listed())[0]?.lastSyncAt !== undefined)
  assert.deepEqual([(await listed())[0].publisher, (await listed())[0].nextSyncAt], ['clinic', undefined])
})

test('uploads a file of many chunks completely through any thread', async () => {
  const rows = Array.from(
    { length: 1_500 },
    (_, n) => `${n},2030-01-01T09:00:00Z,2030-01-01T09:30:00Z,"${'long note '.repeat(360)}"\n`,
  )
  const file = `id,start,end,note\n${rows.join('')}`
  assert.ok(file.length > 5 * MIB && file.length < 8 * MIB)
  for (let time = 0; time < 4; time++) {
    const report = await (await operator.upload(path('many', '&dryRun=true'), file, { connection: 'close' })).json()
    assert.deepEqual([report.outcome, report.slots], ['ok', rows.length])
  }
})

test('rejects a file that is too large, with or without Content-Length, and leaves nothing behind', async () => {
  const large = new Uint8Array(8 * MIB + 1).fill(65)
  const announced = await operator.upload(path('large'), large)
  assert.equal(announced.status, 413)
  const pieces = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(MIB).fill(65))
    },
  })
  // A client that keeps sending may see a reset connection before the response.
  const endless = await operator.upload(path('large'), pieces).catch(() => undefined)
  if (endless !== undefined) assert.equal(endless.status, 413)
  assert.equal((await operator.ask('GET', '/api/operator/sources/large')).status, 404)
})

test('imports exports of /v1 as NDJSON or CSV without changes', async () => {
  const slots = Array.from({ length: 3 }, (_, n) => ({
    ...{ id: `${n}`, start: `2031-01-0${n + 1}T09:00:00-05:00`, end: `2031-01-0${n + 1}T09:30:00-05:00` },
    ...{
      scheduleId: '@home',
      capacity: n,
      serviceStates: ['MA', 'NH'],
      modalities: ['in-person', 'virtual'],
    },
    ...{ serviceTypeText: '=1+1', appointmentType: "'quoted'", bookingPhone: '+1 617-555-0142; ext 5' },
    location: {
      ...{ name: '-5 "Clinic", North', city: 'Lynn', state: 'MA', postalCode: '01901' },
      ...{ phone: ['+1 617-555-0100', '617-555-0101'], addressLine: ['+1 Main Street', 'Suite 5, left'] },
      ...{
        website: ['https://clinic.example/a;b', 'https://clinic.example/c'],
        latitude: 42.5,
        longitude: -71.25,
      },
    },
    provider: { name: 'Añá Rivera, MD', specialty: 'Family medicine', npi: '1234567893' },
  }))
  await operator.upload(path('origin'), JSON.stringify({ slots }))
  await eventually(async () => (await total('origin')) === 3)
  const exported = async (slug: string, accept: string) => {
    const headers = { 'x-api-key': key, accept }
    return (await fetch(`${service.home}/v1/scheduling/slots?publisher=${slug}`, { headers })).text()
  }
  const said = async (slug: string) =>
    (await exported(slug, 'application/x-ndjson'))
      .trim()
      .split('\n')
      .map((line) => ({ ...JSON.parse(line), id: '', publisher: '' }))
  for (const [slug, accept] of [
    ['by-lines', 'application/x-ndjson'],
    ['by-table', 'text/csv'],
  ] as const) {
    const report = await (await operator.upload(path(slug), await exported('origin', accept))).json()
    assert.deepEqual([report.outcome, report.slots, report.rejections], ['ok', 3, []])
    await eventually(async () => (await total(slug)) === 3)
    assert.deepEqual(await said(slug), await said('origin'), accept)
  }
})

test('only operators upload files, and only from the dashboard', async () => {
  const file = csvTemplate()
  const caller = await Visitor.signUp(service, 'carl@example.org')
  assert.equal((await caller.upload(path('clinic'), file)).status, 403)
  assert.equal((await operator.upload(path('clinic'), file, { cookie: '' })).status, 401)
  assert.equal((await operator.upload(path('clinic'), file, { origin: 'https://evil.example' })).status, 403)
  const large = new Uint8Array(7 * MIB)
  assert.equal((await operator.upload(path('clinic'), large, { cookie: '' })).status, 401)
  assert.equal(await total('clinic'), 2)
})

test('rejects an invalid import before reading the body', async () => {
  const feed = { slug: 'feed', url: 'https://publisher.example/$bulk-publish' }
  await operator.json('POST', '/api/operator/sources', feed)
  for (const [target, status, field] of [
    [path('feed'), 409, 'slug'],
    [path('Feed'), 400, 'slug'],
    [path('clinic', '&timeZone=EST'), 400, 'timeZone'],
    [path('clinic', '&format=xls'), 400, 'format'],
    [path('clinic', '&dateOrder=ymd'), 400, 'dateOrder'],
    [path('clinic', '&dryRun=perhaps'), 400, 'dryRun'],
    ['/api/operator/sources/clinic/upload', 400, 'fileName'],
  ] as const) {
    const answer = await operator.upload(target, csvTemplate())
    assert.deepEqual([answer.status, (await answer.json()).field], [status, field], target)
  }
})

test('an unreadable file results in a report with the reason and changes nothing', async () => {
  const report = await (await operator.upload(path('clinic'), '<html>')).json()
  assert.equal(report.outcome, 'failed')
  assert.match(report.error, /^Cannot read slots\.csv: /)
  assert.equal(await total('clinic'), 2)
  const other = await (await operator.upload(path('other'), '')).json()
  assert.equal(other.outcome, 'failed')
  assert.equal((await operator.ask('GET', '/api/operator/sources/other')).status, 404)
})
