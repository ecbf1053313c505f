import { Alert, Button, Group, List, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { AuditView } from '../../../src/shared/contract/audit.ts'
import { call } from '../api/client.ts'
import { useMe } from '../api/session.ts'
import { IconShieldCheck } from '../components/icons.tsx'
import { PageLink } from '../components/links.tsx'
import { notifyError } from '../components/notify.ts'
import { OperatorContact } from '../components/operator.tsx'
import { Timestamp } from '../components/Timestamp.tsx'
import { focusHeadingWhenGone } from '../components/use-restore-focus.ts'
import { noticeEntry } from '../pages/account/own-entry.ts'
import { auditSentence } from '../pages/audit/audit-labels.ts'
import classes from './layout.module.css'

/** Operators' changes of the visitor's account, on every page until the visitor dismisses it. There is at least one. */
export function AccountNotices() {
  const { notices } = useMe()
  const queryClient = useQueryClient()
  const dismiss = useMutation({
    mutationFn: (lastId: number) => call('POST /api/me/notices/dismiss', { body: { lastId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['me'] }),
    onError: notifyError,
  })
  return (
    <Alert
      icon={<IconShieldCheck aria-hidden />}
      color="yellow"
      title="Your account was changed"
      mb="lg"
      className={classes.notice}
      role="status"
      ref={focusHeadingWhenGone}
      aria-label="Your account was changed"
    >
      {notices.length === 1 ? (
        <Notice notice={notices[0]} />
      ) : (
        <List size="sm">
          {notices.map((notice) => (
            <List.Item key={notice.id}>
              <Notice notice={notice} />
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm" mt={4}>
        If you didn't expect this, contact <OperatorContact />.
      </Text>
      <Group gap="md" mt="sm">
        <Button size="xs" variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate(notices[0].id)}>
          Dismiss
        </Button>
        <PageLink to="/app/account" hash="security-log" size="sm" underline="always" c="inherit">
          View security log
        </PageLink>
      </Group>
    </Alert>
  )
}

/** "An operator created a password reset link for your account on …" */
function Notice({ notice }: { notice: AuditView }) {
  const { sentence } = auditSentence(noticeEntry(notice))
  return (
    <Text size="sm" component="span">
      {sentence.map((part, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
        <Fragment key={n}>{typeof part === 'string' ? part : 'strong' in part ? part.strong : part.name}</Fragment>
      ))}{' '}
      on <Timestamp at={notice.atMs} />.
    </Text>
  )
}
