import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { formatNumberOf } from '../../components/format.ts'

/** Confirms the removal of a source by typing its slug. */
export function RemoveSourceDialog(props: {
  source: SourceView | undefined
  onClose: () => void
  onRemove: (slug: string) => Promise<unknown>
}) {
  const { source } = props
  return (
    <ConfirmDialog
      opened={source !== undefined}
      onClose={props.onClose}
      title={`Remove ${source?.slug ?? 'the source'}?`}
      confirmLabel="Remove source"
      typedName={source?.slug ?? ''}
      danger
      onConfirm={async () => source && props.onRemove(source.slug)}
    >
      Its {formatNumberOf(source?.slotCount ?? 0, 'slot')} and its sync history are removed immediately. To stop syncing
      and keep its slots, pause it instead.
    </ConfirmDialog>
  )
}
