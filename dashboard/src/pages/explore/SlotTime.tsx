import { SegmentedControl, Text, Tooltip } from '@mantine/core'
import { createContext, use } from 'react'
import { formatUtc } from '../../components/format.ts'
import type { ApiSlot } from './api-slot.ts'
import type { ExploreState } from './explore-state.ts'
import { slotTimes, TIME_VIEWS, type TimeView } from './slot-times.ts'
import type { Explore } from './use-explore.ts'

/** The view of all times on the page. */
export const TimeViewContext = createContext<TimeView>('place')

/** The header of a column of `SlotTime`. */
export const TIME_HEADERS: Readonly<Record<TimeView, string>> = {
  place: "Starts (place's time)",
  mine: 'Starts (your time)',
  utc: 'Starts (UTC)',
}

const LABELS: Readonly<Record<TimeView, string>> = { place: "Place's time", mine: 'My time', utc: 'UTC' }

/** The start of a slot with its zone; below it the weekday, and the time by another clock. */
export function SlotTime({ slot }: { slot: ApiSlot }) {
  const { start, weekday, other } = slotTimes(slot, use(TimeViewContext))
  return (
    <>
      <Tooltip
        label={
          <>
            <div>{formatUtc(new Date(slot.start))}</div>
            <div>Publisher: {slot.start}</div>
          </>
        }
        events={{ hover: true, focus: true, touch: true }}
      >
        <time dateTime={slot.start} style={{ whiteSpace: 'nowrap' }}>
          {start}
        </time>
      </Tooltip>
      <Text size="xs" c="dimmed" fw={400}>
        {[weekday, other].filter(Boolean).join(' · ')}
      </Text>
    </>
  )
}

/** Chooses the clock of all times: in the URL, and remembered in this browser. */
export function TimeViewSwitch({ state, go }: Explore) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Show times in"
      value={timeViewOf(state)}
      onChange={(times) => {
        remember(times)
        go({ ...state, times })
      }}
      data={TIME_VIEWS.map((value) => ({ value, label: LABELS[value] }))}
    />
  )
}

/** The view of the URL, or the one chosen last in this browser; by default the place's. */
export function timeViewOf({ times }: ExploreState): TimeView {
  return viewNamed(times) ?? viewNamed(remembered()) ?? 'place'
}

function viewNamed(name: string | null | undefined): TimeView | undefined {
  return TIME_VIEWS.find((view) => view === name)
}

const STORED_AS = 'explore-times'

function remembered(): string | null {
  try {
    return localStorage.getItem(STORED_AS)
  } catch {
    return null
  }
}

function remember(view: string): void {
  try {
    localStorage.setItem(STORED_AS, view)
  } catch {
    // Storage is blocked: the URL has the view.
  }
}
