import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phoneText, unusualPhoneLength } from './data-types.ts'

test('returns phone numbers as written', () => {
  for (const text of [
    '413-555-0100',
    '+1 (413) 555-0100',
    '(413) 555-0100 ext. 5',
    '1-800-555-CARE',
    '211',
    'Phone: 413-555-0100, ask for Ada',
    '413-555-0100;ext=5',
    '(609) 877-700',
  ])
    assert.equal(phoneText(text), text)
  assert.equal(phoneText('tel:+14135550100'), '+14135550100')
  assert.equal(phoneText(' TEL:211 '), '211')
})

test('rejects texts that are not phone numbers or are unsafe', () => {
  for (const text of [
    '',
    'n/a',
    'call us',
    '41',
    'javascript:alert(111)',
    'tel:javascript:alert(111)',
    'JavaScript : alert(111)',
    'javascript: alert(111)',
    'https://example.org/413-555-0100',
    'mailto:a413@example.org',
    '413-555-0100<script>',
    '413-555-0100"',
    `413${'5'.repeat(200)}`,
  ])
    assert.equal(phoneText(text), undefined, text)
})

test('counts the digits of a number', () => {
  for (const text of [
    '413-555-0100',
    '1 413 555 0100',
    '+1 413 555 0100',
    'tel:+14135550100',
    '(413) 555-0100 x123456',
    '+44 20 7946 0000',
    '211',
    '1-800-FLOWERS',
  ])
    assert.equal(unusualPhoneLength(text), undefined, text)
  assert.equal(unusualPhoneLength('(609) 877-700'), '9 digits')
  assert.equal(unusualPhoneLength('2413-555-0100'), '11 digits')
  assert.equal(unusualPhoneLength('+44 20'), '4 digits')
})
