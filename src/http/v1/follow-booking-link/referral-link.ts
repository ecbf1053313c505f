/** The parameters of a referral by a Slot Discovery Client (SMART Scheduling Links, "Deep Links hosted by Provider Booking Portal"). */
export interface Referral {
  /** Who refers the user. */
  readonly source?: string
  /** Identifies this referral. */
  readonly bookingReferral: string
}

/**
 * A booking link with `source` and `booking-referral` appended to its query. The rest of the link stays as it is, also a parameter of
 * the same name: a portal may sign its links. Undefined if the link is no absolute http or https URL.
 */
export function referralLink(link: string, { source, bookingReferral }: Referral): string | undefined {
  const url = URL.parse(link)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  const added = new URLSearchParams({ ...(source !== undefined && { source }), 'booking-referral': bookingReferral })
  const separator = url.search === '' || url.search.endsWith('&') ? '' : '&'
  url.search = `${url.search}${separator}${added}`
  return url.href
}
