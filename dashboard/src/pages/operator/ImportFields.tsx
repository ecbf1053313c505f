import { Autocomplete, FileInput, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconFileUpload } from '@tabler/icons-react'
import { type ImportValues, zoneNames } from './import-form.ts'

/** Whose slots are in which file, and how it is to be understood. */
export function ImportFields({
  form,
  disabled,
}: {
  form: UseFormReturnType<ImportValues>
  disabled: boolean
}) {
  return (
    <>
      <TextInput
        label="Slug"
        description="Of the publisher, as it stands in each of its slots. A new one makes a new source."
        placeholder="publisher"
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        {...form.getInputProps('slug')}
      />
      <FileInput
        label="File"
        placeholder="Choose a file"
        leftSection={<IconFileUpload size={16} aria-hidden />}
        description="Choose it, or drop it anywhere on this form."
        clearable={!disabled}
        clearButtonProps={{ 'aria-label': 'Choose no file' }}
        disabled={disabled}
        {...form.getInputProps('file')}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NativeSelect
          label="Format"
          description="As its content says, if you do not."
          disabled={disabled}
          data={[
            { value: '', label: 'As its content says' },
            { value: 'csv', label: 'A table (CSV)' },
            { value: 'ndjson', label: 'NDJSON' },
            { value: 'json', label: 'A Bundle, or JSON' },
          ]}
          {...form.getInputProps('format')}
        />
        <Autocomplete
          label="Time zone"
          description="Of times without an offset."
          placeholder="America/New_York"
          data={[...zoneNames()]}
          limit={20}
          autoComplete="off"
          spellCheck={false}
          disabled={disabled}
          {...form.getInputProps('timeZone')}
        />
        <NativeSelect
          label="Order of dates"
          description="Of such as 03/04/2026."
          disabled={disabled}
          data={[
            { value: '', label: 'Refuse unclear ones' },
            { value: 'mdy', label: 'Month first (US)' },
            { value: 'dmy', label: 'Day first' },
          ]}
          {...form.getInputProps('dateOrder')}
        />
      </SimpleGrid>
    </>
  )
}
