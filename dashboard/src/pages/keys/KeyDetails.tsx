import { Card, Code, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { KeyView } from '../../../../src/shared/shapes.ts'
import { IconInfoCircle } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { isReplaced, maskedKey } from './key-labels.ts'
import classes from './keys.module.css'

/** What a key is: its end, its maker, its last use; and, if it ended or is about to, why. */
export function KeyDetails({ org, keyView }: { org: string; keyView: KeyView }) {
  return (
    <Stack gap="md">
      <Ending org={org} keyView={keyView} />
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
            {keyView.expiresAtMs === undefined ? (
              'Never'
            ) : (
              <Timestamp at={keyView.expiresAtMs} as="datetime" />
            )}
          </Fact>
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

function Ending({ org, keyView }: { org: string; keyView: KeyView }) {
  if (keyView.status === 'active' && !isReplaced(keyView)) return null
  return (
    <div className={classes.notice} data-quiet={keyView.status !== 'active' || undefined} role="note">
      <IconInfoCircle size={18} aria-hidden />
      <div>
        <EndingWords keyView={keyView} />
        {keyView.replacedBy && (
          <>
            {' '}
            <PageLink
              to="/app/o/$org/keys/$key"
              params={{ org, key: keyView.replacedBy }}
              inherit
              underline="always"
            >
              Open the key that took its place
            </PageLink>
            .
          </>
        )}
      </div>
    </div>
  )
}

function EndingWords({ keyView }: { keyView: KeyView }) {
  if (keyView.revokedAtMs !== undefined) {
    return (
      <>
        Revoked <Timestamp at={keyView.revokedAtMs} as="ago" />. Requests with it get 401.
        {keyView.revokedReason && ` Reason: ${keyView.revokedReason}.`}
      </>
    )
  }
  if (keyView.expiresAtMs === undefined) return <>A new key has taken its place.</>
  if (keyView.status === 'expired') {
    return (
      <>
        Expired <Timestamp at={keyView.expiresAtMs} as="ago" />. Requests with it get 401. Create a new key if
        something still needs one.
      </>
    )
  }
  return (
    <>
      A new key has taken its place. This one works until <Timestamp at={keyView.expiresAtMs} as="datetime" />
      , then requests with it get 401.
    </>
  )
}
