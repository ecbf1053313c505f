import { truncate } from '../../lib/text.ts'
import type { AlertChange } from '../../store/contracts/alerts.ts'
import { formatMail, type Mail } from '../mail/mail-format.ts'
import type { Alert } from './alert-channel.ts'
import { isResolved } from './alert-rules.ts'

/** The body of a webhook: see docs/operations.md. Times are RFC 3339. */
export interface AlertBody {
  readonly type: 'sources.health' | 'test'
  readonly timestamp: string
  readonly data: {
    /** The address of the dashboard. */
    readonly service: string
    readonly changes: readonly BodyChange[]
  }
}

interface BodyChange {
  readonly source: string
  readonly name?: string
  readonly health: AlertChange['health']
  readonly before: AlertChange['health']
  readonly since: string
  readonly why: string
  readonly allClear: boolean
}

/** Characters of a reason: a publisher may have written it. */
const REASON_LENGTH_MAX = 400

export function bodyOf({ changes, createdAtMs, isTest }: Alert, dashboardUrl: string): AlertBody {
  return {
    type: isTest ? 'test' : 'sources.health',
    timestamp: instant(createdAtMs),
    data: { service: dashboardUrl, changes: changes.map(bodyChangeOf) },
  }
}

/** The alert as an email; several sources make a digest. */
export function mailOf({ changes, isTest }: Alert, to: string, dashboardUrl: string): Mail {
  const paragraphs = isTest ? ['This is a test alert. Delivery works.'] : changes.map(sentencesOf)
  return formatMail({
    to,
    subject: isTest ? 'Test alert' : subjectOf(changes),
    paragraphs,
    link: { text: 'View sources', href: `${dashboardUrl}app/operator/sources` },
    footer: 'Times are in UTC. ALERT_EMAILS configures who receives these emails.',
  })
}

/** A reason without URL queries, fragments and credentials, which may contain secrets, and without control characters. */
export function redactReason(why: string): string {
  const plain = why
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/(\w:\/\/)[^\s/"@?#]*@/g, '$1')
    .replace(/(\w:\/\/[^\s?#"]*)[?#][^\s"]*?(?=[.,:;]*(?:[\s"]|$))/g, '$1?…')
  return truncate(plain, REASON_LENGTH_MAX)
}

function bodyChangeOf({ slug, name, health, before, sinceMs, why }: AlertChange): BodyChange {
  const rest = { health, before, since: instant(sinceMs), why, allClear: isResolved({ health }) }
  return { source: slug, ...(name !== undefined && { name }), ...rest }
}

function subjectOf(changes: readonly AlertChange[]): string {
  const [first] = changes
  if (changes.length === 1 && first.health === 'removed') return `${first.slug} was removed`
  if (changes.length === 1) return `${isResolved(first) ? 'Resolved: ' : ''}${first.slug} is ${first.health}`
  const resolved = changes.filter(isResolved).length
  const trouble = changes.length - resolved
  return [
    ...(trouble > 0 ? [`${trouble} ${trouble === 1 ? 'source' : 'sources'} with problems`] : []),
    ...(resolved > 0 ? [`${resolved} resolved`] : []),
  ].join(', ')
}

function sentencesOf({ slug, name, health, before, sinceMs, why }: AlertChange): string {
  const who = name === undefined ? slug : `${name} (${slug})`
  const since = `${new Date(sinceMs).toISOString().slice(0, 16).replace('T', ' ')}`
  if (health === 'removed') return `${who} was removed; it was ${before}.`
  if (health === 'healthy') return `Resolved: ${who} has been healthy since ${since}; it was ${before}.`
  const instead = before === 'healthy' ? '' : ` Before, it was ${before}.`
  return `${who} has been ${health} since ${since}. ${why}${instead}`
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}
