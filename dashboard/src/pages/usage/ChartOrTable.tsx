import { Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Legend, type LegendEntry } from '../../components/chart/Legend.tsx'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { TableSwitch } from '../../components/TableSwitch.tsx'
import palette from './palette.module.css'

/** A chart with its legend, and a switch that shows the numbers as a table instead. */
export function ChartOrTable<Row>(props: {
  legend: readonly LegendEntry[]
  /** Beside the switch. */
  controls?: ReactNode
  chart: ReactNode
  /** Names the content. */
  label: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}) {
  const [asTable, setAsTable] = useState(false)
  return (
    <div className={palette.palette}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <Legend entries={props.legend} />
        <Group gap="md">
          {props.controls}
          <TableSwitch checked={asTable} onChange={setAsTable} />
        </Group>
      </Group>
      {asTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable
        <section className={palette.scroller} tabIndex={0} aria-label={`${props.label}, as a table`}>
          <DataTable caption={props.label} columns={props.columns} rows={props.rows} rowKey={props.rowKey} dense />
        </section>
      ) : (
        props.chart
      )}
    </div>
  )
}
