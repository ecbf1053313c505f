import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { signInRoutes } from '../auth/routes.ts'
import type { RequestContext } from '../http/api-context.ts'
import { ROUTES } from '../http/dashboard-api/dashboard-api.ts'
import { Admission, refusalOfBody } from './proxy-admission.ts'

const LENGTH = { 'content-length': '9' }
const JSON_TYPE = { 'content-type': 'application/json' }

function refusal(method: string, url: string, headers: Record<string, string>) {
  return refusalOfBody({ method, url, headers } as unknown as IncomingMessage)?.code
}

test('refuses a body without a session, except where none can exist', () => {
  const json = { ...LENGTH, ...JSON_TYPE }
  const isOpen = (path: string) => refusal('POST', path, json) === undefined
  const signIn = Object.keys(signInRoutes({ passwordSignIn: true })).filter((route) => route.startsWith('POST '))
  assert.deepEqual(
    signIn.map((route) => route.slice(5)).filter((path) => isOpen(`/api/auth${path}`)),
    [
      '/sign-in/social',
      '/passkey/verify-authentication',
      '/verify-email',
      '/send-verification-email',
      '/sign-up/email',
      '/sign-in/email',
      '/two-factor/verify-totp',
      '/two-factor/verify-backup-code',
      '/request-password-reset',
      '/reset-password',
    ],
  )
  for (const { access, method, path, body } of ROUTES) {
    if (body === undefined) continue
    assert.equal(refusal(method, path, json), access === 'anyone' ? undefined : 'session-required', path)
    for (const cookie of ['slots.session_token=x', 'a=b; __Host-slots.session_token=x'])
      assert.equal(refusal(method, path, { ...json, cookie }), undefined, path)
  }
})

test('accepts a form of an OpenID provider only where logout tokens arrive', () => {
  const form = { ...LENGTH, 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal(refusal('POST', '/api/auth/oidc/backchannel-logout', form), undefined)
  assert.notEqual(refusal('POST', '/api/auth/sign-in/email', form), undefined)
  assert.notEqual(refusal('POST', '/api/auth/oidc/backchannel-logout', { ...LENGTH, ...JSON_TYPE }), undefined)
})

test('refuses a body that is not JSON, and ignores bodies of GET', () => {
  const cookie = 'slots.session_token=x'
  for (const [type, expected] of [
    ['application/json', undefined],
    ['Application/JSON; charset=utf-8', undefined],
    ['application/json-patch', 'unsupported-media-type'],
    ['application/octet-stream', 'unsupported-media-type'],
    ['text/plain', 'unsupported-media-type'],
    ['application/x-www-form-urlencoded', 'unsupported-media-type'],
  ] as const)
    assert.equal(refusal('POST', '/api/organizations', { ...LENGTH, cookie, 'content-type': type }), expected, type)
  assert.equal(refusal('POST', '/api/organizations', { ...LENGTH, cookie }), 'unsupported-media-type')
  assert.equal(refusal('POST', '/api/auth/sign-out', {}), undefined)
  assert.equal(refusal('GET', '/api/me', LENGTH), undefined)
})

test('sign-ins from any number of addresses leave places for everybody else', () => {
  const admission = new Admission(1)
  const answer = (url: string, address: string) => {
    const headers = { 'x-forwarded-for': address }
    const request = { url, headers, socket: { remoteAddress: '10.0.0.1' } } as unknown as IncomingMessage
    return admission.answer({ request } as RequestContext) !== undefined
  }
  for (const path of ['sign-in/email', './sign-in/email', '%2e/sign-in/email', 'x/../sign-up/email', 'reset-password'])
    for (let at = 0; at < 200; at++) answer(`/api/auth/${path}`, `2001:db8:0:${at}::1`)
  assert.equal(answer('/api/auth/sign-in/email', '203.0.113.9'), false)
  assert.equal(answer('/api/me', '203.0.113.9'), true)
})
