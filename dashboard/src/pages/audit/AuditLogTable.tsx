import { Code, Text } from '@mantine/core'
import { Fragment } from 'react'
import type { AuditView } from '../../../../src/shared/contract/audit.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import {
  IconBuilding,
  IconHistory,
  IconKey,
  IconLogin2,
  IconMail,
  IconShieldX,
  IconUser,
  IconUsersGroup,
} from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './audit.module.css'
import type { SentencePart } from './audit-detail.ts'
import { AUDIT_KIND_LABELS, auditSentence } from './audit-labels.ts'

/** Entries of the audit log, each as a sentence. */
export function AuditLogTable(props: { org?: string | undefined; entries: readonly AuditView[]; caption: string }) {
  return (
    <DataTable
      caption={props.caption}
      columns={columnsOf(props.org)}
      rows={props.entries}
      rowKey={(entry) => String(entry.id)}
      dense
    />
  )
}

function columnsOf(org: string | undefined): TableColumn<AuditView>[] {
  return [
    {
      key: 'what',
      header: 'Event',
      isRowHeader: true,
      render: (entry) => <Entry org={org} entry={entry} />,
    },
    {
      key: 'address',
      header: 'IP address',
      width: '160px',
      render: (entry) => (entry.address ? <Code>{entry.address}</Code> : <Faint>none</Faint>),
    },
    { key: 'time', header: 'Time', isTime: true, width: '200px', render: (entry) => <Timestamp at={entry.atMs} /> },
  ]
}

function Faint({ children }: { children: string }) {
  return (
    <Text span size="xs" c="dimmed">
      {children}
    </Text>
  )
}

function Entry({ org, entry }: { org: string | undefined; entry: AuditView }) {
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
      </div>
    </div>
  )
}

function wordsOf(piece: SentencePart, org: string | undefined) {
  if (typeof piece === 'string') return piece
  if ('strong' in piece) return <b>{piece.strong}</b>
  if (org === undefined) return <b>{piece.name}</b>
  return (
    <PageLink to="/app/o/$org/keys/$key" params={{ org, key: piece.keyId }} size="sm" underline="always">
      {piece.name}
    </PageLink>
  )
}

const ICONS: Readonly<Record<string, typeof IconKey>> = {
  key: IconKey,
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
