import {
  Button,
  Card,
  Collapse,
  Group,
  Input,
  SegmentedControl,
  Select,
  SimpleGrid,
  Title,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react'
import classes from './explore.module.css'
import { activeFilters, type ExploreState, type Filter } from './explore-state.ts'
import { instantOfInput, localInput, visitorZone } from './local-day.ts'
import { RareFilters } from './RareFilters.tsx'
import { RARE } from './rare-filters.ts'
import { SettledInput } from './SettledInput.tsx'
import { STATUS_WORDS } from './served-slot.ts'
import { STATE_CHOICES } from './us-states.ts'
import type { Explore } from './use-explore.ts'

/** What a field of the form is given. */
export type Field = Explore & { readonly faultOf: (filter: Filter) => string | undefined }

/** The filters of the list operation. Each takes effect at once; what the service says about one stands at its field. */
export function FilterForm(props: Explore & { fault: { field: string; message: string } | undefined }) {
  const { state, go } = props
  const hasRare = RARE.some((name) => state[name] !== undefined || props.fault?.field === name)
  const [unfolded, { toggle }] = useDisclosure(hasRare)
  const field = {
    ...props,
    faultOf: (filter: Filter) => (props.fault?.field === filter ? props.fault.message : undefined),
  }
  const opened = unfolded || RARE.some((name) => props.fault?.field === name)
  const { limit, view } = state
  return (
    <Card component="section" aria-labelledby="filters">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="filters" className={classes.cardHead}>
          Filters
        </Title>
        {activeFilters(state).length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => go({ ...(limit && { limit }), ...(view && { view }) })}
          >
            Clear all
          </Button>
        )}
      </Group>
      <form onSubmit={(event) => event.preventDefault()} noValidate>
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
          <StateField {...field} />
          <CityField {...field} />
          <AttendanceField {...field} />
          <TimeField {...field} name="startAfter" label="Starts after" />
          <TimeField {...field} name="startBefore" label="Starts before" />
          <StatusField {...field} />
        </SimpleGrid>
        <Collapse expanded={opened} id="rare-filters">
          <RareFilters {...field} />
        </Collapse>
      </form>
      <Button
        variant="subtle"
        size="compact-sm"
        mt="sm"
        ml={-8}
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        onClick={toggle}
        aria-expanded={opened}
        aria-controls="rare-filters"
      >
        {opened ? 'Fewer filters' : moreWords(state)}
      </Button>
    </Card>
  )
}

/** What is folded away and in force is not to be forgotten. */
function moreWords(state: ExploreState): string {
  const set = RARE.filter((name) => state[name] !== undefined).length
  return set === 0 ? 'More filters' : `More filters (${set} set)`
}

function StateField({ state, refine, faultOf }: Field) {
  const value = state.state?.toUpperCase() ?? null
  const isKnown = value === null || STATE_CHOICES.some((choice) => choice.value === value)
  const choices = isKnown ? STATE_CHOICES : [{ value, label: value }, ...STATE_CHOICES]
  return (
    <Select
      label="State"
      placeholder="Any"
      data={choices}
      value={value}
      onChange={(chosen) => refine({ state: chosen ?? undefined })}
      error={faultOf('state')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any state' }}
      withScrollArea={false}
      classNames={{ options: classes.choices }}
      nothingFoundMessage="No state of that name"
      autoComplete="off"
    />
  )
}

function AttendanceField({ state, refine, faultOf }: Field) {
  return (
    <Input.Wrapper label="Attendance" labelElement="div" error={faultOf('isVirtual')}>
      <SegmentedControl
        aria-label="Attendance"
        fullWidth
        classNames={{ label: classes.segment, control: classes.segmentControl }}
        value={state.isVirtual ?? ''}
        onChange={(value) => refine({ isVirtual: value || undefined })}
        data={[
          { value: '', label: 'Any' },
          { value: 'false', label: 'In person' },
          { value: 'true', label: 'Virtual' },
        ]}
      />
    </Input.Wrapper>
  )
}

function StatusField({ state, refine, faultOf }: Field) {
  const words = Object.entries(STATUS_WORDS).map(([value, label]) => ({ value, label }))
  const value = state.status ?? 'free'
  const choices = words.some((word) => word.value === value) ? words : [{ value, label: value }, ...words]
  return (
    <Select
      label="Status"
      data={choices}
      value={value}
      onChange={(chosen) => refine({ status: chosen === 'free' ? undefined : (chosen ?? undefined) })}
      error={faultOf('status')}
      allowDeselect={false}
    />
  )
}

function CityField({ state, refine, faultOf }: Field) {
  return (
    <SettledInput
      label="City"
      placeholder="Any"
      value={state.city ?? ''}
      onSettle={(text) => refine({ city: text.trim() || undefined })}
      error={faultOf('city')}
    />
  )
}

function TimeField(props: Field & { name: 'startAfter' | 'startBefore'; label: string }) {
  return (
    <SettledInput
      type="datetime-local"
      classNames={{ input: classes.time }}
      label={props.label}
      title={`In your zone, ${visitorZone()}`}
      value={localInput(props.state[props.name])}
      onSettle={(text) => props.refine({ [props.name]: instantOfInput(text) })}
      error={props.faultOf(props.name)}
    />
  )
}
