import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { KnownSources } from '../slot-index/known-sources.ts'
import { CacheControl } from './response-cache.ts'

const source = (slug: string, nextSyncAtMs: number, paused = false) => ({
  slug,
  paused,
  health: 'healthy' as const,
  nextSyncAtMs,
})

function sourcesOf(...all: ReturnType<typeof source>[]): KnownSources {
  const sources = new KnownSources()
  sources.apply({ sources: all, gone: [], whole: true })
  return sources
}

test('sets max-age to the whole seconds until the next sync of an active source', () => {
  const text = new CacheControl(sourcesOf(source('a', 40_000), source('b', 30_999), source('c', 5000, true)))
  assert.equal(text.textAt(0), 'private, max-age=30')
  assert.equal(text.textAt(1000), 'private, max-age=29')
})

test('sets max-age to at most a minute, and to 0 if a sync is due or none is scheduled', () => {
  assert.equal(new CacheControl(sourcesOf(source('a', 90_000))).textAt(0), 'private, max-age=60')
  assert.equal(new CacheControl(sourcesOf(source('a', 999))).textAt(0), 'private, no-cache')
  assert.equal(new CacheControl(sourcesOf(source('a', 500))).textAt(2000), 'private, no-cache')
  assert.equal(new CacheControl(sourcesOf(source('a', 90_000, true))).textAt(0), 'private, no-cache')
  assert.equal(new CacheControl(new KnownSources()).textAt(0), 'private, no-cache')
})

test('shortens max-age immediately when a source is rescheduled earlier', () => {
  const sources = sourcesOf(source('a', 50_000))
  const text = new CacheControl(sources)
  assert.equal(text.textAt(0), 'private, max-age=50')
  sources.apply({ sources: [source('a', 0)], gone: [], whole: false })
  assert.equal(text.textAt(0), 'private, no-cache')
})

test('never exceeds the remaining time and never rounds down by a second', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000 }),
      fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1 }),
      (nextMs, times) => {
        const text = new CacheControl(sourcesOf(source('a', nextMs)))
        for (const nowMs of times) {
          const seconds = Number(/max-age=(\d+)/.exec(text.textAt(nowMs))?.[1] ?? 0)
          const leftS = Math.min(60, Math.max(0, nextMs - nowMs) / 1000)
          assert.ok(seconds <= leftS && seconds > leftS - 1.001, `${seconds} of ${leftS} s`)
        }
      },
    ),
  )
})
