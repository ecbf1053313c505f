import type { ReactNode } from 'react'
import classes from './chart.module.css'

/** What one mark of a chart stands for. */
export interface LegendEntry {
  /** As the chart draws it; says nothing to screen readers. */
  readonly mark: ReactNode
  readonly label: string
  /** How much there is of it. */
  readonly figure?: string
}

/** What the marks of a chart stand for, side by side. Long names are cut, and whole on hover. */
export function Legend({ entries }: { entries: readonly LegendEntry[] }) {
  return (
    <ul className={classes.legend} aria-label="Legend">
      {entries.map(({ mark, label, figure }) => (
        <li key={label}>
          {mark}
          <span className={classes.name} title={label}>
            {label}
          </span>
          {figure !== undefined && <strong>{figure}</strong>}
        </li>
      ))}
    </ul>
  )
}

/** A line as a chart strokes it. */
export function LineSample({ color, dashes }: { color: string; dashes?: string | undefined }) {
  return (
    <svg width={20} height={12} aria-hidden focusable="false">
      <path d="M0 6H20" stroke={color} strokeWidth={2} strokeDasharray={dashes} />
    </svg>
  )
}
