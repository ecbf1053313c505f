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
import { useId } from 'react'
import { SUGGESTED_FILTERS } from '../../../../src/slot/filter-parameters.ts'
import { now } from '../../api/now.ts'
import { DebouncedInput } from '../../components/DebouncedInput.tsx'
import { IconAdjustmentsHorizontal, IconX } from '../../components/icons.tsx'
import { timeHeader } from '../../components/visitor-time.ts'
import { ADVANCED_FILTER_GROUPS, ADVANCED_FILTERS, type AdvancedFilter } from './advanced-filters.ts'
import { STATUS_LABELS } from './api-slot.ts'
import classes from './explore.module.css'
import { activeFilters, type ExploreState, type Filter } from './explore-state.ts'
import { exampleOf } from './filter-example.ts'
import { instantOfInput, localInput, visitorZone } from './local-time.ts'
import { NearField } from './NearField.tsx'
import { SuggestField } from './SuggestField.tsx'
import { STATE_CHOICES } from './us-states.ts'
import type { Explore } from './use-explore.ts'

/** The props of every field. */
export type Field = Explore & { readonly errorOf: (filter: Filter) => string | undefined }

/** The filters of the list operation. Each applies immediately; server errors appear at their field. */
export function FilterForm(props: Explore & { error: { field: string; message: string } | undefined }) {
  const { state, go } = props
  const hasAdvanced = ADVANCED_FILTERS.some((name) => state[name] !== undefined || props.error?.field === name)
  const [expanded, { toggle }] = useDisclosure(hasAdvanced)
  const field = {
    ...props,
    errorOf: (filter: Filter) => (props.error?.field === filter ? props.error.message : undefined),
  }
  const opened = expanded || ADVANCED_FILTERS.some((name) => props.error?.field === name)
  const { limit, view, times } = state
  const id = useId()
  return (
    <Card component="section" aria-labelledby={id}>
      <Group justify="space-between" mb="sm">
        <Title order={2} id={id} className={classes.cardHead}>
          Filters
        </Title>
        {activeFilters(state).length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => go({ ...(limit && { limit }), ...(view && { view }), ...(times && { times }) })}
          >
            Clear all
          </Button>
        )}
      </Group>
      <form onSubmit={(event) => event.preventDefault()} noValidate>
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
          <StateField {...field} />
          <SuggestField {...field} name="city" label="City" placeholder="Any" />
          <ServiceModeField {...field} />
          <TimeField {...field} name="startAfter" label="Starts after" />
          <TimeField {...field} name="startBefore" label="Starts before" />
          <StatusField {...field} />
          <NearField {...field} />
          <RadiusField {...field} />
        </SimpleGrid>
        <Collapse expanded={opened} id={`${id}-advanced`}>
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
        aria-controls={`${id}-advanced`}
      >
        {opened ? 'Fewer filters' : moreLabel(state)}
      </Button>
    </Card>
  )
}

/** Counts the hidden filters that are set. */
function moreLabel(state: ExploreState): string {
  const set = ADVANCED_FILTERS.filter((name) => state[name] !== undefined).length
  return set === 0 ? 'More filters' : `More filters (${set} set)`
}

function StateField({ state, refine, errorOf }: Field) {
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
      error={errorOf('state')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any state' }}
      withScrollArea={false}
      classNames={{ options: classes.choices }}
      nothingFoundMessage="No matching state"
      autoComplete="off"
    />
  )
}

function ServiceModeField({ state, refine, errorOf }: Field) {
  return (
    <Input.Wrapper label="Visit type" labelElement="div" error={errorOf('isVirtual')}>
      <SegmentedControl
        aria-label="Visit type"
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

function StatusField({ state, refine, errorOf }: Field) {
  const labels = Object.entries(STATUS_LABELS).map(([value, label]) => ({ value, label }))
  const value = state.status ?? 'free'
  const choices = labels.some((label) => label.value === value) ? labels : [{ value, label: value }, ...labels]
  return (
    <Select
      label="Status"
      data={choices}
      value={value}
      onChange={(chosen) => refine({ status: chosen === 'free' ? undefined : (chosen ?? undefined) })}
      error={errorOf('status')}
      allowDeselect={false}
    />
  )
}

function RadiusField({ state, refine, errorOf }: Field) {
  return (
    <DebouncedInput
      label="Radius (km)"
      placeholder={exampleOf('radiusKm')}
      value={state.radiusKm ?? ''}
      onSettle={(text) => refine({ radiusKm: text || undefined })}
      error={errorOf('radiusKm')}
      // A value from the URL can always be removed.
      disabled={state.near === undefined && state.radiusKm === undefined}
    />
  )
}

function TimeField(props: Field & { name: 'startAfter' | 'startBefore'; label: string }) {
  const ms = Date.parse(props.state[props.name] ?? '')
  return (
    <DebouncedInput
      type="datetime-local"
      classNames={{ input: classes.time }}
      label={timeHeader(props.label, new Date(Number.isNaN(ms) ? now() : ms))}
      title={`In your time zone, ${visitorZone()}`}
      value={localInput(props.state[props.name])}
      onSettle={(text) => props.refine({ [props.name]: instantOfInput(text) })}
      error={props.errorOf(props.name)}
    />
  )
}

/** Less common filters, grouped. */
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
            {fields.map((filter) => (
              <AdvancedField key={filter.name} {...field} filter={filter} />
            ))}
          </SimpleGrid>
        </Fieldset>
      ))}
    </Stack>
  )
}

function AdvancedField(props: Field & { filter: AdvancedFilter }) {
  const { name, label, labels } = props.filter
  if (labels !== undefined) return <AdvancedSelect {...props} labels={labels} />
  const suggested = SUGGESTED_FILTERS.find((one) => one === name)
  if (suggested === undefined) return <AdvancedTextField {...props} />
  return <SuggestField {...props} name={suggested} label={label} placeholder={exampleOf(name)} />
}

function AdvancedTextField({ state, refine, errorOf, filter }: Field & { filter: AdvancedFilter }) {
  const { name, label } = filter
  return (
    <DebouncedInput
      label={label}
      placeholder={exampleOf(name)}
      value={state[name] ?? ''}
      onSettle={(text) => refine({ [name]: text || undefined })}
      error={errorOf(name)}
    />
  )
}

function AdvancedSelect(props: Field & { filter: AdvancedFilter; labels: Readonly<Record<string, string>> }) {
  const { state, refine, errorOf, filter, labels } = props
  const { name, label } = filter
  const value = state[name] ?? null
  const known = Object.entries(labels).map(([value, label]) => ({ value, label }))
  const choices = value === null || value in labels ? known : [{ value, label: value }, ...known]
  return (
    <Select
      label={label}
      placeholder="Any"
      data={choices}
      value={value}
      onChange={(chosen) => refine({ [name]: chosen ?? undefined })}
      error={errorOf(name)}
      clearable
      clearButtonProps={{ 'aria-label': `${label}: any` }}
    />
  )
}
