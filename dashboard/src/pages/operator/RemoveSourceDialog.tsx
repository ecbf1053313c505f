import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { formatCount } from '../../components/format.ts'

/** Asks before a source goes, with its slug typed. */
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
      confirmLabel="Remove the source"
      typedName={source?.slug ?? ''}
      danger
      onConfirm={async () => source && props.onRemove(source.slug)}
    >
      Its {formatCount(source?.slotCount ?? 0)} slots are gone from every answer at once, and the history of
      its syncs with them. If you only want it to rest, pause it instead.
    </ConfirmDialog>
  )
}
