import { Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import type { AuditView } from '../../../../src/shared/contract/audit.ts'
import {
  IconBuilding,
  IconHistory,
  IconKey,
  IconLogin2,
  IconMail,
  IconShieldX,
  IconUser,
  IconUsersGroup,
  IconWebhook,
} from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import classes from './audit.module.css'
import type { SentencePart } from './audit-detail.ts'
import { AUDIT_KIND_LABELS, auditSentence } from './audit-labels.ts'

/** An entry as a sentence with an icon; `children` are below it. Keys and subscriptions are links in the log of an organization. */
export function AuditEntryLine({
  org,
  entry,
  children,
}: {
  org?: string | undefined
  entry: AuditView
  children?: ReactNode
}) {
  const { sentence, notes } = auditSentence(entry)
  return (
    <div className={classes.entry}>
      <Mark kind={entry.kind} />
      <div className={classes.words}>
        {sentence.map((piece, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
          <Fragment key={n}>{wordsOf(piece, org)}</Fragment>
        ))}
        {notes.length > 0 && (
          <Text size="xs" c="dimmed">
            {notes.join(' · ')}
          </Text>
        )}
        {children}
      </div>
    </div>
  )
}

function wordsOf(piece: SentencePart, org: string | undefined) {
  if (typeof piece === 'string') return piece
  if ('strong' in piece)
    return (
      <b>
        <bdi>{piece.strong}</bdi>
      </b>
    )
  if (org === undefined)
    return (
      <b>
        <bdi>{piece.name}</bdi>
      </b>
    )
  if ('subscriptionId' in piece)
    return (
      <PageLink
        to="/app/o/$org/webhooks/$subscription"
        params={{ org, subscription: piece.subscriptionId }}
        size="sm"
        underline="always"
      >
        <bdi>{piece.name}</bdi>
      </PageLink>
    )
  return (
    <PageLink to="/app/o/$org/keys/$key" params={{ org, key: piece.keyId }} size="sm" underline="always">
      <bdi>{piece.name}</bdi>
    </PageLink>
  )
}

const ICONS: Readonly<Record<string, typeof IconKey>> = {
  key: IconKey,
  subscription: IconWebhook,
  'sign-in': IconLogin2,
  invitation: IconMail,
  member: IconUser,
  account: IconUser,
  operator: IconUsersGroup,
  'setup-link': IconUsersGroup,
  audit: IconHistory,
  organization: IconBuilding,
}

/** The icon of an entry. Failed and blocked sign-ins have their own. */
function Mark({ kind }: { kind: AuditView['kind'] }) {
  const alert = kind === 'sign-in.failed' || kind === 'sign-in.blocked'
  const Icon = alert ? IconShieldX : (ICONS[kind.split('.')[0]] ?? IconBuilding)
  return <Icon size={18} stroke={1.7} data-alert={alert || undefined} aria-label={AUDIT_KIND_LABELS[kind]} role="img" />
}
