import type { HealthEvent } from '../store/contracts/source-watch.ts'
import type { Command } from './command.ts'
import { getSource } from './find-source.ts'
import { PROGRAM } from './program.ts'
import { type FreshnessView, viewFreshness } from './source-freshness.ts'
import { nextSyncOf, type SourceView, viewSource } from './source-view.ts'
import { formatInstant, plainText } from './table.ts'
import { withStore } from './with-store.ts'

type Shown = SourceView & FreshnessView & { readonly events: readonly EventView[] }

interface EventView extends Pick<HealthEvent, 'from' | 'to' | 'why'> {
  readonly at: string
}

/** So many of the newest changes of health are listed for people; `--json` has all that are kept. */
const EVENTS_LISTED = 10

/** `source show <slug>`. Throws `Failure` for an unknown slug. */
export const sourceShow: Command = {
  operands: [{ name: 'slug' }],
  options: {},
  explanation: `How a source does and why, its three times (when we last looked and could read it, when its publisher says its data is from, when its
slots last changed), what of it is held, and how its health changed. The rules are in docs/operations.md.`,
  examples: ['source show example', 'source show example --json'],
  async run(call) {
    const [slug] = call.operands
    const shown = await withStore(call, async (store): Promise<Shown> => {
      const source = await getSource(store, 'show source', slug)
      const events = await store.health.ofSource(source.id)
      return {
        ...viewSource(source),
        ...viewFreshness(source, call.clock()),
        events: events.map(({ atMs, from, to, why }) => ({ at: formatInstant(atMs), from, to, why })),
      }
    })
    call.print(shown, formatShown(shown))
  },
}

function formatShown(shown: Shown): string {
  const { slug, health, why, hold, held, events } = shown
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ['URL', shown.url],
    ['Slots', shown.slots],
    ['Looked', shown.lookedAt ?? 'never'],
    ['Published', shown.publishedAt ?? 'not said'],
    ['Changed', shown.changedAt ?? 'never'],
    ['Next', nextSyncOf(shown)],
    ['Holds', hold],
  ]
  return [
    `${slug} is ${health}${why === undefined ? '' : `: ${plainText(why)}`}`,
    ...facts.map(([name, value]) => `  ${name.padEnd(10)} ${plainText(String(value))}`),
    ...(held === undefined ? [] : formatHeld(slug, held)),
    ...events
      .slice(0, EVENTS_LISTED)
      .map(({ at, from, to, why }) => `  ${at}  ${from} > ${to}${why === '' ? '' : `: ${plainText(why)}`}`),
  ].join('\n')
}

function formatHeld(slug: string, held: NonNullable<FreshnessView['held']>): string[] {
  const what = `  Held since ${held.since}: ${held.after} slots instead of ${held.before} (${held.findings.join(', ')})`
  const next = held.accepting
    ? '  The next sync is taken in, if it is like this one.'
    : `  Take it in: ${PROGRAM} source accept ${slug} --since ${held.since}`
  return [what, next]
}
