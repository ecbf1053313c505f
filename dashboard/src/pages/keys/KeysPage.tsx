import { Anchor, Button, Group, Select, Stack, Switch, Text } from '@mantine/core'
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import type { KeyListFilter, KeyView } from '../../../../src/shared/contract/keys.ts'
import { KEY_SORTS, type KeySort } from '../../../../src/shared/key-sorts.ts'
import { intervalOfPages, keyPages } from '../../api/queries.ts'
import { useDocsUrl, useMay, useOrganization } from '../../api/session.ts'
import { formatCount } from '../../components/format.ts'
import { IconBell, IconKey, IconPlus } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { EmptyState, ErrorState, LoadingRows, NothingFound } from '../../components/states.tsx'
import { oneOfOrFirst, useSearchParams } from '../../components/use-search-params.ts'
import { KeysTable } from './KeysTable.tsx'
import { type KeyDialogs, useKeyDialogs } from './key-dialogs.tsx'
import { foldReplaced, HINTS, isActiveKey, noticesOf } from './key-labels.ts'
import classes from './keys.module.css'

/** The organization's API keys: create, rotate, revoke. */
export function KeysPage() {
  const org = useOrganization()
  const mayCreate = useMay('keys.create')
  const safetyPage = useDocsUrl('key-safety')
  const [address, change] = useSearchParams()
  const [showsInactive, setShowsInactive] = useState(false)
  const list = { ...listOf(address), showsInactive, setShowsInactive }
  const filter = filterOf(list)
  const keys = useInfiniteQuery({ ...keyPages(org.id, filter), refetchInterval: intervalOfPages(15_000) })
  const showsAll = !keys.isPlaceholderData && filter.search === undefined && filter.status === undefined
  const isFirst = showsAll && keys.data?.keys.length === 0
  const dialogs = useKeyDialogs({ org: org.id, suggestedName: isFirst ? 'My first key' : '' })
  return (
    <>
      <PageHeader
        title="API keys"
        actions={
          mayCreate && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialogs.create}>
              Create key
            </Button>
          )
        }
      >
        API keys give programs full access to the API on behalf of <bdi>{org.name}</bdi>. Keys are free. Treat them{' '}
        <Anchor href={safetyPage} inherit underline="always">
          like passwords
        </Anchor>
        .
      </PageHeader>
      {(keys.data ? !isFirst : list.search !== '') && (
        <Stack gap="md" mb="md">
          <KeyNotices org={org.id} keys={keys.data?.keys.filter((key) => isActiveKey(key)) ?? []} />
          <KeyFilters {...list} change={change} />
        </Stack>
      )}
      {keys.isPending && <LoadingRows rows={4} height={64} />}
      {keys.isError && !keys.data && (
        <ErrorState error={keys.error} onRetry={keys.refetch} title="API keys could not be loaded" />
      )}
      {isFirst && (mayCreate ? <NoKeysYet onCreate={dialogs.create} /> : <NoKeysWhileSuspended />)}
      {keys.data && !isFirst && (
        <KeyList org={org.id} pages={keys} loaded={keys.data} dialogs={dialogs} list={list} change={change} />
      )}
      {dialogs.element}
    </>
  )
}

function NoKeysYet({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={<IconKey aria-hidden />}
      title="Make your first request in a minute"
      action={
        <Button size="md" onClick={onCreate} leftSection={<IconPlus size={18} aria-hidden />}>
          Create your first key
        </Button>
      }
    >
      Create a key, run the example request in a terminal, and watch it arrive here.
    </EmptyState>
  )
}

function NoKeysWhileSuspended() {
  return (
    <EmptyState icon={<IconKey aria-hidden />} title="No API keys">
      Keys can be created once the organization is resumed.
    </EmptyState>
  )
}

const SORT_LABELS: Readonly<Record<KeySort, string>> = {
  ended: 'Default order',
  used: 'Last used first',
  unused: 'Unused longest first',
}

/** The state of the list. Search and order are in the URL: `?q=web&sort=used`. */
interface ListState {
  readonly search: string
  readonly sort: KeySort
  readonly showsInactive: boolean
  readonly setShowsInactive: (shows: boolean) => void
}

function listOf({ q = '', sort }: Readonly<Record<string, string | undefined>>): Pick<ListState, 'search' | 'sort'> {
  return { search: q.slice(0, 200), sort: oneOfOrFirst(KEY_SORTS, sort) }
}

/** In the default order the active keys are the first ones, and it tells whether there are others. */
function filterOf({ search, sort, showsInactive }: ListState): KeyListFilter {
  return {
    ...(search !== '' && { search }),
    ...(sort !== 'ended' && { sort, ...(!showsInactive && { status: 'active' as const }) }),
  }
}

type Change = ReturnType<typeof useSearchParams>[1]

function KeyFilters({ search, sort, change }: Pick<ListState, 'search' | 'sort'> & { change: Change }) {
  return (
    <Group gap="sm">
      <SearchField label="Search keys" wanted={search} onSettle={(q) => change({ q: q || undefined })} />
      <Select
        aria-label="Sort keys"
        data={KEY_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))}
        value={sort}
        onChange={(value) => change({ sort: value === null || value === 'ended' ? undefined : value })}
        allowDeselect={false}
      />
    </Group>
  )
}

interface KeyListProps {
  readonly list: ListState
  readonly change: Change
  readonly org: string
  readonly pages: UseInfiniteQueryResult
  readonly loaded: { readonly keys: readonly KeyView[]; readonly active: number }
  readonly dialogs: KeyDialogs
}

function KeyList({ org, pages, loaded, dialogs, list, change }: KeyListProps) {
  const { search, sort, showsInactive } = list
  const mayCreate = useMay('keys.create')
  const active = loaded.keys.filter((key) => isActiveKey(key))
  const hasInactive = sort !== 'ended' || showsInactive || active.length < loaded.keys.length || pages.hasNextPage
  const shown = showsInactive ? loaded.keys : active
  const listed = sort === 'ended' ? foldReplaced(shown) : shown.map((keyView) => ({ keyView }))
  return (
    <Stack gap="md">
      <Group justify="space-between" mih={28}>
        <Text size="sm" c="dimmed">
          {loaded.active === 1 ? '1 active key' : `${formatCount(loaded.active)} active keys`}
        </Text>
        {hasInactive && (
          <Switch
            label="Show revoked and expired"
            checked={showsInactive}
            onChange={(event) => list.setShowsInactive(event.currentTarget.checked)}
          />
        )}
      </Group>
      {shown.length > 0 ? (
        <KeysTable org={org} keys={listed} onEdit={dialogs.edit} onRotate={dialogs.rotate} onRevoke={dialogs.revoke} />
      ) : search !== '' ? (
        <NothingFound search={search} onClear={() => change({ q: undefined })}>
          The search looks at names, notes, IDs and the last four characters.
        </NothingFound>
      ) : (
        <EmptyState
          icon={<IconKey aria-hidden />}
          title="No active keys"
          action={mayCreate && <Button onClick={dialogs.create}>Create key</Button>}
        >
          This organization can't use the API without an active key.
          {!mayCreate && ' Keys can be created once the organization is resumed.'}
        </EmptyState>
      )}
      {(showsInactive || sort !== 'ended' || active.length < loaded.active) && (
        <MoreButton query={pages}>Show more keys</MoreButton>
      )}
    </Stack>
  )
}

const NAMES_MAX = 4

/** The keys that need attention, with advice. Renders nothing if there are none. */
function KeyNotices({ org, keys }: { org: string; keys: readonly KeyView[] }) {
  const notices = noticesOf(keys)
  if (notices.length === 0) return null
  return (
    <div className={classes.notice} role="note" aria-label="Keys that need attention">
      <IconBell size={18} aria-hidden />
      <ul>
        {notices.map(({ hint, keys: named }) => (
          <li key={hint}>
            <b>{HINTS[hint].label}:</b> <KeyLinks org={org} keys={named} />. {HINTS[hint].advice}
          </li>
        ))}
      </ul>
    </div>
  )
}

function KeyLinks({ org, keys }: { org: string; keys: readonly KeyView[] }) {
  const more = keys.length - NAMES_MAX
  return (
    <>
      {keys.slice(0, NAMES_MAX).map((key, n) => (
        <Fragment key={key.id}>
          {n > 0 && ', '}
          <PageLink to="/app/o/$org/keys/$key" params={{ org, key: key.id }} inherit underline="always">
            <bdi>{key.name}</bdi>
          </PageLink>
        </Fragment>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  )
}
