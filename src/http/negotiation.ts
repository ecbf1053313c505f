import type { IncomingMessage } from 'node:http'
import { shortHash } from '../slot/ids.ts'
import { Problem } from './problem.ts'

export const JSON_TYPE = 'application/json'

/**
 * Chooses the media type of a response by `Accept` (RFC 9110, 12.5.1): the highest weight, then the most specific range, then the
 * order of `offered`, the default first. Names of `aliases` ask for the default if nothing else is accepted. An empty list counts as
 * absent. Throws `Problem('not-acceptable')` if no type is accepted.
 */
export function chooseType(
  request: IncomingMessage,
  offered: readonly string[],
  aliases: readonly string[] = [],
): string {
  const { accept } = request.headers
  const [usual] = offered
  if (accept === undefined || accept === '*/*' || accept === usual) return usual
  const ranges = parseWeightedList(accept)
  if (ranges.length === 0) return usual
  let best = { type: usual, weight: 0, specificity: -1 }
  for (const type of offered) {
    const { weight, specificity } = rateType(type, ranges)
    if (weight > best.weight || (weight === best.weight && weight > 0 && specificity > best.specificity))
      best = { type, weight, specificity }
  }
  if (best.weight > 0) return best.type
  if (ranges.some(({ name, weight }) => weight > 0 && aliases.includes(name))) return usual
  throw new Problem('not-acceptable', `Accept must allow ${offered.join(' or ')}: got "${accept.slice(0, 100)}".`)
}

/** The content codings of responses, the preferred first. */
const CONTENT_CODINGS = ['zstd', 'br', 'gzip'] as const
export type ContentCoding = (typeof CONTENT_CODINGS)[number]

/**
 * Chooses a coding by `Accept-Encoding` (RFC 9110, 12.5.3): the highest weight, then the order of `available`. Undefined for none, also
 * if the header accepts neither identity nor any available coding: the uncompressed response is then better than none.
 */
export function chooseCoding(
  accepted: string | undefined,
  available: readonly ContentCoding[] = CONTENT_CODINGS,
): ContentCoding | undefined {
  if (accepted === undefined || accepted === '') return undefined
  const weights = new Map(parseWeightedList(accepted).map(({ name, weight }) => [name, weight]))
  let best: { coding?: ContentCoding; weight: number } = { weight: 0 }
  for (const coding of available) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight > best.weight) best = { coding, weight }
  }
  return best.weight >= (weights.get('identity') ?? 0) ? best.coding : undefined
}

/** The strong ETag of an uncompressed body: a hash of it. */
export function etagOfContent(body: string | Buffer): string {
  return `"${shortHash(typeof body === 'string' ? body : body.toString('latin1'))}"`
}

/**
 * The ETag of a response with this coding. A compressed copy has its own, or a cache would read ranges of the plain bytes from it
 * (RFC 9110, 8.8.3.3). It is weak, because compressors differ.
 */
export function etagOfCoding(etag: string, coding: ContentCoding | undefined): string {
  return coding === undefined ? etag : `W/${etag.slice(0, -1)}-${coding}"`
}

/** Whether an uncompressed response is refused: `identity;q=0`, or `*;q=0` without an entry for identity. */
export function refusesIdentity(accepted: string): boolean {
  // Few callers send weights.
  if (!accepted.includes(';')) return false
  const list = parseWeightedList(accepted)
  const decisive = list.find(({ name }) => name === 'identity') ?? list.find(({ name }) => name === '*')
  return decisive?.weight === 0
}

/** Whether `If-None-Match` (RFC 9110, 13.1.2) matches an ETag, by weak comparison. */
export function isNotModified(request: Pick<IncomingMessage, 'headers'>, etag: string): boolean {
  const condition = request.headers['if-none-match']
  if (condition === undefined) return false
  if (condition === etag || condition.trim() === '*') return true
  const opaque = withoutWeakness(etag)
  return condition.split(',').some((tag) => withoutWeakness(tag.trim()) === opaque)
}

function withoutWeakness(tag: string): string {
  return tag.replace(/^W\//, '')
}

/** An element of a list with weights: its name in lower case without parameters, and its weight from 0 (refused) to 1. */
interface Weighted {
  readonly name: string
  readonly weight: number
}

/**
 * Parses a list with weights, such as `Accept` (RFC 9110, 12.4.2). Empty elements are ignored (5.6.1.2); a malformed weight counts
 * as 1.
 */
export function parseWeightedList(text: string): Weighted[] {
  // Commas and semicolons inside quoted strings separate nothing (5.6.4); parameters do not matter here.
  const plain = text.includes('"') ? text.replaceAll(/"(?:[^"\\]|\\.)*"?/g, '""') : text
  const list: Weighted[] = []
  for (const element of plain.toLowerCase().split(',')) {
    const end = element.indexOf(';')
    const name = (end === -1 ? element : element.slice(0, end)).trim()
    if (name !== '') list.push({ name, weight: end === -1 ? 1 : parseWeight(element.slice(end)) })
  }
  return list
}

/** `qvalue` (12.4.2), with any number of decimals. */
function parseWeight(parameters: string): number {
  const weight = /;\s*q=(0(?:\.\d*)?|1(?:\.0*)?)\s*(?:;|$)/.exec(parameters)
  return weight === null ? 1 : Number(weight[1])
}

/** The most specific range that covers a type decides its weight. */
function rateType(type: string, ranges: readonly Weighted[]): { weight: number; specificity: number } {
  const covering = ['*/*', `${type.slice(0, type.indexOf('/'))}/*`, type]
  let rating = { weight: 0, specificity: -1 }
  for (const range of ranges) {
    const specificity = covering.indexOf(range.name)
    if (specificity > rating.specificity) rating = { weight: range.weight, specificity }
  }
  return rating
}
