import {
  Alert,
  Anchor,
  Autocomplete,
  Button,
  FileInput,
  Group,
  NativeSelect,
  Progress,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { csvTemplate } from '../../../../src/feeds/files/csv-columns.ts'
import { IconFileImport, IconFileUpload } from '../../components/icons.tsx'
import { BackLink, ButtonLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { ImportReportView } from './ImportReportView.tsx'
import { emptyImport, type ImportValues, importValidation, isStoppable, sameImport, zoneNames } from './import-form.ts'
import { useFileDrop } from './use-file-drop.ts'
import { type ImportDone, useImport } from './use-import.ts'

/** Replaces a source's slots with a file, in two steps: check, then import. */
export function ImportPage() {
  const { slug = '' } = useSearch({ strict: false }) as { slug?: string }
  return (
    <>
      <PageHeader title="Import a file" above={<BackLink to="/app/operator/sources">All sources</BackLink>}>
        For publishers without a feed: CSV, FHIR resources, or slots in this service's own format. The file replaces all
        slots of the publisher: slots that it doesn't contain are removed.
      </PageHeader>
      <ImportForm slug={slug} />
    </>
  )
}

function ImportForm({ slug }: { slug: string }) {
  const form = useForm<ImportValues>({ initialValues: emptyImport(slug), validate: importValidation })
  const { send, stop, sent } = useImport()
  const [done, setDone] = useState<ImportDone>()
  const shown = done && sameImport(done.values, form.values) ? done : undefined
  const isChecked = shown?.report.dryRun === true && shown.report.outcome !== 'failed'
  const result = useRef<HTMLDivElement>(null)
  const { formProps, busy, error } = useSubmit(form, async (values) => {
    const report = await send(values, { dryRun: !isChecked })
    if (report === undefined) return
    setDone({ values, report })
    requestAnimationFrame(() => result.current?.focus())
  })
  const canStop = busy && sent !== undefined && isStoppable({ dryRun: !isChecked, sent })
  const drop = useFileDrop((file) => {
    if (!busy) form.setFieldValue('file', file)
  })
  const isDone = shown !== undefined && !shown.report.dryRun && shown.report.changes !== undefined
  return (
    <form {...formProps} {...drop}>
      <Stack gap="lg">
        <Section title="File" description={<Template />}>
          <ImportFields form={form} disabled={busy} />
          <FormError error={error} />
          {sent !== undefined && <Sent share={sent} />}
          <Group justify="flex-end" gap="xs">
            {canStop && (
              <Button variant="default" onClick={stop}>
                Stop
              </Button>
            )}
            {isDone ? (
              <ButtonLink to="/app/operator/sources/$slug" params={{ slug: shown.report.slug }} variant="default">
                View source
              </ButtonLink>
            ) : (
              <Button
                type="submit"
                loading={busy}
                leftSection={isChecked ? <IconFileImport size={16} aria-hidden /> : undefined}
              >
                {isChecked ? 'Import file' : 'Check file'}
              </Button>
            )}
          </Group>
        </Section>
        <div ref={result} tabIndex={-1} role="status">
          {shown && <ImportReportView report={shown.report} />}
        </div>
      </Stack>
    </form>
  )
}

function Template() {
  return (
    <>
      CSV, NDJSON, FHIR Bundle or JSON, plain or gzip.{' '}
      <Anchor inherit underline="always" href={templateUrl()} download="slots.csv">
        A CSV template
      </Anchor>{' '}
      names every column.
    </>
  )
}

function Sent({ share }: { share: number }) {
  const percent = Math.floor(share * 100)
  return (
    <Alert color="gray" py="xs" role="group" aria-label="Upload">
      <Text size="sm" mb={6}>
        {percent < 100 ? `${percent}% uploaded` : 'Reading the file. This may take a minute.'}
      </Text>
      <Progress.Root size="md">
        <Progress.Section value={percent} animated={percent === 100} aria-label="Uploaded" />
      </Progress.Root>
    </Alert>
  )
}

/** The object URL of the CSV template. */
function templateUrl(): string {
  created ??= URL.createObjectURL(new Blob([csvTemplate()], { type: 'text/csv' }))
  return created
}

let created: string | undefined

/** The publisher, the file, and how to read it. */
function ImportFields({ form, disabled }: { form: UseFormReturnType<ImportValues>; disabled: boolean }) {
  return (
    <>
      <TextInput
        label="Slug"
        description="Used as the publisher of every slot. A new slug creates a new source."
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
        description="Choose a file, or drop one anywhere on this form."
        clearable={!disabled}
        clearButtonProps={{ 'aria-label': 'Remove file' }}
        disabled={disabled}
        {...form.getInputProps('file')}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NativeSelect
          label="Format"
          description="Detected if not set."
          disabled={disabled}
          data={[
            { value: '', label: 'Automatic' },
            { value: 'csv', label: 'CSV' },
            { value: 'ndjson', label: 'NDJSON' },
            { value: 'json', label: 'FHIR Bundle or JSON' },
          ]}
          {...form.getInputProps('format')}
        />
        <Autocomplete
          label="Time zone"
          description="For times without an offset."
          placeholder="America/New_York"
          data={[...zoneNames()]}
          limit={20}
          autoComplete="off"
          spellCheck={false}
          disabled={disabled}
          {...form.getInputProps('timeZone')}
        />
        <NativeSelect
          label="Date format"
          description="For dates like 03/04/2026."
          disabled={disabled}
          data={[
            { value: '', label: 'Reject ambiguous' },
            { value: 'mdy', label: 'Month first (US)' },
            { value: 'dmy', label: 'Day first' },
          ]}
          {...form.getInputProps('dateOrder')}
        />
      </SimpleGrid>
    </>
  )
}
