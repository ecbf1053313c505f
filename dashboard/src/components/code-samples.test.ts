import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotsCall } from './code-samples.ts'

test('writes the same address and key in every language', () => {
  const samples = slotsCall({
    baseUrl: 'https://slots.example.org/',
    search: { state: 'MA', city: "St. John's & Sons" },
    apiKey: 'svc_sk_x',
  })
  const url = 'https://slots.example.org/v1/scheduling/slots?state=MA&city=St.+John%27s+%26+Sons'
  for (const sample of Object.values(samples)) {
    assert.ok(sample.includes(url), sample)
    assert.ok(sample.includes('Bearer svc_sk_x'), sample)
  }
})

test('has a placeholder where no key is given, and no question mark without parameters', () => {
  const { curl } = slotsCall({ baseUrl: 'http://localhost:8080', search: {} })
  assert.ok(curl.startsWith("curl 'http://localhost:8080/v1/scheduling/slots' "))
  assert.ok(curl.includes('Bearer YOUR_API_KEY'))
})
