import { isIP } from 'node:net'
import { z } from 'zod'
import { isPublicAddress } from '../feeds/http/public-address.ts'
import { publicUrl } from '../lib/public-url.ts'
import {
  DESCRIPTION_PATTERN,
  SUBSCRIPTION_EVENTS,
  SUBSCRIPTION_LIMITS,
  type SubscriptionEvent,
} from '../shared/subscription-vocabulary.ts'
import { FILTER_PARAMETERS, parseFilters } from '../slot/filter-parameters.ts'
import { clip, INSTANT, InvalidParameter, REPEATED_MAX } from '../slot/query-parameter.ts'
import type { SubscriptionDraft, SubscriptionEdit, SubscriptionFilters } from '../store/contracts/subscriptions.ts'

interface InputOptions {
  /** Whether private addresses and http are allowed. */
  readonly allowPrivate: boolean
  readonly nowMs: number
}

const {
  minIntervalSeconds: SECONDS,
  urlLength: URL_MAX,
  descriptionLength: DESCRIPTION_MAX,
  filtersLength: FILTERS_MAX,
} = SUBSCRIPTION_LIMITS

const SCALAR = z.union([z.string(), z.number(), z.boolean()])
const URL_TEXT = `a URL of at most ${URL_MAX} characters`
const FILTERS_TEXT = 'an object of filters of the list, such as {"state": "MA"}'
const EVENTS_TEXT = `an array of ${SUBSCRIPTION_EVENTS.join(' and ')}`
const SECONDS_TEXT = `an integer from ${SECONDS.min} to ${SECONDS.max}`
const DESCRIPTION_TEXT = `a text of 1 to ${DESCRIPTION_MAX} characters on one line`

const FIELDS = {
  url: z.string(URL_TEXT).refine(hasLength(URL_MAX), URL_TEXT),
  filters: z.record(z.string(), z.union([SCALAR, z.array(SCALAR).min(1).max(REPEATED_MAX)]), FILTERS_TEXT),
  description: z
    .string(DESCRIPTION_TEXT)
    .regex(DESCRIPTION_PATTERN, DESCRIPTION_TEXT)
    .refine(hasLength(DESCRIPTION_MAX), DESCRIPTION_TEXT)
    .trim(),
  events: z
    .array(z.enum(SUBSCRIPTION_EVENTS, EVENTS_TEXT), EVENTS_TEXT)
    .min(1, EVENTS_TEXT)
    .max(SUBSCRIPTION_EVENTS.length, EVENTS_TEXT),
  minIntervalSeconds: z.int(SECONDS_TEXT).min(SECONDS.min, SECONDS_TEXT).max(SECONDS.max, SECONDS_TEXT),
  expiresAt: z.string(INSTANT.allowed),
}

const NEW = z.strictObject({
  url: FIELDS.url,
  filters: FIELDS.filters,
  description: FIELDS.description.nullish(),
  events: FIELDS.events.optional(),
  minIntervalSeconds: FIELDS.minIntervalSeconds.optional(),
  expiresAt: FIELDS.expiresAt.nullish(),
})

const EDIT = NEW.partial().extend({
  status: z.enum(['active', 'paused'], 'active or paused').optional(),
})

/** What a caller sends to create a subscription. */
export type ParsedSubscription = Omit<SubscriptionDraft, 'organizationId' | 'secret'>

/** Parses a new subscription, with its defaults. Throws `InvalidParameter`, of a filter as `filters.state`. */
export function parseSubscription(json: unknown, options: InputOptions): ParsedSubscription {
  const { url, description, filters, events, minIntervalSeconds, expiresAt } = parse(NEW, json)
  return {
    url: parseUrl(url, options),
    ...(description != null && { description }),
    ...readFilters(filters),
    events: events === undefined ? ['slots.opened'] : inOrder(events),
    minIntervalMs: (minIntervalSeconds ?? SECONDS.default) * 1000,
    ...(expiresAt != null && { expiresAtMs: parseExpiry(expiresAt, options) }),
  }
}

/** Parses a change; what is absent stays. Throws as `parseSubscription()`. */
export function parseSubscriptionEdit(json: unknown, options: InputOptions): SubscriptionEdit {
  const { url, description, filters, events, minIntervalSeconds, expiresAt, status } = parse(EDIT, json)
  return {
    ...(url !== undefined && { url: parseUrl(url, options) }),
    ...(description !== undefined && { description }),
    ...(filters !== undefined && readFilters(filters)),
    ...(events !== undefined && { events: inOrder(events) }),
    ...(minIntervalSeconds !== undefined && { minIntervalMs: minIntervalSeconds * 1000 }),
    ...(expiresAt !== undefined && { expiresAtMs: expiresAt === null ? null : parseExpiry(expiresAt, options) }),
    ...(status !== undefined && { status }),
  }
}

function parse<T>(schema: z.ZodType<T>, json: unknown): T {
  const { success, data, error } = schema.safeParse(json)
  if (success) return data
  const [issue] = error.issues
  if (issue.code === 'unrecognized_keys') {
    const name = clip(issue.keys[0])
    throw new InvalidParameter(name, `Unknown field "${name}".`)
  }
  const field = issue.path.map(String).slice(0, 2).join('.')
  if (field === '') throw new InvalidParameter('body', 'The body must be a JSON object.')
  if (issue.path[0] === 'filters' && issue.path.length > 1)
    throw new InvalidParameter(
      clip(field),
      `${clip(field)} must be a text, a number, true, false or an array of 1 to ${REPEATED_MAX} of these.`,
    )
  const [name] = issue.path.map(String)
  const isMissing = typeof json === 'object' && json !== null && !(name in json)
  throw new InvalidParameter(name, isMissing ? `${name} is required.` : `${name} must be ${issue.message}.`)
}

/** The filters, and as a query string in a canonical order. Throws `InvalidParameter` as the list does. */
function readFilters(filters: SubscriptionFilters): { filters: SubscriptionFilters; query: string } {
  const query = queryOf(filters)
  if (query.length > FILTERS_MAX)
    throw new InvalidParameter(
      'filters',
      `filters must be at most ${FILTERS_MAX} characters as a query string: got ${query.length}.`,
    )
  const draft = { status: 'free' as const }
  try {
    if (parseFilters(query, FILTER_PARAMETERS, draft).status !== 'free')
      throw new InvalidParameter('status', 'status must be free: only free slots are announced.')
  } catch (error) {
    if (!(error instanceof InvalidParameter)) throw error
    const { parameter, message } = error
    throw new InvalidParameter(
      `filters.${parameter}`,
      message.startsWith(`${parameter} `) ? `filters.${message}` : message,
    )
  }
  return { filters, query }
}

function queryOf(filters: SubscriptionFilters): string {
  const pairs = Object.entries(filters).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value]
    return values.map((each) => `${encoded(name)}=${encoded(String(each))}`)
  })
  return [...new Set(pairs)].sort().join('&')
}

/** JSON may contain lone surrogates, which have no encoding. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** In Unicode characters, as JSON Schema counts. */
function hasLength(max: number): (text: string) => boolean {
  return (text) => text.length <= 2 * max && [...text].length <= max
}

function inOrder(events: readonly SubscriptionEvent[]): SubscriptionEvent[] {
  return SUBSCRIPTION_EVENTS.filter((event) => events.includes(event))
}

/** Throws `InvalidParameter`. Names are resolved when an event is sent, and their addresses checked again. */
function parseUrl(text: string, { allowPrivate }: InputOptions): string {
  const url = URL.parse(text)
  const protocols = allowPrivate ? ['https:', 'http:'] : ['https:']
  if (
    url === null ||
    !protocols.includes(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== ''
  )
    throw new InvalidParameter('url', 'url must be an https URL without user, password and fragment.')
  if (url.href.length > URL_MAX) throw new InvalidParameter('url', `url must be ${URL_TEXT}, percent-encoded.`)
  if (!allowPrivate && !isPublicHost(url)) throw new InvalidParameter('url', 'url must have a public host.')
  return url.href
}

function isPublicHost({ hostname, href }: URL): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? publicUrl(href) !== undefined : isPublicAddress(address)
}

function parseExpiry(text: string, { nowMs }: InputOptions): number {
  const ms = INSTANT.parse(text)
  if (ms === undefined)
    throw new InvalidParameter('expiresAt', `expiresAt must be ${INSTANT.allowed}: got "${clip(text)}".`)
  if (ms > nowMs) return ms
  throw new InvalidParameter('expiresAt', `expiresAt must be in the future: got "${clip(text)}".`)
}
