import { ActionIcon, Code, Menu, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import { useMay } from '../../api/session.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { Faint } from '../../components/Faint.tsx'
import { IconBan, IconChartBar, IconDots, IconPencil, IconRefresh } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { KeyBadges } from './KeyBadges.tsx'
import { isActiveKey, type ListedKey, maskedKey } from './key-labels.ts'
import classes from './keys.module.css'

/** The actions of a row. */
interface KeyActions {
  readonly onEdit: (key: KeyView) => void
  readonly onRotate: (key: KeyView) => void
  readonly onRevoke: (key: KeyView) => void
}

/** API keys as a table; inactive keys are grayed out. */
export function KeysTable(props: { org: string; keys: readonly ListedKey[] } & KeyActions) {
  return (
    <DataTable
      caption="API keys"
      columns={columnsOf(props)}
      rows={props.keys}
      rowKey={({ keyView }) => keyView.id}
      isDimmed={({ keyView }) => !isActiveKey(keyView)}
    />
  )
}

function columnsOf({ org, ...actions }: { org: string } & KeyActions): TableColumn<ListedKey>[] {
  return [
    { key: 'name', header: 'Key', isRowHeader: true, render: (key) => <KeyName org={org} {...key} /> },
    { key: 'status', header: 'Status', width: '17%', render: (key) => <KeyBadges {...key} /> },
    { key: 'created', header: 'Created', isTime: true, width: '21%', render: (key) => <Created {...key} /> },
    {
      key: 'used',
      header: 'Last used',
      render: ({ keyView: { lastUsedAtMs } }) =>
        lastUsedAtMs === undefined ? <Faint>Never</Faint> : <Timestamp at={lastUsedAtMs} as="ago" />,
    },
    { key: 'ends', header: 'Expires', render: (key) => <Expiry {...key} /> },
    {
      key: 'actions',
      header: 'Actions',
      quiet: true,
      corner: true,
      width: '56px',
      render: ({ keyView }) => <RowMenu org={org} keyView={keyView} {...actions} />,
    },
  ]
}

function KeyName({ org, keyView, successor }: { org: string } & ListedKey) {
  return (
    <Stack gap={4} align="flex-start" className={successor && classes.replaced}>
      <PageLink
        to="/app/o/$org/keys/$key"
        params={{ org, key: keyView.id }}
        size="sm"
        fw={600}
        style={{ overflowWrap: 'anywhere' }}
      >
        <bdi>{keyView.name}</bdi>
      </PageLink>
      <Code c="inherit">{maskedKey(keyView)}</Code>
      {successor && (
        <Text size="xs" c="dimmed">
          Replaced by the key above
        </Text>
      )}
      {keyView.note && (
        <Text size="xs" c="dimmed" lineClamp={1} title={keyView.note} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{keyView.note}</bdi>
        </Text>
      )}
    </Stack>
  )
}

function Created({ keyView }: { keyView: KeyView }) {
  return (
    <div>
      <Timestamp at={keyView.createdAtMs} as="date" />
      {keyView.createdBy && (
        <Text size="xs" c="dimmed" truncate maw={220} title={keyView.createdBy}>
          {keyView.createdBy}
        </Text>
      )}
    </div>
  )
}

function Expiry({ keyView }: { keyView: KeyView }) {
  if (keyView.revokedAtMs !== undefined) {
    return (
      <span>
        Revoked <Timestamp at={keyView.revokedAtMs} as="ago" />
      </span>
    )
  }
  if (keyView.expiresAtMs === undefined) return <Faint>Never</Faint>
  return <Timestamp at={keyView.expiresAtMs} as="ago" />
}

function RowMenu({ org, keyView, onEdit, onRotate, onRevoke }: { org: string; keyView: KeyView } & KeyActions) {
  const canUse = isActiveKey(keyView)
  const mayEdit = useMay('keys.edit')
  const mayRotate = useMay('keys.rotate')
  return (
    <div className={classes.actions}>
      <Menu position="bottom-end" shadow="md" width={200}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${keyView.name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            component={Link}
            to={`/app/o/${org}/keys/${keyView.id}`}
            leftSection={<IconChartBar size={16} aria-hidden />}
          >
            Usage and requests
          </Menu.Item>
          {canUse && mayEdit && (
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onEdit(keyView)}>
              Edit…
            </Menu.Item>
          )}
          {canUse && mayRotate && !keyView.replacedBy && (
            <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => onRotate(keyView)}>
              Rotate…
            </Menu.Item>
          )}
          {canUse && (
            <Menu.Item color="red" leftSection={<IconBan size={16} aria-hidden />} onClick={() => onRevoke(keyView)}>
              Revoke…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
