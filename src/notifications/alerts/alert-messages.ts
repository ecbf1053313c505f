import type { AlertChange } from '../../store/contracts/alerts.ts'
import { formatLetter } from '../mail/letter.ts'
import type { Mail } from '../mail/mailer.ts'
import type { Alert } from './alert-channel.ts'
import { isAllClear } from './alert-rules.ts'

/** What a receiver of webhooks gets: see docs/operations.md. Times are RFC 3339. */
export interface AlertBody {
  readonly type: 'sources.health' | 'test'
  readonly timestamp: string
  readonly data: {
    /** Where the dashboard is. */
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

/** How long a reason is told at most, in characters: a publisher may have had a hand in it. */
const WHY_MAX = 400

/** The alert as the body of a webhook. */
export function bodyOf({ changes, createdAtMs, isTest }: Alert, dashboardUrl: string): AlertBody {
  return {
    type: isTest ? 'test' : 'sources.health',
    timestamp: instant(createdAtMs),
    data: { service: dashboardUrl, changes: changes.map(bodyChangeOf) },
  }
}

/** The alert as a mail: of several sources, a digest. */
export function mailOf({ changes, isTest }: Alert, to: string, dashboardUrl: string): Mail {
  const paragraphs = isTest
    ? ['This is a test: somebody asked on the command line whether alerts arrive. They do.']
    : changes.map(sentencesOf)
  return formatLetter({
    to,
    subject: isTest ? 'Test of alerts' : subjectOf(changes),
    paragraphs,
    link: { text: 'See the sources', href: `${dashboardUrl}app/operator/sources` },
    afterwards: 'Times are in UTC. Who gets these mails is decided by ALERT_EMAILS.',
  })
}

/**
 * A reason without what must not be told: queries, fragments and passwords of addresses, which may hold a publisher's
 * secrets; and what would make a terminal or a mail do something.
 */
export function tellableWhy(why: string): string {
  const plain = why
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/(\w:\/\/)[^\s/"@?#]*@/g, '$1')
    .replace(/(\w:\/\/[^\s?#"]*)[?#][^\s"]*?(?=[.,:;]*(?:[\s"]|$))/g, '$1?…')
  return plain.length > WHY_MAX ? `${plain.slice(0, WHY_MAX - 1)}…` : plain
}

function bodyChangeOf({ slug, name, health, before, sinceMs, why }: AlertChange): BodyChange {
  const rest = { health, before, since: instant(sinceMs), why, allClear: isAllClear({ health }) }
  return { source: slug, ...(name !== undefined && { name }), ...rest }
}

function subjectOf(changes: readonly AlertChange[]): string {
  const [first] = changes
  if (changes.length === 1 && first.health === 'removed') return `${first.slug} was removed`
  if (changes.length === 1) return `${isAllClear(first) ? 'All clear: ' : ''}${first.slug} is ${first.health}`
  const clear = changes.filter(isAllClear).length
  const trouble = changes.length - clear
  return [
    ...(trouble > 0 ? [`${trouble} ${trouble === 1 ? 'source' : 'sources'} in trouble`] : []),
    ...(clear > 0 ? [`${clear} all clear`] : []),
  ].join(', ')
}

function sentencesOf({ slug, name, health, before, sinceMs, why }: AlertChange): string {
  const who = name === undefined ? slug : `${name} (${slug})`
  const since = `${new Date(sinceMs).toISOString().slice(0, 16).replace('T', ' ')}`
  if (health === 'removed') return `${who} was removed; it was ${before}.`
  if (health === 'healthy') return `All clear: ${who} has been healthy since ${since}; it was ${before}.`
  const instead = before === 'healthy' ? '' : ` Before, it was ${before}.`
  return `${who} has been ${health} since ${since}. ${why}${instead}`
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}
