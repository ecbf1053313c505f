import { Card, Code, Stack } from '@mantine/core'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import { Created } from '../../components/Created.tsx'
import { Facts } from '../../components/Facts.tsx'
import { IconInfoCircle } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { isActiveKey, isReplaced, maskedKey } from './key-labels.ts'
import classes from './keys.module.css'

/** A key's details, and why it ended or is about to end. */
export function KeyDetails({ org, keyView }: { org: string; keyView: KeyView }) {
  const { lastUsedAtMs, expiresAtMs, networks, note } = keyView
  return (
    <Stack gap="md">
      <EndNotice org={org} keyView={keyView} />
      <Card>
        <Facts
          inColumns
          facts={[
            ['Key', <Code key="key">{maskedKey(keyView)}</Code>],
            ['Created', <Created key="created" {...keyView} />],
            ['Last used', lastUsedAtMs === undefined ? 'Never' : <Timestamp key="used" at={lastUsedAtMs} as="ago" />],
            [
              keyView.status === 'expired' ? 'Expired' : 'Expires',
              expiresAtMs === undefined ? 'Never' : <Timestamp key="end" at={expiresAtMs} as="datetime" />,
            ],
            [
              'Allowed networks',
              networks?.map((network) => (
                <Code key={network} display="block" w="fit-content" mt={2}>
                  {network}
                </Code>
              )),
            ],
            ['Note', note && <bdi key="note">{note}</bdi>],
          ]}
        />
      </Card>
    </Stack>
  )
}

function EndNotice({ org, keyView }: { org: string; keyView: KeyView }) {
  if (isActiveKey(keyView) && !isReplaced(keyView)) return null
  return (
    <div className={classes.notice} data-quiet={!isActiveKey(keyView) || undefined} role="note">
      <IconInfoCircle size={18} aria-hidden />
      <div>
        <EndReason keyView={keyView} />
        {keyView.replacedBy && (
          <>
            {' '}
            <PageLink to="/app/o/$org/keys/$key" params={{ org, key: keyView.replacedBy }} inherit underline="always">
              Open the replacement key
            </PageLink>
            .
          </>
        )}
      </div>
    </div>
  )
}

function EndReason({ keyView }: { keyView: KeyView }) {
  if (keyView.revokedAtMs !== undefined) {
    return (
      <>
        Revoked <Timestamp at={keyView.revokedAtMs} as="ago" />. Requests with it return 401.
        {keyView.revokedReason && (
          <>
            {' '}
            Reason: <bdi>{keyView.revokedReason}</bdi>.
          </>
        )}
      </>
    )
  }
  if (keyView.expiresAtMs === undefined) return <>A new key replaces this one.</>
  if (keyView.status === 'expired') {
    return (
      <>
        Expired <Timestamp at={keyView.expiresAtMs} as="ago" />. Requests with it return 401. Create a new key if you
        still need one.
      </>
    )
  }
  return (
    <>
      A new key replaces this one, which stays active until <Timestamp at={keyView.expiresAtMs} as="datetime" />. After
      that, requests with it return 401.
    </>
  )
}
