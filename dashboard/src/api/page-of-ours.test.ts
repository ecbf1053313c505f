import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOfOurs } from './page-of-ours.ts'

test('lets a sign-in go on to pages of the dashboard', () => {
  for (const address of ['/app', '/app/explore?state=MA', '/app?x=1', '/app#x']) {
    assert.equal(pageOfOurs(address), address)
  }
})

test('never lets a sign-in go on to another place', () => {
  for (const address of [
    'https://evil.example/app',
    '//evil.example',
    '/\\evil.example',
    '/application',
    '/',
    '',
  ]) {
    assert.equal(pageOfOurs(address), undefined)
  }
  assert.equal(pageOfOurs(undefined), undefined)
})
