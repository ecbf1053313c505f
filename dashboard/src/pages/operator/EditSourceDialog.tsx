import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { NameField, ReadingFields, SourceFields, StrictField } from './SourceFields.tsx'
import { SourceOptionsSection } from './SourceOptionFields.tsx'
import { editPatch, editValidation, mapFieldError, type SourceValues, valuesOf } from './source-form.ts'

interface Editing {
  readonly source: SourceView
  readonly onClose: () => void
  /** Throws `ApiError`. */
  readonly onEdit: (slug: string, patch: object) => Promise<void>
}

/** Changes what a source is, by the fields that it was added with. */
export function EditSourceDialog({ opened, ...props }: Editing & { opened: boolean }) {
  return (
    <Modal
      opened={opened}
      onClose={props.onClose}
      title="Edit source"
      size="lg"
      attributes={{ header: { role: 'none' } }}
    >
      <EditSourceForm {...props} />
    </Modal>
  )
}

function EditSourceForm({ source, onClose, onEdit }: Editing) {
  // As it was when the dialog opened: what is read anew meanwhile is not to move under the person who writes.
  const [before] = useState(() => valuesOf(source))
  const form = useForm<SourceValues>({ initialValues: before, validate: editValidation(source) })
  const save = async (after: SourceValues) => {
    const patch = editPatch(before, after)
    if (Object.keys(patch).length > 0) {
      await onEdit(source.slug, patch).catch((fault) => {
        throw mapFieldError(fault)
      })
    }
    onClose()
  }
  const { formProps, busy, error } = useSubmit(form, save)
  return (
    <form {...formProps}>
      <Stack gap="md">
        {source.format === 'files' ? <OfFiles form={form} /> : <OfFeed form={form} />}
        <FormError error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Save the changes
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function OfFeed({ form }: { form: UseFormReturnType<SourceValues> }) {
  const { headers, query, secret } = form.values
  return (
    <>
      <SourceFields form={form} fixed />
      <Text size="sm" c="dimmed">
        Slug and format stay: the ids of its slots hang on the slug. For others, add another source.
      </Text>
      <ReadingFields form={form} />
      <SourceOptionsSection form={form} />
      {`${headers}${query}${secret}`.includes('…') && (
        <Text size="sm" c="dimmed">
          A value shown as … is kept as it is, unless you write another.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Its slots stay served until it could be read in its new way, which is tried at once.
      </Text>
    </>
  )
}

function OfFiles({ form }: { form: UseFormReturnType<SourceValues> }) {
  return (
    <>
      <NameField form={form} />
      <StrictField form={form} />
      <Text size="sm" c="dimmed">
        Its slug stays: the ids of its slots hang on it. How exact a file has to be counts from the next
        import on.
      </Text>
    </>
  )
}
