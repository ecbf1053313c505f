import { Group, NativeSelect, NumberInput, Stack, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { SLOTS_LIMIT_MAX } from '../../../../src/shared/source-fields.ts'
import { REVIEW_POLICIES } from '../../../../src/shared/source-vocabulary.ts'
import type { SourceValues } from './source-form.ts'
import { FORMAT_LABELS, REVIEW_POLICY_LABELS, suggestSlug } from './source-labels.ts'

type Form = UseFormReturnType<SourceValues>

/** URL, format, slug and name of a source. `fixed` makes format and slug read-only, because slot ids depend on them. */
export function SourceFields({ form, fixed = false }: { form: Form; fixed?: boolean }) {
  const isServer = form.values.format === 'fhir-search'
  const setUrl = (url: string) => {
    // The slug follows the URL until it is edited.
    if (!fixed && form.values.slug === suggestSlug(form.values.url)) form.setFieldValue('slug', suggestSlug(url))
    form.setFieldValue('url', url)
  }
  return (
    <Stack gap="md">
      {fixed ? (
        <TextInput label="Format" value={FORMAT_LABELS[form.values.format]} variant="filled" readOnly />
      ) : (
        <NativeSelect label="Format" data={FORMAT_OPTIONS} {...form.getInputProps('format')} />
      )}
      <TextInput
        label={isServer ? 'Server URL' : 'Manifest URL'}
        description={isServer ? 'The base URL of its FHIR R4 API.' : 'It usually ends in $bulk-publish.'}
        placeholder={isServer ? 'https://publisher.example/fhir/R4' : 'https://publisher.example/$bulk-publish'}
        type="url"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('url')}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Group grow align="flex-start" wrap="wrap" preventGrowOverflow={false}>
        <TextInput
          label="Slug"
          description="Used as the publisher of every slot."
          placeholder="publisher"
          autoComplete="off"
          spellCheck={false}
          variant={fixed ? 'filled' : 'default'}
          readOnly={fixed}
          {...form.getInputProps('slug')}
        />
        <NameField form={form} />
      </Group>
    </Stack>
  )
}

/** The display name of the publisher. */
export function NameField({ form }: { form: Form }) {
  return (
    <TextInput
      label="Name"
      description="Display name, if different."
      placeholder="Harbor Clinic"
      autoComplete="off"
      maxLength={200}
      {...form.getInputProps('name')}
    />
  )
}

/** How a source is synced. */
export function ReadingFields({ form }: { form: Form }) {
  return (
    <Stack gap="md">
      <Group grow align="flex-start" wrap="wrap" preventGrowOverflow={false}>
        <NumberInput
          label="Sync every (minutes)"
          description="Leave empty to follow the publisher."
          placeholder="Automatic"
          min={1}
          max={10_080}
          allowDecimal={false}
          {...form.getInputProps('everyMinutes')}
        />
        <NativeSelect
          label="Hold for review"
          description="Held data is not published until you approve it."
          data={REVIEW_POLICY_OPTIONS}
          {...form.getInputProps('hold')}
        />
      </Group>
      <SlotsMaxField form={form} />
      <StrictField form={form} />
    </Stack>
  )
}

/** The maximum number of slots. */
export function SlotsMaxField({ form }: { form: Form }) {
  return (
    <NumberInput
      label="Maximum number of slots"
      description="A sync beyond it fails, and the last slots stay. Leave empty for a quarter of what the service may have."
      placeholder="Automatic"
      min={1}
      max={SLOTS_LIMIT_MAX}
      allowDecimal={false}
      thousandSeparator=","
      {...form.getInputProps('slotsMax')}
    />
  )
}

/** Strict or lenient reading. */
export function StrictField({ form }: { form: Form }) {
  return (
    <Switch
      label="Strict"
      description="Rejects everything that the specification forbids, instead of reading it leniently."
      {...form.getInputProps('strict', { type: 'checkbox' })}
    />
  )
}

const FORMAT_OPTIONS = (['smart-links', 'fhir-search'] as const).map((value) => ({
  value,
  label: FORMAT_LABELS[value],
}))

const REVIEW_POLICY_OPTIONS = REVIEW_POLICIES.map((value) => ({ value, label: REVIEW_POLICY_LABELS[value] }))
