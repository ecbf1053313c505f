import { truncate } from '../../lib/text.ts'
import type { ServiceIdentity } from '../../shared/service-identity.ts'
import type { AlertChange, NodeAlert } from '../../store/contracts/alerts.ts'
import { formatMail, type Mail } from '../mail/mails.ts'
import type { Alert } from './alert-channel.ts'
import { isResolved } from './alert-rules.ts'

/** The body of a webhook: see docs/alerts.md. Times are RFC 3339. */
export interface AlertBody {
  readonly type: 'sources.health' | 'node.memory' | 'test'
  readonly timestamp: string
  readonly data: {
    /** The address of the dashboard. */
    readonly service: string
    readonly changes: readonly BodyChange[]
    readonly node?: BodyNode
  }
}

interface BodyNode {
  readonly name: string
  readonly memory: NodeAlert['memory']
  readonly since: string
  readonly slots: number
  readonly missingSlots: number
  readonly allClear: boolean
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

export function bodyOf({ changes, node, createdAtMs, isTest }: Alert, dashboardUrl: string): AlertBody {
  const data = { service: dashboardUrl, changes: changes.map(bodyChangeOf), ...(node && { node: bodyNodeOf(node) }) }
  const type = isTest ? 'test' : node === undefined ? 'sources.health' : 'node.memory'
  return { type, timestamp: instant(createdAtMs), data }
}

/** The alert as an email; several sources make a digest. */
export function mailOf(
  { changes, node, isTest }: Alert,
  to: string,
  { dashboardUrl, service }: { readonly dashboardUrl: string; readonly service: ServiceIdentity },
): Mail {
  const page = new URL('/app/operator', dashboardUrl).href
  const sources = { text: 'View sources', href: `${page}/sources` }
  const content = isTest
    ? { subject: 'Test alert', paragraphs: ['This is a test alert. Delivery works.'], link: sources }
    : node === undefined
      ? { subject: subjectOf(changes), paragraphs: changes.map(sentencesOf), link: sources }
      : { ...nodeMail(node), link: { text: 'View health', href: `${page}/health` } }
  const footer = 'Times are in UTC. ALERT_EMAILS configures who receives these emails.'
  return formatMail({ to, ...content, footer }, service)
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

function bodyNodeOf({ node, memory, sinceMs, slots, missingSlots }: NodeAlert): BodyNode {
  return { name: node, memory, since: instant(sinceMs), slots, missingSlots, allClear: memory === 'ok' }
}

function nodeMail({ node, memory, sinceMs, slots, missingSlots }: NodeAlert) {
  const since = minuteOf(sinceMs)
  if (memory === 'ok')
    return {
      subject: `Resolved: memory of node ${node}`,
      paragraphs: [`The node ${node} has served all slots again since ${since}.`],
    }
  return {
    subject: `Memory of node ${node} is full`,
    paragraphs: [
      `The memory of the node ${node} has been full since ${since}. It serves ${slots} slots; ${missingSlots} slots were left out, so its lists and counts are incomplete.`,
      'Find the source that grew and limit or remove it, or give the node more memory and restart it.',
      'After a restart, no message says that this is over: if the memory is still full, the node reports it again after 5 minutes.',
    ],
  }
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
  const since = minuteOf(sinceMs)
  if (health === 'removed') return `${who} was removed; it was ${before}.`
  if (health === 'healthy') return `Resolved: ${who} has been healthy since ${since}; it was ${before}.`
  const instead = before === 'healthy' ? '' : ` Before, it was ${before}.`
  return `${who} has been ${health} since ${since}. ${why}${instead}`
}

function minuteOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}
