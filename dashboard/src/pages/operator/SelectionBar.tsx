import { Button, Checkbox, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import type { BatchAction } from '../../../../src/shared/source-vocabulary.ts'
import { call } from '../../api/client.ts'
import { formatCount } from '../../components/format.ts'
import { notifyError } from '../../components/notify.ts'
import { BatchFailuresDialog } from './BatchFailuresDialog.tsx'
import classes from './operator.module.css'
import { RemoveSourcesDialog } from './RemoveSourcesDialog.tsx'
import { BATCH_LABELS, countSources } from './source-labels.ts'
import type { SourceSearch } from './source-list-state.ts'
import { type BatchProgress, useSourceBatch } from './use-source-batch.ts'
import type { SourceSelection } from './use-source-selection.ts'

/** Selects the sources of the page, or all that match, and changes them together. */
export function SelectionBar(props: {
  sources: readonly SourceView[]
  total: number
  search: SourceSearch
  selection: SourceSelection
}) {
  const { sources, total, search, selection } = props
  const [removing, setRemoving] = useState<readonly string[]>()
  const batch = useSourceBatch()
  const slugs = [...selection.selected]
  const act = async (action: BatchAction) => {
    if (action === 'remove') setRemoving(slugs)
    else await batch.run(action, slugs)
  }
  return (
    <div className={classes.selection} data-active={slugs.length > 0 || undefined}>
      <PageCheckbox sources={sources} selection={selection} />
      {batch.progress === undefined ? (
        <>
          {slugs.length > 0 && <ActionButtons onAct={act} onClear={selection.clear} />}
          <SelectAll total={total} search={search} selection={selection} />
        </>
      ) : (
        <Progress progress={batch.progress} onStop={batch.stop} />
      )}
      <RemoveSourcesDialog
        slugs={removing}
        onClose={() => setRemoving(undefined)}
        onRemove={async () => selection.remove(await batch.run('remove', removing ?? []))}
      />
      <BatchFailuresDialog failures={batch.failures} onClose={batch.closeFailures} />
    </div>
  )
}

function PageCheckbox({ sources, selection }: { sources: readonly SourceView[]; selection: SourceSelection }) {
  const slugs = sources.map(({ slug }) => slug)
  const count = selection.selected.size
  const onPage = slugs.filter((slug) => selection.selected.has(slug)).length
  const isAll = onPage === slugs.length && onPage > 0
  return (
    <Checkbox
      size="xs"
      label={<span role="status">{count === 0 ? 'Select all on this page' : `${countSources(count)} selected`}</span>}
      aria-label="Select all on this page"
      checked={isAll}
      indeterminate={onPage > 0 && !isAll}
      onChange={() => (isAll ? selection.remove(slugs) : selection.add(slugs))}
    />
  )
}

const SHOWN_ACTIONS: readonly BatchAction[] = ['pause', 'resume', 'sync', 'check', 'remove']

function ActionButtons({ onAct, onClear }: { onAct: (action: BatchAction) => void; onClear: () => void }) {
  return (
    <Group gap={6}>
      {SHOWN_ACTIONS.map((action) => (
        <Button
          key={action}
          size="compact-sm"
          variant="default"
          {...(action === 'remove' && { color: 'red', variant: 'light' })}
          onClick={() => onAct(action)}
        >
          {BATCH_LABELS[action]}
        </Button>
      ))}
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
    </Group>
  )
}

/** Offered once something is selected, and more sources match. */
function SelectAll(props: { total: number; search: SourceSearch; selection: SourceSelection }) {
  const { total, search, selection } = props
  const [isLoading, setIsLoading] = useState(false)
  const { size } = selection.selected
  if (size === 0 || size >= total) return null
  const selectAll = async () => {
    setIsLoading(true)
    try {
      selection.add((await call('GET /api/operator/source-slugs', { query: { ...search } })).slugs)
    } catch (error) {
      notifyError(error)
    }
    setIsLoading(false)
  }
  return (
    <Button size="compact-sm" variant="subtle" loading={isLoading} onClick={selectAll}>
      Select all {formatCount(total)}
    </Button>
  )
}

function Progress({ progress: { action, done, total }, onStop }: { progress: BatchProgress; onStop: () => void }) {
  return (
    <Group gap="xs">
      <Text size="sm" role="status">
        {BATCH_LABELS[action].replace('…', '')}: {formatCount(done)} of {formatCount(total)}
      </Text>
      <Button size="compact-sm" variant="default" onClick={onStop}>
        Stop
      </Button>
    </Group>
  )
}
