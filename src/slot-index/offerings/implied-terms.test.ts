import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lasting } from '../../../test/support/slot-index/index-samples.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { GeoRadius } from '../../slot/geo-radius.ts'
import type { Offering } from '../../slot/slot.ts'
import { ImpliedTerms } from './implied-terms.ts'
import { CircleTest } from './offering-positions.ts'
import { OfferingTable } from './offering-table.ts'
import { TermBitmaps } from './term-bitmaps.ts'
import { term } from './term-names.ts'

function tableOf(...offerings: Offering[]) {
  const table = new OfferingTable()
  const put = (...added: Offering[]) => runAtOnce(table.put(table.pack(lasting(30, added))))
  put(...offerings)
  const implied = new ImpliedTerms(table, new TermBitmaps(table))
  const left = (...names: string[]) => {
    const numbers = names.map((name) => table.terms.find(name) ?? assert.fail(`${name} is not a term`))
    return runAtOnce(implied.leaveOut(numbers))?.map((number) => table.terms.textOf(number))
  }
  const share = (radiusKm: number, ...names: string[]) => {
    const circle = new GeoRadius({ latitude: 42, longitude: -71, radiusKm })
    const numbers = names.map((name) => table.terms.find(name) ?? assert.fail(`${name} is not a term`))
    return implied.shareInside(new CircleTest(circle, table.positions), numbers)
  }
  return { put, left, share }
}

const offeringIn = (city: string, state: string, latitude?: number): Offering => ({
  publisher: 'clinic',
  scheduleId: `${city} ${state}`,
  isVirtual: false,
  location: { city, state, ...(latitude !== undefined && { latitude, longitude: -71 }) },
})

const [boston, ma] = [term.city('boston'), term.state('MA')]

test('leaves out a term that all offerings of the rarest term have', () => {
  const { left } = tableOf(offeringIn('Boston', 'MA'), offeringIn('Salem', 'MA'), offeringIn('Salem', 'OR'))
  assert.deepEqual(left(ma, boston), [boston])
  assert.deepEqual(left(ma, term.city('salem')), [ma, term.city('salem')])
  assert.deepEqual(left(boston), [boston])
})

test('requires a term again as soon as an offering of the rarest term does not have it', () => {
  const { put, left } = tableOf(offeringIn('Boston', 'MA'), offeringIn('Salem', 'MA'), offeringIn('Lynn', 'MA'))
  assert.deepEqual(left(ma, boston), [boston])
  put(offeringIn('Boston', 'MA'))
  assert.deepEqual(left(ma, boston), [boston])
  put(offeringIn('Boston', 'NY'))
  assert.deepEqual(left(ma, boston), [ma, boston])
})

test('compares the offerings of frequent terms', () => {
  const inBoston = Array.from({ length: 2000 }, () => offeringIn('Boston', 'MA'))
  const { put, left } = tableOf(offeringIn('Salem', 'MA'), ...inBoston)
  assert.deepEqual(left(ma, boston), [boston])
  const inLynn = Array.from({ length: 2001 }, () => offeringIn('Lynn', 'OR'))
  put(offeringIn('Boston', 'MA'), ...inLynn)
  assert.deepEqual([left(ma, boston), left(ma, term.city('lynn'))], [[boston], undefined])
  put(offeringIn('Boston', 'NY'), offeringIn('Lynn', 'MA'))
  const both = [ma, term.city('lynn')]
  assert.deepEqual([left(ma, boston), left(...both)], [[ma, boston], both])
})

test('finds terms that no offering has together, until one with both is added', () => {
  const { put, left } = tableOf(offeringIn('Boston', 'MA'), offeringIn('Salem', 'OR'), offeringIn('Lynn', 'MA'))
  assert.equal(left(ma, term.city('salem')), undefined)
  put(offeringIn('Salem', 'OR'))
  assert.equal(left(term.city('salem'), ma), undefined)
  put(offeringIn('Salem', 'MA'))
  assert.deepEqual(left(ma, term.city('salem')), [ma, term.city('salem')])
  assert.equal(left(ma, term.city('lynn'), term.state('OR')), undefined)
})

test('finds whether all, some or none of the offerings of the rarest term are in a circle', () => {
  const { put, share } = tableOf(offeringIn('Boston', 'MA', 42), offeringIn('Lowell', 'MA', 42.5))
  put(offeringIn('Boston', 'MA', 42.01), offeringIn('Salem', 'OR', 45))
  // A degree of latitude has 111 km.
  assert.deepEqual(
    [10, 100].map((radiusKm) => share(radiusKm, ma)),
    ['some', 'all'],
  )
  assert.deepEqual([share(10, boston), share(10, ma, boston), share(1, boston)], ['all', 'all', 'some'])
  assert.equal(share(100, term.city('salem')), 'none')
  put(offeringIn('Boston', 'MA', 45))
  assert.equal(share(10, boston), 'some')
})

test('an offering without a position is in no circle', () => {
  const { put, share } = tableOf(offeringIn('Boston', 'MA'))
  assert.equal(share(100, boston), 'none')
  put(offeringIn('Boston', 'MA', 42))
  assert.equal(share(100, boston), 'some')
})

test('tests each offering of a term by a circle, unless there are too many', () => {
  const shareOf = (count: number, outside?: number) => {
    const inBoston = Array.from({ length: count }, (_, n) => offeringIn('Boston', 'MA', n === outside ? 45 : 42))
    return tableOf(offeringIn('Salem', 'OR', 42), ...inBoston).share(10, boston)
  }
  for (const outside of [0, 1, 2047, 4094, 4095]) assert.equal(shareOf(4096, outside), 'some')
  assert.deepEqual([shareOf(4096), shareOf(4097)], ['all', 'some'])
})
