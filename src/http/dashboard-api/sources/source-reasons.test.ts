import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceOverview } from '../../../store/contracts/sources.ts'
import { foldedReason } from './source-reasons.ts'

const ERRORS: readonly (readonly [error: string, reason: string])[] = [
  ['connect ECONNREFUSED 127.0.0.1:8080', 'connect ECONNREFUSED'],
  ['connect ETIMEDOUT 2001:db8::7:443', 'connect ETIMEDOUT'],
  ['Cannot read https://feeds.clinic.example/a: HTTP status 404', 'HTTP status 404'],
  ['Cannot read https://feeds.clinic.example/a: HTTP status 500', 'HTTP status 500'],
  ['getaddrinfo ENOTFOUND feeds.clinic.example', 'getaddrinfo ENOTFOUND'],
  ['getaddrinfo EAI_AGAIN feeds.clinic.example:8443', 'getaddrinfo EAI_AGAIN'],
  ['Cannot read manifest: it must be JSON: got "<html>"', 'Cannot read manifest: it must be JSON: got "<html>"'],
  ['https://feeds.clinic.example/a redirects to https://other.example/', 'the URL redirects to the URL'],
  ['127.0.0.1:1', 'failing'],
]

test('folds errors that differ only in URL, host, address and port', () => {
  for (const [error, reason] of ERRORS) assert.equal(foldedReason('failing', sourceWith(`${error}`)), reason, error)
})

test('a flag without an error is its own reason', () => {
  assert.equal(foldedReason('late', sourceWith('HTTP status 404')), 'late')
  assert.equal(foldedReason('failing', sourceWith(undefined)), 'failing')
})

function sourceWith(error: string | undefined): SourceOverview {
  const lastSync = { ...(error !== undefined && { error }) }
  return { url: 'https://feeds.clinic.example/a', lastSync } as SourceOverview
}
