import { ActionIcon, Checkbox, Menu, Text } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import type { SourceOrder, SourceSortKey } from '../../../../src/shared/source-vocabulary.ts'
import { now } from '../../api/now.ts'
import { useIsOperator } from '../../api/session.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { Faint } from '../../components/Faint.tsx'
import { formatCount } from '../../components/format.ts'
import { IconDots, IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './operator.module.css'
import { SourceBadges } from './SourceBadges.tsx'
import { FORMAT_LABELS, flagReason, isDue, lineNotes, shortUrl } from './source-labels.ts'
import { nextOrder } from './source-list-state.ts'
import type { SourceMutations } from './use-source-mutations.ts'
import type { SourceSelection } from './use-source-selection.ts'

type Actions = Pick<SourceMutations, 'syncNow' | 'setPaused'> & {
  readonly onRemove: (source: SourceView) => void
}

interface SourceListProps extends Actions {
  readonly sources: readonly SourceView[]
  readonly order: SourceOrder
  readonly onOrder: (order: SourceOrder) => void
  readonly selection: SourceSelection
}

/** Sources as a table with a line each, in the order given. Keys: see `moveByKey()`. */
export function SourceList({ sources, order, onOrder, selection, ...actions }: SourceListProps) {
  const isOperator = useIsOperator()
  const columns = sortable(columnsOf(isOperator ? selection : undefined), order, onOrder)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts for the links and checkboxes in it
    <div className={classes.sources} onKeyDown={(event) => moveByKey(event, selection)}>
      <DataTable
        caption="Sources"
        columns={isOperator ? [...columns, actionsColumn(actions)] : columns}
        rows={sources}
        rowKey={(source) => source.slug}
        isDimmed={(source) => source.paused}
        dense
      />
    </div>
  )
}

type SourceColumn = TableColumn<SourceView> & { readonly sortKey: SourceSortKey }

function columnsOf(selection: SourceSelection | undefined): readonly SourceColumn[] {
  return [
    {
      key: 'slug',
      sortKey: 'name',
      header: 'Source',
      isRowHeader: true,
      render: (source) => <Name source={source} selection={selection} />,
    },
    { key: 'health', sortKey: 'health', header: 'Health', render: (source) => <Health source={source} /> },
    {
      key: 'slots',
      sortKey: 'slots',
      header: 'Slots',
      align: 'end',
      render: ({ slotCount }) => formatCount(slotCount),
    },
    {
      key: 'checked',
      sortKey: 'checked',
      header: 'Last checked',
      render: ({ lastCheckedAtMs }) => <RelativeTime atMs={lastCheckedAtMs} />,
    },
    {
      key: 'published',
      sortKey: 'published',
      header: 'Feed timestamp',
      isWide: true,
      render: ({ publishedAtMs }) => <RelativeTime atMs={publishedAtMs} absent="Not provided" />,
    },
    {
      key: 'changed',
      sortKey: 'changed',
      header: 'Last change',
      isWide: true,
      render: ({ changedAtMs }) => <RelativeTime atMs={changedAtMs} />,
    },
    {
      key: 'next',
      sortKey: 'next',
      header: 'Next sync',
      isWide: true,
      render: (source) => <NextSync source={source} />,
    },
  ]
}

function sortable(
  columns: readonly SourceColumn[],
  order: SourceOrder,
  onOrder: (order: SourceOrder) => void,
): TableColumn<SourceView>[] {
  return columns.map(({ sortKey, ...column }) => ({
    ...column,
    ...(order === sortKey && { isSorted: true }),
    ...(order === `-${sortKey}` && { isSorted: 'descending' as const }),
    onSort: () => onOrder(nextOrder(order, sortKey)),
  }))
}

function actionsColumn(actions: Actions): TableColumn<SourceView> {
  return {
    key: 'actions',
    header: 'Actions',
    quiet: true,
    corner: true,
    width: '48px',
    render: (source) => <RowMenu source={source} {...actions} />,
  }
}

/** Arrow keys or J and K move between the rows, X selects a row, Escape ends the selection. */
function moveByKey(event: KeyboardEvent<HTMLElement>, selection: SourceSelection): void {
  const { target, currentTarget, key } = event
  // A menu of a row is elsewhere in the document.
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const row = target.closest('tbody tr')
  const step = STEPS[key]
  if (key === 'Escape') selection.clear()
  else if (row !== null && step !== undefined) row[step]?.querySelector('a')?.focus()
  else if (row !== null && key === 'x') row.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click()
  else return
  event.preventDefault()
}

const STEPS: Readonly<Partial<Record<string, 'nextElementSibling' | 'previousElementSibling'>>> = {
  ArrowDown: 'nextElementSibling',
  j: 'nextElementSibling',
  ArrowUp: 'previousElementSibling',
  k: 'previousElementSibling',
}

/** Name, slug and URL, cut off at the width of the column. */
function Name({ source, selection }: { source: SourceView; selection: SourceSelection | undefined }) {
  const { slug, name, url, format } = source
  return (
    <div className={classes.sourceName}>
      {selection !== undefined && (
        <Checkbox
          size="xs"
          aria-label={`Select ${slug}`}
          checked={selection.selected.has(slug)}
          onChange={({ nativeEvent }) =>
            selection.toggle(slug, nativeEvent instanceof PointerEvent && nativeEvent.shiftKey)
          }
        />
      )}
      <PageLink to="/app/operator/sources/$slug" params={{ slug }} size="sm" fw={600} title={name ?? slug}>
        <bdi>{name ?? slug}</bdi>
      </PageLink>
      <Text span size="xs" c="dimmed" title={url}>
        {name !== undefined && `${slug} `}
        {format === 'files' ? FORMAT_LABELS.files : shortUrl(url)}
      </Text>
    </div>
  )
}

function Health({ source }: { source: SourceView }) {
  const [worstFlag] = source.flags
  const reason = worstFlag === undefined ? lineNotes(source) : flagReason(worstFlag, source)
  return (
    <div className={classes.sourceHealth}>
      <SourceBadges source={source} />
      {reason && (
        <Text span size="xs" c="dimmed" title={reason}>
          {withoutPreamble(reason)}
        </Text>
      )}
    </div>
  )
}

/** The cause of a failure: the badge tells that it fails, and the column before which URL. */
function withoutPreamble(reason: string): string {
  return reason.replace(/^The last (?:\d+ )?syncs? failed: /, '').replace(/^Cannot read \S+: /, '')
}

/** A relative time, with the exact time on hover. */
function RelativeTime({ atMs, absent = 'Never' }: { atMs: number | undefined; absent?: string }) {
  return (
    <span className={classes.nowrap}>
      {atMs === undefined ? <Faint>{absent}</Faint> : <Timestamp at={atMs} as="ago" />}
    </span>
  )
}

/** The time of the next sync. */
export function NextSync({ source }: { source: SourceView }) {
  if (source.format === 'files') return <Faint>On import</Faint>
  if (source.paused) return <Faint>Paused</Faint>
  return isDue(source, now()) ? <span>Now</span> : <RelativeTime atMs={source.nextSyncAtMs} />
}

function RowMenu({ source, syncNow, setPaused, onRemove }: { source: SourceView } & Actions) {
  const { slug, paused } = source
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Actions for ${slug}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconRefresh size={16} aria-hidden />}
          disabled={paused || source.format === 'files'}
          onClick={() => syncNow(slug)}
        >
          Sync now
        </Menu.Item>
        <Menu.Item
          leftSection={paused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
          onClick={() => setPaused(slug, !paused)}
        >
          {paused ? 'Resume' : 'Pause'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onRemove(source)}>
          Remove…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
