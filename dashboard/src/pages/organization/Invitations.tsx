import { Badge, Button, Group, Switch, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { InvitationView } from '../../../../src/shared/contract/invitations.ts'
import { call } from '../../api/client.ts'
import { invitationPages } from '../../api/queries.ts'
import { useMay, useOrganization } from '../../api/session.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { IconMailPlus } from '../../components/icons.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { useDialog } from '../../components/use-restore-focus.ts'
import { ROLE_LABELS } from './roles.ts'

/** The pending invitations, optionally the expired, revoked and accepted ones. */
export function Invitations({ onInvite }: { onInvite: () => void }) {
  const { id } = useOrganization()
  const mayInvite = useMay('invitations.create')
  const invitations = useInfiniteQuery(invitationPages(id))
  const [showsPast, setShowsPast] = useState(false)
  const all = invitations.data ?? []
  const open = all.filter(({ status }) => status === 'open')
  const shown = showsPast ? all : open
  const hasPast = open.length < all.length || invitations.hasNextPage
  return (
    <section aria-labelledby="invitations">
      <Group justify="space-between" mt={40} mb="sm" mih={30}>
        <Title order={2} id="invitations">
          Invitations
        </Title>
        {hasPast && (
          <Switch
            label="Show accepted, expired and revoked"
            checked={showsPast}
            onChange={(event) => setShowsPast(event.currentTarget.checked)}
          />
        )}
      </Group>
      {invitations.isPending && <LoadingRows rows={2} />}
      {invitations.isLoadingError && <ErrorState error={invitations.error} onRetry={() => invitations.refetch()} />}
      {invitations.data && shown.length === 0 && (
        <EmptyState
          icon={<IconMailPlus aria-hidden />}
          title="No pending invitations"
          action={
            mayInvite && (
              <Button variant="default" onClick={onInvite}>
                Invite someone
              </Button>
            )
          }
        >
          {mayInvite
            ? "Invite people by email or with a link. An invitation works once, within seven days, and doesn't require an account."
            : 'No one can be invited while the organization is suspended.'}
        </EmptyState>
      )}
      {shown.length > 0 && (
        <DataTable
          caption="Invitations"
          rows={shown}
          rowKey={(one) => one.id}
          columns={COLUMNS}
          isDimmed={({ status }) => status !== 'open'}
        />
      )}
      {showsPast && <MoreButton query={invitations}>Show more invitations</MoreButton>}
    </section>
  )
}

const STATUS = {
  open: ['Pending', 'teal'],
  accepted: ['Accepted', 'gray'],
  revoked: ['Revoked', 'gray'],
  expired: ['Expired', 'gray'],
} as const

const COLUMNS: readonly TableColumn<InvitationView>[] = [
  {
    key: 'for',
    header: 'Invited',
    isRowHeader: true,
    render: (one) => (
      <>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {one.email ?? 'Anyone with the link'}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {one.acceptedBy ? `Accepted by ${one.acceptedBy}` : `Invited by ${one.createdBy}`}
        </Text>
      </>
    ),
  },
  { key: 'role', header: 'Role', width: '110px', render: ({ role }) => ROLE_LABELS[role] },
  {
    key: 'status',
    header: 'Status',
    width: '120px',
    render: ({ status }) => (
      <Badge variant="light" color={STATUS[status][1]}>
        {STATUS[status][0]}
      </Badge>
    ),
  },
  {
    key: 'ends',
    header: 'Expires',
    width: '140px',
    render: ({ status, expiresAtMs }) => (status === 'open' ? <Timestamp at={expiresAtMs} as="ago" /> : '–'),
  },
  {
    key: 'actions',
    header: 'Actions',
    quiet: true,
    align: 'end',
    width: '110px',
    render: (one) => (one.status === 'open' ? <RevokeButton invitation={one} /> : null),
  },
]

function RevokeButton({ invitation }: { invitation: InvitationView }) {
  const { id } = useOrganization()
  const mayRevoke = useMay('invitations.revoke')
  const queryClient = useQueryClient()
  const { isOpen, open, close } = useDialog()
  if (!mayRevoke) return null
  const invitee = invitation.email ?? 'anyone with the link'
  return (
    <>
      <Button size="xs" variant="default" aria-label={`Revoke invitation for ${invitee}`} onClick={open}>
        Revoke
      </Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={close}
        title="Revoke invitation?"
        confirmLabel="Revoke"
        danger
        onConfirm={async () => {
          await call('DELETE /api/organizations/:org/invitations/:id', {
            params: { org: id, id: invitation.id },
          })
          await queryClient.invalidateQueries({ queryKey: ['organizations', id, 'invitations'] })
          notifySuccess('Invitation revoked.')
        }}
      >
        The link for {invitee} stops working immediately. You can invite them again at any time.
      </ConfirmDialog>
    </>
  )
}
