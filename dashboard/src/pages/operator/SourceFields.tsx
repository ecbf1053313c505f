import { Group, NativeSelect, NumberInput, Stack, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { REVIEW_POLICIES } from '../../../../src/store/contracts/source-watch.ts'
import type { SourceValues } from './source-form.ts'
import { FORMAT_NAMES, HOLD_NAMES, suggestSlug } from './source-labels.ts'

type Form = UseFormReturnType<SourceValues>

/** Where a source is, and what it is called. Once it is there, what its slots hang on is `fixed`. */
export function SourceFields({ form, fixed = false }: { form: Form; fixed?: boolean }) {
  const isServer = form.values.format === 'fhir-search'
  const setUrl = (url: string) => {
    // Until somebody writes another, the slug follows the address.
    if (!fixed && form.values.slug === suggestSlug(form.values.url))
      form.setFieldValue('slug', suggestSlug(url))
    form.setFieldValue('url', url)
  }
  return (
    <Stack gap="md">
      {fixed ? (
        <TextInput label="Format" value={FORMAT_NAMES[form.values.format]} variant="filled" readOnly />
      ) : (
        <NativeSelect label="Format" data={FORMATS} {...form.getInputProps('format')} />
      )}
      <TextInput
        label={isServer ? 'Address of the server' : 'Address of the manifest'}
        description={isServer ? 'The base of its FHIR R4 API.' : 'It usually ends in $bulk-publish.'}
        placeholder={
          isServer ? 'https://publisher.example/fhir/R4' : 'https://publisher.example/$bulk-publish'
        }
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
          description="Stands as the publisher in each of its slots."
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

/** What people call its publisher. */
export function NameField({ form }: { form: Form }) {
  return (
    <TextInput
      label="Name"
      description="What people call the publisher, if not so."
      placeholder="Harbour Clinic"
      autoComplete="off"
      maxLength={200}
      {...form.getInputProps('name')}
    />
  )
}

/** How a source is read. */
export function ReadingFields({ form }: { form: Form }) {
  return (
    <Stack gap="md">
      <Group grow align="flex-start" wrap="wrap" preventGrowOverflow={false}>
        <NumberInput
          label="Sync every (minutes)"
          description="Empty: as the publisher says."
          placeholder="Automatic"
          min={1}
          max={10_080}
          allowDecimal={false}
          {...form.getInputProps('everyMinutes')}
        />
        <NativeSelect
          label="Held back"
          description="Until you accept it, nothing changes."
          data={HOLDS_NAMED}
          {...form.getInputProps('hold')}
        />
      </Group>
      <StrictField form={form} />
    </Stack>
  )
}

/** How exact a publisher has to be. */
export function StrictField({ form }: { form: Form }) {
  return (
    <Switch
      label="Strict"
      description="Rejects what the specification forbids, instead of reading it leniently."
      {...form.getInputProps('strict', { type: 'checkbox' })}
    />
  )
}

const FORMATS = (['smart-links', 'fhir-search'] as const).map((value) => ({
  value,
  label: FORMAT_NAMES[value],
}))

const HOLDS_NAMED = REVIEW_POLICIES.map((value) => ({ value, label: HOLD_NAMES[value] }))
