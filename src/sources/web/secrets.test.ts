import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeedFailure } from '../connector.ts'
import { RecordedDraft } from '../recorded-draft.test-double.ts'
import { Secrets } from './secrets.ts'

const VALUES: Record<string, string> = {
  SOURCE_KEY: 'k3y+of/clinic',
  SOURCE_LONG: 'k3y+of/clinic-and-more',
  SOURCE_LINES: 'two\nlines',
  SOURCE_EMPTY: '',
  SOURCE_ONE: '1',
}

const secrets = () => new Secrets((name) => VALUES[name])

const SECRET = '$' + '{SOURCE_KEY}'

test('puts in what a reference stands for, as often as it stands there', () => {
  assert.equal(secrets().fill(`Bearer ${SECRET}, ${SECRET}`), 'Bearer k3y+of/clinic, k3y+of/clinic')
  assert.equal(secrets().fill('nothing'), 'nothing')
})

test('names a variable that is missing or empty, and one that cannot be sent', () => {
  for (const name of ['SOURCE_NONE', 'SOURCE_EMPTY']) {
    assert.throws(() => secrets().fill(`$\{${name}}`), {
      name: 'FeedFailure',
      message: `Cannot ask the publisher: ${name} must be set in the environment of the service`,
    })
  }
  assert.throws(() => secrets().fillLine('$' + '{SOURCE_LINES}'), /SOURCE_LINES must be one line of ASCII/)
  assert.equal(secrets().fill('$' + '{SOURCE_LINES}'), 'two\nlines')
})

test('takes them out of what is told, in each form that they are sent in', () => {
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

test('keeps a token that was had with them out of what is told, too', () => {
  const used = secrets()
  used.note('eyJ.token')
  assert.equal(used.redact('invalid eyJ.token'), 'invalid [secret]')
})

test('keeps them out of rejections, and passes everything else on as it is', async () => {
  const draft = new RecordedDraft()
  const used = secrets()
  used.fill(SECRET)
  const guarded = used.guard(draft)
  guarded.reject({
    file: 'https://a/?k=k3y%2Bof%2Fclinic',
    line: 3,
    reason: 'k3y+of/clinic',
    sample: '"k3y+of/clinic"',
  })
  assert.deepEqual(draft.rejected, [
    { file: 'https://a/?k=[secret]', line: 3, reason: '[secret]', sample: '"[secret]"' },
  ])
  guarded.withhold()
  await guarded.recall()
  await guarded.flush()
  assert.equal(guarded.keepPart(1), 0)
  assert.equal(guarded.keep(1), false)
  assert.deepEqual(draft.counts, { kept: 0, put: 0, withheld: 1, flushed: 1, partsKept: 1 })
})
