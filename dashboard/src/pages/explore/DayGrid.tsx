import { Button, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useState } from 'react'
import { defined } from '../../../../src/lib/optional.ts'
import type { DaysView } from '../../../../src/shared/contract/explore.ts'
import { now } from '../../api/now.ts'
import { exploreDaysQuery } from '../../api/queries.ts'
import { formatCount, formatNumberOf } from '../../components/format.ts'
import { LOCALE } from '../../components/locale.ts'
import { ErrorState, LoadingBlock, Refreshing } from '../../components/states.tsx'
import { heatOf } from '../../components/tile-figures.ts'
import classes from './explore.module.css'
import { dayParameters, dayWindow, type ExploreState, selectedDay } from './explore-state.ts'
import { startOfDay, visitorZone } from './local-time.ts'
import { stateName } from './us-states.ts'
import type { Explore } from './use-explore.ts'

/** Slots without a state: the API counts them but cannot filter by them. */
const NO_STATE = 'XX'

interface Choice {
  readonly day?: string
  readonly state?: string
}

/** Slot counts by day and state as a table; each number links to its slots. */
export function DayGrid({ state, go }: Explore) {
  const nowMs = now()
  const [isWhole, setIsWhole] = useState(false)
  const parameters = { ...dayParameters(state, visitorZone(), nowMs), ...(isWhole && { states: 'all' }) }
  const days = useQuery(exploreDaysQuery(parameters))
  if (days.isPending) return <LoadingBlock height={540} />
  if (days.isError) return <ErrorState error={days.error} onRetry={() => days.refetch()} />
  const chosen = { day: selectedDay(state, nowMs), state: state.state?.toUpperCase() }
  const choose = (choice: Choice) => go(chooseFrom(state, choice, nowMs))
  return (
    <Refreshing isOutdated={days.isPlaceholderData}>
      <Text size="sm" c="dimmed" mb="sm">
        {summaryOf(days.data)}
      </Text>
      {days.data.states.length > 0 && <DayTable view={days.data} chosen={chosen} onChoose={choose} />}
      {(isWhole || days.data.stateCount > days.data.states.length) && (
        <Button size="xs" variant="default" mt="sm" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show the top states' : 'Show all states'}
        </Button>
      )}
    </Refreshing>
  )
}

function DayTable(props: { view: DaysView; chosen: Choice; onChoose: (choice: Choice) => void }) {
  const { view, chosen, onChoose } = props
  const max = Math.max(...view.states.flatMap(({ counts }) => counts))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable
    <section className={classes.map} tabIndex={0} aria-label="Slots by day and state">
      <table>
        <caption className="sr-only">How many slots begin on each day, by state</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">State</span>
            </th>
            {view.days.map((day) => (
              <th key={day} scope="col">
                <DayHeader day={day} pressed={chosen.day === day} onClick={() => onChoose({ day })} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.states.map((row) => (
            <tr key={row.state}>
              <th scope="row">
                <StateHeader
                  {...row}
                  pressed={chosen.state === row.state}
                  onClick={() => onChoose({ state: row.state })}
                />
              </th>
              {view.days.map((day, n) => (
                <td key={day}>
                  <Cell
                    count={row.counts[n] ?? 0}
                    max={max}
                    where={{ day, state: row.state }}
                    pressed={chosen.day === day && chosen.state === row.state}
                    onChoose={onChoose}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function DayHeader({ day, pressed, onClick }: { day: string; pressed: boolean; onClick: () => void }) {
  const date = new Date(startOfDay(day))
  return (
    <UnstyledButton className={classes.day} onClick={onClick} aria-pressed={pressed}>
      <span className={classes.weekday}>{date.toLocaleDateString(LOCALE, { weekday: 'short' })} </span>
      {date.toLocaleDateString(LOCALE, { month: 'short', day: 'numeric' })}
    </UnstyledButton>
  )
}

function StateHeader({ state, pressed, onClick }: { state: string; pressed: boolean; onClick: () => void }) {
  if (state === NO_STATE) return <span className={classes.stateName}>No state</span>
  return (
    <UnstyledButton className={classes.stateName} onClick={onClick} aria-pressed={pressed}>
      {stateName(state)}
    </UnstyledButton>
  )
}

function Cell(props: {
  count: number
  max: number
  where: { day: string; state: string }
  pressed: boolean
  onChoose: (choice: Choice) => void
}) {
  const { count, where } = props
  const style = { '--heat': `${heatOf(count, props.max)}%` } as CSSProperties
  if (count === 0) return <span className={classes.none}>0</span>
  if (where.state === NO_STATE) {
    return (
      <span className={classes.cell} style={style}>
        {cellCount(count)}
      </span>
    )
  }
  return (
    <UnstyledButton
      className={classes.cell}
      style={style}
      onClick={() => props.onChoose(where)}
      aria-pressed={props.pressed}
      aria-label={`${cellCount(count)}: ${stateName(where.state)}, ${longDay(where.day)}`}
    >
      {cellCount(count)}
    </UnstyledButton>
  )
}

/** The filters for a chosen day, state or both. Replaces earlier filters on day and state. */
function chooseFrom(state: ExploreState, choice: Choice, nowMs: number): ExploreState {
  const {
    state: _state,
    startAfter: _after,
    startBefore: _before,
    offset: _offset,
    view: _view,
    slot: _slot,
    ...rest
  } = state
  const { startAfter, startBefore } = choice.day === undefined ? {} : dayWindow(choice.day, nowMs)
  return {
    ...rest,
    ...defined({ state: choice.state, startAfter, startBefore }),
  }
}

function summaryOf({ days, states, stateCount, total }: DaysView): string {
  if (total === 0) return 'No slots match on these days. Remove a filter, or choose other days.'
  const [first, last] = [days[0], days[days.length - 1]]
  const span = first === undefined || last === undefined ? '' : ` from ${longDay(first)} to ${longDay(last)}`
  const [top, count] = [states.length < stateCount ? 'the top ' : '', states.length]
  const rows = count === 1 ? 'one state' : `${top}${count} states`
  return `${formatNumberOf(total, 'slot')}${span}, in ${rows}. Days are in your time zone, ${visitorZone()}. Select a number, a day or a state to see its slots. This view ignores the state and time filters.`
}

function longDay(day: string): string {
  return new Date(startOfDay(day)).toLocaleDateString(LOCALE, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  })
}

/** A count for a narrow cell: `1,234`, `12K`. */
function cellCount(count: number): string {
  if (count < 10_000) return formatCount(count)
  return count.toLocaleString(LOCALE, { notation: 'compact', maximumFractionDigits: 0 })
}
