import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import { auditQuery, keyQuery } from '../../api/queries.ts'
import { useMay, useOrganization } from '../../api/session.ts'
import { IconBan, IconPencil, IconRefresh } from '../../components/icons.tsx'
import { BackLink, ButtonLink, PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { TitledSection } from '../../components/TitledSection.tsx'
import { UnloadedPage } from '../../components/UnloadedPage.tsx'
import { AuditLogTable } from '../audit/AuditLogTable.tsx'
import { KeyAddresses } from './KeyAddresses.tsx'
import { KeyBadges } from './KeyBadges.tsx'
import { KeyDetails } from './KeyDetails.tsx'
import { KeyUsageSection } from './KeyUsageSection.tsx'
import { useKeyDialogs } from './key-dialogs.tsx'
import { isActiveKey } from './key-labels.ts'
import { RecentRequests } from './RecentRequests.tsx'

/** One key: details, usage, recent requests, activity. */
export function KeyPage() {
  const org = useOrganization().id
  const { key: keyId = '' } = useParams({ strict: false })
  const key = useQuery({ ...keyQuery(org, keyId), refetchInterval: 15_000 })
  const above = (
    <BackLink to="/app/o/$org/keys" params={{ org }}>
      API keys
    </BackLink>
  )
  if (key.data) return <LoadedKey org={org} keyView={key.data} above={above} />
  const action = (
    <ButtonLink to="/app/o/$org/keys" params={{ org }}>
      View API keys
    </ButtonLink>
  )
  return (
    <UnloadedPage query={key} title="API key" above={above} action={action}>
      Check the URL, or whether the key belongs to another of your organizations.
    </UnloadedPage>
  )
}

function LoadedKey({ org, keyView, above }: { org: string; keyView: KeyView; above: React.ReactNode }) {
  const mayAudit = useMay('audit.read')
  const mayEdit = useMay('keys.edit')
  const mayRotate = useMay('keys.rotate')
  const navigate = useNavigate()
  const dialogs = useKeyDialogs({
    org,
    suggestedName: '',
    onDone: (created) => void navigate({ to: '/app/o/$org/keys/$key', params: { org, key: created.id } }),
  })
  const canUse = isActiveKey(keyView)
  return (
    <>
      <PageHeader
        title={keyView.name}
        above={above}
        beside={<KeyBadges keyView={keyView} />}
        actions={
          canUse && (
            <>
              {mayEdit && (
                <Button
                  variant="default"
                  leftSection={<IconPencil size={16} aria-hidden />}
                  onClick={() => dialogs.edit(keyView)}
                >
                  Edit
                </Button>
              )}
              {mayRotate && !keyView.replacedBy && (
                <Button
                  variant="default"
                  leftSection={<IconRefresh size={16} aria-hidden />}
                  onClick={() => dialogs.rotate(keyView)}
                >
                  Rotate
                </Button>
              )}
              <Button
                variant="default"
                c="red"
                leftSection={<IconBan size={16} aria-hidden />}
                onClick={() => dialogs.revoke(keyView)}
              >
                Revoke
              </Button>
            </>
          )
        }
      />
      <Stack gap="xl">
        <KeyDetails org={org} keyView={keyView} />
        <KeyUsageSection org={org} keyView={keyView} />
        <RecentRequests org={org} keyView={keyView} />
        <KeyAddresses org={org} keyId={keyView.id} />
        {mayAudit && <KeyActivity org={org} keyId={keyView.id} />}
      </Stack>
      {dialogs.element}
    </>
  )
}

const SHOWN_MAX = 10

/** A key's entries in the audit log. Requires `audit.read`. */
function KeyActivity({ org, keyId }: { org: string; keyId: string }) {
  const log = useQuery(auditQuery(org, { subject: keyId, limit: SHOWN_MAX }))
  return (
    <TitledSection
      title="Activity"
      empty={log.data?.length === 0 && 'No audit log entries for this key.'}
      beside={
        <PageLink to="/app/o/$org/audit" params={{ org }} search={{ subject: keyId } as never} size="sm">
          Open in the audit log
        </PageLink>
      }
    >
      {log.isPending && <LoadingRows rows={2} />}
      {log.isError && !log.data && <ErrorState error={log.error} onRetry={log.refetch} />}
      {log.data && <AuditLogTable org={org} entries={log.data} caption="Activity of this key" />}
    </TitledSection>
  )
}
