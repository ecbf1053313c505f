import { counted, escapeHtml, groupDigits } from '../../lib/text.ts'
import { formatDuration, MINUTE_MS } from '../../lib/time.ts'
import type { SourceHealth } from '../../slot/source-freshness.ts'
import { HISTORY_DAYS, utcDayOf } from './health-history.ts'
import { DESCRIPTIONS, type ReportedIncident, type ReportedPublisher, type StatusReport } from './status-report.ts'

const LABELS: Readonly<Record<SourceHealth, string>> = {
  failing: 'Failing',
  suspicious: 'Under review',
  late: 'Late',
  stale: 'Stale',
  paused: 'Paused',
  'never-synced': 'Not synced yet',
  healthy: 'Healthy',
}

/** The content of the status page, without scripts. */
export function statusHtml(report: StatusReport): string {
  const { at, publishers, incidents, slots, counts } = report
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return `<p class="status-now" data-status="${report.status}">${escapeHtml(summaryOf(report))}</p>
<p class="status-facts">${groupDigits(slots)} slots from ${counted(total, 'publisher')}. As of ${timeTag(at, minuteOf(at))}.</p>
<section aria-labelledby="publishers">
<h2 id="publishers">Publishers</h2>
${publishers.length === 0 ? '<p>There are no publishers yet.</p>' : `<ul class="status-list">\n${publishers.map((one) => publisherItem(one, at)).join('\n')}\n</ul>`}
${pageLinks(report)}${legend()}</section>
<section aria-labelledby="incidents">
<h2 id="incidents">Incidents of the last ${HISTORY_DAYS} days</h2>
${incidentList(incidents, at)}
</section>
<p class="status-facts">All times are UTC. The same as data: <a href="/status.json${report.page === 1 ? '' : `?page=${report.page}`}">status.json</a>.</p>
`
}

function summaryOf({ status, counts }: StatusReport): string {
  if (status === 'starting') return 'The service is starting: slots are being loaded.'
  const others = (['failing', 'suspicious', 'late', 'stale', 'paused', 'never-synced'] as const).filter(
    (health) => counts[health] !== undefined,
  )
  if (others.length === 0)
    return counts.healthy === undefined ? 'The service is running.' : 'All publishers are healthy.'
  const parts = others.map((health) => `${groupDigits(counts[health] ?? 0)} ${LABELS[health].toLowerCase()}`)
  return `The service is running. Publishers: ${[...parts, `${groupDigits(counts.healthy ?? 0)} healthy`].join(', ')}.`
}

function publisherItem(one: ReportedPublisher, at: string): string {
  const { name, status, lastSyncAt, changedAt, availability } = one
  const facts = [
    ...(lastSyncAt === undefined ? [] : [`Last sync ${timeTag(lastSyncAt, ageOf(lastSyncAt, at))}`]),
    ...(changedAt === undefined ? [] : [`last change ${timeTag(changedAt, ageOf(changedAt, at))}`]),
    ...(availability === undefined ? [] : [`${percentOf(availability)} available`]),
  ]
  return `<li>
<p class="status-name"><bdi>${escapeHtml(name)}</bdi> <span class="status-badge" data-status="${status}">${LABELS[status]}</span></p>
${status === 'healthy' ? '' : `<p class="status-facts">${DESCRIPTIONS[status]}</p>\n`}${bars(one, at)}
<p class="status-facts">${facts.join(', ') || 'No sync yet'}.</p>
</li>`
}

const STEP = 4
const HEIGHTS: Readonly<Partial<Record<SourceHealth, number>>> = {
  healthy: 12,
  stale: 16,
  late: 16,
  suspicious: 18,
  failing: 24,
}

/** One bar a day, higher and in another color for worse days. Equal days are one dashed line. */
function bars({ recordedSince, days = [] }: ReportedPublisher, at: string): string {
  if (recordedSince === undefined) return ''
  const first = utcDayOf(Date.parse(at)) - HISTORY_DAYS + 1
  const recorded = utcDayOf(Date.parse(recordedSince)) - first
  const statuses: (SourceHealth | undefined)[] = Array.from({ length: HISTORY_DAYS }, (_, day) =>
    day < recorded ? undefined : 'healthy',
  )
  for (const { date, status } of days) {
    const day = utcDayOf(Date.parse(date)) - first
    if (day >= 0 && day < HISTORY_DAYS) statuses[day] = status
  }
  const lines = runsOf(statuses).map(({ status, from, to }) => {
    const height = HEIGHTS[status ?? 'paused'] ?? 4
    return `<path data-status="${status ?? 'unknown'}" stroke-width="${height}" d="M${from * STEP} ${24 - height / 2}H${to * STEP - 1}"/>`
  })
  const label = `Last ${HISTORY_DAYS} days: ${days.length === 0 ? 'no days with problems' : `${counted(days.length, 'day')} with problems`}`
  return `<svg class="status-bars" viewBox="0 0 ${HISTORY_DAYS * STEP - 1} 24" preserveAspectRatio="none" role="img" aria-label="${label}">${lines.join('')}</svg>`
}

function runsOf<T>(values: readonly T[]): { status: T; from: number; to: number }[] {
  const runs: { status: T; from: number; to: number }[] = []
  for (const [at, status] of values.entries()) {
    const last = runs.at(-1)
    if (last !== undefined && last.status === status) last.to = at + 1
    else runs.push({ status, from: at, to: at + 1 })
  }
  return runs
}

function legend(): string {
  return `<p class="status-legend">Each bar is a day, from ${HISTORY_DAYS} days ago to today: <span data-status="healthy">healthy</span>, <span data-status="stale">late, stale or under review</span>, <span data-status="failing">failing</span>, <span data-status="unknown">no record</span>.</p>\n`
}

function incidentList(incidents: readonly ReportedIncident[] | undefined, at: string): string {
  if (incidents === undefined) return '<p>The history cannot be read at the moment.</p>'
  if (incidents.length === 0) return '<p>There were none.</p>'
  return `<ul class="status-list">\n${incidents.map((one) => incidentItem(one, at)).join('\n')}\n</ul>`
}

function incidentItem({ name, status, description, from, to }: ReportedIncident, at: string): string {
  const lasted = formatDuration(Date.parse(to ?? at) - Date.parse(from))
  const since = timeTag(from, minuteOf(from))
  const when =
    to === undefined ? `Since ${since}, for ${lasted} so far` : `${since} to ${timeTag(to, minuteOf(to))}, ${lasted}`
  return `<li>
<p class="status-name"><bdi>${escapeHtml(name)}</bdi> <span class="status-badge" data-status="${status}">${LABELS[status]}</span></p>
<p class="status-facts">${description}</p>
<p class="status-facts">${when}.</p>
</li>`
}

function pageLinks({ page, pages }: StatusReport): string {
  if (pages === 1) return ''
  const link = (rel: 'prev' | 'next', to: number, text: string) =>
    `<a rel="${rel}" href="/status${to === 1 ? '' : `?page=${to}`}">${text}</a>`
  const links = [
    ...(page > 1 ? [link('prev', page - 1, 'Previous')] : []),
    `Page ${page} of ${pages}`,
    ...(page < pages ? [link('next', page + 1, 'Next')] : []),
  ]
  return `<nav class="status-pages" aria-label="Pages">${links.join(' ')}</nav>\n`
}

function timeTag(instant: string, text: string): string {
  return `<time datetime="${instant}" title="${minuteOf(instant)}">${text}</time>`
}

/** Made when it is needed: it takes 20 ms. */
let minuteFormat: Intl.DateTimeFormat | undefined

function minuteOf(instant: string): string {
  minuteFormat ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return `${minuteFormat.format(new Date(instant)).replaceAll('\u202f', ' ')} UTC`
}

function ageOf(instant: string, at: string): string {
  const ms = Date.parse(at) - Date.parse(instant)
  return ms < MINUTE_MS ? 'less than a minute ago' : `${formatDuration(ms)} ago`
}

function percentOf(share: number): string {
  return `${(share * 100).toFixed(share === 1 ? 0 : 2)}%`
}
