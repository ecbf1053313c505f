import type { TableColumn } from '../../components/DataTable.tsx'
import { barLabel, type UsagePeriod } from './usage-range.ts'

/** The column with the hours or days of a period. */
export function barColumn(span: UsagePeriod): TableColumn<{ readonly startMs: number }> {
  return {
    key: 'time',
    header: span.step === 'day' ? 'Day' : 'Hour',
    isTime: true,
    isRowHeader: true,
    render: (row) => barLabel(span, row.startMs),
  }
}
