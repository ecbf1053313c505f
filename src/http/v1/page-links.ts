import { formatCursor, type Position } from '../../slot/cursor.ts'
import { cursorScope, type SlotQuery } from '../../slot/slot-query.ts'

/** The `Link` header of a page of slots: with cursors if the query has one, else with offsets. */
export function slotLinks(
  base: string,
  search: string,
  query: SlotQuery,
  page: { readonly total: number; readonly last: Position | undefined },
): string {
  if (query.cursor === undefined) return pageLinks(base, search, query, page.total)
  const next = page.last === undefined ? undefined : formatCursor(page.last, cursorScope(query))
  return cursorLinks(base, search, next)
}

/** Node's `fetch()` refuses a response with more than 16 kB of headers. */
const LINK_LENGTH_MAX = 8000

/**
 * The `Link` header (RFC 8288) of a page: `first` and `last`, and `prev` and `next` where they exist; if these are too long, only `next`,
 * or `last` if there is none. `base` is the URL of the list; of the query string `search`, only the offset changes.
 */
export function pageLinks(
  base: string,
  search: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  total: number,
): string {
  const list = `<${base}?${without('offset', search)}offset=`
  const last = total === 0 ? 0 : total - 1 - ((total - 1) % limit)
  const next = offset + limit < total ? `${list}${offset + limit}>; rel="next"` : ''
  const end = `${list}${last}>; rel="last"`
  if (list.length > LINK_LENGTH_MAX / 4) return next === '' ? end : next
  let links = `${list}0>; rel="first", `
  if (offset > 0) links += `${list}${Math.max(0, Math.min(offset - limit, last))}>; rel="prev", `
  if (next !== '') links += `${next}, `
  return links + end
}

/** The same with cursors, which only the first and the next page have; if these are too long, only one. */
function cursorLinks(base: string, search: string, next: string | undefined): string {
  const others = without('cursor', search)
  const first = `<${base}?${others}cursor=>; rel="first"`
  if (next === undefined) return first
  const link = `<${base}?${others}cursor=${next}>; rel="next"`
  return first.length + link.length > LINK_LENGTH_MAX ? link : `${first}, ${link}`
}

/** A `Link` to the next page alone, which differs in the value of one parameter. */
export function nextLink(base: string, search: string, next: { parameter: string; value: string }): string {
  return `<${base}?${withParameter(search, next)}>; rel="next"`
}

/** A query string with another value of one parameter. The value must need no encoding. */
export function withParameter(search: string, { parameter, value }: { parameter: string; value: string }): string {
  return `${without(parameter, search)}${parameter}=${value}`
}

/** A query string without a parameter, with `&` at its end. Characters that a URL must not contain are encoded: one could end the link. */
function without(parameter: string, search: string): string {
  if (search === '') return ''
  let others = ''
  let keptTo = 0
  for (let from = 0; from < search.length; ) {
    const next = search.indexOf('&', from)
    const to = next === -1 ? search.length : next
    const pair = search.slice(from, to)
    if (pair === '' || isNamed(parameter, pair)) {
      others += search.slice(keptTo, from)
      keptTo = to + 1
    }
    from = to + 1
  }
  others += search.slice(keptTo)
  if (others !== '' && !others.endsWith('&')) others += '&'
  return /^[!#-;=?-Z_a-z~]*$/.test(others) ? others : encodeURI(others).replaceAll('%25', '%')
}

/** The name may be percent-encoded; it was parsed before, so it can be decoded. */
function isNamed(parameter: string, pair: string): boolean {
  const equals = pair.indexOf('=')
  const name = equals === -1 ? pair : pair.slice(0, equals)
  return name === parameter || (name.includes('%') && decodeURIComponent(name) === parameter)
}
