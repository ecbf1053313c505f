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
import { ButtonLink, PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { ImportReportView } from './ImportReportView.tsx'
import {
  emptyImport,
  type ImportValues,
  importValidation,
  isStoppable,
  sameImport,
  zoneNames,
} from './import-form.ts'
import { useFileDrop } from './use-file-drop.ts'
import { type ImportDone, useImport } from './use-import.ts'

/** A file becomes all that a source has, in two steps: what it comes to is shown first. */
export function ImportPage() {
  const { slug = '' } = useSearch({ strict: false }) as { slug?: string }
  return (
    <>
      <PageHeader
        title="Import a file"
        above={
          <PageLink to="/app/operator/sources" size="sm">
            All sources
          </PageLink>
        }
      >
        For a publisher without a feed: a table, FHIR resources, or slots as this service answers them. The
        file is the whole of what the publisher offers: what it does not hold is gone afterwards.
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
  const answer = useRef<HTMLDivElement>(null)
  const { formProps, busy, error } = useSubmit(form, async (values) => {
    const report = await send(values, { dryRun: !isChecked })
    if (report === undefined) return
    setDone({ values, report })
    requestAnimationFrame(() => answer.current?.focus())
  })
  const canStop = busy && sent !== undefined && isStoppable({ dryRun: !isChecked, sent })
  const drop = useFileDrop((file) => {
    if (!busy) form.setFieldValue('file', file)
  })
  const isDone = shown !== undefined && !shown.report.dryRun && shown.report.changes !== undefined
  return (
    <form {...formProps} {...drop}>
      <Stack gap="lg">
        <Section title="The file" description={<Template />}>
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
              <ButtonLink
                to="/app/operator/sources/$slug"
                params={{ slug: shown.report.slug }}
                variant="default"
              >
                Show the source
              </ButtonLink>
            ) : (
              <Button
                type="submit"
                loading={busy}
                leftSection={isChecked ? <IconFileImport size={16} aria-hidden /> : undefined}
              >
                {isChecked ? 'Import the file' : 'Check the file'}
              </Button>
            )}
          </Group>
        </Section>
        <div ref={answer} tabIndex={-1} role="status">
          {shown && <ImportReportView report={shown.report} />}
        </div>
      </Stack>
    </form>
  )
}

function Template() {
  return (
    <>
      CSV, NDJSON, a FHIR Bundle or JSON, plain or gzip.{' '}
      <Anchor inherit underline="always" href={templateAddress()} download="slots.csv">
        A table to begin with
      </Anchor>{' '}
      names every column.
    </>
  )
}

function Sent({ share }: { share: number }) {
  const percent = Math.floor(share * 100)
  return (
    <Alert color="gray" py="xs" role="group" aria-label="Sending the file">
      <Text size="sm" mb={6}>
        {percent < 100
          ? `${percent} % of the file is sent`
          : 'The file is being read. This may take a minute.'}
      </Text>
      <Progress.Root size="md">
        <Progress.Section value={percent} animated={percent === 100} aria-label="Sent" />
      </Progress.Root>
    </Alert>
  )
}

/** The table to begin with, as an address that can be downloaded. */
function templateAddress(): string {
  made ??= URL.createObjectURL(new Blob([csvTemplate()], { type: 'text/csv' }))
  return made
}

let made: string | undefined

/** Whose slots are in which file, and how it is to be understood. */
function ImportFields({ form, disabled }: { form: UseFormReturnType<ImportValues>; disabled: boolean }) {
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
