import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicUrl } from './public-url.ts'

test('shows the address of a public host without user, query and fragment', () => {
  assert.equal(
    publicUrl('https://a:b@feeds.clinic.org:8443/x/$bulk-publish?key=1#2'),
    'https://feeds.clinic.org:8443/x/$bulk-publish',
  )
  assert.equal(publicUrl('http://Clinic.Example'), 'http://clinic.example/')
})

test('shows no address of a private host, and nothing else', () => {
  for (const url of [
    'http://localhost/x',
    'http://10.0.0.5/x',
    'http://[fd00::1]/x',
    'https://ehr/x',
    'https://ehr.internal/x',
    'https://ehr.home.arpa/x',
    'https://ehr.clinic.svc/x',
    'https://ehr.test/x',
    'https://ehr.intranet/x',
    'https://ehr.onion/x',
    'ftp://clinic.org/x',
    'file:///etc/feed.csv',
    '',
  ])
    assert.equal(publicUrl(url), undefined, url)
})
