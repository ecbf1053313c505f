// Hot path
import { formatCursor, type Position } from '../../slot/cursor.ts'
import { nameQuestion, type SlotQuery } from '../../slot/slot-query.ts'

/** The `Link` header of a page of slots: by cursor for a query that has one, by offset for any other. */
export function slotLinks(
  base: string,
  search: string,
  query: SlotQuery,
  page: { readonly total: number; readonly last: Position | undefined },
): string {
  if (query.cursor === undefined) return pageLinks(base, search, query, page.total)
  const next = page.last === undefined ? undefined : formatCursor(page.last, nameQuestion(query))
  return cursorLinks(base, search, next)
}

/**
 * The `Link` header (RFC 8288) of one page: `first` and `last`, and `prev` and `next` where there is such a page.
 *
 * `base` is the list's address, `search` what the caller asked; all of it but the offset stays.
 */
export function pageLinks(
  base: string,
  search: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  total: number,
): string {
  const others = without('offset', search)
  const link = (rel: string, at: number) => `<${base}?${others}offset=${at}>; rel="${rel}"`
  const last = total === 0 ? 0 : total - 1 - ((total - 1) % limit)
  let links = link('first', 0)
  if (offset > 0) links += `, ${link('prev', Math.max(0, Math.min(offset - limit, last)))}`
  if (offset + limit < total) links += `, ${link('next', offset + limit)}`
  return `${links}, ${link('last', last)}`
}

/** The same of a page of a walk, of which only the first and the next page have an address. `next`: its cursor, if there is one. */
export function cursorLinks(base: string, search: string, next: string | undefined): string {
  const others = without('cursor', search)
  const first = `<${base}?${others}cursor=>; rel="first"`
  return next === undefined ? first : `${first}, <${base}?${others}cursor=${next}>; rel="next"`
}

/** The same where the next page alone has an address: it differs from what was asked by the value of a parameter. */
export function nextLink(base: string, search: string, next: { parameter: string; value: string }): string {
  return `<${base}?${without(next.parameter, search)}${next.parameter}=${next.value}>; rel="next"`
}

/** The search part less a parameter, with a `&` at its end, and nothing in it that could end a link. */
function without(parameter: string, search: string): string {
  if (search === '') return ''
  let others = ''
  for (const pair of search.split('&')) {
    if (pair !== '' && !isNamed(parameter, pair)) others += `${pair}&`
  }
  return /^[!#-;=?-~]*$/.test(others) ? others : encodeURI(others).replaceAll('%25', '%')
}

/** However its name is written: it was read, so it can be decoded. */
function isNamed(parameter: string, pair: string): boolean {
  const equals = pair.indexOf('=')
  const name = equals === -1 ? pair : pair.slice(0, equals)
  return name === parameter || (name.includes('%') && decodeURIComponent(name) === parameter)
}
