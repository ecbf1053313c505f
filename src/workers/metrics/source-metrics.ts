import { Gauge, type Registry } from 'prom-client'
import type { SourceGauge } from '../../sync/source-gauge.ts'

/** The metrics of each source, as its store says: equal on every node within seconds. A time that is not known has no series. */
export function addSources(registry: Registry, sources: () => readonly SourceGauge[]): void {
  new Gauge({
    name: 'slots_source_health',
    help: 'How each source does: 1 for the health that it has.',
    labelNames: ['source', 'health'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { slug, health } of sources()) this.set({ source: slug, health }, 1)
    },
  })
  const add = (name: string, help: string, read: (source: SourceGauge) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers: [registry],
      collect() {
        this.reset()
        for (const source of sources()) {
          const value = read(source)
          if (value !== undefined) this.set({ source: source.slug }, value)
        }
      },
    })
  add('slots_source_slots', 'Slots of the current snapshot.', ({ slots }) => slots)
  add('slots_source_looked_timestamp_seconds', 'When it was last read.', (source) =>
    inSeconds(source.lookedAtMs),
  )
  add('slots_source_published_timestamp_seconds', 'When its publisher says it is from.', (source) =>
    inSeconds(source.publishedAtMs),
  )
  add('slots_source_changed_timestamp_seconds', 'When it last changed.', (source) =>
    inSeconds(source.changedAtMs),
  )
}

function inSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000
}
