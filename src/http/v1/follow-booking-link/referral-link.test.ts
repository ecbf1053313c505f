import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referralLink } from './referral-link.ts'

const REFERRAL = { source: 'source-abc', bookingReferral: '34d1a803-cd6c-4420-9cf5-c5edcc533538' }
const ADDED = 'source=source-abc&booking-referral=34d1a803-cd6c-4420-9cf5-c5edcc533538'

test('appends the parameters to any form of query, before the fragment', () => {
  const links = {
    'https://book.example': `https://book.example/?${ADDED}`,
    'https://book.example/a/?': `https://book.example/a/?${ADDED}`,
    'https://book.example/?slot=1': `https://book.example/?slot=1&${ADDED}`,
    'https://book.example/?slot=1&': `https://book.example/?slot=1&${ADDED}`,
    'http://book.example/#/slots/1?day=2': `http://book.example/?${ADDED}#/slots/1?day=2`,
    'https://book.example/?slot=1#top': `https://book.example/?slot=1&${ADDED}#top`,
  }
  for (const [link, expected] of Object.entries(links)) assert.equal(referralLink(link, REFERRAL), expected)
})

test('leaves the query of the publisher as it is written', () => {
  const link = 'https://book.example/b%2Fc?when=10:30%20am&list[]=a+b&sig=x%7e~==&source=own'
  assert.equal(referralLink(link, REFERRAL), `${link}&${ADDED}`)
})

test('encodes the values, and leaves out a source that is not given', () => {
  const { searchParams } = new URL(
    referralLink('https://book.example/', { source: 'é & #1', bookingReferral: 'a+b' }) ?? '',
  )
  assert.deepEqual(
    [...searchParams],
    [
      ['source', 'é & #1'],
      ['booking-referral', 'a+b'],
    ],
  )
  assert.equal(
    referralLink('https://book.example/', { bookingReferral: 'a' }),
    'https://book.example/?booking-referral=a',
  )
})

test('accepts only absolute http and https links', () => {
  for (const link of ['javascript:alert(1)', 'data:text/html,1', 'ftp://book.example/', '/book', '//book.example/', ''])
    assert.equal(referralLink(link, REFERRAL), undefined, link)
})
