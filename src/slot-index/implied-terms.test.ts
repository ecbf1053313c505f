import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lasting } from '../../test/support/slot-index/index-samples.ts'
import { runAtOnce } from '../lib/steps.ts'
import type { Offering } from '../slot/slot.ts'
import { ImpliedTerms } from './implied-terms.ts'
import { OfferingTable } from './offering-table.ts'
import { term } from './term-names.ts'

function tableOf(...offerings: Offering[]) {
  const table = new OfferingTable()
  const put = (...added: Offering[]) => runAtOnce(table.put(table.pack(lasting(30, added))))
  put(...offerings)
  const implied = new ImpliedTerms(table)
  const left = (...names: string[]) => {
    const numbers = names.map((name) => table.terms.find(name) ?? assert.fail(`${name} is not a term`))
    return implied.leaveOut(numbers)?.map((number) => table.terms.textOf(number))
  }
  return { put, left }
}

const offeringIn = (city: string, state: string): Offering => ({
  publisher: 'clinic',
  scheduleId: `${city} ${state}`,
  isVirtual: false,
  location: { city, state },
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

test('looks at the offerings of a frequent term in parts, one per query', () => {
  const inBoston = Array.from({ length: 20_000 }, () => offeringIn('Boston', 'MA'))
  const { put, left } = tableOf(offeringIn('Salem', 'MA'), ...inBoston)
  assert.deepEqual([left(ma, boston), left(ma, boston)], [[ma, boston], [boston]])
  put(offeringIn('Boston', 'MA'))
  assert.deepEqual(left(ma, boston), [boston])
  put(offeringIn('Boston', 'NY'))
  assert.deepEqual(left(ma, boston), [ma, boston])
})

test('finds terms that no offering has together, until one comes that has', () => {
  const { put, left } = tableOf(offeringIn('Boston', 'MA'), offeringIn('Salem', 'OR'), offeringIn('Lynn', 'MA'))
  assert.equal(left(ma, term.city('salem')), undefined)
  put(offeringIn('Salem', 'OR'))
  assert.equal(left(term.city('salem'), ma), undefined)
  put(offeringIn('Salem', 'MA'))
  assert.deepEqual(left(ma, term.city('salem')), [ma, term.city('salem')])
  assert.equal(left(ma, term.city('lynn'), term.state('OR')), undefined)
})
