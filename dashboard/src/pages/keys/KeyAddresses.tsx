import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keyAddressesQuery } from '../../api/queries.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { PageLink } from '../../components/links.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { TitledSection } from '../../components/TitledSection.tsx'

const INITIAL_ROWS = 5

/** Where a key was used from in the last 30 days. Nothing if no address is known. */
export function KeyAddresses({ org, keyId }: { org: string; keyId: string }) {
  const [showsAll, setShowsAll] = useState(false)
  const { data } = useQuery({ ...keyAddressesQuery(org, keyId), refetchInterval: 15_000 })
  const addresses = data?.addresses ?? []
  if (data === undefined || addresses.length === 0) return null
  return (
    <TitledSection title="Network addresses" description={addressesSummary(data)}>
      <DataTable
        caption="Network addresses that used this key"
        columns={[
          {
            key: 'address',
            header: 'Address',
            isRowHeader: true,
            render: ({ address }) => (
              <PageLink to="/app/o/$org/logs" params={{ org }} search={{ key: keyId, address } as never}>
                {address}
              </PageLink>
            ),
          },
          {
            key: 'first',
            header: 'First seen',
            isTime: true,
            render: ({ firstSeenMs }) => <Timestamp at={firstSeenMs} />,
          },
          { key: 'last', header: 'Last seen', render: ({ lastSeenMs }) => <Timestamp at={lastSeenMs} as="ago" /> },
        ]}
        rows={showsAll ? addresses : addresses.slice(0, INITIAL_ROWS)}
        rowKey={({ address }) => address}
        dense
      />
      {addresses.length > INITIAL_ROWS && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? `Show the last ${INITIAL_ROWS}` : `Show all ${formatCount(addresses.length)}`}
        </Button>
      )}
    </TitledSection>
  )
}

/** "Seen from 3 addresses in 30 days, last 203.0.113.7." As many as are kept may be more. */
function addressesSummary(seen: { addresses: readonly { address: string }[]; max: number }): string {
  const { length } = seen.addresses
  const count = `${formatCount(length)}${length >= seen.max ? ' or more' : ''} ${length === 1 ? 'address' : 'addresses'}`
  return `Seen from ${count} in 30 days, last ${seen.addresses[0]?.address}.`
}
