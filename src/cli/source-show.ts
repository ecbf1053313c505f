import { singleLine } from '../lib/text.ts'
import type { SourceMessage } from '../shared/source-vocabulary.ts'
import type { HealthEvent } from '../store/contracts/source-watch.ts'
import { argument, defineCommand } from './command.ts'
import { PROGRAM } from './program.ts'
import { type FreshnessView, nextSyncOf, type PrintedSource, printedSource, viewFreshness } from './source-view.ts'
import { getSource, withStore } from './store-access.ts'
import { formatInstant } from './table.ts'
import { slugValue } from './values.ts'

type SourceDetails = PrintedSource &
  FreshnessView & { readonly messages: readonly SourceMessage[]; readonly events: readonly EventView[] }

interface EventView extends Pick<HealthEvent, 'from' | 'to' | 'why'> {
  readonly at: string
}

/** Number of health changes listed in text, the newest; JSON has all stored ones. */
const EVENTS_LISTED = 10

/** `source show <slug>`. Throws `CommandError` for an unknown slug. */
export const sourceShow = defineCommand({
  description: `Prints a source's health and its reason, the times of the last successful read, of the feed's own timestamp and of the last
change of its slots, a held snapshot, what its publisher reported in the last good sync, and the history of its health. Rules: docs/operating-sources.md`,
  examples: ['source show example', 'source show example --json'],
  input: { slug: argument(slugValue) },
  async run(call, { slug }) {
    const details = await withStore(call, async (store): Promise<SourceDetails> => {
      const source = await getSource(store, 'show source', slug)
      const events = await store.health.ofSource(source.id)
      return {
        ...printedSource(source),
        ...viewFreshness(source, store.now()),
        messages: source.messages,
        events: events.map(({ atMs, from, to, why }) => ({ at: formatInstant(atMs), from, to, why })),
      }
    })
    call.print(details, formatDetails(details))
  },
})

function formatDetails(details: SourceDetails): string {
  const { slug, health, why, hold, held, messages, events } = details
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ['URL', details.url],
    ['Slots', details.slots],
    ['Rejected', details.rejected],
    ['Withheld', details.withheld],
    ['Test data', details.testSlots],
    ['Last read', details.lastCheckedAt ?? 'never'],
    ['Published', details.publishedAt ?? 'not provided'],
    ['Changed', details.changedAt ?? 'never'],
    ['Next sync', nextSyncOf(details)],
    ['Hold', hold],
  ]
  return [
    `${slug} is ${health}${why === undefined ? '' : `: ${singleLine(why)}`}`,
    ...facts.map(([name, value]) => `  ${name.padEnd(10)} ${singleLine(String(value))}`),
    ...(held === undefined ? [] : formatHeld(slug, held)),
    ...messages.map(({ severity, text }) => `  ${severity.padEnd(11)} ${singleLine(text)}`),
    ...events
      .slice(0, EVENTS_LISTED)
      .map(({ at, from, to, why }) => `  ${at}  ${from} > ${to}${why === '' ? '' : `: ${singleLine(why)}`}`),
  ].join('\n')
}

function formatHeld(slug: string, held: NonNullable<FreshnessView['held']>): string[] {
  const summary = `  Held since ${held.since}: ${held.after} slots, ${held.before} served (${held.anomalies.join(', ')})`
  const next = held.approved
    ? '  Approved: the next sync is served if it is like this snapshot.'
    : `  Approve it: ${PROGRAM} source approve ${slug} --since ${held.since}`
  return [summary, next]
}
