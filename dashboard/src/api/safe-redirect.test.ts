import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeRedirect } from './safe-redirect.ts'

test('allows redirects to pages of the dashboard', () => {
  for (const address of ['/app', '/app/explore?state=MA', '/app?x=1', '/app#x']) {
    assert.equal(safeRedirect(address), address)
  }
})

test('rejects redirects to anywhere else', () => {
  for (const address of ['https://evil.example/app', '//evil.example', '/\\evil.example', '/application', '/', '']) {
    assert.equal(safeRedirect(address), undefined)
  }
  assert.equal(safeRedirect(undefined), undefined)
})
