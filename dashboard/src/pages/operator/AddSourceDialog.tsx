import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { SourceCheck } from '../../../../src/shared/contract/sources.ts'
import { call } from '../../api/client.ts'
import { FormButtons } from '../../components/FormButtons.tsx'
import { FormModal } from '../../components/FormModal.tsx'
import { formatCount } from '../../components/format.ts'
import { IconAlertTriangle, IconCircleCheck } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { notifyError, notifySuccess } from '../../components/notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { ReadingFields, SourceFields } from './SourceFields.tsx'
import { SourceOptionsSection } from './SourceOptionFields.tsx'
import {
  canCheck,
  EMPTY_SOURCE,
  mapFieldError,
  SOURCE_VALIDATION,
  type SourceValues,
  sourceBody,
} from './source-form.ts'
import { manifestUrl, shortUrl } from './source-labels.ts'

/** Adds a source. For a feed without options, checks the manifest first. */
export function AddSourceDialog(props: { opened: boolean; onClose: () => void }) {
  return (
    <FormModal {...props} title="Add a source" size="lg">
      <AddSourceForm onAdded={props.onClose} />
    </FormModal>
  )
}

function AddSourceForm({ onAdded }: { onAdded: () => void }) {
  const add = useAddSource(onAdded)
  const [checked, setChecked] = useState<{ url: string; outcome: SourceCheck }>()
  const anyway = useRef(false)
  const outcomeOf = (filled: SourceValues) => (checked?.url === filled.url ? checked.outcome : undefined)
  const adds = (filled: SourceValues) => anyway.current || !canCheck(filled) || outcomeOf(filled)?.ok === true
  const form = useForm<SourceValues>({
    initialValues: EMPTY_SOURCE,
    // A check needs only the URL.
    validate: { ...SOURCE_VALIDATION, slug: (slug, filled) => (adds(filled) ? SOURCE_VALIDATION.slug(slug) : null) },
  })
  const { values } = form
  const shown = canCheck(values) ? outcomeOf(values) : undefined
  const check = async ({ url, slug }: SourceValues) => {
    const outcome = await call('POST /api/operator/sources/check', { body: { url: url.trim() } })
    setChecked({ url, outcome })
    if (outcome.ok && slug.trim() === '') form.getInputNode('slug')?.focus()
  }
  const { formProps, busy, error } = useSubmit(form, (filled) => (adds(filled) ? add(filled) : check(filled)))
  const element = useRef<HTMLFormElement>(null)
  const tryUrl = (url: string) => {
    flushSync(() => form.setFieldValue('url', url))
    element.current?.requestSubmit()
  }
  // It also submits the form, so that errors appear in the same places.
  const addAnyway = () => {
    anyway.current = true
    element.current?.requestSubmit()
    anyway.current = false
  }
  return (
    <form ref={element} {...formProps}>
      <Stack gap="md">
        <SourceFields form={form} />
        <div aria-live="polite">{shown && <CheckResult outcome={shown} url={values.url.trim()} onTry={tryUrl} />}</div>
        <ReadingFields form={form} />
        <SourceOptionsSection form={form} />
        <Text size="sm" c="dimmed">
          Have a CSV or other file?{' '}
          <PageLink to="/app/operator/import" search={{}} underline="always" c="inherit">
            Import it instead
          </PageLink>
          .
        </Text>
        <FormButtons
          busy={busy}
          error={error}
          beside={
            shown?.ok === false && (
              <Button variant="default" disabled={busy} onClick={addAnyway}>
                Add anyway
              </Button>
            )
          }
        >
          {adds(values) ? 'Add source' : shown ? 'Check again' : 'Check'}
        </FormButtons>
      </Stack>
    </form>
  )
}

/** Adds the source, shows a toast and opens its page. */
function useAddSource(onClose: () => void): (values: SourceValues) => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (values) => {
    const { slug } = await call('POST /api/operator/sources', { body: sourceBody(values) }).catch((error) => {
      throw mapFieldError(error)
    })
    // The source exists already: a failure here can be corrected on its page.
    if (values.hold !== EMPTY_SOURCE.hold)
      await call('PATCH /api/operator/sources/:slug', {
        params: { slug },
        body: { hold: values.hold },
      }).catch(notifyError)
    await client.invalidateQueries({ queryKey: ['operator', 'sources'] })
    notifySuccess(`Added ${slug}. The first sync has started.`)
    onClose()
    await navigate({ to: '/app/operator/sources/$slug', params: { slug } })
  }
}

/** The files of a manifest by type, or why it can't be read. */
function CheckResult(props: { outcome: SourceCheck; url: string; onTry: (url: string) => void }) {
  const { outcome, url, onTry } = props
  const suggested = outcome.ok ? undefined : manifestUrl(url)
  const types = [...new Set(outcome.files.map(({ type }) => type))]
  return (
    <Alert
      color={outcome.ok ? 'teal' : 'red'}
      icon={outcome.ok ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={outcome.ok ? 'This manifest is readable' : "This manifest can't be read"}
    >
      <Stack gap={6}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {outcome.message}
        </Text>
        {suggested !== undefined && (
          <Group>
            <Button size="compact-sm" variant="default" onClick={() => onTry(suggested)}>
              Try {shortUrl(suggested)}
            </Button>
          </Group>
        )}
        {types.map((type) => (
          <FilesOf key={type} type={type} outcome={outcome} />
        ))}
        <Text size="sm">
          This checks only the manifest. You can also{' '}
          <PageLink to="/app/operator/check" search={{ url }} underline="always" c="inherit">
            check the whole feed
          </PageLink>
          .
        </Text>
      </Stack>
    </Alert>
  )
}

function FilesOf({ type, outcome }: { type: string; outcome: SourceCheck }) {
  const files = outcome.files.filter((file) => file.type === type)
  const states = [...new Set(files.flatMap((file) => file.states))].toSorted()
  return (
    <Text size="sm">
      <Code c="inherit">{type}</Code> {files.length === 1 ? '1 file' : `${formatCount(files.length)} files`}
      {states.length > 0 && ` for ${states.join(', ')}`}
    </Text>
  )
}
