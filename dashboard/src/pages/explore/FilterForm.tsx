import {
  Button,
  Card,
  Collapse,
  Fieldset,
  Group,
  Input,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Title,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { DebouncedInput } from '../../components/DebouncedInput.tsx'
import { IconAdjustmentsHorizontal, IconX } from '../../components/icons.tsx'
import {
  ADVANCED_FILTER_GROUPS,
  ADVANCED_FILTERS,
  type AdvancedFilter,
  exampleOf,
} from './advanced-filters.ts'
import { STATUS_LABELS } from './api-slot.ts'
import classes from './explore.module.css'
import { activeFilters, type ExploreState, type Filter } from './explore-state.ts'
import { instantOfInput, localInput, visitorZone } from './local-time.ts'
import { STATE_CHOICES } from './us-states.ts'
import type { Explore } from './use-explore.ts'

/** What a field of the form is given. */
export type Field = Explore & { readonly faultOf: (filter: Filter) => string | undefined }

/** The filters of the list operation. Each takes effect at once; what the service says about one stands at its field. */
export function FilterForm(props: Explore & { fault: { field: string; message: string } | undefined }) {
  const { state, go } = props
  const hasRare = ADVANCED_FILTERS.some((name) => state[name] !== undefined || props.fault?.field === name)
  const [unfolded, { toggle }] = useDisclosure(hasRare)
  const field = {
    ...props,
    faultOf: (filter: Filter) => (props.fault?.field === filter ? props.fault.message : undefined),
  }
  const opened = unfolded || ADVANCED_FILTERS.some((name) => props.fault?.field === name)
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
          <ServiceModeField {...field} />
          <TimeField {...field} name="startAfter" label="Starts after" />
          <TimeField {...field} name="startBefore" label="Starts before" />
          <StatusField {...field} />
        </SimpleGrid>
        <Collapse expanded={opened} id="rare-filters">
          <AdvancedFilters {...field} />
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
  const set = ADVANCED_FILTERS.filter((name) => state[name] !== undefined).length
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

function ServiceModeField({ state, refine, faultOf }: Field) {
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
  const words = Object.entries(STATUS_LABELS).map(([value, label]) => ({ value, label }))
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
    <DebouncedInput
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
    <DebouncedInput
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

/** The filters that few need, by what they are about. */
function AdvancedFilters(field: Field) {
  return (
    <Stack gap="sm" pt="md">
      {ADVANCED_FILTER_GROUPS.map(({ legend, fields }) => (
        <Fieldset
          key={legend}
          legend={legend}
          variant="unstyled"
          classNames={{ root: classes.group, legend: classes.legend }}
        >
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
            {fields.map((rare) =>
              rare.words === undefined ? (
                <AdvancedTextField key={rare.name} {...field} rare={rare} />
              ) : (
                <AdvancedSelect key={rare.name} {...field} rare={rare} words={rare.words} />
              ),
            )}
          </SimpleGrid>
        </Fieldset>
      ))}
    </Stack>
  )
}

function AdvancedTextField({ state, refine, faultOf, rare }: Field & { rare: AdvancedFilter }) {
  const { name, label, needs } = rare
  return (
    <DebouncedInput
      label={label}
      placeholder={exampleOf(name)}
      value={state[name] ?? ''}
      onSettle={(text) => refine({ [name]: text.trim() || undefined })}
      error={faultOf(name)}
      // What came by the address can be taken out all the same.
      disabled={needs !== undefined && state[needs] === undefined && state[name] === undefined}
    />
  )
}

function AdvancedSelect(props: Field & { rare: AdvancedFilter; words: Readonly<Record<string, string>> }) {
  const { state, refine, faultOf, rare, words } = props
  const { name, label } = rare
  const value = state[name] ?? null
  const known = Object.entries(words).map(([value, label]) => ({ value, label }))
  const choices = value === null || value in words ? known : [{ value, label: value }, ...known]
  return (
    <Select
      label={label}
      placeholder="Any"
      data={choices}
      value={value}
      onChange={(chosen) => refine({ [name]: chosen ?? undefined })}
      error={faultOf(name)}
      clearable
      clearButtonProps={{ 'aria-label': `${label}: any` }}
    />
  )
}
