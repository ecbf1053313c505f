import { Group, NativeSelect, Pagination, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ExploreState, LIMIT_DEFAULT } from './explore-state.ts'

const SIZES = ['10', '25', '50', '100']

/** Which slots of how many are shown, how many a page has, and ways to the other pages. */
export function Pager(props: { state: ExploreState; total: number; onGo: (state: ExploreState) => void }) {
  const { state, total } = props
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const limit = Number(state.limit ?? LIMIT_DEFAULT)
  const offset = Number(state.offset ?? 0)
  const goTo = (page: number) => props.onGo(atOffset(state, (page - 1) * limit))
  return (
    <Group justify="space-between" mt="md" gap="sm">
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          {`${(offset + 1).toLocaleString()} to ${Math.min(offset + limit, total).toLocaleString()} of ${total.toLocaleString()}`}
        </Text>
        <NativeSelect
          size="xs"
          aria-label="Slots per page"
          value={String(limit)}
          data={(SIZES.includes(String(limit)) ? SIZES : [String(limit), ...SIZES]).map((size) => ({
            value: size,
            label: `${size} a page`,
          }))}
          onChange={(event) => props.onGo({ ...atOffset(state, 0), limit: event.currentTarget.value })}
        />
      </Group>
      <Pagination
        component="nav"
        aria-label="Pages of slots"
        size="sm"
        total={Math.ceil(total / limit)}
        value={Math.floor(offset / limit) + 1}
        onChange={goTo}
        siblings={isNarrow ? 0 : 1}
        getControlProps={(control) => ({ 'aria-label': CONTROLS[control] })}
        getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
      />
    </Group>
  )
}

const CONTROLS = {
  first: 'First page',
  previous: 'Previous page',
  next: 'Next page',
  last: 'Last page',
} as const

function atOffset(state: ExploreState, offset: number): ExploreState {
  const { offset: _offset, slot: _slot, ...rest } = state
  return offset === 0 ? rest : { ...rest, offset: String(offset) }
}
