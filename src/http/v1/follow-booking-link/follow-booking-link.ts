import { randomUUID } from 'node:crypto'
import { clip, type ParameterTable, parameter, parseParameters, TEXT } from '../../../slot/query-parameter.ts'
import type { Offering, Slot } from '../../../slot/slot.ts'
import type { ApiContext, RequestContext } from '../../api-context.ts'
import { Problem } from '../../problem.ts'
import { getSlot, slotNotFound } from '../get-slot/get-slot.ts'
import type { Operation, StreamRequest } from '../operation.ts'
import { type Referral, referralLink } from './referral-link.ts'

type ReferralDraft = { -readonly [Key in keyof Referral]?: Referral[Key] }

const REFERRAL_PARAMETERS: ParameterTable<ReferralDraft> = {
  source: parameter({
    description: 'Your name as the booking portal of the publisher knows it. Passed on as `source`.',
    kind: TEXT,
    examples: ['finder.example'],
    put: (draft, value) => {
      draft.source = value
    },
  }),
  bookingReferral: parameter({
    description: 'Your identifier of this referral, passed on as `booking-referral`. A random UUID by default.',
    kind: TEXT,
    examples: ['34d1a803-cd6c-4420-9cf5-c5edcc533538'],
    put: (draft, value) => {
      draft.bookingReferral = value
    },
  }),
}

/** GET /v1/scheduling/slots/{id}/book: redirects to the booking link of a slot and counts the referral. */
export const followBookingLink: Operation = {
  path: `${getSlot.path}/book`,
  id: 'followBookingLink',
  summary: 'Go to the booking page of a slot',
  description:
    'Redirects to the booking link of a slot, with `source` and `booking-referral` appended to its query as the SMART Scheduling Links guide describes. The service counts the referrals to each publisher.',
  ...(getSlot.pathParameter && { pathParameter: getSlot.pathParameter }),
  parameters: REFERRAL_PARAMETERS,
  content: {},
  headers: [],
  redirect: { status: 302, description: '`Location` is the booking link with the parameters of the referral.' },
  problems: ['invalid-parameter', 'not-found', 'no-booking-link'],
  sendRedirect,
}

/** HEAD is not counted. Throws `Problem('not-found')` and `Problem('no-booking-link')`. */
function sendRedirect({ search, name, nowMs }: StreamRequest, context: RequestContext, api: ApiContext): void {
  const draft = parseParameters<ReferralDraft>(search, REFERRAL_PARAMETERS, {})
  const body = api.index.find(name)
  if (body === undefined) throw slotNotFound(name)
  const slot = JSON.parse(body.toString()) as Pick<Slot, 'id' | 'bookingDeepLink'> & Offering
  const { bookingReferral = randomUUID() } = draft
  const location = referralLink(slot.bookingDeepLink ?? '', { ...draft, bookingReferral })
  if (location === undefined) throw noBookingLink(slot)
  if (context.request.method === 'GET') api.meter.noteReferral(slot.publisher, nowMs)
  context.response
    .writeHead(302, {
      location,
      'content-length': '0',
      'cache-control': 'no-store',
      'x-request-id': context.requestId,
    })
    .end()
}

function noBookingLink({ id, bookingPhone }: Pick<Slot, 'id'> & Pick<Offering, 'bookingPhone'>): Problem {
  const instead = bookingPhone === undefined ? '' : ` It can be booked by phone: ${clip(bookingPhone)}.`
  return new Problem('no-booking-link', `Slot "${id}" has no booking link: its publisher provides none.${instead}`)
}
