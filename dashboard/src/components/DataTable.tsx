// biome-ignore-all lint/a11y/noRedundantRoles: browsers drop the roles of a table with block layout

import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import classes from './DataTable.module.css'
import { IconChevronDown, IconChevronUp, IconSelector } from './icons.tsx'
import { HeaderHasZone } from './Timestamp.tsx'
import { timeHeader } from './visitor-time.ts'

/** One column of a table. On a phone a row becomes a card, with each column's `header` before its cell. */
export interface TableColumn<Row> {
  readonly key: string
  readonly header: string
  readonly render: (row: Row) => ReactNode
  /** `end` for numbers. */
  readonly align?: 'start' | 'end'
  /** Any CSS width. */
  readonly width?: string
  /** A column of times: the header names the visitor's zone. */
  readonly isTime?: boolean
  /** The row's name: its header for screen readers, and the title of its card. */
  readonly isRowHeader?: boolean
  /** The header is for screen readers only, as for a column of buttons. */
  readonly quiet?: boolean
  /** With `quiet`: on a phone, the cell is in the upper corner of the card. For one small button. */
  readonly corner?: boolean
  /** The rows are in the order of this column, ascending unless `descending`. */
  readonly isSorted?: boolean | 'descending'
  /** Sorts by this column; for those that can. */
  readonly onSort?: (() => void) | undefined
  /** Left out on a phone. */
  readonly isWide?: boolean
}

/**
 * A table; on narrow screens a list of cards that remains a table for screen readers. `caption` is their name for it. `isDimmed`
 * grays out rows, such as revoked keys.
 */
export function DataTable<Row>(props: {
  caption: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  isDimmed?: (row: Row) => boolean
  /** Rows at two thirds of the height. */
  dense?: boolean
}) {
  const { frame, table, scrolls } = useScrolls()
  return (
    <div
      ref={frame}
      className={classes.frame}
      {...(scrolls && { tabIndex: 0, role: 'group', 'aria-label': props.caption })}
    >
      <table ref={table} role="table" className={classes.table} data-dense={props.dense || undefined}>
        <caption className="sr-only">{props.caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {props.columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                role="columnheader"
                data-align={column.align}
                style={{ width: column.width }}
                aria-sort={sortOf(column)}
              >
                <Heading {...column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {props.rows.map((row) => (
            <tr role="row" key={props.rowKey(row)} data-dimmed={props.isDimmed?.(row) || undefined}>
              {props.columns.map((column) => (
                <Cell key={column.key} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Whether the table scrolls sideways. Then Tab reaches it, and the arrow keys move it: Safari does not see to it. */
function useScrolls() {
  const frame = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      setScrolls((table.current?.offsetWidth ?? 0) > (frame.current?.clientWidth ?? 0))
    })
    for (const { current } of [frame, table]) if (current) observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return { frame, table, scrolls }
}

function labelOf({ header, isTime }: { header: string; isTime?: boolean }): string {
  return isTime ? timeHeader(header) : header
}

function sortOf({ isSorted }: { isSorted?: boolean | 'descending' }): 'ascending' | 'descending' | undefined {
  if (isSorted === 'descending') return 'descending'
  return isSorted ? 'ascending' : undefined
}

function Heading(column: Pick<TableColumn<never>, 'header' | 'isTime' | 'quiet' | 'isSorted' | 'onSort'>) {
  const { quiet, isSorted, onSort } = column
  const label = labelOf(column)
  if (quiet) return <span className="sr-only">{label}</span>
  const content = (
    <>
      {label}
      {isSorted === true && <IconChevronUp size={14} aria-hidden />}
      {isSorted === 'descending' && <IconChevronDown size={14} aria-hidden />}
      {!isSorted && onSort && <IconSelector size={14} aria-hidden />}
    </>
  )
  if (onSort === undefined) return <span className={classes.heading}>{content}</span>
  return <SortButton onSort={onSort}>{content}</SortButton>
}

/** Not reached by Tab where the header is for screen readers only. */
function SortButton({ onSort, children }: { onSort: () => void; children: ReactNode }) {
  const isCard = useIsCard()
  return (
    <button
      type="button"
      className={`${classes.heading} ${classes.sort}`}
      onClick={onSort}
      {...(isCard && { tabIndex: -1 })}
    >
      {children}
    </button>
  )
}

/** True if rows are cards. */
function useIsCard(): boolean {
  return useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
}

/** The title of a card on a phone has no header that names the zone. */
function TimeCell<Row>({ column, row }: { column: TableColumn<Row>; row: Row }) {
  const isCard = useIsCard()
  return <HeaderHasZone value={!(column.isRowHeader && isCard)}>{column.render(row)}</HeaderHasZone>
}

function Cell<Row>({ column, row }: { column: TableColumn<Row>; row: Row }) {
  const label = column.quiet ? undefined : labelOf(column)
  const content = column.isTime ? <TimeCell column={column} row={row} /> : column.render(row)
  if (column.isRowHeader) {
    return (
      <th scope="row" role="rowheader" data-align={column.align}>
        {content}
      </th>
    )
  }
  return (
    <td
      role="cell"
      data-label={label}
      data-align={column.align}
      data-quiet={column.quiet || undefined}
      data-corner={column.corner || undefined}
      data-wide={column.isWide || undefined}
    >
      {content}
    </td>
  )
}
