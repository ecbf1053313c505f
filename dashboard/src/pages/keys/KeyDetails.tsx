import { Card, Code, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import { IconInfoCircle } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { isActiveKey, isReplaced, maskedKey } from './key-labels.ts'
import classes from './keys.module.css'

/** A key's details, and why it ended or is about to end. */
export function KeyDetails({ org, keyView }: { org: string; keyView: KeyView }) {
  return (
    <Stack gap="md">
      <EndNotice org={org} keyView={keyView} />
      <Card>
        <dl className={classes.facts}>
          <Fact name="Key">
            <Code>{maskedKey(keyView)}</Code>
          </Fact>
          <Fact name="Created">
            <Timestamp at={keyView.createdAtMs} as="datetime" />
            {keyView.createdBy && (
              <Text size="xs" c="dimmed">
                {keyView.createdBy}
              </Text>
            )}
          </Fact>
          <Fact name="Last used">
            {keyView.lastUsedAtMs === undefined ? 'Never' : <Timestamp at={keyView.lastUsedAtMs} as="ago" />}
          </Fact>
          <Fact name={keyView.status === 'expired' ? 'Expired' : 'Expires'}>
            {keyView.expiresAtMs === undefined ? 'Never' : <Timestamp at={keyView.expiresAtMs} as="datetime" />}
          </Fact>
          {keyView.networks && (
            <Fact name="Allowed networks">
              {keyView.networks.map((network) => (
                <Code key={network} display="block" w="fit-content" mt={2}>
                  {network}
                </Code>
              ))}
            </Fact>
          )}
          {keyView.note && (
            <Fact name="Note">
              <bdi>{keyView.note}</bdi>
            </Fact>
          )}
        </dl>
      </Card>
    </Stack>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
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
