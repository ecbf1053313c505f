import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeedFailure } from '../feeds/connector.ts'
import { describeFailure } from './sync-failure.ts'

test('shortens long URLs, so that the reason of a failure stays', () => {
  const reason = 'status must be 200: got "403" (Your client lacks the scope system/Slot.read)'
  const file = 'https://clinic.example/fhir/Slot'
  for (const query of ['', '?status=free', `?start=ge2030&${'_include=Schedule%3Aactor&'.repeat(40)}_count=500`]) {
    const message = describeFailure(new FeedFailure(`Cannot read ${file}${query}: ${reason}`), 'smart-links')
    assert.ok(message.startsWith(`Cannot read ${file}${query.slice(0, 100)}`))
    assert.ok(message.endsWith(query.length < 150 ? `${query}: ${reason}` : `…: ${reason}`), message)
  }
})
