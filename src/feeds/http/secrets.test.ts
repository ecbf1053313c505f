import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import { excerpt } from '../../lib/json.ts'
import { FeedFailure } from '../connector.ts'
import { readOutcome } from '../fhir/operation-outcome.ts'
import { rejectionReason, rejectionSample } from '../rejections.ts'
import { HttpStatusError } from './request.ts'
import { Secrets } from './secrets.ts'

const VALUES = {
  SOURCE_KEY: 'k3y+of/clinic',
  SOURCE_LONG: 'k3y+of/clinic-and-more',
  SOURCE_LINES: 'two\nlines',
  SOURCE_EMPTY: '',
  SOURCE_ONE: '1',
}

const secrets = () => new Secrets(VALUES)

const SECRET = '$' + '{SOURCE_KEY}'

test('replaces every occurrence of a reference by its value', () => {
  assert.equal(secrets().fill(`Bearer ${SECRET}, ${SECRET}`), 'Bearer k3y+of/clinic, k3y+of/clinic')
  assert.equal(secrets().fill('nothing'), 'nothing')
})

test('reports a variable that is missing, empty or cannot be sent', () => {
  for (const name of ['SOURCE_NONE', 'SOURCE_EMPTY']) {
    assert.throws(() => secrets().fill(`$\{${name}}`), {
      name: 'FeedFailure',
      message: `Cannot read the feed: ${name} must be set in the environment of the service`,
    })
  }
  assert.throws(() => secrets().fillLine('$' + '{SOURCE_LINES}'), /SOURCE_LINES must be one line of ASCII/)
  assert.equal(secrets().fill('$' + '{SOURCE_LINES}'), 'two\nlines')
})

test('redacts secrets from messages in every encoding that is sent', () => {
  const used = secrets()
  for (const reference of [SECRET, '$' + '{SOURCE_LONG}', '$' + '{SOURCE_ONE}']) used.fill(reference)
  assert.equal(
    used.redact('k3y+of/clinic-and-more, k3y+of/clinic, k3y%2Bof%2Fclinic, a 1'),
    '[secret], [secret], [secret], a 1',
  )
  const failure = used.redacted(new FeedFailure('got "k3y+of/clinic"', { retryAfterMs: 7, cause: 'k3y' }))
  assert.ok(failure instanceof FeedFailure)
  assert.deepEqual([failure.message, failure.retryAfterMs, failure.cause], ['got "[secret]"', 7, undefined])
})

test('redacts tokens obtained with secrets', () => {
  const used = secrets()
  used.note('eyJ.token')
  assert.equal(used.redact('invalid eyJ.token'), 'invalid [secret]')
})

test('redacts rejections and passes everything else through unchanged', async () => {
  const draft = new RecordedDraft()
  const used = secrets()
  used.fill(SECRET)
  const guarded = used.guard(draft)
  guarded.reject({
    code: 'invalid',
    file: 'https://a/?k=k3y%2Bof%2Fclinic',
    line: 3,
    reason: 'k3y+of/clinic',
    sample: '"k3y+of/clinic"',
  })
  assert.deepEqual(draft.rejected, [
    { code: 'invalid', file: 'https://a/?k=[secret]', line: 3, reason: '[secret]', sample: '"[secret]"' },
  ])
  guarded.withhold()
  await guarded.recall()
  await guarded.flush()
  assert.equal(guarded.keepPart(1, 0), true)
  assert.equal(guarded.keep(1), false)
  assert.deepEqual(draft.counts, { kept: 0, put: 0, withheld: 1, flushed: 1, partsKept: 1 })
})

test('redacts the remains of a secret in truncated text', () => {
  const used = secrets()
  used.note('eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJjbGluaWMifQ')
  used.note('two\nlines of one key')
  for (const [cut, told] of [
    [excerpt(`${'x'.repeat(60)} eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJj`), `${'x'.repeat(60)} [secret]…`],
    ['got "eyJhbGciOiJSUzI1Ni…", and more', 'got "[secret]…", and more'],
    ['got eyJhbGciOiJ', 'got [secret]'],
    ['got eyJh', 'got [secret]'],
    [`Unexpected token, ..."t": eyJhbGciOi"... is not`, 'Unexpected token, ..."t": [secret]"... is not'],
    ['got eyJh and eyJhbGciOi that goes on', 'got eyJh and eyJhbGciOi that goes on'],
    ['got eyJhbGeyJhbGc', 'got eyJhbG[secret]'],
    ['got two lines of one key', 'got [secret]'],
    ['got two lines of o', 'got [secret]'],
  ] as const)
    assert.equal(used.redact(cut), told)
})

test('keeps rejections within their limits without splitting a redaction mark', async () => {
  const used = secrets()
  used.note('pass')
  const draft = new RecordedDraft()
  for (let before = 0; before < 20; before++) {
    const text = `${'x'.repeat(before)}${'pass '.repeat(200)}`
    const [reason, sample] = [rejectionReason(text), rejectionSample(text)]
    used.guard(draft).reject({ code: 'invalid', file: 'a', line: 1, reason, sample })
    const [last] = draft.rejected.slice(-1)
    for (const [told, lengthMax] of [
      [last?.reason ?? '', 300],
      [last?.sample ?? '', 500],
    ] as const) {
      assert.ok(told.length <= lengthMax && told.length > lengthMax - 10, String(told.length))
      assert.match(told, /^x*(?:\[secret\] ?)+$/)
    }
  }
})

test('redacts a secret that is longer than a rejection reason', async () => {
  const token = Array.from({ length: 600 }, (_, n) => String.fromCharCode(97 + ((n * n + n) % 26))).join('')
  for (const begins of [0, 200, 295, 297]) {
    const used = secrets()
    used.note(token)
    const draft = new RecordedDraft()
    const text = `${'-'.repeat(begins)}${token}`
    used
      .guard(draft)
      .reject({ code: 'invalid', file: '', line: 1, reason: rejectionReason(text), sample: rejectionSample(text) })
    const [{ reason, sample } = { reason: '', sample: '' }] = draft.rejected
    assert.equal(sample, `${'-'.repeat(begins)}[secret]`)
    // Three letters of it tell nothing.
    assert.match(reason, begins === 297 ? /^-+[a-z]{3}$/ : /^-*(?:\[secret\])?$/)
    assert.ok(reason.length <= 300)
  }
})

test('every function that truncates text inside a message marks the place', () => {
  const token = `k3y${'0123456789'.repeat(60)}`
  const used = secrets()
  used.note(token)
  const refused = new HttpStatusError(403, `no: ${token}`, undefined)
  const { text: words } = readOutcome({ issue: [{ severity: 'error', diagnostics: `no: ${token}` }] })
  for (const told of [refused.message, `the server reports error: ${words}.`])
    assert.equal(
      used
        .redact(told)
        .replace(/k3y|\d{4,}/, '!')
        .includes('!'),
      false,
      used.redact(told),
    )
})
