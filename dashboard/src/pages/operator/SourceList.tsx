import { ActionIcon, Menu, Text } from '@mantine/core'
import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import { useIsOperator } from '../../api/session.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount, formatElapsed } from '../../components/format.ts'
import { IconDots, IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './operator.module.css'
import { SourceBadges } from './SourceBadges.tsx'
import { FORMAT_LABELS, flagReason, isDue, OUTCOME_LABELS, shortUrl } from './source-labels.ts'
import type { SourceMutations } from './use-source-mutations.ts'

type Actions = Pick<SourceMutations, 'syncNow' | 'setPaused'> & {
  readonly onRemove: (source: SourceView) => void
}

/** Sources as a table, in the order given. */
export function SourceList({ sources, ...actions }: { sources: readonly SourceView[] } & Actions) {
  return (
    <div className={classes.sources}>
      <DataTable
        caption="Sources"
        columns={useIsOperator() ? [...COLUMNS, actionsColumn(actions)] : COLUMNS}
        rows={sources}
        rowKey={(source) => source.slug}
        isDimmed={(source) => source.paused}
      />
    </div>
  )
}

const COLUMNS: readonly TableColumn<SourceView>[] = [
  { key: 'slug', header: 'Source', isRowHeader: true, render: (source) => <Name source={source} /> },
  { key: 'health', header: 'Health', width: '30%', render: (source) => <Health source={source} /> },
  { key: 'slots', header: 'Slots', align: 'end', render: (source) => <Slots source={source} /> },
  { key: 'checked', header: 'Last checked', render: (source) => <LastChecked source={source} /> },
  {
    key: 'published',
    header: 'Feed timestamp',
    render: ({ publishedAtMs }) => <RelativeTime atMs={publishedAtMs} absent="Not provided" />,
  },
  {
    key: 'changed',
    header: 'Last change',
    render: ({ changedAtMs }) => <RelativeTime atMs={changedAtMs} />,
  },
  { key: 'next', header: 'Next sync', render: (source) => <NextSync source={source} /> },
]

function actionsColumn(actions: Actions): TableColumn<SourceView> {
  return {
    key: 'actions',
    header: 'Actions',
    quiet: true,
    corner: true,
    width: '56px',
    render: (source) => <RowMenu source={source} {...actions} />,
  }
}

function Name({ source }: { source: SourceView }) {
  return (
    <>
      <PageLink to="/app/operator/sources/$slug" params={{ slug: source.slug }} size="sm" fw={600}>
        {source.name ?? source.slug}
      </PageLink>
      {source.name !== undefined && <Text size="xs">{source.slug}</Text>}
      <Text size="xs" c="dimmed" className={classes.address} title={source.url}>
        {source.format === 'files' ? FORMAT_LABELS.files : shortUrl(source.url)}
      </Text>
    </>
  )
}

function Health({ source }: { source: SourceView }) {
  const [worstFlag] = source.flags
  return (
    <div>
      <SourceBadges source={source} />
      {worstFlag && (
        <Text size="xs" c="dimmed" mt={4} lineClamp={3} className={classes.reason}>
          {flagReason(worstFlag, source)}
        </Text>
      )}
    </div>
  )
}

/** The slots of the current snapshot, and how many of its lines are rejected or withheld as test data. */
function Slots({ source: { slotCount, lastRead } }: { source: SourceView }) {
  return (
    <div>
      {formatCount(slotCount)}
      {lastRead !== undefined && lastRead.rejected > 0 && (
        <Text size="xs" c="dimmed" className={classes.nowrap}>
          {formatCount(lastRead.rejected)} rejected
        </Text>
      )}
      {lastRead?.testSlots !== undefined && (
        <Text size="xs" c="dimmed" className={classes.nowrap}>
          {formatCount(lastRead.testSlots)} test data, not served
        </Text>
      )}
    </div>
  )
}

/** The last successful read, and the outcome of the last sync. */
function LastChecked({ source: { lastCheckedAtMs, lastSync } }: { source: SourceView }) {
  return (
    <div>
      <RelativeTime atMs={lastCheckedAtMs} />
      {lastSync && (
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {OUTCOME_LABELS[lastSync.outcome]} in {formatElapsed(lastSync.durationMs)}
        </Text>
      )}
    </div>
  )
}

/** A relative time, with the exact time on hover. */
function RelativeTime({ atMs, absent = 'Never' }: { atMs: number | undefined; absent?: string }) {
  return atMs === undefined ? <Faint>{absent}</Faint> : <Timestamp at={atMs} as="ago" />
}

/** The time of the next sync. */
export function NextSync({ source }: { source: SourceView }) {
  if (source.format === 'files') return <Faint>On import</Faint>
  if (source.paused) return <Faint>Paused</Faint>
  return isDue(source, Date.now()) ? <span>Now</span> : <Timestamp at={source.nextSyncAtMs} as="ago" />
}

function Faint({ children }: { children: string }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  )
}

function RowMenu({ source, syncNow, setPaused, onRemove }: { source: SourceView } & Actions) {
  const { slug, paused } = source
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${slug}`}>
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
