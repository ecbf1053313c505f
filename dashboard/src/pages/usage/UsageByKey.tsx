import type { UsageView } from '../../../../src/shared/shapes.ts'
import { type Column, DataTable } from '../../parts/DataTable.tsx'
import { PageLink } from '../../parts/links.tsx'
import { formatCount, formatShare } from './figures.ts'
import { type UsageTotals, usageTotals } from './usage-series.ts'

interface Row extends UsageTotals {
  readonly keyId: string
  readonly name: string
  /** Of all requests of all keys. */
  readonly share: string
}

/** How much each key was used, the busiest first. `names` are the keys' names by id. */
export function UsageByKey(props: { org: string; usage: UsageView; names: ReadonlyMap<string, string> }) {
  return (
    <DataTable
      caption="Requests by key"
      columns={columnsOf(props.org)}
      rows={rowsOf(props.usage, props.names)}
      rowKey={(row) => row.keyId}
      dense
    />
  )
}

function columnsOf(org: string): Column<Row>[] {
  return [
    {
      key: 'key',
      header: 'Key',
      isRowHeader: true,
      render: (row) => (
        <PageLink to="/app/o/$org/keys/$key" params={{ org, key: row.keyId }} size="sm">
          {row.name}
        </PageLink>
      ),
    },
    { key: 'requests', header: 'Requests', align: 'end', render: (row) => formatCount(row.requests) },
    { key: 'share', header: 'Of all', align: 'end', render: (row) => row.share },
    { key: 'errors', header: 'Errors', align: 'end', render: (row) => formatShare(row.errors, row.requests) },
  ]
}

function rowsOf(usage: UsageView, names: ReadonlyMap<string, string>): Row[] {
  const all = usageTotals(usage.hours).requests
  return [...Map.groupBy(usage.hours, (hour) => hour.keyId)]
    .map(([keyId, hours]) => {
      const totals = usageTotals(hours)
      const share = formatShare(totals.requests, all)
      return { keyId, name: names.get(keyId) ?? keyId, share, ...totals }
    })
    .sort((a, b) => b.requests - a.requests)
}
