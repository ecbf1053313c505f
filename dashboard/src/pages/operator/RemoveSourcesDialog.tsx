import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { formatNumberOf } from '../../components/format.ts'
import { messageOf } from '../../components/states.tsx'
import { countSources } from './source-labels.ts'
import { sourceTotals } from './use-source-batch.ts'

/** Confirms the removal of many sources, with the numbers of what goes. */
export function RemoveSourcesDialog(props: {
  slugs: readonly string[] | undefined
  onClose: () => void
  onRemove: () => Promise<unknown>
}) {
  const { slugs = [] } = props
  const totals = useQuery({
    queryKey: ['operator', 'source-totals', slugs],
    queryFn: () => sourceTotals(slugs),
    enabled: slugs.length > 0,
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <ConfirmDialog
      opened={props.slugs !== undefined}
      onClose={props.onClose}
      title={`Remove ${countSources(slugs.length)}?`}
      confirmLabel={slugs.length === 1 ? 'Remove source' : 'Remove sources'}
      typedName={countSources(slugs.length)}
      disabled={totals.data === undefined}
      danger
      onConfirm={props.onRemove}
    >
      <p role="status" aria-busy={totals.isPending}>
        {totals.isError && messageOf(totals.error)}
        {totals.isPending && 'Counting slots and syncs.'}
        {totals.data && (
          <>
            This immediately removes {countSources(totals.data.sources)}, {formatNumberOf(totals.data.slots, 'slot')}{' '}
            and {formatNumberOf(totals.data.syncs, 'entry', 'entries')} of the sync history.
          </>
        )}
      </p>
      <p>It can't be undone. To stop syncing and keep the slots, pause the sources instead.</p>
    </ConfirmDialog>
  )
}
