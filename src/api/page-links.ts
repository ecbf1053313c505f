// Hot path
import type { SlotQuery } from '../slot/slot-query.ts'

/**
 * The `Link` header (RFC 8288) of one page: `first` and `last`, and `prev` and `next` where there is such a page.
 *
 * `base` is the list's address, `search` what the caller asked; all of it but the offset stays.
 */
export function pageLinks(base: string, search: string, query: SlotQuery, total: number): string {
  const { offset, limit } = query
  const others = withoutOffset(search)
  const link = (rel: string, at: number) => `<${base}?${others}offset=${at}>; rel="${rel}"`
  const last = total === 0 ? 0 : total - 1 - ((total - 1) % limit)
  let links = link('first', 0)
  if (offset > 0) links += `, ${link('prev', Math.max(0, Math.min(offset - limit, last)))}`
  if (offset + limit < total) links += `, ${link('next', offset + limit)}`
  return `${links}, ${link('last', last)}`
}

/** The search part less `offset`, with a `&` at its end, and nothing in it that could end a link. */
function withoutOffset(search: string): string {
  if (search === '') return ''
  let others = ''
  for (const pair of search.split('&')) {
    if (pair !== '' && !pair.startsWith('offset=')) others += `${pair}&`
  }
  return /^[!#-;=?-~]*$/.test(others) ? others : encodeURI(others).replaceAll('%25', '%')
}
