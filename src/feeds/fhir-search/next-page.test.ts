import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextPage } from './slot-query.ts'

const PAGE = new URL('https://clinic.example:8443/fhir/Slot?_count=5')

const next = (url: unknown, page = PAGE) =>
  nextPage(
    {
      link: [
        { relation: 'self', url: 'x' },
        { relation: 'next', url },
      ],
    },
    page,
  )?.href

test('follows absolute and relative links', () => {
  assert.equal(next('https://pages.example/1'), 'https://pages.example/1')
  assert.equal(next('Slot?page=2#top'), 'https://clinic.example:8443/fhir/Slot?page=2')
  assert.equal(next('?page=2'), 'https://clinic.example:8443/fhir/Slot?page=2')
})

test('ends without a next link', () => {
  for (const bundle of [{}, { link: [] }, { link: null }, { link: [{ relation: 'self', url: '?2' }] }]) {
    assert.equal(nextPage(bundle, PAGE), undefined)
  }
})

test('keeps https for http links to the same host only', () => {
  assert.equal(next('http://clinic.example/fhir?p=2'), 'https://clinic.example:8443/fhir?p=2')
  assert.equal(next('http://clinic.example:8080/fhir?p=2'), 'https://clinic.example:8443/fhir?p=2')
  assert.equal(next('http://other.example/fhir?p=2'), 'http://other.example/fhir?p=2')
  assert.equal(next('http://clinic.example/?p=2', new URL('http://clinic.example/')), 'http://clinic.example/?p=2')
})

test('rejects protocols other than http and https', () => {
  for (const url of ['ftp://clinic.example/', 'file:///etc/passwd', 'http://', 7, null, undefined]) {
    assert.throws(() => next(url), /link "next" must be an http or https URL/, String(url))
  }
})
