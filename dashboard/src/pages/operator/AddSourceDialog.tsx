import { Button, Group, Modal, NumberInput, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { SourceCheck } from '../../../../src/account/shapes.ts'
import type { SourceView } from '../../../../src/account/source-shapes.ts'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../parts/notify.ts'
import { FormError } from '../../parts/states.tsx'
import { useSubmit } from '../../parts/submit.ts'
import { CheckResult } from './CheckResult.tsx'
import { suggestSlug } from './source-words.ts'

interface Values extends Record<string, unknown> {
  url: string
  slug: string
  everyMinutes: number | ''
  strict: boolean
}

/** Adds a source in two steps: what its manifest lists is shown first. */
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
  const form = useForm<Values>({
    initialValues: { url: '', slug: '', everyMinutes: '', strict: false },
    validate: { url: urlFault, slug: (slug) => slugFault(slug, taken) },
  })
  const isChecked = checked?.url === form.values.url && checked.outcome.ok
  const check = async ({ url }: Values) =>
    setChecked({ url, outcome: await api.post<SourceCheck>('/operator/sources/check', { url: url.trim() }) })
  // The second button submits too, so that a refusal is shown in the same places.
  const anyway = useRef(false)
  const { formProps, busy, error } = useSubmit(form, (values) => {
    const adds = isChecked || anyway.current
    anyway.current = false
    return adds ? add(values) : check(values)
  })
  const shown = checked?.url === form.values.url ? checked.outcome : undefined
  const setUrl = (url: string) => {
    // Until somebody writes another, the slug follows the address.
    if (form.values.slug === suggestSlug(form.values.url)) form.setFieldValue('slug', suggestSlug(url))
    form.setFieldValue('url', url)
  }
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput
          label="Address of the manifest"
          description="It usually ends in $bulk-publish."
          placeholder="https://publisher.example/$bulk-publish"
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
            {...form.getInputProps('slug')}
          />
          <NumberInput
            label="Sync every (minutes)"
            description="Empty: as the publisher says."
            placeholder="Automatic"
            min={1}
            max={10_080}
            allowDecimal={false}
            {...form.getInputProps('everyMinutes')}
          />
        </Group>
        <Switch
          label="Strict"
          description="Rejects what the specification forbids, instead of reading it leniently."
          {...form.getInputProps('strict', { type: 'checkbox' })}
        />
        <div aria-live="polite">{shown && <CheckResult outcome={shown} url={form.values.url.trim()} />}</div>
        <FormError error={error} />
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
            {isChecked ? 'Add the source' : shown ? 'Check again' : 'Check'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Adds it, says so, and shows it. */
function useAddSource(onClose: () => void): (values: Values) => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async ({ url, slug, everyMinutes, strict }) => {
    const form = { url: url.trim(), slug, strict, ...(everyMinutes !== '' && { everyMinutes }) }
    await api.post<SourceView>('/operator/sources', form)
    await client.invalidateQueries({ queryKey: ['operator', 'sources'] })
    notifyDone(`${slug} is added and is being read.`)
    onClose()
    await navigate({ to: '/app/operator/sources/$slug', params: { slug } })
  }
}

function urlFault(text: string): string | null {
  const url = URL.parse(text.trim())
  return url !== null && /^https?:$/.test(url.protocol)
    ? null
    : 'Enter an address that begins with https:// or http://'
}

function slugFault(slug: string, taken: readonly string[]): string | null {
  if (taken.includes(slug)) return 'Another source has this slug. Please choose another.'
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(slug)
    ? null
    : 'Use lower-case letters, digits and hyphens, 63 at most'
}
