import { formatCount } from '../../components/format.ts'

/** "Seen from 3 addresses in 30 days, last 203.0.113.7." As many as are kept may be more. */
export function addressesSummary(seen: { addresses: readonly { address: string }[]; max: number }): string {
  const { length } = seen.addresses
  const count = `${formatCount(length)}${length >= seen.max ? ' or more' : ''} ${length === 1 ? 'address' : 'addresses'}`
  return `Seen from ${count} in 30 days, last ${seen.addresses[0]?.address}.`
}
