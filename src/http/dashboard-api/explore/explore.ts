import type { SerializedResponse } from '../../serialized-http.ts'
import type { Visit } from '../visit.ts'

/** Slots as `/v1` answers them, errors too, without a key. */
export async function exploreSlots({ account, request }: Visit): Promise<Response> {
  return responseOf(await account.ask({ about: 'slots', search: searchOf(request.url) }))
}

/** How many slots are open, by day and state. */
export async function exploreDays({ account, request }: Visit): Promise<Response> {
  return responseOf(await account.ask({ about: 'days', search: searchOf(request.url) }))
}

function searchOf(url: string): string {
  return new URL(url).search.slice(1)
}

function responseOf({ status, headers, body }: SerializedResponse): Response {
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : new Uint8Array(body), {
    status,
    headers: headers.map(([name, value]) => [name, value]),
  })
}
