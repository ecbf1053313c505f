import type { UsageView } from '../../../../src/shared/contract/usage.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount, formatShare } from '../../components/format.ts'
import { PageLink } from '../../components/links.tsx'
import { type RequestTotals, requestTotals } from './usage-series.ts'

interface Row extends RequestTotals {
  readonly keyId: string
  readonly name: string
  /** Share of the requests of all keys. */
  readonly share: string
}

/** Requests by key, the busiest first. `nameOf` returns the name of a key by its id. */
export function UsageByKey(props: { org: string; usage: UsageView; nameOf: (keyId: string) => string }) {
  return (
    <DataTable
      caption="Requests by key"
      columns={columnsOf(props.org)}
      rows={rowsOf(props.usage, props.nameOf)}
      rowKey={(row) => row.keyId}
      dense
    />
  )
}

function columnsOf(org: string): TableColumn<Row>[] {
  return [
    {
      key: 'key',
      header: 'Key',
      isRowHeader: true,
      render: (row) => (
        <PageLink to="/app/o/$org/keys/$key" params={{ org, key: row.keyId }} size="sm">
          <bdi>{row.name}</bdi>
        </PageLink>
      ),
    },
    { key: 'requests', header: 'Requests', align: 'end', render: (row) => formatCount(row.requests) },
    { key: 'share', header: 'Share', align: 'end', render: (row) => row.share },
    { key: 'errors', header: 'Errors', align: 'end', render: (row) => formatShare(row.errors, row.requests) },
  ]
}

function rowsOf(usage: UsageView, nameOf: (keyId: string) => string): Row[] {
  const all = requestTotals(usage.hours).requests
  return [...Map.groupBy(usage.hours, (hour) => hour.keyId)]
    .map(([keyId, hours]) => {
      const totals = requestTotals(hours)
      return { keyId, name: nameOf(keyId), share: formatShare(totals.requests, all), ...totals }
    })
    .sort((a, b) => b.requests - a.requests)
}
