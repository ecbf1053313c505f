import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { SourceCheck } from '../../../../src/shared/shapes.ts'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import { api, path } from '../../api/client.ts'
import { PageLink } from '../../parts/links.tsx'
import { notifyDone, notifyError } from '../../parts/notify.ts'
import { FormError } from '../../parts/states.tsx'
import { useSubmit } from '../../parts/submit.ts'
import { ReadingFields, SourceFields } from './AddSourceFields.tsx'
import {
  atField,
  canCheck,
  EMPTY_SOURCE,
  type SourceValues,
  sourceBody,
  sourceFaults,
} from './add-source-form.ts'
import { CheckResult } from './CheckResult.tsx'
import { SourceOptions } from './SourceOptions.tsx'

/** Adds a source; of a plain feed, what its manifest lists is shown first. */
export function AddSourceDialog(props: { opened: boolean; onClose: () => void; taken: readonly string[] }) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title="Add a source"
      size="lg"
      attributes={{ header: { role: 'none' } }}
    >
      <AddSourceForm {...props} />
    </Modal>
  )
}

function AddSourceForm({ onClose, taken }: { onClose: () => void; taken: readonly string[] }) {
  const add = useAddSource(onClose)
  const [checked, setChecked] = useState<{ url: string; outcome: SourceCheck }>()
  const form = useForm<SourceValues>({ initialValues: EMPTY_SOURCE, validate: sourceFaults(taken) })
  const { values } = form
  const shown = canCheck(values) && checked?.url === values.url ? checked.outcome : undefined
  const isReady = !canCheck(values) || shown?.ok === true
  const check = async ({ url }: SourceValues) =>
    setChecked({ url, outcome: await api.post<SourceCheck>('/operator/sources/check', { url: url.trim() }) })
  // The second button submits too, so that a refusal is shown in the same places.
  const anyway = useRef(false)
  const { formProps, busy, error } = useSubmit(form, (filled) => {
    const adds = isReady || anyway.current
    anyway.current = false
    return adds ? add(filled) : check(filled)
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <SourceFields form={form} />
        <ReadingFields form={form} />
        <SourceOptions form={form} />
        <div aria-live="polite">{shown && <CheckResult outcome={shown} url={values.url.trim()} />}</div>
        <FormError error={error} />
        <Text size="sm" c="dimmed">
          Slots in a table or another file are{' '}
          <PageLink to="/app/operator/import" search={{}} underline="always" c="inherit">
            imported
          </PageLink>{' '}
          instead.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          {shown?.ok === false && (
            <Button
              type="submit"
              variant="default"
              disabled={busy}
              onClick={() => {
                anyway.current = true
              }}
            >
              Add it all the same
            </Button>
          )}
          <Button type="submit" loading={busy}>
            {isReady ? 'Add the source' : shown ? 'Check again' : 'Check'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Adds it, says so, and shows it. */
function useAddSource(onClose: () => void): (values: SourceValues) => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (values) => {
    const { slug } = await api.post<SourceView>('/operator/sources', sourceBody(values)).catch((fault) => {
      throw atField(fault)
    })
    // It is there already: what fails now can be set on its page.
    if (values.hold !== EMPTY_SOURCE.hold)
      await api.patch(path`/operator/sources/${slug}`, { hold: values.hold }).catch(notifyError)
    await client.invalidateQueries({ queryKey: ['operator', 'sources'] })
    notifyDone(`${slug} is added and is being read.`)
    onClose()
    await navigate({ to: '/app/operator/sources/$slug', params: { slug } })
  }
}
