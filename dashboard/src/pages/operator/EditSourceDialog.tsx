import { Stack, Text } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import { FormButtons } from '../../components/FormButtons.tsx'
import { FormModal } from '../../components/FormModal.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { NameField, ReadingFields, SlotsMaxField, SourceFields, StrictField } from './SourceFields.tsx'
import { SnapshotFields, SourceOptionsSection } from './SourceOptionFields.tsx'
import { editPatch, editValidation, formValuesOf, mapFieldError, type SourceValues } from './source-form.ts'

interface EditProps {
  readonly source: SourceView
  readonly onClose: () => void
  /** Throws `ApiError`. */
  readonly onEdit: (slug: string, patch: object) => Promise<void>
}

/** Edits a source. */
export function EditSourceDialog({ opened, ...props }: EditProps & { opened: boolean }) {
  return (
    <FormModal opened={opened} onClose={props.onClose} title="Edit source" size="lg">
      <EditSourceForm {...props} />
    </FormModal>
  )
}

function EditSourceForm({ source, onClose, onEdit }: EditProps) {
  // The source when the dialog opened: refetches must not change the form.
  const [before] = useState(() => formValuesOf(source))
  const form = useForm<SourceValues>({ initialValues: before, validate: editValidation(source) })
  const save = async (after: SourceValues) => {
    const patch = editPatch(before, after)
    if (Object.keys(patch).length > 0) {
      await onEdit(source.slug, patch).catch((error) => {
        throw mapFieldError(error)
      })
    }
    onClose()
  }
  const { formProps, busy, error } = useSubmit(form, save)
  return (
    <form {...formProps}>
      <Stack gap="md">
        {source.format === 'files' ? <FileSourceFields form={form} /> : <FeedSourceFields form={form} />}
        <FormButtons busy={busy} error={error}>
          Save changes
        </FormButtons>
      </Stack>
    </form>
  )
}

function FeedSourceFields({ form }: { form: UseFormReturnType<SourceValues> }) {
  const { headers, query, secret } = form.values
  return (
    <>
      <SourceFields form={form} fixed />
      <Text size="sm" c="dimmed">
        Slug and format can't be changed, because slot ids depend on the slug. To change them, add another source.
      </Text>
      <ReadingFields form={form} />
      <SourceOptionsSection form={form} />
      {`${headers}${query}${secret}`.includes('…') && (
        <Text size="sm" c="dimmed">
          Values shown as … are kept unless you replace them.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Its slots stay available until a sync with the new settings succeeds. The next sync starts immediately.
      </Text>
    </>
  )
}

function FileSourceFields({ form }: { form: UseFormReturnType<SourceValues> }) {
  return (
    <>
      <NameField form={form} />
      <SlotsMaxField form={form} />
      <StrictField form={form} />
      <SnapshotFields form={form} />
      <Text size="sm" c="dimmed">
        The slug can't be changed, because slot ids depend on it. Other settings apply from the next import.
      </Text>
    </>
  )
}
