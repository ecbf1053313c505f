import type { ReactNode } from 'react'
import classes from './chart.module.css'

/** A chart symbol and its meaning. */
export interface LegendEntry {
  /** As the chart draws it; hidden from screen readers. */
  readonly mark: ReactNode
  readonly label: string
  /** The total of the series. */
  readonly figure?: string
}

/** The legend of a chart. Long names are truncated and shown in full on hover. */
export function Legend({ entries }: { entries: readonly LegendEntry[] }) {
  return (
    <ul className={classes.legend} aria-label="Legend">
      {entries.map(({ mark, label, figure }) => (
        <li key={label}>
          {mark}
          <span className={classes.name} title={label} dir="auto">
            {label}
          </span>
          {figure !== undefined && <strong>{figure}</strong>}
        </li>
      ))}
    </ul>
  )
}

/** A line in the style of a chart series. */
export function LineSample({ color, dashes }: { color: string; dashes?: string | undefined }) {
  return (
    <svg width={20} height={12} aria-hidden focusable="false">
      <path d="M0 6H20" stroke={color} strokeWidth={2} strokeDasharray={dashes} />
    </svg>
  )
}
