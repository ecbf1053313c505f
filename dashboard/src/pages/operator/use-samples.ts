import { useEffect, useState } from 'react'
import type { HealthView } from '../../../../src/shared/shapes.ts'

/** What one look at the service's health found. */
export interface HealthSample {
  readonly atMs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Ten minutes of looks every five seconds. */
const SAMPLES_MAX = 120

/** The looks since the page was opened, oldest first. */
export function useSamples({ eventLoop }: HealthView, atMs: number): readonly HealthSample[] {
  const [samples, setSamples] = useState<readonly HealthSample[]>([])
  const { p50Ms, p99Ms } = eventLoop
  useEffect(() => {
    setSamples((before) => {
      if (before[before.length - 1]?.atMs === atMs) return before
      return [...before, { atMs, p50Ms, p99Ms }].slice(-SAMPLES_MAX)
    })
  }, [atMs, p50Ms, p99Ms])
  return samples
}
