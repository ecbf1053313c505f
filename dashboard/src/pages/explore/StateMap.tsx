import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react'
import type { FacetsView } from '../../../../src/shared/contract/explore.ts'
import { exploreFacetsQuery } from '../../api/queries.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount, formatNumberOf, formatShare } from '../../components/format.ts'
import { countRegions, neighborTile, type StateTile, withOtherRegions } from '../../components/state-tiles.ts'
import { ErrorState, LoadingBlock, Refreshing } from '../../components/states.tsx'
import { TableSwitch } from '../../components/TableSwitch.tsx'
import { heatOf, shortCount } from '../../components/tile-figures.ts'
import { type ExploreState, mapParameters } from './explore-state.ts'
import classes from './StateMap.module.css'
import { stateName } from './us-states.ts'
import type { Explore } from './use-explore.ts'

/** A tile map of the states with the number of matching slots; each tile sets the filter on its state. Also as a table. */
export function StateMap({ state, refine, go }: Explore) {
  const facets = useQuery(exploreFacetsQuery(mapParameters(state)))
  const [asTable, setAsTable] = useState(false)
  if (facets.isPending) return <LoadingBlock height={480} />
  if (facets.isError) return <ErrorState error={facets.error} onRetry={() => facets.refetch()} />
  const chosen = state.state?.toUpperCase()
  const choose = (code: string) => refine({ state: code === chosen ? undefined : code })
  return (
    <Refreshing isOutdated={facets.isPlaceholderData}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="sm">
        <Text size="sm" c="dimmed" maw={760} id="state-map-summary">
          {summaryOf(facets.data)}
        </Text>
        <TableSwitch checked={asTable} onChange={setAsTable} />
      </Group>
      {asTable ? (
        <StateTable facets={facets.data} chosen={chosen} onChoose={choose} />
      ) : (
        <Tiles facets={facets.data} chosen={chosen} onChoose={choose} />
      )}
      {chosen !== undefined && <ChosenState name={chosen} facets={facets.data} onShow={() => go(listOf(state))} />}
    </Refreshing>
  )
}

interface Choosing {
  readonly facets: FacetsView
  readonly chosen: string | undefined
  readonly onChoose: (state: string) => void
}

/** One stop of the Tab key; arrow keys move between tiles. */
function Tiles({ facets, chosen, onChoose }: Choosing) {
  const counts = new Map(facets.state.map(({ value, count }) => [value, count]))
  const known = new Set(withOtherRegions([]).map(({ state }) => state))
  const tiles = withOtherRegions(facets.state.map(({ value }) => value).filter((value) => !known.has(value)))
  const max = Math.max(1, ...counts.values())
  const [current, setCurrent] = useState(chosen ?? facets.state[0]?.value)
  const buttons = useRef(new Map<string, HTMLButtonElement>())
  const stop = tiles.find(({ state }) => state === current) ?? tiles[0]
  const onKeyDown = (event: KeyboardEvent, tile: StateTile) => {
    const next = neighborTile(tiles, tile, event.key)
    if (next === undefined) return
    event.preventDefault()
    setCurrent(next.state)
    buttons.current.get(next.state)?.focus()
  }
  return (
    <div role="toolbar" aria-label="Slots by state" aria-describedby="state-map-summary" className={classes.map}>
      {tiles.map((tile) => (
        <Tile
          key={tile.state}
          tile={tile}
          count={counts.get(tile.state) ?? 0}
          max={max}
          pressed={tile.state === chosen}
          tabIndex={tile === stop ? 0 : -1}
          onKeyDown={(event) => onKeyDown(event, tile)}
          onClick={() => {
            setCurrent(tile.state)
            onChoose(tile.state)
          }}
          buttonRef={(button) => {
            if (button === null) buttons.current.delete(tile.state)
            else buttons.current.set(tile.state, button)
          }}
        />
      ))}
    </div>
  )
}

function Tile(props: {
  tile: StateTile
  count: number
  max: number
  pressed: boolean
  tabIndex: 0 | -1
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
  buttonRef: (button: HTMLButtonElement | null) => void
}) {
  const { tile, count } = props
  const style = {
    gridRow: tile.row + 1,
    gridColumn: tile.column + 1,
    '--heat': `${heatOf(count, props.max)}%`,
  } as CSSProperties
  return (
    <UnstyledButton
      ref={props.buttonRef}
      className={classes.tile}
      style={style}
      tabIndex={props.tabIndex}
      data-empty={count === 0 || undefined}
      aria-pressed={props.pressed}
      title={`${stateName(tile.state)}: ${formatNumberOf(count, 'slot')}`}
      onClick={props.onClick}
      onKeyDown={props.onKeyDown}
    >
      <span className={classes.code}>
        {tile.state}
        <span className="sr-only">, {stateName(tile.state)}: </span>
      </span>
      <span className={classes.count}>
        {shortCount(count)}
        <span className="sr-only"> {count === 1 ? 'slot' : 'slots'}</span>
      </span>
    </UnstyledButton>
  )
}

function StateTable({ facets, chosen, onChoose }: Choosing) {
  const columns: TableColumn<FacetsView['state'][number]>[] = [
    {
      key: 'state',
      header: 'State',
      isRowHeader: true,
      render: ({ value }) => (
        <UnstyledButton
          fz="sm"
          fw={600}
          className={classes.name}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {stateName(value)}
        </UnstyledButton>
      ),
    },
    { key: 'slots', header: 'Slots', align: 'end', render: ({ count }) => formatCount(count) },
    { key: 'share', header: 'Share', align: 'end', render: ({ count }) => formatShare(count, facets.total) },
  ]
  return (
    <DataTable caption="Slots by state" dense columns={columns} rows={facets.state} rowKey={({ value }) => value} />
  )
}

/** The selected state, and the way to its slots. */
function ChosenState({ name, facets, onShow }: { name: string; facets: FacetsView; onShow: () => void }) {
  const count = facets.state.find(({ value }) => value === name)?.count ?? 0
  return (
    <Group gap="sm" mt="md">
      <Text size="sm" role="status">
        <b>{stateName(name)}</b>: {formatNumberOf(count, 'slot')}
      </Text>
      {count > 0 && (
        <Button size="xs" variant="default" onClick={onShow}>
          Show slots
        </Button>
      )}
    </Group>
  )
}

function listOf({ view: _, ...state }: ExploreState): ExploreState {
  return state
}

function summaryOf({ total, state }: FacetsView): string {
  if (total === 0) return 'No slots match. Remove a filter.'
  const regions = countRegions(state.map(({ value }) => value))
  return `${formatNumberOf(total, 'slot')}${regions && ` in ${regions}`}. Select a state to filter by it. A slot of several states counts in each. This view ignores the state filter.`
}
