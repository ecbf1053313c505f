import { type Column, DataTable } from '../../parts/DataTable.tsx'
import { formatCount } from '../usage/figures.ts'
import palette from '../usage/palette.module.css'
import type { OpenLine, OpenPoint, PastSpan } from './open-past.ts'
import { pointWords } from './point-words.ts'

/** The numbers of the chart, the newest first. */
export function OpenSlotsTable(props: {
  lines: readonly OpenLine[]
  points: readonly OpenPoint[]
  span: PastSpan
}) {
  const rows = props.points.filter(({ counts: [all] }) => all !== null).toReversed()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={palette.scroller} tabIndex={0} aria-label="Open slots, in numbers">
      <DataTable
        caption="Open slots"
        columns={columnsOf(props.lines, props.span)}
        rows={rows}
        rowKey={({ atMs }) => String(atMs)}
        dense
      />
    </section>
  )
}

function columnsOf(lines: readonly OpenLine[], span: PastSpan): Column<OpenPoint>[] {
  return [
    {
      key: 'at',
      header: span === '14d' ? 'Hour' : 'Day',
      isRowHeader: true,
      render: ({ atMs }) => pointWords(atMs, span),
    },
    ...lines.map(({ state, label }, n) => ({
      key: state || 'all',
      header: label,
      align: 'end' as const,
      render: ({ counts }: OpenPoint) => countWords(counts[n]),
    })),
  ]
}

function countWords(count: number | null | undefined): string {
  return count === null || count === undefined ? '–' : formatCount(count)
}
