import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeRedirect } from './safe-redirect.ts'

test('lets a sign-in go on to pages of the dashboard', () => {
  for (const address of ['/app', '/app/explore?state=MA', '/app?x=1', '/app#x']) {
    assert.equal(safeRedirect(address), address)
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
    assert.equal(safeRedirect(address), undefined)
  }
  assert.equal(safeRedirect(undefined), undefined)
})
